// Complete documents in a folder, for all processes that share it and for the next start. The file name has a hash of the
// key (with the revisions of everything in the document) and the state of the database when the document was complete.
// If an operator restored an older database, files from after its state are deleted at the start, because revisions repeat.
import { hash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, MINUTE } from '../../domain/time/durations.ts'
import { errorMessage } from '../errors.ts'
import type { Logger } from '../log.ts'

export interface KeptFiles {
  /** Deletes files that must not be found again. Call it before this process first writes: it reads the state of the database. */
  start(): Promise<void>
  /** Opens the file of the document with this key; the caller closes it. */
  find(key: string): Promise<FoundFile | undefined>
  /** Creates a file that no other process can find yet. */
  create(): Promise<NewFile>
  /** Deletes files that have not been used for a long time. */
  sweep(): Promise<void>
}

export interface FoundFile {
  handle: FileHandle
  bytes: number
}

export interface NewFile {
  handle: FileHandle
  /** Call it when the document is complete; from now on it can be found by this key. */
  keep(key: string): Promise<void>
  /** Deletes the file unless it was kept. */
  close(): Promise<void>
}

interface Settings {
  folder: string
  /** 0: nothing is kept. */
  capBytes: number
  /** Everything that all documents depend on, apart from their keys. */
  salt: string
  /** A number that grows with every change of the database. */
  readState(): Promise<number>
  log: Logger
}

export const cacheFolder = (dataDir: string): string => join(dataDir, 'cache')

const UNFINISHED = '.part'
/** A file that is being written is never older than this. */
const ABANDONED_MS = 10 * MINUTE
/** Files not requested for this long are deleted: they may show flights, or a person, that have been deleted. */
const UNUSED_MS = DAY

export function createKeptFiles(settings: Settings): KeptFiles {
  const { folder, capBytes, salt } = settings
  if (capBytes === 0)
    return {
      start: async () => undefined,
      find: async () => undefined,
      create: createUnnamed,
      sweep: async () => undefined,
    }
  const complain = createComplaint(settings)
  const version = hash('sha1', salt, 'hex').slice(0, 8)
  const nameOf = (key: string) => `${version}-${hash('sha256', key, 'base64url')}`
  let preparing: Promise<void> | undefined
  const prepared = () => {
    preparing ??= prepare(settings, version).catch((error) => {
      preparing = undefined
      throw error
    })
    return preparing
  }
  const find = async (key: string): Promise<FoundFile | undefined> => {
    await prepared()
    const start = `${nameOf(key)}.`
    const name = (await readdir(folder)).find((found) => found.startsWith(start))
    return name === undefined ? undefined : openKept(join(folder, name))
  }
  return {
    // Without the folder there is nothing to delete.
    start: async () => (existsSync(folder) ? prepared().catch(complain) : undefined),
    find: (key) => find(key).catch(complain),
    async create() {
      try {
        await prepared()
        return await createNamed(settings, nameOf)
      } catch (error) {
        complain(error)
        return createUnnamed()
      }
    },
    sweep: () =>
      prepared()
        .then(() => makeRoom(folder, capBytes))
        .catch(complain),
  }
}

/** Logs once: an unusable folder slows down long responses, but none fails. */
function createComplaint({ folder, log }: Settings): (error: unknown) => undefined {
  let isLogged = false
  return (error) => {
    if (!isLogged) log.warn('cannot keep long responses', { folder, reason: errorMessage(error) })
    isLogged = true
  }
}

/** Deletes files of an earlier version, unfinished files, and files from after the database's state. */
async function prepare({ folder, capBytes, readState }: Settings, version: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const state = await readState()
  for (const name of await readdir(folder)) {
    const isOfVersion = name.startsWith(`${version}-`) && Number(name.split('.')[1]) <= state
    if (!name.endsWith(UNFINISHED) && !isOfVersion) await rm(join(folder, name), { force: true })
  }
  await makeRoom(folder, capBytes)
}

async function openKept(path: string): Promise<FoundFile | undefined> {
  // Another process may have deleted the file meanwhile.
  const handle = await open(path, 'r').catch(() => undefined)
  if (!handle) return undefined
  try {
    const { size } = await handle.stat()
    const now = new Date()
    await utimes(path, now, now).catch(() => undefined)
    return { handle, bytes: size }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function createNamed(
  { folder, capBytes, readState }: Settings,
  nameOf: (key: string) => string,
): Promise<NewFile> {
  const path = join(folder, randomUUID() + UNFINISHED)
  const handle = await open(path, 'wx+', 0o600)
  let isKept = false
  return {
    handle,
    async keep(key) {
      const { size } = await handle.stat()
      if (size > capBytes) return
      await rename(path, join(folder, `${nameOf(key)}.${await readState()}`))
      isKept = true
      await makeRoom(folder, capBytes)
    },
    async close() {
      await handle.close()
      if (!isKept) await rm(path, { force: true })
    },
  }
}

/** A file without a name: no other process can open it, and it is deleted when it is closed. */
async function createUnnamed(): Promise<NewFile> {
  const folder = await mkdtemp(join(tmpdir(), `contrail-response-${process.pid}-`))
  try {
    const handle = await open(join(folder, 'response'), 'wx+', 0o600)
    return { handle, keep: async () => undefined, close: () => handle.close() }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Deletes the least recently used files until the rest fits. A file that is being read stays readable. */
async function makeRoom(folder: string, capBytes: number): Promise<void> {
  const files = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found)
      files.push({ path, bytes: found.size, usedAt: found.mtimeMs, isPart: name.endsWith(UNFINISHED) })
  }
  files.sort((a, b) => b.usedAt - a.usedAt)
  const now = Date.now()
  let total = 0
  for (const { path, bytes, usedAt, isPart } of files) {
    if (!isPart) total += bytes
    const isOld = now - usedAt > (isPart ? ABANDONED_MS : UNUSED_MS)
    if (isOld || (!isPart && total > capBytes)) await rm(path, { force: true })
  }
}

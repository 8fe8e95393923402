// Complete documents in a folder, for all processes that share it and for the next start. Each is named by a hash of its
// key, which has the revisions of everything in it, and by the state of the database when it was complete: where a database
// was put back by hand, files from after that state are deleted at the start, because its revisions count up again.
import { hash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from './log.ts'

export interface KeptFiles {
  /** Deletes what must not be found again. Before the first write of this process: the state of the database counts. */
  start(): Promise<void>
  /** The file of the document under this key; the caller closes it. */
  find(key: string): Promise<FoundFile | undefined>
  /** A new file, of which no other process knows. */
  create(): Promise<NewFile>
  /** Deletes what was not used for long. */
  sweep(): Promise<void>
}

export interface FoundFile {
  handle: FileHandle
  bytes: number
}

export interface NewFile {
  handle: FileHandle
  /** The document is complete; it is found by this key from now on. */
  keep(key: string): Promise<void>
  /** Deletes it unless it is kept. */
  close(): Promise<void>
}

interface Settings {
  folder: string
  /** 0: nothing is kept. */
  capBytes: number
  /** What every document depends on beside its key. */
  salt: string
  /** A number that rises with every change of the database. */
  readState(): Promise<number>
  log: Logger
}

export const cacheFolder = (dataDir: string): string => join(dataDir, 'cache')

const UNFINISHED = '.part'
/** A file that is being written is not older than this. */
const ABANDONED_MS = 10 * 60_000
/** What no client requested in this time is deleted: it may be of flights, or of a person, that are deleted. */
const UNUSED_MS = 86_400_000

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

/** Once: a folder that cannot be used slows every long response down, and fails none. */
function createComplaint({ folder, log }: Settings): (error: unknown) => undefined {
  let isLogged = false
  return (error) => {
    if (!isLogged) log.warn('cannot keep long responses', { folder, reason: String(error) })
    isLogged = true
  }
}

/** Deletes what an earlier version made, what was never finished, and what is from after the database's state. */
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
  // Another process may have deleted it since.
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

/** Deletes what was not used for the longest time until the rest fits. A file that is being read stays readable. */
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

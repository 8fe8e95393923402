// The watch folder: a file in `IMPORT_DIR/<username>/` is imported for that person as soon as it no longer grows. An import
// without questions is committed and its file moved to `done/`; otherwise it stays open in the web app, its file in `waiting/`.
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import type { Services } from '../door/services.ts'
import { importsFor } from '../operations/imports/for-person.ts'
import type { ImportView } from '../operations/imports/schema.ts'
import { resolvePerson } from '../services/reference/resolve/people.ts'

const LOOK_EVERY_MS = 2_000
/** A file that is still being copied keeps growing. */
const UNCHANGED_MS = 10_000

interface Seen {
  size: number
  modified: number
  since: number
}

interface Watched {
  folder: string
  services: Services
  clock: Clock
  log: Logger
}

/** A call of `look` imports the files that are due; files are compared between calls. */
export function createWatch({ folder, services, clock, log }: Watched): { look(): Promise<void> } {
  const seen = new Map<string, Seen>()
  const warned = new Set<string>()

  function warnOnce(message: string, details: Record<string, unknown>): void {
    const key = `${message} ${JSON.stringify(details)}`
    if (!warned.has(key)) log.warn(message, details)
    warned.add(key)
  }

  /** Whether the file has not changed for a while. */
  function isDue(path: string, { size, modified }: Omit<Seen, 'since'>): boolean {
    const known = seen.get(path)
    const now = clock.now()
    if (known && known.size === size && known.modified === modified) return now - known.since >= UNCHANGED_MS
    seen.set(path, { size, modified, since: now })
    return false
  }

  async function importFile(username: string, userId: string, name: string): Promise<void> {
    const path = join(folder, username, name)
    const size = await stat(path)
    if (size.size > services.config.importSizeLimit) {
      warnOnce('a file in the watch folder is larger than IMPORT_SIZE_LIMIT', { username, bytes: size.size })
      return moveTo('waiting', username, name)
    }
    const imports = importsFor(services, userId)
    const read = await imports.read({ filename: name, bytes: await readRegularFile(path) })
    const isSettled = isClear(read) ? await commit(imports, read) : read.status === 'committed'
    await moveTo(isSettled ? 'done' : 'waiting', username, name)
    log.info('imported a file of the watch folder', {
      username,
      import: read.id,
      status: isSettled ? 'done' : 'waiting',
    })
  }

  async function moveTo(place: 'done' | 'waiting', username: string, name: string): Promise<void> {
    const target = join(folder, username, place)
    await mkdir(target, { recursive: true })
    await rename(join(folder, username, name), await freeName(target, name))
    seen.delete(join(folder, username, name))
  }

  async function lookAt(username: string): Promise<void> {
    const entries = await readdir(join(folder, username), { withFileTypes: true })
    // Copying programs use hidden files while they copy.
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    if (files.length === 0) return
    const person = await resolvePerson(services.store.read, username)
    if (person.outcome !== 'found')
      return warnOnce('the watch folder has a folder that is not named after a user', { username })
    for (const { name } of files) {
      const { size, mtimeMs } = await stat(join(folder, username, name))
      if (!isDue(join(folder, username, name), { size, modified: mtimeMs })) continue
      await importFile(username, person.record.id, name).catch((error) => {
        // Retried on the next look, and after the file has changed.
        warnOnce('could not import a file of the watch folder', { username, reason: reasonOf(error) })
      })
    }
  }

  return {
    async look() {
      const entries = await readdir(folder, { withFileTypes: true })
      for (const entry of entries.filter((one) => one.isDirectory() && !one.name.startsWith('.'))) {
        await lookAt(entry.name)
      }
    },
  }
}

/** Looks every two seconds. The returned function stops that and waits for a running import. */
export const startWatching = (watched: Watched): (() => Promise<void>) =>
  every(LOOK_EVERY_MS, createWatch(watched).look, { log: watched.log, what: 'look into the watch folder' })

/** No row waits for an answer, everything could be read, and no year was assumed. */
const isClear = ({ status, counts: { question, similar, error }, questions }: ImportView): boolean =>
  status === 'ready' &&
  question + similar + error === 0 &&
  questions.every(({ kind, answer }) => kind !== 'year_assumed' || answer !== null)

/** False if another process is committing it right now. */
async function commit(imports: ReturnType<typeof importsFor>, { id }: ImportView): Promise<boolean> {
  try {
    return (await imports.commit(id)).status === 'committed'
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return true
    throw error
  }
}

/** Never follows a link: the folder may be writable for people who may not read the link's target. */
async function readRegularFile(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** A name that is not in the folder yet. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set(await readdir(folder))
  const { name: base, ext } = parse(name)
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${base} (${n})${ext}`
  return join(folder, free)
}

const reasonOf = (error: unknown): string =>
  error instanceof AppError ? error.message : ((error as NodeJS.ErrnoException).code ?? 'failed')

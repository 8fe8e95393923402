// The watch folder: a file in `IMPORT_DIR/<username>/` is imported for that person as soon as it no longer grows. What is
// clear is committed and moved to `done/`; what has questions waits in the web app and is moved to `waiting/`.
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import type { Services } from '../operation.ts'
import { importsFor } from '../operations/import-for-person.ts'
import type { ImportView } from '../operations/import-schema.ts'
import { resolvePerson } from '../resolve/people.ts'

const LOOK_EVERY_MS = 2_000
/** A file that is still being copied grows. */
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

/** One look at the folder imports what is due; files are compared between looks. */
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
    // Hidden files are those that copying programs make on the way.
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    if (files.length === 0) return
    const person = await resolvePerson(services.store.read, username)
    if (person.outcome !== 'found')
      return warnOnce('the watch folder has a folder that is no user', { username })
    for (const { name } of files) {
      const { size, mtimeMs } = await stat(join(folder, username, name))
      if (!isDue(join(folder, username, name), { size, modified: mtimeMs })) continue
      await importFile(username, person.record.id, name).catch((error) => {
        // Tried again at the next look, and after the file has changed.
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

/** Looks every two seconds. The returned function ends that and waits for an import that is under way. */
export function startWatching(watched: Watched): () => Promise<void> {
  const watch = createWatch(watched)
  let looking: Promise<void> | undefined
  let lastProblem = ''
  const timer = setInterval(() => {
    if (looking) return
    looking = watch
      .look()
      .then(() => {
        lastProblem = ''
      })
      .catch((error) => {
        const reason = reasonOf(error)
        if (reason !== lastProblem) watched.log.warn('could not look into the watch folder', { reason })
        lastProblem = reason
      })
      .finally(() => {
        looking = undefined
      })
  }, LOOK_EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await looking
  }
}

/** Nothing waits for a person, and there is nothing that could not be read. */
const isClear = ({ status, counts: { question, similar, error } }: ImportView): boolean =>
  status === 'ready' && question + similar + error === 0

/** False if another process is committing it at this moment. */
async function commit(imports: ReturnType<typeof importsFor>, { id }: ImportView): Promise<boolean> {
  try {
    return (await imports.commit(id)).status === 'committed'
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return true
    throw error
  }
}

/** Never through a link: the folder may be writable for people who may not read what it points to. */
async function readRegularFile(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** A name that the folder does not have yet. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set(await readdir(folder))
  const { name: base, ext } = parse(name)
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${base} (${n})${ext}`
  return join(folder, free)
}

const reasonOf = (error: unknown): string =>
  error instanceof AppError ? error.message : ((error as NodeJS.ErrnoException).code ?? 'failed')

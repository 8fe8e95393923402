// Large request bodies, written to a file while they arrive: memory does not depend on their size or number. A file belongs
// to one request and is moved or removed when the request ends; files that a killed process left are removed later.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { MINUTE } from '../../domain/time/durations.ts'
import { badRequest, tooLarge } from '../errors.ts'
import { createOpenBodies } from './open-bodies.ts'

export interface IncomingFile {
  path: string
  bytes: number
  /** In hexadecimal. */
  sha256: string
  /** Ends the upload: removes the file if it is still in its place. */
  end(): Promise<void>
}

export interface IncomingFiles {
  /** Throws if the person, or all people together, are already sending too many files. */
  receive(personId: string, body: Readable, bytesAtMost: number): Promise<IncomingFile>
  /** Removes files that were left behind. */
  sweep(): Promise<void>
}

export const incomingFolder = (dataDir: string): string => join(dataDir, 'incoming')

/** A file that is being received is written to every few seconds, and moved soon after. */
const ABANDONED_MS = 10 * MINUTE

export function createIncomingFiles(folder: string): IncomingFiles {
  const bodies = createOpenBodies('too_many_uploads')
  return {
    async receive(personId, body, bytesAtMost) {
      const release = bodies.take(personId)
      const path = join(folder, randomUUID())
      let isOpen = true
      const end = async () => {
        if (!isOpen) return
        isOpen = false
        await rm(path, { force: true }).finally(release)
      }
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        return { path, ...(await write(path, body, bytesAtMost)), end }
      } catch (error) {
        // The client only gets the response if the rest of the body is read; it is discarded.
        body.resume()
        await end()
        throw error
      }
    },
    sweep: () => sweep(folder),
  }
}

async function write(
  path: string,
  body: Readable,
  bytesAtMost: number,
): Promise<Pick<IncomingFile, 'bytes' | 'sha256'>> {
  const file = await open(path, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of piecesOf(body)) {
      bytes += chunk.byteLength
      if (bytes > bytesAtMost) throw tooLarge(bytesAtMost)
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

/** A refused body stays open, so that the response can be sent. */
async function* piecesOf(body: Readable): AsyncGenerator<Buffer> {
  const pieces = body.iterator({ destroyOnReturn: false })
  try {
    yield* pieces
  } catch {
    // The connection was lost, or closed because it was too slow.
    throw badRequest('bad_request')
  }
}

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}

// A response that must be complete before its first byte is sent: kept in memory while it is short, else in a temporary
// file. A slow client then holds a file open, not a database snapshot, and no client receives half a document.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

const IN_MEMORY_BYTES = 4 * 1024 * 1024
const FLUSH_BYTES = 256 * 1024

export interface BufferedResponse {
  bytes: number
  stream: Readable
}

export async function bufferResponse(pieces: AsyncIterable<string>): Promise<BufferedResponse> {
  const kept: Buffer[] = []
  let [bytes, waiting] = [0, 0]
  let file: FileHandle | undefined
  const flush = async () => {
    file ??= await openUnnamed()
    for (const piece of kept.splice(0)) await file.writeFile(piece)
    waiting = 0
  }
  try {
    for await (const piece of pieces) {
      const buffer = Buffer.from(piece)
      kept.push(buffer)
      bytes += buffer.byteLength
      waiting += buffer.byteLength
      if (waiting > (file ? FLUSH_BYTES : IN_MEMORY_BYTES)) await flush()
    }
    if (!file) return { bytes, stream: Readable.from([Buffer.concat(kept)]) }
    await flush()
    return { bytes, stream: file.createReadStream({ start: 0 }) }
  } catch (error) {
    await file?.close()
    throw error
  }
}

/** A file without a name: no other process can open it, and it is deleted when it is closed. */
async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), `contrail-response-${process.pid}-`))
  try {
    return await open(join(folder, 'response'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

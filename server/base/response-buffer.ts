// An answer that must be whole before its first byte is sent: kept in memory while it is short, in a temporary file
// beyond that. Whoever reads slowly then holds a file, not a database snapshot, and nobody gets half a document.
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

/** A file that nobody else can open and that is gone as soon as it is closed. */
async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), `contrail-answer-${process.pid}-`))
  try {
    return await open(join(folder, 'answer'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

// Compressed pieces of long documents, by what is in them: a document that is made again after a small change consists of
// the pieces of the earlier one, except those that changed. The least recently used are dropped.
import { createResponseCache } from './cache.ts'
import { type Deflated, deflate } from './deflated.ts'

export interface KeptPieces {
  /** Makes a piece unless it is known. The key identifies everything in it. */
  piece(key: string, make: () => Promise<string>): Promise<Deflated>
}

/** The numbers before the bytes of an entry. */
const HEAD_BYTES = 8

export function createKeptPieces(capBytes: number): KeptPieces {
  const entries = createResponseCache(capBytes)
  return {
    async piece(key, make) {
      const known = entries.get(key)
      if (known)
        return {
          crc: known.readUInt32LE(0),
          plainBytes: known.readUInt32LE(4),
          bytes: known.subarray(HEAD_BYTES),
        }
      const made = await deflate(await make())
      const entry = Buffer.allocUnsafeSlow(HEAD_BYTES + made.bytes.byteLength)
      entry.writeUInt32LE(made.crc, 0)
      entry.writeUInt32LE(made.plainBytes, 4)
      made.bytes.copy(entry, HEAD_BYTES)
      entries.set(key, entry)
      return made
    },
  }
}

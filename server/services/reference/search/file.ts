// A search index as one file: its typed arrays one after the other, as they are in memory. Opening it reads the file and
// parses nothing. A file that is damaged, or was written by a machine with another order of bytes, is not opened.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { MINUTE } from '../../../domain/time/durations.ts'
import type { IndexLists } from './rows.ts'

type List = Uint8Array | Uint32Array

/** Must change with the order of the lists. */
const MARK = 0x43_54_49_01
/** The mark, the checksum of everything after it, and the number of lists; then the bytes of each list. */
const HEAD = 3
/** Each list begins at a multiple of the largest number's bytes. */
const ALIGNED = 4
const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNED) * ALIGNED

const sorted = ['codes', 'fields', 'words', 'regions'] as const

const listsOf = (index: IndexLists): List[] => [
  index.rows.text,
  index.rows.ids,
  index.rows.starts,
  index.rows.groups,
  index.rows.importance,
  ...sorted.flatMap((name) => [index[name].starts, index[name].rows]),
  ...index.near.flatMap(({ letters, sets, rows }) => [letters, sets, rows]),
]

export function toBytes(index: IndexLists): Buffer {
  const lists = listsOf(index)
  const headBytes = (HEAD + lists.length) * ALIGNED
  const size = lists.reduce((sum, { byteLength }) => sum + aligned(byteLength), headBytes)
  const bytes = Buffer.alloc(size)
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD + lists.length)
  let at = headBytes
  lists.forEach((list, i) => {
    head[HEAD + i] = list.byteLength
    bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), at)
    at += aligned(list.byteLength)
  })
  head[2] = lists.length
  head[1] = crc32(bytes.subarray(2 * ALIGNED))
  head[0] = MARK
  return bytes
}

/** The lists share the memory of the buffer. */
function fromBytes(bytes: Buffer): IndexLists | undefined {
  if (bytes.length < HEAD * ALIGNED) return undefined
  const [mark, sum, count] = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD)
  if (mark !== MARK || sum !== crc32(bytes.subarray(2 * ALIGNED))) return undefined
  const sizes = new Uint32Array(bytes.buffer, bytes.byteOffset + HEAD * ALIGNED, count!)
  let [i, at] = [0, (HEAD + count!) * ALIGNED]
  const next = (): [ArrayBuffer, number, number] => {
    const size = sizes[i++]!
    const start = bytes.byteOffset + at
    at += aligned(size)
    return [bytes.buffer as ArrayBuffer, start, size]
  }
  const letters = () => Buffer.from(...next())
  const numbers = () => {
    const [buffer, start, size] = next()
    return new Uint32Array(buffer, start, size / ALIGNED)
  }
  const starts = () => ({ starts: numbers(), rows: numbers() })
  return {
    rows: { text: letters(), ids: numbers(), starts: numbers(), groups: letters(), importance: numbers() },
    codes: starts(),
    fields: starts(),
    words: starts(),
    regions: starts(),
    near: Array.from({ length: (count! - i) / 3 }, () => ({
      letters: letters(),
      sets: numbers(),
      rows: numbers(),
    })),
  }
}

/** The indexes in a folder, one file for each kind of record. */
interface IndexFiles {
  has(kind: string, key: string): boolean
  /** undefined if there is none for the key, or it is damaged. */
  find(kind: string, key: string): Promise<IndexLists | undefined>
  /** Replaces the file of the kind atomically: other processes read the old one or the new one. */
  keep(kind: string, key: string, index: IndexLists): Promise<void>
}

export const indexFolder = (dataDir: string): string => join(dataDir, 'search')

/** A file that is being written is never older than this. */
const ABANDONED_MS = 10 * MINUTE

export function createIndexFiles(folder: string): IndexFiles {
  const nameOf = (kind: string, key: string) => `${kind}-${key}`
  return {
    has: (kind, key) => existsSync(join(folder, nameOf(kind, key))),
    async find(kind, key) {
      const bytes = await readWhole(join(folder, nameOf(kind, key)))
      return bytes && fromBytes(bytes)
    },
    async keep(kind, key, index) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = nameOf(kind, key)
      const part = join(folder, `${kind}-${randomUUID()}.part`)
      try {
        await writeFile(part, toBytes(index), { mode: 0o600 })
        await rename(part, join(folder, name))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
      await removeOthers(folder, kind, name)
    },
  }
}

/** Into memory of its own: the lists must begin where their numbers may. */
async function readWhole(path: string): Promise<Buffer | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    const bytes = Buffer.allocUnsafeSlow(size)
    const { bytesRead } = await file.read(bytes, 0, size, 0)
    return bytesRead === size ? bytes : undefined
  } finally {
    await file.close()
  }
}

/** Files of earlier sets, and those that a killed process left unfinished. */
async function removeOthers(folder: string, kind: string, name: string): Promise<void> {
  for (const other of await readdir(folder)) {
    if (other === name || !other.startsWith(`${kind}-`)) continue
    const path = join(folder, other)
    const isBeingWritten =
      other.endsWith('.part') &&
      ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) > Date.now() - ABANDONED_MS
    if (!isBeingWritten) await rm(path, { force: true })
  }
}

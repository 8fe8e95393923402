// Made-up messages of Outlook: the smallest compound file (MS-CFB) that holds them, with every stream in large sectors or in
// small ones as their length demands.

export interface Folder {
  streams: Record<string, Buffer>
  folders?: Record<string, Folder>
}

const SECTOR = 512
const SMALL = 64
const CUTOFF = 4096
const END = 0xfffffffe
const FREE = 0xffffffff
const NONE = 0xffffffff

interface Entry {
  name: string
  kind: number
  child: number
  right: number
  bytes: Buffer | null
  start: number
  size: number
}

/** Entries of a folder, each the right neighbour of the one before. */
function entriesOf(root: Folder): Entry[] {
  const entries: Entry[] = []
  const add = (name: string, kind: number, bytes: Buffer | null): Entry => {
    const entry = { name, kind, bytes, child: NONE, right: NONE, start: END, size: bytes?.length ?? 0 }
    entries.push(entry)
    return entry
  }
  const fill = (owner: Entry, { streams, folders = {} }: Folder): void => {
    let last: Entry | undefined
    const link = (entry: Entry) => {
      const id = entries.indexOf(entry)
      if (last) last.right = id
      else owner.child = id
      last = entry
    }
    for (const [name, bytes] of Object.entries(streams)) link(add(name, 2, bytes))
    for (const [name, folder] of Object.entries(folders)) {
      const entry = add(name, 1, null)
      link(entry)
      fill(entry, folder)
    }
  }
  fill(add('Root Entry', 5, null), root)
  return entries
}

const padded = (bytes: Buffer, unit: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((unit - (bytes.length % unit)) % unit)])

const numbers = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, i * 4)
  return bytes
}

export function compoundFileOf(root: Folder): Buffer {
  const entries = entriesOf(root)
  const table: number[] = []
  const sectors: Buffer[] = []
  const write = (bytes: Buffer): number => {
    const start = sectors.length
    const whole = padded(bytes, SECTOR)
    for (let at = 0; at < whole.length; at += SECTOR) {
      sectors.push(whole.subarray(at, at + SECTOR))
      table.push(at + SECTOR < whole.length ? sectors.length : END)
    }
    return whole.length > 0 ? start : END
  }
  const small: Buffer[] = []
  const smallTable: number[] = []
  for (const entry of entries) {
    if (!entry.bytes || entry.size === 0) continue
    if (entry.size >= CUTOFF) entry.start = write(entry.bytes)
    else {
      entry.start = smallTable.length
      const parts = padded(entry.bytes, SMALL)
      small.push(parts)
      for (let at = SMALL; at <= parts.length; at += SMALL)
        smallTable.push(at < parts.length ? smallTable.length + 1 : END)
    }
  }
  const [container] = entries
  container!.size = small.reduce((sum, { length }) => sum + length, 0)
  container!.start = write(Buffer.concat(small))
  const smallStart = write(numbers(smallTable))
  const directory = write(Buffer.concat(entries.map(written)))
  const tableStart = sectors.length
  // The table lists its own sectors too.
  const count = Math.ceil((table.length + 1) / (SECTOR / 4 - 1))
  for (let i = 0; i < count; i++) table.push(0xfffffffd)
  while (table.length % (SECTOR / 4) !== 0) table.push(FREE)
  const header = Buffer.alloc(SECTOR, 0)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(0x3e, 0x18)
  header.writeUInt16LE(3, 0x1a)
  header.writeUInt16LE(0xfffe, 0x1c)
  header.writeUInt16LE(9, 0x1e)
  header.writeUInt16LE(6, 0x20)
  const listed = Array.from({ length: 109 }, (_, i) => (i < count ? tableStart + i : FREE))
  numbers([count, directory, 0, CUTOFF, smallStart, smallTable.length > 0 ? 1 : 0, END, 0, ...listed]).copy(
    header,
    0x2c,
  )
  return Buffer.concat([header, ...sectors, numbers(table)])
}

function written({ name, kind, child, right, start, size }: Entry): Buffer {
  const bytes = Buffer.alloc(128, 0)
  const text = Buffer.from(`${name}\0`, 'utf16le')
  text.copy(bytes)
  bytes.writeUInt16LE(text.length, 0x40)
  bytes.writeUInt8(kind, 0x42)
  bytes.writeUInt8(1, 0x43)
  bytes.writeUInt32LE(NONE, 0x44)
  bytes.writeUInt32LE(right, 0x48)
  bytes.writeUInt32LE(child, 0x4c)
  bytes.writeUInt32LE(start, 0x74)
  bytes.writeUInt32LE(size, 0x78)
  return bytes
}

export interface MadeMessage {
  subject: string
  /** `Mon, 1 Jun 2026 10:00:00 +0200`; without it, the time is a property. */
  date?: string
  text?: string
  html?: string
  rtf?: Buffer
  files?: { name: string; bytes: Buffer }[]
  messages?: MadeMessage[]
}

const unicode = (text: string): Buffer => Buffer.from(text, 'utf16le')

/** 100 ns since 1601. */
const SENT = (BigInt(Date.parse('2026-06-01T08:00:00Z')) + 11_644_473_600_000n) * 10_000n

export function outlookFolder(made: MadeMessage, isInner = false): Folder {
  const properties = Buffer.alloc((isInner ? 24 : 32) + 16)
  properties.writeUInt32LE(0x0039_0040, properties.length - 16)
  properties.writeBigUInt64LE(SENT, properties.length - 8)
  const streams: Record<string, Buffer> = {
    '__properties_version1.0': properties,
    '__substg1.0_0037001F': unicode(made.subject),
    '__substg1.0_0C1A001F': unicode('Nordic Air'),
    ...(made.date && { '__substg1.0_007D001F': unicode(`Received: x\r\nDate: ${made.date}\r\n`) }),
    ...(made.text && { '__substg1.0_1000001F': unicode(made.text) }),
    ...(made.html && { '__substg1.0_10130102': Buffer.from(made.html) }),
    ...(made.rtf && { '__substg1.0_10090102': made.rtf }),
  }
  const attached = [
    ...(made.files ?? []).map(
      ({ name, bytes }): Folder => ({
        streams: { '__substg1.0_37010102': bytes, '__substg1.0_3707001F': unicode(name) },
      }),
    ),
    ...(made.messages ?? []).map(
      (inner): Folder => ({
        streams: {},
        folders: { '__substg1.0_3701000D': outlookFolder(inner, true) },
      }),
    ),
  ]
  const folders = Object.fromEntries(
    attached.map((folder, i) => [`__attach_version1.0_#${String(i).padStart(8, '0')}`, folder]),
  )
  return { streams, folders }
}

export const outlookMessage = (made: MadeMessage): Buffer => compoundFileOf(outlookFolder(made))

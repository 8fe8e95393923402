// Messages of Outlook (.msg, MS-OXMSG): properties in the streams of a compound file. They become what the parser of mails
// returns, so that the rest is the same for both.
import { decode } from '../decode.ts'
import { isCompoundFile, openCompoundFile, type Storage } from './compound-file.ts'
import { htmlInRtf, unpackRtf } from './rtf.ts'

interface OutlookFile {
  filename: string | null
  mimeType: string
  content: ArrayBuffer
}

interface OutlookMail {
  subject: string
  from: { name: string; address: string }
  html?: string
  text?: string
  headers: { key: string; value: string }[]
  attachments: OutlookFile[]
  /** Messages attached as such. */
  forwarded: Storage[]
}

/** Properties by their id; the type follows in the name of the stream. */
const ids = {
  subject: '0037',
  headers: '007D',
  senderName: '0C1A',
  senderAddress: '5D01',
  text: '1000',
  rtf: '1009',
  html: '1013',
  data: '3701',
  filename: '3707',
  shortName: '3704',
  mimeType: '370E',
} as const
const [UNICODE, ASCII, BINARY, OBJECT] = ['001F', '001E', '0102', '000D']
const SUBMITTED = 0x0039
const DELIVERED = 0x0e06
const ATTACHMENTS_AT_MOST = 1_000
const TEXT_AT_MOST = 16 * 2 ** 20

/** The properties of messages, not of the Word and Excel files that have the same container. */
export function outlookMessageIn(bytes: Uint8Array): Storage | null {
  if (!isCompoundFile(bytes)) return null
  try {
    const root = openCompoundFile(bytes)
    return root.streams.has(PROPERTIES) ? root : null
  } catch {
    // Damaged, or not this kind of file.
    return null
  }
}
const PROPERTIES = '__properties_version1.0'

/** Throws a RangeError if the message is damaged. */
export function readOutlook(message: Storage): OutlookMail {
  const read = propertiesOf(message)
  const [name, address] = [read.text('senderName'), read.text('senderAddress')]
  const html = read.bytes('html')
  const written = read.text('headers')
  const sent = /^date:\s*(.+)$/im.exec(written)?.[1] ?? timeIn(message)
  const attached = [...message.storages]
    .filter(([storage]) => storage.startsWith('__attach_version1.0_'))
    .slice(0, ATTACHMENTS_AT_MOST)
    .map(([, storage]) => storage)
  return {
    subject: read.text('subject'),
    from: { name, address },
    ...textsOf(html ? decode(html) : read.text('html'), read.text('text'), read.bytes('rtf')),
    headers: sent ? [{ key: 'date', value: sent }] : [],
    attachments: attached.flatMap((storage) => fileIn(storage) ?? []),
    forwarded: attached.flatMap((storage) => storage.storages.get(`__substg1.0_${ids.data}${OBJECT}`) ?? []),
  }
}

/** Outlook may store a page only inside a text in RTF. */
function textsOf(html: string, text: string, rtf: Uint8Array | null): Pick<OutlookMail, 'html' | 'text'> {
  const page = html || (rtf ? htmlInRtf(unpackRtf(rtf, TEXT_AT_MOST)) : '')
  return { ...(page && { html: page }), ...(text && { text }) }
}

function propertiesOf(storage: Storage) {
  const stream = (name: keyof typeof ids, type: string) =>
    storage.streams.get(`__substg1.0_${ids[name]}${type}`)?.() ?? null
  return {
    bytes: (name: keyof typeof ids): Uint8Array | null => stream(name, BINARY!),
    text(name: keyof typeof ids): string {
      const unicode = stream(name, UNICODE!)
      if (unicode) return new TextDecoder('utf-16le').decode(unicode.subarray(0, TEXT_AT_MOST))
      const ascii = stream(name, ASCII!)
      return ascii ? decode(ascii.subarray(0, TEXT_AT_MOST)) : ''
    },
  }
}

function fileIn(storage: Storage): OutlookFile | null {
  const read = propertiesOf(storage)
  const data = read.bytes('data')
  if (!data) return null
  return {
    filename: read.text('filename') || read.text('shortName') || null,
    mimeType: read.text('mimeType') || 'application/octet-stream',
    content: Uint8Array.from(data).buffer,
  }
}

const PROPERTY = 16
const MS_FROM_1601 = 11_644_473_600_000
const TICKS_PER_MS = 10_000

/** When it was sent or received, from the properties of fixed length: 100 ns since 1601. */
function timeIn(message: Storage): string | null {
  const bytes = message.streams.get(PROPERTIES)?.() ?? new Uint8Array()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Map<number, number>()
  // The length of the part before the properties differs between a file and an attached message.
  for (const head of [32, 24])
    for (let at = head; at + PROPERTY <= bytes.length; at += PROPERTY)
      if (view.getUint16(at, true) === 0x40)
        found.set(view.getUint16(at + 2, true), Number(view.getBigUint64(at + 8, true)))
  const ticks = found.get(SUBMITTED) ?? found.get(DELIVERED)
  const date = new Date((ticks ?? Number.NaN) / TICKS_PER_MS - MS_FROM_1601)
  return Number.isNaN(date.getTime()) ? null : date.toUTCString()
}

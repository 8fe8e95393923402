// Recognises a file by its bytes and never by its name alone. Nothing here throws because of a file: unreadable parts become
// contents with the reason.
import { looksLikePass } from '../../../domain/imports/boarding-pass.ts'
import type { Content, Unreadable } from './content.ts'
import { decode } from './decode.ts'
import { readDelimited } from './delimited.ts'
import { type Parsed, parseJson, parseYaml } from './json.ts'
import { createMailOpener, isMailbox, isMessage, messagesOf, type OpenMail, unquoted } from './mail.ts'
import { rootOf } from './markup.ts'
import { isPass, readPass } from './pass.ts'
import { readPdf } from './pdf.ts'
import { readPicture } from './picture.ts'
import type { PictureForm } from './pixels.ts'
import { isWorkbook, readSheets } from './xlsx.ts'
import { BadArchive, isZip, type Member, membersOf } from './zip.ts'

const EXCERPT = 500
/** Members of an archive stay unpacked between the two passes, up to this total size. */
const KEPT_AT_MOST = 16 * 2 ** 20

/** Reads the contents of one part of a file: the file itself, or a member of an archive. Never rejects. */
export type OpenPart = () => Promise<readonly Content[]>

/** Another program that reads bookings in a mail, a page or a document, which was sent on `date`. */
export type Engine = (bytes: Uint8Array, date: string | null) => Promise<readonly Content[]>

interface Tools {
  openMail: OpenMail
  engine: Engine | null
}

/** One function per part, so that an archive or a mailbox is never in memory as a whole. */
export function partsOf(bytes: Uint8Array, engine: Engine | null = null): OpenPart[] {
  const openMail = createMailOpener({
    open: (attached, part) => contentsOf(attached, part, null),
    others: async (message, date) => (await engine?.(message, date)) ?? [],
  })
  const tools = { openMail, engine }
  if (isMailbox(bytes))
    return messagesOf(bytes).map((message) => async () => [await openMail(unquoted(message), null)])
  if (!isZip(bytes)) return [once(() => contentsOf(bytes, null, tools))]
  try {
    return partsOfArchive(membersOf(bytes), tools)
  } catch (error) {
    return [async () => [refusal(error, null)]]
  }
}

const once = (open: OpenPart): OpenPart => {
  let opened: Promise<readonly Content[]> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

function partsOfArchive(members: Member[], tools: Tools): OpenPart[] {
  const names = members.map(({ name }) => name)
  if (isPass(members)) return [once(async () => [passOf(members, null)])]
  if (isWorkbook(members)) return [once(() => openSheets(members))]
  if (names.includes('word/document.xml'))
    return [fixed(unreadable(null, 'This is a Word document, not a table.'))]
  if (names.includes('mimetype') && names.includes('content.xml'))
    return [fixed(unreadable(null, 'This is an OpenDocument file. Save it as .xlsx or CSV.'))]
  const read = wantedOf(members)
  if (read.length === 0) return [fixed(unreadable(null, 'The zip archive is empty.'))]
  const keep = read.reduce((sum, { size }) => sum + size, 0) <= KEPT_AT_MOST
  return read.map((member) =>
    keep ? once(() => openMember(member, tools)) : () => openMember(member, tools),
  )
}

/** Only the map of a map archive (KMZ), and never files that operating systems add to archives. */
function wantedOf(members: Member[]): Member[] {
  const own = members.filter(
    ({ name }) => !/(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(name),
  )
  const maps = own.filter(({ name }) => /\.kml$/i.test(name))
  return maps.length > 0 && own.every(({ name }) => /\.(kml|png|jpe?g|gif|webp|dae|xml)$/i.test(name))
    ? maps
    : own
}

const fixed =
  (content: Content): OpenPart =>
  async () => [content]

async function openSheets(members: Member[]): Promise<Content[]> {
  try {
    const tables = await readSheets(members)
    return tables.length > 0
      ? tables
      : [unreadable(null, 'No sheet of this workbook has a table with a heading.')]
  } catch (error) {
    return [refusal(error, null)]
  }
}

async function openMember(member: Member, tools: Tools): Promise<readonly Content[]> {
  try {
    return await contentsOf(member.unpack(), member.name, tools)
  } catch (error) {
    return [refusal(error, member.name)]
  }
}

/** The contents of a file, archive member or attachment with the name `part`. Without tools, mails are not opened. Never rejects. */
async function contentsOf(
  bytes: Uint8Array,
  part: string | null,
  tools: Tools | null,
): Promise<readonly Content[]> {
  try {
    if (isZip(bytes)) return await openInner(bytes, part)
    if (tools && isMailbox(bytes)) return await openMailbox(bytes, part, tools)
    if (tools && isMessage(bytes)) return [await tools.openMail(bytes, part)]
    const content = await contentOf(bytes, part)
    const isRead = content.kind === 'html' || content.kind === 'pdf'
    const others = isRead && tools?.engine ? await tools.engine(bytes, null) : []
    return [content, ...others]
  } catch (error) {
    return [refusal(error, part)]
  }
}

async function openMailbox(bytes: Uint8Array, part: string | null, { openMail }: Tools): Promise<Content[]> {
  const mails: Content[] = []
  for (const message of messagesOf(bytes)) mails.push(await openMail(unquoted(message), part))
  return mails
}

/** Archives inside archives are not opened; workbooks and passes inside an archive are. */
async function openInner(bytes: Uint8Array, name: string | null): Promise<Content[]> {
  const members = membersOf(bytes)
  if (isWorkbook(members))
    return (await openSheets(members)).map((content) => ({
      ...content,
      part: name === null ? content.part : content.part ? `${name}: ${content.part}` : name,
    }))
  if (isPass(members)) return [passOf(members, name)]
  const passes = members.filter((member) => /\.pkpass$/i.test(member.name))
  if (passes.length > 0) return passes.map((member) => collected(member, name))
  return [
    unreadable(name, 'Zip archives inside a zip archive are not opened. Unpack the outer archive first.'),
  ]
}

/** A pass of a collection (`.pkpasses`) that is in an archive or a mail. */
function collected(member: Member, name: string | null): Content {
  const part = name === null ? member.name : `${name}: ${member.name}`
  try {
    const bytes = member.unpack()
    const members = isZip(bytes) ? membersOf(bytes) : []
    return isPass(members) ? passOf(members, part) : unreadable(part, 'This is not an Apple Wallet pass.')
  } catch (error) {
    return refusal(error, part)
  }
}

function passOf(members: readonly Member[], part: string | null): Content {
  try {
    return readPass(members, part)
  } catch (error) {
    return refusal(error, part)
  }
}

const refusal = (error: unknown, part: string | null): Unreadable =>
  error instanceof BadArchive
    ? { kind: 'unreadable', part, reason: error.code, excerpt: error.message }
    : unreadable(part, 'This file cannot be read.')

const unreadable = (part: string | null, excerpt: string): Unreadable => ({
  kind: 'unreadable',
  part,
  reason: 'unreadable_file',
  excerpt,
})

const PDF = [0x25, 0x50, 0x44, 0x46]
const pictures: readonly [bytes: number[], form: PictureForm, at?: number][] = [
  [[0x89, 0x50, 0x4e, 0x47], 'png'],
  [[0xff, 0xd8, 0xff], 'jpeg'],
  [[0x47, 0x49, 0x46, 0x38], 'gif'],
  [[0x57, 0x45, 0x42, 0x50], 'webp', 8],
]

const startsWith = (bytes: Uint8Array, sign: readonly number[], at = 0): boolean =>
  sign.every((byte, index) => bytes[at + index] === byte)

/** Signatures of other binary files. */
const signatures: readonly [bytes: number[], at: number, what: string][] = [
  [[0x66, 0x74, 0x79, 0x70, 0x68, 0x65], 4, 'a picture (HEIC). Save it as JPEG or PNG'],
  [[0x66, 0x74, 0x79, 0x70, 0x6d, 0x69], 4, 'a picture (HEIC). Save it as JPEG or PNG'],
  [[0xd0, 0xcf, 0x11, 0xe0], 0, 'an old Excel or Word file. Save it as .xlsx or CSV'],
  [[0x1f, 0x8b], 0, 'a gzip file. Unpack it first'],
  [[0x37, 0x7a, 0xbc, 0xaf], 0, 'a 7z archive. Unpack it first'],
  [[0x52, 0x61, 0x72, 0x21], 0, 'a RAR archive. Unpack it first'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 0, 'an SQLite database'],
]

async function contentOf(bytes: Uint8Array, part: string | null): Promise<Content> {
  const picture = pictures.find(([sign, , at]) => startsWith(bytes, sign, at))
  if (picture) return readPicture(bytes, picture[1], part)
  if (startsWith(bytes, PDF)) return readPdf(bytes, part)
  const known = signatures.find(([sign, at]) => startsWith(bytes, sign, at))
  if (known) return unreadable(part, `This is ${known[2]}.`)
  const text = decode(bytes)
  if (text.trim() === '') return unreadable(part, 'The file is empty.')
  if (isBinary(text)) return unreadable(part, 'This is not a text file.')
  return contentOfText(text, part)
}

/** Whether the beginning has control characters that no text has. Damaged exports contain single NULs, but not at the start. */
function isBinary(text: string): boolean {
  if (text.startsWith('\0')) return true
  const start = text.slice(0, 4096)
  let odd = 0
  for (let i = 0; i < start.length; i++) {
    const code = start.charCodeAt(i)
    if (code < 9 || (code > 13 && code < 32) || code === 0x7f || (code > 0x7f && code < 0xa0)) odd++
  }
  return odd > start.length / 20
}

function contentOfText(text: string, part: string | null): Content {
  const start = text.slice(0, 20_000).trimStart()
  if (/^BEGIN:VCALENDAR/i.test(start)) return { kind: 'calendar', part, text }
  if (/^[{[]/.test(start)) return fromParsed(parseJson(text), text, part, 'json')
  if (start.startsWith('<')) return markup(text, part)
  if (looksLikePass(start)) return { kind: 'text', part, text }
  if (walletLink.test(start)) return { kind: 'text', part, text }
  if (isTripLog(text)) return { kind: 'text', part, text }
  if (isYaml(start)) return fromParsed(parseYaml(text), text, part, 'yaml')
  return readDelimited(text, part) ?? { kind: 'text', part, text }
}

function fromParsed(parsed: Parsed, text: string, part: string | null, form: 'json' | 'yaml'): Content {
  if ('value' in parsed) return { kind: 'json', part, value: parsed.value, form }
  return { kind: 'unreadable', part, reason: parsed.refused, excerpt: `${parsed.why}\n${excerptOf(text)}` }
}

function markup(text: string, part: string | null): Content {
  const found = rootOf(text)
  return found ? { kind: found.form, part, text, root: found.root } : unreadable(part, excerptOf(text))
}

/** The beginning of a text, so that people recognise it. */
export const excerptOf = (text: string): string => {
  const start = text
    .trimStart()
    .slice(0, EXCERPT)
    .split(/\r\n|\r|\n/)
  return start.slice(0, 5).join('\n').trimEnd()
}

/** The link “Add to Google Wallet”, as copied from a mail. */
const walletLink = /^\s*https?:\/\/pay\.google\.com\/gp\/v\/\S*save\//i

/** App in the Air writes sections; lines of flight recorders begin with a letter for their kind. */
const isTripLog = (text: string): boolean => {
  const start = text.slice(0, 200_000)
  return (
    (/^user:/m.test(start) && /^trips:/m.test(start)) ||
    /^Ownership\.(?:NOT_)?MINE;/m.test(start) ||
    (/^H[FOP]?DTE/m.test(start) && /^B\d{13}[NS]\d{8}[EW]/m.test(start))
  )
}

/** A YAML document of keys; a table has no line that is only a key. */
const isYaml = (start: string): boolean =>
  /^---\s*[\r\n]/.test(start) ||
  /^(?:#[^\n]*\n\s*)*["']?[A-Za-z_][\w ]*["']?:\s*[\r\n]+\s*(?:-\s|\[\]|["']?\w+["']?:)/.test(start) ||
  /^- ["']?[A-Za-z_]\w*["']?:(?: [^\n,;\t]*)?[\r\n]+ {2}["']?\w+["']?:/.test(start)

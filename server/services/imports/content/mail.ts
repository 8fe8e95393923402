// Messages (RFC 5322, MIME) and mailboxes (mbox). A mailbox is split into messages, and each is parsed only when it is read.
import { hash } from 'node:crypto'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { MINUTE } from '../../../domain/time/durations.ts'
import { isCalendarDate } from '../../../domain/time/time.ts'
import type { Content, Mail, Unreadable } from './content.ts'
import { forwardedOn, textOfPage } from './forwarded.ts'
import type { Storage } from './outlook/compound-file.ts'
import { outlookMessageIn, readOutlook } from './outlook/message.ts'

const PARTS_AT_MOST = 1_000
/** The deepest nesting of parts. */
const NESTING_AT_MOST = 50
/** The deepest nesting of forwarded messages. */
const FORWARDED_AT_MOST = 10
const HEADERS_AT_MOST = 2 ** 20
const EXCERPT = 500
const TEXT_AT_MOST = 20_000
const PAGE_AT_MOST = 200_000
const HEAD_WITHIN = 20_000
/** Pictures and documents per file; searching one for bar codes takes a fraction of a second. */
const SEARCHED_AT_MOST = 200

/** Reads the contents of an attachment by the rules for files. Never rejects. */
type OpenAttached = (bytes: Uint8Array, part: string | null) => Promise<readonly Content[]>

interface MailTools {
  open: OpenAttached
  /** The results of another engine for the whole message. */
  others(bytes: Uint8Array, date: string | null): Promise<readonly Content[]>
}

/** One message. Never rejects. */
export type OpenMail = (bytes: Uint8Array, part: string | null) => Promise<Mail | Unreadable>

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The beginning as text; headers are ASCII. */
const headOf = (bytes: Uint8Array): string =>
  bufferOf(bytes.subarray(0, HEAD_WITHIN))
    .toString('latin1')
    .replace(/^(?:\u00ef\u00bb\u00bf)?\s+/, '')

/** `From - Mon Feb 16 …`, `From nora@example.org …`: the line before each message of a mailbox. */
const ENVELOPE = /^From \S+ .*\d{4}[ \t]*(?:[+-]\d{4}[ \t]*)?(?:\r?\n|$)/

export const isMailbox = (bytes: Uint8Array): boolean => ENVELOPE.test(headOf(bytes))

/** A last line may be cut off by the window. */
const HEADER_LINES = /^(?:[A-Za-z][A-Za-z0-9-]*:[^\r\n]*(?:\r?\n|\r|$)(?:[ \t]+[^\r\n]*(?:\r?\n|\r|$))*)+/

export function isMessage(bytes: Uint8Array): boolean {
  if (outlookMessageIn(bytes)) return true
  const head = HEADER_LINES.exec(headOf(bytes))?.[0] ?? ''
  if (/^BEGIN:/i.test(head)) return false
  const has = (name: string) => new RegExp(`^${name}:`, 'im').test(head)
  return has('Received') || has('MIME-Version') || (has('From') && has('Date'))
}

/** The messages of a mailbox, as ranges of its bytes. */
export function messagesOf(mailbox: Uint8Array): Uint8Array[] {
  const buffer = bufferOf(mailbox)
  const starts: number[] = []
  for (let at = buffer.indexOf('From '); at !== -1; at = nextLine(buffer, at))
    if (isEnvelope(buffer, at)) starts.push(at)
  return starts.map((start, index) => mailbox.subarray(afterLine(buffer, start), starts[index + 1]))
}

function nextLine(buffer: Buffer, at: number): number {
  const next = buffer.indexOf('\nFrom ', at)
  return next === -1 ? -1 : next + 1
}

const afterLine = (buffer: Buffer, at: number): number => {
  const end = buffer.indexOf(0x0a, at)
  return end === -1 ? buffer.length : end + 1
}

/** At the beginning or after an empty line. A sentence that begins with “From” does not end with a date. */
function isEnvelope(buffer: Buffer, at: number): boolean {
  const before = buffer.toString('latin1', Math.max(0, at - 4), at)
  if (at > 0 && !/\n\r?\n$/.test(before) && !/^\s*$/.test(buffer.toString('latin1', 0, Math.min(at, 16))))
    return false
  return ENVELOPE.test(buffer.toString('latin1', at, Math.min(at + 300, afterLine(buffer, at))))
}

/** One message of a mailbox with its escaped lines restored: `>From` becomes `From`. */
export function unquoted(message: Uint8Array): Uint8Array {
  const buffer = bufferOf(message)
  if (!buffer.includes('\n>From ') && !buffer.includes('\n>>')) return message
  return Buffer.from(buffer.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1')
}

/** Opens the messages of one file; attachments that they share are searched once. */
export function createMailOpener({ open, others }: MailTools): OpenMail {
  const searched = new Map<string, readonly Content[]>()

  /** The same logo is in every mail of an airline. */
  async function search(bytes: Uint8Array, part: string | null): Promise<readonly Content[]> {
    const key = hash('sha256', bytes)
    const known = searched.get(key)
    if (known) return known.map((content) => ({ ...content, part }))
    if (searched.size >= SEARCHED_AT_MOST) {
      const why = `Only the first ${SEARCHED_AT_MOST} pictures and documents of a file are searched.`
      return [refused(part, 'too_large', why)]
    }
    const found = await open(bytes, part)
    searched.set(key, found)
    return found
  }

  async function openMail(
    given: Uint8Array | Storage,
    part: string | null,
    budget = { parts: PARTS_AT_MOST },
    depth = 0,
  ): Promise<Mail | Unreadable> {
    if (depth > FORWARDED_AT_MOST) return refused(part, 'too_large', tooDeep)
    const bytes = given instanceof Uint8Array ? given : null
    budget.parts -= bytes ? countParts(bytes) : 0
    if (budget.parts < 0) return refused(part, 'too_large', tooManyParts)
    const outlook = given instanceof Uint8Array ? outlookMessageIn(given) : given
    const email = outlook ? readOutlook(outlook) : bytes && (await parsed(bytes))
    if (!email)
      return refused(part, 'too_large', 'The message is nested too deep, or its headers are too long.')
    const forwarded = 'forwarded' in email ? email.forwarded : []
    if (outlook) budget.parts -= email.attachments.length + forwarded.length
    if (budget.parts < 0) return refused(part, 'too_large', tooManyParts)
    const contents: Content[] = []
    if (email.html) contents.push({ kind: 'html', part: null, text: email.html, root: 'html' })
    const header = headerOf(email)
    for (const attachment of email.attachments)
      contents.push(
        ...(isForwarded(attachment)
          ? [await openMail(bytesOf(attachment), attachment.filename, budget, depth + 1)]
          : await openAttached(attachment)),
      )
    for (const message of forwarded) contents.push(await openMail(message, null, budget, depth + 1))
    if (bytes && !outlook) contents.push(...(await others(bytes, header.date)))
    return { kind: 'mail', part, ...header, contents }
  }

  async function openAttached(attachment: Attached): Promise<readonly Content[]> {
    const { filename, mimeType } = attachment
    if (isIgnored(attachment)) return []
    const isSearched =
      /^(?:image\/|application\/pdf)/.test(mimeType) || /\.(?:pdf|png|jpe?g|gif|webp)$/i.test(filename ?? '')
    return (isSearched ? search : open)(bytesOf(attachment), filename ?? mimeType)
  }

  return (bytes, part) => openMail(bytes, part)
}

const tooDeep = `The message contains more than ${FORWARDED_AT_MOST} nested forwarded messages.`
const tooManyParts = `The message has more than ${PARTS_AT_MOST.toLocaleString('en')} parts.`

const refused = (part: string | null, reason: Unreadable['reason'], excerpt: string): Unreadable => ({
  kind: 'unreadable',
  part,
  reason,
  excerpt,
})

async function parsed(bytes: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(withoutBlankStart(bytes), {
      forceRfc822Attachments: true,
      maxNestingDepth: NESTING_AT_MOST,
      maxHeadersSize: HEADERS_AT_MOST,
    })
  } catch {
    // The parser throws only if one of its limits is exceeded.
    return null
  }
}

/** A blank line would be the end of the headers. */
function withoutBlankStart(bytes: Uint8Array): Uint8Array {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x20 || bytes[at] === 0x09) at++
  const rest = bytes.subarray(at)
  return ENVELOPE.test(headOf(rest)) ? rest.subarray(afterLine(bufferOf(rest), 0)) : rest
}

/** Counts the lines that separate parts, before anything is parsed. Includes those of forwarded messages. */
function countParts(bytes: Uint8Array): number {
  const buffer = bufferOf(bytes)
  const boundaries = new Set<string>()
  for (let at = buffer.indexOf('boundary='); at !== -1; at = buffer.indexOf('boundary=', at + 9)) {
    const value = /^boundary=(?:"([^"\r\n]{1,100})"|([^\s;"]{1,100}))/.exec(
      buffer.toString('latin1', at, at + 120),
    )
    if (value) boundaries.add(value[1] ?? value[2]!)
  }
  let count = 0
  for (
    let at = buffer.indexOf('\n--');
    at !== -1 && count <= PARTS_AT_MOST;
    at = buffer.indexOf('\n--', at + 3)
  ) {
    const line = /^[^\r\n]*/.exec(buffer.toString('latin1', at + 3, at + 120))![0].trimEnd()
    if (boundaries.has(line)) count++
  }
  return count
}

/** Of either kind of message. */
type Attached = Pick<Attachment, 'filename' | 'mimeType' | 'content'>

const bytesOf = ({ content }: Attached): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer)

/** Whatever its name: programs attach messages as texts and as files. */
const isForwarded = (attachment: Attached): boolean =>
  attachment.mimeType === 'message/rfc822' || isMessage(bytesOf(attachment))

/** Outlook's own package, signatures, contact cards, delivery reports. */
const isIgnored = ({ mimeType, filename }: Attached): boolean =>
  /^(?:application\/(?:ms-tnef|vnd\.ms-tnef|pgp-.*|pkcs7-.*|x-pkcs7-.*)|text\/(?:x-)?vcard|message\/delivery-status|text\/rfc822-headers|audio\/.*|video\/.*)$/.test(
    mimeType,
  ) || /(?:^winmail\.dat|\.(?:asc|p7s|vcf))$/i.test(filename ?? '')

function headerOf({
  subject,
  from,
  html,
  text,
  headers,
}: Pick<Email, 'subject' | 'from' | 'html' | 'text'> & {
  headers: readonly { key: string; value: string }[]
}): Pick<Mail, 'date' | 'subject' | 'from' | 'excerpt' | 'text'> {
  const sender = from ? from.name || (from.address ?? '') : ''
  const body =
    text ??
    (html ?? '').slice(0, 10_000).replace(/<(?:style|script)[\s\S]*?<\/(?:style|script)>|<[^>]*>/gi, ' ')
  const sent = sentOn(headers.find(({ key }) => key === 'date')?.value)
  return {
    date: forwardedOn(text ?? '', html ?? '', sent) ?? sent,
    subject: oneLine(subject ?? ''),
    from: oneLine(sender),
    text: (text ?? textOfPage((html ?? '').slice(0, PAGE_AT_MOST))).slice(0, TEXT_AT_MOST),
    excerpt: body
      .slice(0, 10_000)
      .replace(/[ \t\u00a0]+/g, ' ')
      .replace(/\s*\n\s*/g, '\n')
      .trim()
      .slice(0, EXCERPT),
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300)

/** The day on the sender's own clock. */
function sentOn(header: string | undefined): string | null {
  const instant = Date.parse((header ?? '').slice(0, 100))
  if (Number.isNaN(instant)) return null
  const [, sign, hours, minutes] = /\s([+-])(\d{2})(\d{2})\b/.exec(header!) ?? []
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1)
  const local = new Date(instant + offset * MINUTE)
  const day = Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 10)
  return isCalendarDate(day) && day >= '1970-01-01' ? day : null
}

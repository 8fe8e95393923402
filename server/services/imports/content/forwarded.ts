// Mails forwarded inside the text of another: mail programs copy the headers into the text, each in its own format, so a parser
// does not see them. Only the day on which the original was sent is read.
import type { ImportDateOrder } from '../../../domain/imports/imports.ts'
import { addDays } from '../../../domain/time/time.ts'
import { readDateText } from '../values/dates.ts'
import { walkMarkup } from './markup.ts'

/** The copied headers precede the original's text, and people write only short notes above them. */
const WITHIN = 100_000
/** The most lines from the first to the last copied header; a long list of recipients may be in between. */
const BLOCK_LINES = 15
const LINE_AT_MOST = 1_000

const labels = {
  from: /^(?:from|von|de|da|mittente)$/i,
  sent: /^(?:sent|date|gesendet(?: am)?|datum|envoyé|enviado(?: el)?|fecha|inviato|data)$/i,
  subject: /^(?:subject|betreff|objet|asunto|oggetto)$/i,
}
type Label = keyof typeof labels

/**
 * The day of the innermost message forwarded in a text, or in a page if there is no text; null if there is none. It is never
 * after the day on which the mail was sent, give or take a day.
 */
export function forwardedOn(text: string, html: string, sentOn: string | null): string | null {
  const found = dayIn(text.slice(0, WITHIN), sentOn)
  if (found !== null || !/\b(?:subject|betreff|objet|asunto|oggetto)\b/i.test(html.slice(0, WITHIN)))
    return found
  return dayIn(textOfPage(html.slice(0, WITHIN)), sentOn)
}

function dayIn(text: string, sentOn: string | null): string | null {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => /[^\s>]/.test(line))
  let day: string | null = null
  for (let at = 0; at < lines.length; at++) {
    const block = labelOf(lines[at]!) ? blockAt(lines, at) : null
    if (!block) continue
    day = readDay(block.sent, sentOn) ?? day
    at = block.end
  }
  return day
}

/**
 * Sender, day and subject, in any order. An itinerary also has `From`, `To` and `Date`, but no subject; it must not be mistaken
 * for a mail.
 */
function blockAt(lines: readonly string[], start: number): { sent: string; end: number } | null {
  const found: Partial<Record<Label, string>> = {}
  for (let at = start; at < Math.min(start + BLOCK_LINES, lines.length); at++) {
    const read = labelOf(lines[at]!)
    if (!read) continue
    // The next block has begun.
    if (found[read.label] !== undefined) return null
    found[read.label] = read.value
    const { from, sent, subject } = found
    if (from !== undefined && sent !== undefined && subject !== undefined) return { sent, end: at }
  }
  return null
}

/** `> *Gesendet:* Dienstag, 12. März 2024`. */
function labelOf(line: string): { label: Label; value: string } | null {
  const [, name, value] =
    /^[\s>*]*(\p{L}+(?: am| el)?)\s?:[\s*]*(.*)$/u.exec(
      line.slice(0, LINE_AT_MOST).replaceAll('\u00a0', ' '),
    ) ?? []
  const label = (Object.keys(labels) as Label[]).find((one) => labels[one].test(name ?? ''))
  return label === undefined ? null : { label, value: value!.trim() }
}

const writtenDays: readonly RegExp[] = [
  /\b\d{4}-\d{2}-\d{2}\b/,
  // 12 March 2024, 12. März 2024
  /\b\d{1,2}\.?\s\p{L}{3,12}\.?,?\s\d{4}\b/u,
  // 12 de marzo de 2024
  /\b\d{1,2} de \p{L}{3,12} de \d{4}\b/u,
  // March 12, 2024
  /\p{L}{3,12}\.?\s\d{1,2},?\s\d{4}\b/u,
  /\b\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})\b/,
  /\b\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})\b/,
]

/** If day and month are ambiguous, the later possible day wins, because mails are usually forwarded soon. */
function readDay(value: string, sentOn: string | null): string | null {
  const written = writtenDays.map((form) => form.exec(value)?.[0]).find((one) => one !== undefined)
  if (written === undefined) return null
  const plain = written.replace(/(\p{L})[.,]+/gu, '$1').replace(/,/g, ' ')
  // The sender's date may be a day ahead of the forwarder's.
  const last = addDays(sentOn ?? '9999-12-30', 1)
  const days = (['dmy', 'mdy'] satisfies ImportDateOrder[]).flatMap((order) => {
    const read = readDateText(plain, order, sentOn ?? '2000-01-01')
    return read?.precision === 'day' && read.iso <= last && read.iso >= '1970-01-01' ? [read.iso] : []
  })
  return days.sort().at(-1) ?? null
}

const lineElements = new Set('address blockquote br div dd dt h1 h2 h3 hr li p pre td th tr ul'.split(' '))

/** The cells of a label and its value become one line: Thunderbird writes the headers as a table. */
export function textOfPage(html: string): string {
  const parts: string[] = []
  const newLine = (name: string) => {
    if (name === 'td' || name === 'th') parts.push(' ')
    else if (lineElements.has(name)) parts.push('\n')
  }
  let hidden = 0
  walkMarkup(html, 'html', {
    open(name) {
      if (name === 'style' || name === 'script') hidden++
      newLine(name)
    },
    text: (text) => {
      if (hidden === 0) parts.push(text.replace(/\s+/g, ' '))
    },
    close(name) {
      if (name === 'style' || name === 'script') hidden--
      newLine(name)
    },
  })
  return parts.join('')
}

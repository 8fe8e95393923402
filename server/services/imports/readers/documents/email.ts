// Confirmations by mail (sections 7.1 and 7.3 of the import rules): the machine-readable data of a message and its attachments.
// Flights in free text are only asked about, because advertisements name flights too.
import { saysCancelled } from '../../../../domain/imports/not-flown.ts'
import type { Content, Mail } from '../../content/content.ts'
import { hasStructuredData, structuredDataOf } from '../../content/structured-data.ts'
import { type ReadContext, reads, type Source, type SourceRecord } from '../../reading/source.ts'
import { flightsInProse } from '../../values/prose.ts'
import { recordsOfWalletLinks, walletLinksIn } from '../passes/google-wallet.ts'
import {
  addDoubt,
  addPeople,
  isSameFlight,
  isSchemaOrg,
  reservationRecords,
  withdrawn,
} from './reservations.ts'

/** The title of a mail may cancel the flights of its calendars and passes, and reservations that are not confirmed. */
type MailContext = ReadContext & { isCancelled?: boolean }

/** The machine-readable reservations of a page. */
function* pageRecords(html: string, context: MailContext): Generator<SourceRecord> {
  const { items, broken } = structuredDataOf(html)
  yield* reservationRecords(items, context)
  for (const record of recordsOfWalletLinks(html, context)) yield ofSource(record, 'pkpass')
  for (const script of broken)
    if (/Reservation/.test(script))
      yield { line: null, raw: withoutSecrets(script), error: { code: 'unreadable_row' } }
}

/** The beginning of an unreadable script, without bar code texts and ticket numbers. */
const withoutSecrets = (script: string): string =>
  script
    .trim()
    .slice(0, 2_000)
    .replace(/(ticket(?:Token|Number)(?:"|'|&quot;|\s)*:)[^,}\n]*/gi, '$1 …')

interface Found {
  records: SourceRecord[]
  /** Attachments without a flight, for display: a file and the reason. */
  leftOut: string[]
}

/** A note about a file without a flight; inside a mail it does not become a record. */
const isNothing = ({ error, flight }: SourceRecord): boolean =>
  !flight && (error?.code === 'unreadable_file' || error?.code === 'not_a_boarding_pass')

/** Collects a mail and the mails forwarded in it, each with its own date. */
function collect(mail: Mail, given: ReadContext, found: Found): void {
  const dated = mail.date !== null && { documentDate: mail.date, documentDateOf: 'mail' as const }
  const context = { ...given, ...dated, isCancelled: saysCancelled(mail.subject) }
  for (const content of mail.contents) {
    if (content.kind === 'mail') collect(content, context, found)
    else
      for (const record of recordsOf(content, context)) {
        if (!isNothing(record)) found.records.push(record)
        else if (content.part !== null) found.leftOut.push(firstLines(record.raw))
      }
  }
}

/** Uses the reader for the kind of content. A table in a mail is read only if it certainly contains flights. */
function recordsOf(content: Content, context: MailContext): SourceRecord[] {
  if (content.kind === 'html') return [...pageRecords(content.text, context)]
  const inner = context.inner?.(content, context)
  if (!inner || (inner.source === null && content.kind !== 'unreadable')) return []
  if (inner.source?.startsWith('generic-')) return []
  const records = [...inner.records].map((record) => ofSource(record, inner.source))
  return context.isCancelled ? records.map(withdrawn) : records
}

/** Keeps the source of an id: a calendar's or pass's id is the same if it came by mail. */
function ofSource(record: SourceRecord, source: string | null): SourceRecord {
  const { flight } = record
  if (!flight?.externalId || source === null || source === 'email') return record
  const { externalId, ...rest } = flight
  return { ...record, flight: { ...rest, externalIds: { ...flight.externalIds, [source]: externalId } } }
}

const firstLines = (raw: SourceRecord['raw']): string =>
  (typeof raw === 'string' ? raw : raw.join(' ')).split('\n').slice(0, 2).join(': ').slice(0, 200)

/** For passes of several people on one flight: each record gets all people, because the first one represents the flight. */
function sharePeople(records: readonly SourceRecord[]): void {
  const firsts: SourceRecord[] = []
  for (const record of records) {
    const { flight, skip } = record
    if (!flight || (skip && skip !== 'not_mine')) continue
    const first = firsts.find((other) => isSameFlight(other.flight!, flight))
    if (!first) {
      firsts.push(record)
      continue
    }
    const earlier = first.flight!
    // An invitation without names takes its people from the booking and is no more certain than that.
    if (!earlier.passengers?.some(({ who }) => who.kind === 'named')) addDoubt(first, record)
    addPeople(earlier, flight)
    if (earlier.passengers) flight.passengers = earlier.passengers
    if (earlier.areAllNamed) flight.areAllNamed = true
  }
}

/** The flights that the text of a mail without machine-readable data names, which the person must confirm. */
function proseRecords(mail: Mail, context: ReadContext): SourceRecord[] {
  const day = mail.date ?? context.documentDate
  const own = flightsInProse(mail.text, day).map(
    ({ flightNumber, from, to, date, excerpt }): SourceRecord => ({
      line: null,
      raw: excerpt,
      fromText: true,
      flight: { date, from, to, flightNumber },
    }),
  )
  const forwarded = mail.contents.flatMap((content) =>
    content.kind === 'mail' ? proseRecords(content, { ...context, documentDate: day }) : [],
  )
  const records = [...own, ...forwarded]
  return saysCancelled(mail.subject) ? records.map(withdrawn) : records
}

const NOTHING =
  'This mail has no machine-readable booking. Forward the original confirmation with its attachments, or log the flight in one line.'

function* mailRecords(mail: Mail, context: ReadContext): Generator<SourceRecord> {
  const found: Found = { records: [], leftOut: [] }
  collect(mail, context, found)
  sharePeople(found.records)
  if (!found.records.some(({ flight }) => flight)) found.records.push(...proseRecords(mail, context))
  yield* found.records
  if (found.records.length > 0) return
  const { subject, from, date, excerpt } = mail
  const head = [`Subject: ${subject}`, `From: ${from}`, ...(date ? [`Date: ${date}`] : [])]
  const raw = [NOTHING, ...head, ...found.leftOut, '', excerpt].join('\n').trimEnd()
  yield { line: null, raw, skip: 'not_a_flight' }
}

export const email: Source = {
  id: 'email',
  name: 'E-mail',
  extensions: ['eml', 'msg', 'mbox', 'html', 'json'],
  opensBookings: true,
  options: ['includeCancelled', 'includeOthers'],
  readers: [
    reads<'mail'>({ kind: 'mail', matches: () => true, records: mailRecords }),
    reads<'html'>({
      kind: 'html',
      matches: ({ text }) => hasStructuredData(text) || walletLinksIn(text).length > 0,
      records: ({ text }, context) => pageRecords(text, context),
    }),
    reads<'json'>({
      kind: 'json',
      matches: ({ value, form }) => form === 'json' && isSchemaOrg(value),
      records: ({ value }, context) => reservationRecords(value, context),
    }),
  ],
}

// Confirmations by mail (sections 7.1 and 7.3 of the import rules): what a message says in a form for programs, and what is attached
// to it. Free text alone is never read as a flight: an advertisement names flights too.
import type { Content, Mail } from '../content/content.ts'
import { hasStructuredData, structuredDataOf } from '../content/structured-data.ts'
import { type ReadContext, reads, type Source, type SourceRecord } from '../source.ts'
import { recordsOfWalletLinks, walletLinksIn } from './google-wallet.ts'
import { addDoubt, addPeople, isSameFlight, isSchemaOrg, reservationRecords } from './reservations.ts'

/** What a page says for programs. */
function* pageRecords(html: string, context: ReadContext): Generator<SourceRecord> {
  const { items, broken } = structuredDataOf(html)
  yield* reservationRecords(items, context)
  for (const record of recordsOfWalletLinks(html, context)) yield ofSource(record, 'pkpass')
  for (const script of broken)
    if (/Reservation/.test(script))
      yield { line: null, raw: withoutSecrets(script), error: { code: 'unreadable_row' } }
}

/** The beginning of a script that cannot be read, without the text of bar codes and the numbers of tickets. */
const withoutSecrets = (script: string): string =>
  script
    .trim()
    .slice(0, 2_000)
    .replace(/(ticket(?:Token|Number)(?:"|'|&quot;|\s)*:)[^,}\n]*/gi, '$1 …')

interface Found {
  records: SourceRecord[]
  /** Attachments without a flight, for people: a file and why. */
  leftOut: string[]
}

/** What is said about a file that has no flight; inside a mail it is no record of its own. */
const isNothing = ({ error, flight }: SourceRecord): boolean =>
  !flight && (error?.code === 'unreadable_file' || error?.code === 'not_a_boarding_pass')

/** A mail and those that are forwarded in it, each by its own date. */
function collect(mail: Mail, context: ReadContext, documentDate: string, found: Found): void {
  const day = mail.date ?? documentDate
  for (const content of mail.contents) {
    if (content.kind === 'mail') collect(content, context, day, found)
    else
      for (const record of recordsOf(content, { ...context, documentDate: day })) {
        if (!isNothing(record)) found.records.push(record)
        else if (content.part !== null) found.leftOut.push(firstLines(record.raw))
      }
  }
}

/** By the reader of its kind. A table in a mail is read only if it is certainly one of flights. */
function recordsOf(content: Content, context: ReadContext): SourceRecord[] {
  if (content.kind === 'html') return [...pageRecords(content.text, context)]
  const inner = context.inner?.(content, context.documentDate)
  if (!inner || (inner.source === null && content.kind !== 'unreadable')) return []
  if (inner.source?.startsWith('generic-')) return []
  return [...inner.records].map((record) => ofSource(record, inner.source))
}

/** An id of a calendar or a pass stays one, also if it came by mail. */
function ofSource(record: SourceRecord, source: string | null): SourceRecord {
  const { flight } = record
  if (!flight?.externalId || source === null || source === 'email') return record
  const { externalId, ...rest } = flight
  return { ...record, flight: { ...rest, externalIds: { ...flight.externalIds, [source]: externalId } } }
}

const firstLines = (raw: SourceRecord['raw']): string =>
  (typeof raw === 'string' ? raw : raw.join(' ')).split('\n').slice(0, 2).join(': ').slice(0, 200)

/** Passes of one flight, for several people: each of their records has all of them, so that the first one stands for the flight. */
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
    // An invitation that names no one knows its people by the booking, and is no more certain than it.
    if (!earlier.passengers?.some(({ who }) => who.kind === 'named')) addDoubt(first, record)
    addPeople(earlier, flight)
    if (earlier.passengers) flight.passengers = earlier.passengers
    if (earlier.areAllNamed) flight.areAllNamed = true
  }
}

const NOTHING =
  'This mail has no booking in a form for programs. Forward the confirmation itself, with its attachments, or log the flight in one line.'

function* mailRecords(mail: Mail, context: ReadContext): Generator<SourceRecord> {
  const found: Found = { records: [], leftOut: [] }
  collect(mail, context, context.documentDate, found)
  sharePeople(found.records)
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
  extensions: ['eml', 'mbox', 'html', 'json'],
  howTo: {
    en: 'Open the confirmation of your airline, choose to save or download the message, and drop the .eml file here; a whole mailbox as .mbox works too. The bookings that a mail contains for programs become flights, and so do calendars, passes and tickets attached to it. A mail that has only words is not guessed at.',
    de: 'Öffne die Bestätigung deiner Airline, speichere die Nachricht als Datei und lege die .eml-Datei hier ab; ein ganzes Postfach als .mbox geht auch. Die Buchungen, die eine Mail für Programme enthält, werden Flüge, ebenso angehängte Kalender, Bordkarten und Tickets. Was nur in Worten dasteht, wird nicht geraten.',
    fr: 'Ouvrez la confirmation de votre compagnie aérienne, enregistrez ou téléchargez le message, et déposez le fichier .eml ici ; une boîte entière en .mbox convient aussi. Les réservations qu’un courriel contient pour les programmes deviennent des vols, de même que les calendriers, cartes d’embarquement et billets joints. Ce qui n’est écrit qu’en toutes lettres n’est pas deviné.',
  },
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

// Reads the flights of backups: AirTrail's in three generations, and our own, which extend the same structure. Fields that a
// generation lacks are absent; a value of the wrong type is left out and reported.
import {
  datePrecisions,
  flightReasons,
  outcomes,
  seatClasses,
  seats,
  trackFormats,
} from '../../../../domain/enums.ts'
import {
  type Price,
  type TextField,
  type TimeField,
  textFields,
  timeFields,
} from '../../../../domain/flights/fields.ts'
import { isAmount, isCurrency } from '../../../../domain/flights/price.ts'
import type { RecordedTrack } from '../../../../domain/flights/track.ts'
import type { ImportWarning, ReadDate } from '../../../../domain/imports/imports.ts'
import { isCalendarDate, isDateTime } from '../../../../domain/time/time.ts'
import type {
  Named,
  SourceAccount,
  SourceDate,
  SourceFlight,
  SourcePerson,
  SourceRecord,
  SourceTime,
} from '../../reading/source.ts'
import { namedBy, recordNamed } from '../../values/named.ts'
import { readSourceTime } from '../../values/times.ts'
import { isRecord, type JsonRecord, rawJson } from './json.ts'

interface BackupForm {
  /** Our own backup: stored as written, nothing derived. */
  verbatim: boolean
  /** The importer's seat, class and reason, from a table without other passengers. */
  own?: JsonRecord
  line?: number | null
  raw?: SourceRecord['raw']
}

/** The users of the document, by their id there. */
export type Accounts = ReadonlyMap<string, SourceAccount>

export function accountsIn(users: unknown): Accounts {
  const list = Array.isArray(users) ? users.filter(isRecord) : []
  return new Map(
    list.flatMap((user): [string, SourceAccount][] => {
      const key = textIn(user['id'])
      const username = textIn(user['username'])
      const name = textIn(user['displayName']) ?? username ?? key
      return key === null ? [] : [[key, { kind: 'account', key, username, name: name! }]]
    }),
  )
}

/** The flights of a document. The first record has the list of accounts. */
export function* documentRecords(
  users: unknown,
  flights: readonly unknown[],
  verbatim: boolean,
): Iterable<SourceRecord> {
  const accounts = accountsIn(users)
  let about = accounts.size > 0 ? { accounts: [...accounts.values()] } : {}
  for (const flight of flights) {
    yield { ...backupRecord(flight, accounts, { verbatim }), ...about }
    about = {}
  }
}

export function backupRecord(value: unknown, accounts: Accounts, form: BackupForm): SourceRecord {
  const { line = null, raw = rawJson(value) } = form
  if (!isRecord(value)) return { line, raw, error: { code: 'unreadable_row' } }
  const warnings: ImportWarning[] = []
  const of: Reading = { value, accounts, verbatim: form.verbatim, own: form.own, warnings }
  const date = dateOf(of)
  if (date === undefined)
    return { line, raw, error: { code: 'bad_date', value: textIn(value['date']) ?? '' } }
  const flight = flightOf(of, date)
  return { line, raw, flight, ...(warnings.length > 0 && { warnings }) }
}

/** The state of reading one record. */
interface Reading {
  value: JsonRecord
  accounts: Accounts
  verbatim: boolean
  own: JsonRecord | undefined
  warnings: ImportWarning[]
}

/** Undefined: there is none. Null: it follows from the departure. */
function dateOf(of: Reading): SourceDate | null | undefined {
  const text = textIn(of.value['date'])
  if (text === null) return textIn(of.value['departure']) === null ? undefined : null
  const iso = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
  if (iso === undefined) return { text }
  if (!isCalendarDate(iso)) return undefined
  const precision = choiceOf(of, 'datePrecision', datePrecisions, of.value['datePrecision']) ?? 'day'
  return { iso: of.verbatim ? iso : startOfPeriod(iso, precision), precision }
}

function flightOf(of: Reading, date: SourceDate | null): SourceFlight {
  const price = priceOf(of)
  const externalIds = externalIdsOf(of)
  const { value } = of
  return {
    ...(of.verbatim && { verbatim: true }),
    date,
    from: airportIn(value['from']),
    to: airportIn(value['to']),
    airline: otherNamed(of, 'airline'),
    aircraft: otherNamed(of, 'aircraft'),
    plannedTo: airportIn(value['plannedTo']),
    operatingAirline: otherNamed(of, 'operatingAirline'),
    ...timesOf(of, date),
    ...textsOf(of),
    duration: durationOf(of),
    ...outcomeOf(of),
    ...(price && { price }),
    ...passengersOf(of),
    ...(isRecord(value['customFields']) && { customFields: value['customFields'] }),
    ...(externalIds && { externalIds }),
    ...trackOf(of),
  }
}

/** If the date is a month or a year, departure and arrival only mark the period. */
function timesOf(of: Reading, date: SourceDate | null): Partial<Record<TimeField, SourceTime>> {
  const partial = date !== null && 'precision' in date && date.precision !== 'day' && !of.verbatim
  const read: Partial<Record<TimeField, SourceTime>> = {}
  for (const name of timeFields) {
    if (partial && (name === 'departure' || name === 'arrival')) continue
    const time = timeOf(of, name)
    if (time) read[name] = time
  }
  return read
}

function timeOf(of: Reading, name: TimeField): SourceTime | undefined {
  const given = of.value[name]
  if (given === null || given === undefined || given === '') return undefined
  const text = typeof given === 'string' ? given : ''
  const time = readSourceTime(text)
  if (!time) return notUnderstood(of, name, given)
  return of.verbatim && isDateTime(text) ? { ...time, exact: text } : time
}

function textsOf(of: Reading): Partial<Record<TextField, string>> {
  const read: Partial<Record<TextField, string>> = {}
  for (const name of textFields) {
    const text = textOf(of, of.value[name], name)
    if (text !== null) read[name] = text
  }
  return read
}

function textOf(of: Reading, given: unknown, name: string): string | null {
  if (typeof given === 'string') return of.verbatim || given.trim() !== '' ? given : null
  if (typeof given === 'number') return String(given)
  if (given !== null && given !== undefined) notUnderstood(of, name, given)
  return null
}

function durationOf(of: Reading): number | null {
  const given = of.value['duration']
  if (given === null || given === undefined || given === '') return null
  const seconds = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0) return seconds
  return notUnderstood(of, 'duration', given) ?? null
}

function outcomeOf(of: Reading): Pick<SourceFlight, 'outcome'> {
  const outcome = choiceOf(of, 'outcome', outcomes, of.value['outcome'])
  return outcome === null ? {} : { outcome }
}

function priceOf(of: Reading): Price | null {
  const given = of.value['price']
  if (given === null || given === undefined) return null
  const [amount, currency] = isRecord(given) ? [textIn(given['amount']), textIn(given['currency'])] : []
  if (amount && currency && isAmount(amount) && isCurrency(currency)) return { amount, currency }
  return notUnderstood(of, 'price', given) ?? null
}

function choiceOf<Value extends string>(
  of: Reading,
  name: string,
  choices: readonly Value[],
  given: unknown,
): Value | null {
  if (given === null || given === undefined || given === '') return null
  const found = choices.find((choice) => choice === given)
  return found ?? notUnderstood(of, name, given) ?? null
}

/** An airline or an aircraft type: a record or, in old files, a code. */
function otherNamed(of: Reading, name: 'airline' | 'aircraft' | 'operatingAirline'): Named | null {
  const given = of.value[name]
  if (given === null || given === undefined || given === '') return null
  if (typeof given === 'string') return codeOrName(given)
  if (!isRecord(given)) return notUnderstood(of, name, given) ?? null
  return recordNamed(given)
}

/** Without passengers, the importer flew alone. */
function passengersOf(of: Reading): Pick<SourceFlight, 'passengers'> {
  if (of.own) return { passengers: [{ who: { kind: 'self' }, ...seatOf(of, of.own) }] }
  const given = of.value['passengers'] ?? of.value['seats']
  if (given === null || given === undefined) return {}
  if (!Array.isArray(given)) return notUnderstood(of, 'passengers', given) ?? {}
  const passengers = given.flatMap((entry: unknown) => passengerOf(of, entry) ?? [])
  return passengers.length > 0 ? { passengers } : {}
}

function passengerOf(of: Reading, entry: unknown): SourcePerson | undefined {
  if (!isRecord(entry)) return notUnderstood(of, 'passengers', entry)
  const who = whoIs(of, entry)
  if (!who) return notUnderstood(of, 'passengers', entry)
  return { who, ...seatOf(of, entry) }
}

function seatOf(of: Reading, entry: JsonRecord): Omit<SourcePerson, 'who'> {
  // In old files the flight has the reason.
  const reason = entry['flightReason'] === undefined ? of.value['flightReason'] : entry['flightReason']
  return {
    seat: choiceOf(of, 'seat', seats, entry['seat']),
    seatNumber: textOf(of, entry['seatNumber'], 'seatNumber'),
    seatClass: choiceOf(of, 'seatClass', seatClasses, entry['seatClass']),
    flightReason: choiceOf(of, 'flightReason', flightReasons, reason),
    ...(isRecord(entry['customFields']) && { customFields: entry['customFields'] }),
  }
}

function whoIs(of: Reading, entry: JsonRecord): SourcePerson['who'] | undefined {
  const user = isRecord(entry['user']) ? entry['user'] : entry
  const key = textIn(entry['userId']) ?? (user === entry ? null : textIn(user['id']))
  const guest = textIn(entry['guestName'])
  if (key === null) return guest === null ? undefined : { kind: 'named', name: guest }
  const account = of.accounts.get(key)
  const username = textIn(user['username']) ?? account?.username ?? null
  const name = textIn(user['displayName']) ?? account?.name ?? guest ?? username ?? key
  return { kind: 'account', key, username, name }
}

function externalIdsOf(of: Reading): Record<string, string> | null {
  if (!of.verbatim) return null
  const { meta, externalIds = isRecord(meta) ? meta['externalIds'] : undefined } = of.value
  if (!isRecord(externalIds)) return null
  const ids = Object.entries(externalIds).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return ids.length > 0 ? Object.fromEntries(ids) : null
}

function trackOf(of: Reading): { track?: RecordedTrack } {
  const given = of.value['track']
  if (given === null || given === undefined) return {}
  // A list of flights has no track, only a note that there is one.
  if (isRecord(given) && given['coordinates'] === undefined && given['pointCount'] !== undefined) return {}
  if (!isRecord(given) || !Array.isArray(given['coordinates'])) return notUnderstood(of, 'track', given) ?? {}
  const known = Object.fromEntries(trackNames.flatMap((name) => (name in given ? [[name, given[name]]] : [])))
  const sourceFormat = trackFormats.find((format) => format === given['sourceFormat']) ?? 'gpx'
  return { track: { ...known, sourceFormat, sourceName: textIn(given['sourceName']) } as RecordedTrack }
}

function notUnderstood(of: Reading, field: string, value: unknown): undefined {
  const text = typeof value === 'string' ? value : rawJson(value)
  of.warnings.push({ code: 'value_not_understood', field, value: text.slice(0, 200) })
}

const trackNames = ['coordinates', 'times', 'groundSpeedKt', 'trackDeg', 'ground', 'estimated'] as const

function startOfPeriod(iso: string, precision: ReadDate['precision']): string {
  if (precision === 'year') return `${iso.slice(0, 4)}-01-01`
  return precision === 'month' ? `${iso.slice(0, 7)}-01` : iso
}

/** A record with its codes, `{code}`, or in tables a code or a name. */
const airportIn = (given: unknown): Named | null =>
  typeof given === 'string' ? codeOrName(given) : recordNamed(given)

const codeOrName = (text: string): Named | null =>
  /^[A-Z0-9]{2,4}$/.test(text.trim()) ? namedBy([text]) : namedBy([], text)

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null

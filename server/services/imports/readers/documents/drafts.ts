// Flights that a program or an assistant has extracted: JSON in the shape of the API, with codes or texts for airports, airlines
// and aircraft. Strict: a misspelt field or a wrong type is an error of its draft, with the reason.
import {
  type DatePrecision,
  datePrecisions,
  flightReasons,
  outcomes,
  seatClasses,
  seats,
  trackFormats,
} from '../../../../domain/enums.ts'
import {
  flightFields,
  type Price,
  passengerFieldNames,
  referenceFields,
  type TextField,
  type TimeField,
  textFields,
  timeFields,
} from '../../../../domain/flights/fields.ts'
import { isAmount, isCurrency } from '../../../../domain/flights/price.ts'
import type { RecordedTrack } from '../../../../domain/flights/track.ts'
import type { ImportWarning, ReadDate } from '../../../../domain/imports/imports.ts'
import { isCalendarDate, isDateTime } from '../../../../domain/time/time.ts'
import type { Json } from '../../content/content.ts'
import {
  type Named,
  reads,
  type Source,
  type SourceFlight,
  type SourcePerson,
  type SourceRecord,
  type SourceTime,
} from '../../reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed, namedBy } from '../../values/named.ts'
import { readSourceTime } from '../../values/times.ts'
import { isRecord, type JsonRecord, rawJson } from './json.ts'

export const drafts: Source = {
  id: 'drafts',
  name: 'Drafts',
  extensions: ['json'],
  options: ['duplicates'],
  readers: [reads<'json'>({ kind: 'json', matches: isDrafts, records: draftRecords })],
}

function isDrafts({ value }: Json): boolean {
  return isRecord(value) && value['source'] === 'drafts' && Array.isArray(value['drafts'])
}

function* draftRecords({ value }: Json): Iterable<SourceRecord> {
  const list = isRecord(value) ? value['drafts'] : value
  if (!Array.isArray(list)) {
    yield {
      line: null,
      raw: rawJson(value),
      error: { code: 'unreadable_file', value: 'drafts: must be a list' },
    }
    return
  }
  for (const draft of list as unknown[]) yield draftRecord(draft)
}

function draftRecord(value: unknown): SourceRecord {
  const raw = rawJson(value)
  const draft: Draft = { value: isRecord(value) ? value : {}, problems: [] }
  if (!isRecord(value)) draft.problems.push('must be an object')
  checkNames(draft)
  const date = dateOf(draft)
  const flight = flightOf(draft, date)
  const { problems } = draft
  if (problems.length > 0)
    return {
      line: null,
      raw,
      error: { code: 'unreadable_row', value: summary(problems) },
      warnings: problems.slice(0, REPORTED_AT_MOST).map(warningOf),
    }
  if (date === undefined) {
    const given = value as JsonRecord
    const text = typeof given['date'] === 'string' ? given['date'] : ''
    return { line: null, raw, error: { code: 'bad_date', value: text } }
  }
  return { line: null, raw, flight }
}

const REPORTED_AT_MOST = 5

const summary = (problems: readonly string[]): string =>
  problems.length <= REPORTED_AT_MOST
    ? problems.join('; ')
    : `${problems.slice(0, REPORTED_AT_MOST).join('; ')}; and ${problems.length - REPORTED_AT_MOST} more`

/** One warning per reason, so that a program can correct the draft. */
const warningOf = (problem: string): ImportWarning => {
  const field = /^[A-Za-z]+(?=[.:])/.exec(problem)?.[0] ?? null
  return { code: 'value_not_understood', field, value: problem }
}

/** The state of reading one draft. */
interface Draft {
  value: JsonRecord
  problems: string[]
}

const shownNames = referenceFields.map((name) => flightFields[name].shownAs)
const known: ReadonlySet<string> = new Set([
  ...['date', 'datePrecision', 'duration', 'outcome', 'price'],
  ...timeFields,
  ...textFields,
  ...shownNames,
  ...shownNames.map((name) => `${name}Text`),
  ...['seat', 'seatNumber', 'seatClass', 'flightReason', 'passengers', 'people'],
  ...['customFields', 'externalId', 'externalIds', 'track'],
])
/** Read-only members of a flight, which are ignored if they are sent back. */
const readOnly: ReadonlySet<string> = new Set(
  ['id', 'version', 'createdAt', 'updatedAt', 'distanceKm', 'importId'].concat(referenceFields),
)

function checkNames({ value, problems }: Draft): void {
  for (const name of Object.keys(value)) {
    if (!known.has(name) && !readOnly.has(name)) problems.push(`${name}: unknown field`)
  }
  for (const name of referenceFields) {
    const { shownAs } = flightFields[name]
    const isAlone = isGiven(value[name]) && !isGiven(value[shownAs]) && !isGiven(value[`${shownAs}Text`])
    if (isAlone) problems.push(`${name}: send ${shownAs} as a code or a name`)
  }
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

/** Undefined: not a date. Null: it follows from the departure. */
function dateOf(draft: Draft): ReadDate | null | undefined {
  const { value } = draft
  const precision = choiceIn(draft, value, 'datePrecision', datePrecisions)
  const text = textIn(draft, value, 'date')
  if (text === null) return /^\d{4}-/.test(String(value['departure'] ?? '')) ? null : undefined
  const parts = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text)
  const iso = parts ? `${parts[1]}-${parts[2] ?? '01'}-${parts[3] ?? '01'}` : ''
  if (!parts || !isCalendarDate(iso)) return undefined
  const written: DatePrecision = parts[3] ? 'day' : parts[2] ? 'month' : 'year'
  return { iso, precision: precision ?? written }
}

function flightOf(draft: Draft, date: ReadDate | null | undefined): SourceFlight {
  const { value } = draft
  const customFields = recordIn(draft, value, 'customFields')
  const externalIds = textsIn(draft, value, 'externalIds')
  return {
    date: date ?? null,
    from: named(draft, 'from', airportNamed),
    to: named(draft, 'to', airportNamed),
    plannedTo: named(draft, 'plannedTo', airportNamed),
    airline: named(draft, 'airline', airlineNamed),
    operatingAirline: named(draft, 'operatingAirline', airlineNamed),
    aircraft: named(draft, 'aircraft', aircraftNamed),
    ...timesOf(draft),
    ...textFieldsOf(draft),
    duration: durationOf(draft),
    ...outcomeOf(draft),
    price: priceOf(draft),
    passengers: passengersOf(draft),
    externalId: textIn(draft, value, 'externalId'),
    ...(customFields && { customFields }),
    ...(externalIds && { externalIds }),
    ...trackOf(draft),
  }
}

/** A code, a name, or a record as the API returns it. */
function named(draft: Draft, name: string, read: (text: string) => Named | null): Named | null {
  const { value, problems } = draft
  const text = textIn(draft, value, `${name}Text`)
  const given = value[name]
  if (!isGiven(given)) return text === null ? null : read(text)
  if (typeof given === 'string') return read(given)
  if (!isRecord(given)) {
    problems.push(`${name}: must be a code, a name or an object with icao, iata or name`)
    return null
  }
  const [icao, iata, full] = ['icao', 'iata', 'name'].map((part) => textIn(draft, given, part, name))
  const found = namedBy([icao, iata], full)
  if (!found) problems.push(`${name}: icao, iata or name is required`)
  return found
}

function timesOf(draft: Draft): Partial<Record<TimeField, SourceTime>> {
  const read: Partial<Record<TimeField, SourceTime>> = {}
  for (const name of timeFields) {
    const text = textIn(draft, draft.value, name)
    if (text === null) continue
    const time = readSourceTime(text)
    // Only tables need a guess at the order of day and month; programs write ISO 8601 dates.
    if (time && !(time.date && 'text' in time.date))
      read[name] = isDateTime(text) ? { ...time, exact: text } : time
    else
      draft.problems.push(
        `${name}: must be a date-time such as 2026-02-20T10:15+01:00, or a local time such as 10:15`,
      )
  }
  return read
}

function textFieldsOf(draft: Draft): Partial<Record<TextField, string>> {
  const read: Partial<Record<TextField, string>> = {}
  for (const name of textFields) {
    const text = textIn(draft, draft.value, name)
    if (text !== null) read[name] = text
  }
  return read
}

function durationOf({ value, problems }: Draft): number | null {
  const given = value['duration']
  if (!isGiven(given)) return null
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) return given
  problems.push('duration: must be a whole number of seconds')
  return null
}

function outcomeOf(draft: Draft): Pick<SourceFlight, 'outcome'> {
  const outcome = choiceIn(draft, draft.value, 'outcome', outcomes)
  return outcome === null ? {} : { outcome }
}

function priceOf({ value, problems }: Draft): Price | null {
  const given = value['price']
  if (!isGiven(given)) return null
  const { amount, currency } = isRecord(given) ? given : {}
  if (typeof amount === 'string' && typeof currency === 'string' && isAmount(amount) && isCurrency(currency))
    return { amount, currency }
  problems.push('price: must be {"amount": "129.90", "currency": "EUR"}')
  return null
}

/** The importer with the seat of the draft, unless an entry is a user, and all named people. */
function passengersOf(draft: Draft): SourcePerson[] {
  const { value, problems } = draft
  const own = seatOf(draft, value)
  const listed = listIn(draft, 'passengers').flatMap((entry, index) => passengerOf(draft, entry, index) ?? [])
  const people = listIn(draft, 'people').flatMap((name): SourcePerson[] => {
    if (typeof name === 'string' && name.trim() !== '') return [{ who: { kind: 'named', name: name.trim() } }]
    problems.push('people: must be a list of names')
    return []
  })
  const hasUser = listed.some(({ who }) => who.kind === 'account')
  const hasSeat = Object.values(own).some((part) => part !== null)
  const self: SourcePerson[] = hasUser && !hasSeat ? [] : [{ who: { kind: 'self' }, ...own }]
  return [...self, ...listed, ...people]
}

const passengerNames: ReadonlySet<string> = new Set([
  ...passengerFieldNames,
  ...['id', 'name', 'user', 'username', 'displayName', 'customFields'],
])

function passengerOf(draft: Draft, entry: unknown, index: number): SourcePerson | undefined {
  const { problems } = draft
  const place = `passengers.${index}`
  if (!isRecord(entry)) {
    problems.push(`${place}: must be an object`)
    return undefined
  }
  for (const name of Object.keys(entry)) {
    if (!passengerNames.has(name)) problems.push(`${place}.${name}: unknown field`)
  }
  const user = isRecord(entry['user']) ? entry['user'] : entry
  const key =
    textIn(draft, entry, 'userId', place) ?? (user === entry ? null : textIn(draft, user, 'id', place))
  const guest = textIn(draft, entry, 'guestName', place) ?? textIn(draft, entry, 'name', place)
  if (key === null && guest === null) {
    problems.push(`${place}: guestName or userId is required`)
    return undefined
  }
  const username = textIn(draft, user, 'username', place)
  const name = textIn(draft, user, 'displayName', place) ?? guest ?? username ?? key!
  const customFields = recordIn(draft, entry, 'customFields', place)
  return {
    who: key === null ? { kind: 'named', name: guest! } : { kind: 'account', key, username, name },
    ...seatOf(draft, entry, place),
    ...(customFields && { customFields }),
  }
}

const seatOf = (draft: Draft, value: JsonRecord, place?: string): Omit<SourcePerson, 'who'> => ({
  seat: choiceIn(draft, value, 'seat', seats, place),
  seatNumber: textIn(draft, value, 'seatNumber', place),
  seatClass: choiceIn(draft, value, 'seatClass', seatClasses, place),
  flightReason: choiceIn(draft, value, 'flightReason', flightReasons, place),
})

function trackOf(draft: Draft): { track?: RecordedTrack } {
  const track = recordIn(draft, draft.value, 'track')
  // A flight from the API has no track, only a note that there is one.
  if (!track || (track['coordinates'] === undefined && track['pointCount'] !== undefined)) return {}
  const isFormat = trackFormats.some((format) => format === track['sourceFormat'])
  if (Array.isArray(track['coordinates']) && isFormat) return { track: track as unknown as RecordedTrack }
  draft.problems.push(`track: coordinates and sourceFormat (${trackFormats.join(', ')}) are required`)
  return {}
}

// Values by type; absent, null and "" count as empty

const at = (place: string | undefined, name: string): string =>
  place === undefined ? name : `${place}.${name}`

function textIn({ problems }: Draft, value: JsonRecord, name: string, place?: string): string | null {
  const given = value[name]
  if (!isGiven(given)) return null
  if (typeof given === 'string') return given.trim() === '' ? null : given
  problems.push(`${at(place, name)}: must be a text`)
  return null
}

function choiceIn<Value extends string>(
  draft: Draft,
  value: JsonRecord,
  name: string,
  choices: readonly Value[],
  place?: string,
): Value | null {
  const given = value[name]
  if (!isGiven(given)) return null
  const found = choices.find((choice) => choice === given)
  if (found === undefined) draft.problems.push(`${at(place, name)}: must be one of ${choices.join(', ')}`)
  return found ?? null
}

function listIn({ value, problems }: Draft, name: string): unknown[] {
  const given = value[name]
  if (!isGiven(given)) return []
  if (Array.isArray(given)) return given
  problems.push(`${name}: must be a list`)
  return []
}

function recordIn({ problems }: Draft, value: JsonRecord, name: string, place?: string): JsonRecord | null {
  const given = value[name]
  if (!isGiven(given)) return null
  if (isRecord(given)) return given
  problems.push(`${at(place, name)}: must be an object`)
  return null
}

function textsIn(draft: Draft, value: JsonRecord, name: string): Record<string, string> | null {
  const given = recordIn(draft, value, name)
  if (!given) return null
  for (const key of Object.keys(given)) textIn(draft, given, key, name)
  return given as Record<string, string>
}

// Editing a flight with the fields that log it; omitted fields stay. Made for AI assistants; scripts use it too. The
// edit becomes a merge patch, so that rules, access, conditions and history are those of every change.
import * as z from 'zod'
import { AppError, detail, type ErrorDetail, invalidField } from '../../../base/errors.ts'
import { versionCondition } from '../../../domain/flights/conditions.ts'
import { canonicalFlightNumber, parseFlightNumber } from '../../../domain/flights/number.ts'
import { writeRegistration } from '../../../domain/flights/registration.ts'
import { differences } from '../../../domain/history/differences.ts'
import { daysOf } from '../../../domain/reference/code-periods.ts'
import { recordOf } from '../../../domain/reference/resolution.ts'
import { RowId } from '../../../domain/row-id.ts'
import { shortDifferences } from '../../../domain/text/shown-text.ts'
import { instantOf } from '../../../domain/time/time.ts'
import { isConditionRequired } from '../../../door/open.ts'
import { type Call, credentialWith, operation, takes } from '../../../door/operation.ts'
import type { Records } from '../../../services/reference/reference.ts'
import { airlines, resolveCode } from '../../../services/reference/resolve/records.ts'
import { findFlight, type StoredFlight } from '../../../store/flights/flights.ts'
import { lockFlight } from '../../../store/flights/writes.ts'
import type { Airline, Airport } from '../../../store/reference/records.ts'
import { requireFlightValues } from '../../flights/custom-values.ts'
import { warnOfDuplicates } from '../../flights/likely-duplicates.ts'
import { requireNotInBin } from '../../flights/removal.ts'
import { type FlightView, recordsOf, showFlight } from '../../flights/view.ts'
import { changeFlight, requireCurrent } from '../../flights/writing.ts'
import {
  collected,
  describedKinds,
  refuseCollected,
  requireAirport,
  requireRecord,
  type Words,
} from '../../reference/named.ts'
import { Flight, type FlightPatch, Warning } from '../../wire/schemas.ts'
import { firstDayOf, precisionOf, spokenName, takeRead, warnOfNumber, warnOfOddities } from '../fields.ts'
import { EditFlight, editNames } from './input.ts'
import { findMatch } from './match.ts'
import { warnOfThen } from './moved-day.ts'
import { type EditedPeople, readPeople } from './people.ts'
import { type Ends, readEditedTimes } from './times.ts'

const EditAnswer = z.object({
  data: Flight,
  changed: z
    .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
    .describe('By field: what it was, and what it is. Empty if nothing changed.'),
  warnings: z.array(Warning).describe('Assumptions and implausible values; tell the user.'),
  changeId: RowId.nullable().describe('By which the change can be undone; null if nothing changed.'),
})

export const editFlight = operation({
  id: 'edit-flight',
  method: 'POST',
  path: '/flights/edit',
  tag: 'Flights',
  summary: 'Edit a flight by codes, names and local times',
  description:
    'Changes what is given and keeps the rest; null empties a field. Fields are those of log-flight. The flight is named by `id`, or by `match`, which must fit exactly one flight of yours: otherwise the error lists at most five. With another date the times move along, and with another airport they keep what the clock shows. `people` are found by name among those on the flight, then among those you may know; anyone else becomes a guest.',
  example: { body: { id: 1, seatNumber: '12A', people: [{ name: 'Grace', seatNumber: '12B' }] } },
  access: credentialWith(
    ['flight.read.own', 'flight.update.own', 'reference_data.read'],
    ['flight.update.any', 'flight.passengers.manage.own', 'flight.passengers.manage.any'],
  ),
  body: takes(EditFlight, { size: 'long' }),
  output: EditAnswer,
  errors: ['not_found', 'precondition_failed', 'precondition_required'],
  tool: {
    title: 'Edit a flight',
    description:
      'Change fields of one flight; what is left out stays, null empties. "Grace was with me on SK909, she sat in 12B" is {match: {flightNumber: "SK909"}, people: [{name: "Grace", seatNumber: "12B"}]}. Fields are as in log_flight; seatNumber, seat, seatClass and reason are the person’s own.',
    lines: ['data'],
    quotes: ['changed'],
    shallow: ['match'],
    refusesUnknown: true,
    brief: ({ changed, ...edited }) => ({ ...edited, changed: shortDifferences(changed) }),
    says: ({ changed, warnings }) =>
      [sentence(shortDifferences(changed)), ...warnings.map(({ message }) => message)]
        .filter((text) => text !== '')
        .join('\n'),
  },
  // Names and people are looked up before the transaction, so that other writers do not wait.
  prepare: readEdited,
  async run(call) {
    const { said, stored, edit, words, conditioned } = await lockEdited(call, call.prepared as Edited)
    const before = await showFlight(call, stored)
    const { flight, changed } = await changeFlight(conditioned, stored.id, edit.patch).catch((error) => {
      throw inWordsOfEdit(error, said, edit.people)
    })
    warnOfNumber(words, said.flightNumber)
    await warnOf(words, said, edit, flight)
    await warnOfDay(words, said, stored, { edit, flight })
    const changes = changed ? differences(before, flight, call.principal.user.id) : {}
    if (identifying.some((name) => name in changes))
      words.warnings.push(...(await warnOfDuplicates(call, stored.id)))
    if (!changed)
      words.warnings.push({
        code: 'nothing_changed',
        message: 'The flight already had these values; nothing changed.',
      })
    return {
      data: flight,
      changed: changes,
      warnings: words.warnings,
      changeId: changed ? (call.outcome.changeId ?? null) : null,
    }
  },
})

/** The fields by which a person recognises a flight. */
const identifying = ['date', 'from', 'to', 'flightNumber', 'departureTime', 'outcome']

const sentence = (changed: z.output<typeof EditAnswer>['changed']): string => {
  const shown = (value: unknown) =>
    value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)
  const parts = Object.entries(changed).map(([name, [was, is]]) => `${name}: ${shown(was)} → ${shown(is)}`)
  return parts.length === 0 ? '' : `Changed ${parts.join('; ')}.`
}

/** A request that names no field is a mistake, not an edit that changes nothing. */
function requireChange({ id: _id, match: _match, ifVersion: _version, ...fields }: EditFlight): void {
  const isNamed = (value: unknown) =>
    value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0)
  if (!Object.values(fields).some(isNamed)) throw invalidField([], 'nothing_to_change')
}

/** An edit, and the flight as it was read. */
interface Edited {
  said: EditFlight
  stored: StoredFlight
  edit: Edit
  words: Words
  /** With the flight version that the edit was made for. */
  conditioned: Call
}

async function readEdited(call: Call<EditFlight>): Promise<Edited> {
  const problems: Words['problems'] = []
  const said = takeRead({ problems }, call.input, editNames)
  if (problems.length === 0) requireChange(said)
  const { stored, conditioned } = await requireEdited(call, said, problems)
  const records = await recordsOf(call, call.principal.revisions.reference, [stored])
  const words: Words = { call, days: daysFor(said, stored), warnings: [], problems }
  const edit = await readEdit(words, said, stored, records)
  refuseCollected(words)
  return { said, stored, edit, words, conditioned }
}

/** The same inside the transaction, with the flight locked. Reads the edit again if the flight was changed meanwhile. */
async function lockEdited(call: Call<EditFlight>, read: Edited): Promise<Edited> {
  const version = await lockFlight(call.db, { id: read.stored.id })
  if (version !== read.stored.version) return lockEdited(call, await readEdited(call))
  return {
    ...read,
    words: { ...read.words, call, warnings: [...read.words.warnings] },
    conditioned: { ...call, condition: read.conditioned.condition },
  }
}

/** The flight, which the caller may change and which has the expected version. */
async function requireEdited(call: Call, { id, match, ifVersion }: EditFlight, problems: Words['problems']) {
  // If the flight itself cannot be identified, further problems would be guesses.
  if (problems.some(({ details }) => details?.some(({ path }) => path[0] === 'id' || path[0] === 'match')))
    refuseCollected({ problems })
  if ((id === undefined) === (match === undefined)) throw invalidField(['id'], 'id_or_match')
  const flightId = id === undefined ? await findMatch(call, match!) : id
  const isRequired =
    call.principal.kind !== 'session' && (await isConditionRequired(call.services.store.read, call.services))
  const condition = ifVersion === undefined ? { isRequired } : versionCondition(flightId, ifVersion)
  const conditioned = { ...call, condition }
  if (!(await findFlight(call.db, flightId))) await requireNotInBin(call, flightId)
  return { stored: await requireCurrent(conditioned, flightId), conditioned }
}

/** Codes are resolved as of the day of the flight. */
const daysFor = ({ date }: EditFlight, stored: StoredFlight) =>
  date === undefined ? daysOf(stored.date, stored.datePrecision) : daysOf(firstDayOf(date), precisionOf(date))

interface Edit {
  patch: FlightPatch
  people: EditedPeople
  ends: Ends
  airline: Airline | null
}

async function readEdit(
  words: Words,
  said: EditFlight,
  stored: StoredFlight,
  records: Records,
): Promise<Edit> {
  const place = async (name: 'from' | 'to' | 'plannedTo', was: Airport | null) => {
    const text = said[name]
    return text ? ((await collected(words, () => requireAirport(words, name, text))) ?? null) : was
  }
  const find = <Item>(table: ReadonlyMap<number, Item>, id: number | null) =>
    id === null ? null : (table.get(id) ?? null)
  const before = { from: find(records.airports, stored.fromId), to: find(records.airports, stored.toId) }
  const after = { from: await place('from', before.from), to: await place('to', before.to) }
  const plannedTo = await place('plannedTo', null)
  const aircraft = said.aircraft
    ? await collected(words, () => requireRecord(words, 'aircraft', describedKinds.aircraft, said.aircraft!))
    : find(records.aircraft, said.aircraft === null ? null : stored.aircraftId)
  const airline = await airlineOf(words, said, stored, find(records.airlines, stored.airlineId))
  const times = await readEditedTimes(words, said, stored, { before, after }, aircraft?.class ?? null)
  const people = await readPeople(words, said, stored)
  const { customFields } = said
  if (customFields) await collected(words, () => requireFlightValues(words.call, customFields, stored))
  const patch: FlightPatch = {
    ...times,
    ...plainFields(said),
    ...(said.from !== undefined && after.from && { fromId: after.from.id }),
    ...(said.to !== undefined && after.to && { toId: after.to.id }),
    ...(said.plannedTo !== undefined && { plannedToId: plannedTo?.id ?? null }),
    ...(said.aircraft !== undefined && { aircraftId: aircraft?.id ?? null }),
    ...((airline?.id ?? null) !== stored.airlineId && { airlineId: airline?.id ?? null }),
    ...(people.passengers && { passengers: people.passengers }),
  }
  return { patch, people, ends: after, airline }
}

/** Fields that need no conversion. */
const plainFields = (said: EditFlight) => ({
  flightNumber: said.flightNumber && canonicalFlightNumber(said.flightNumber),
  aircraftReg: said.registration && writeRegistration(said.registration),
  departureTerminal: said.departureTerminal,
  departureGate: said.departureGate,
  arrivalTerminal: said.arrivalTerminal,
  arrivalGate: said.arrivalGate,
  note: said.note,
  outcome: said.outcome,
  customFields: said.customFields,
})

/**
 * The named airline, or the stored one. A new number changes it only if its airline is different, and the stored
 * airline was that of the old number or neither was known.
 */
async function airlineOf(words: Words, said: EditFlight, stored: StoredFlight, was: Airline | null) {
  if (said.airline === null) return null
  if (said.airline !== undefined)
    return (
      (await collected(words, () =>
        requireRecord(words, 'airline', describedKinds.airlines, said.airline!),
      )) ?? null
    )
  const is = said.flightNumber ? await ownerOf(words, said.flightNumber) : undefined
  if (!is || is.id === was?.id) return was
  const previous = stored.flightNumber === null ? undefined : await ownerOf(words, stored.flightNumber)
  const follows = was === null ? stored.flightNumber === null : previous?.id === was.id
  if (!follows) return was
  const change = was ? `changed from ${was.name} to ${is.name}` : `set to ${is.name}`
  words.warnings.push({
    code: 'airline_follows_number',
    message: `The airline was ${change}, because ${canonicalFlightNumber(said.flightNumber!)} is a number of ${is.name}.`,
  })
  return is
}

async function ownerOf({ call, days }: Words, flightNumber: string): Promise<Airline | undefined> {
  const code = parseFlightNumber(flightNumber)?.airlineCode
  return code ? recordOf(await resolveCode(call.db, airlines, code, days)) : undefined
}

/** Warns about oddities in what was edited. Everything unchanged was already there before. */
async function warnOf(
  words: Words,
  said: EditFlight,
  { ends, airline }: Edit,
  flight: FlightView,
): Promise<void> {
  const { from, to } = ends
  const isRoute = said.from !== undefined || said.to !== undefined
  const isTime = said.departureTime || said.arrivalTime || isRoute || said.aircraft
  const timeOf = (dateTime: string | null) =>
    isTime && dateTime !== null
      ? { dateTime, instant: instantOf(dateTime), date: dateTime.slice(0, 10), warning: undefined }
      : undefined
  const isNumber = said.airline || said.flightNumber
  if (!from || !to || !(isTime || isNumber || said.date)) return
  await warnOfOddities(words, {
    date: said.date === undefined ? undefined : flight.date,
    departure: timeOf(flight.departure),
    arrival: timeOf(flight.arrival),
    ends: { from, to },
    aircraftClass: flight.aircraft?.class ?? null,
    flightNumber: flight.flightNumber,
    airline: isNumber ? airline : null,
  })
}

/** Airports and airline that stay may not have existed on the new day. */
async function warnOfDay(
  words: Words,
  said: EditFlight,
  stored: StoredFlight,
  { edit, flight }: { edit: Edit; flight: FlightView },
): Promise<void> {
  const before = daysOf(stored.date, stored.datePrecision)
  const days = daysOf(flight.date, flight.datePrecision)
  if (before.first === days.first && before.last === days.last) return
  const { from, to } = edit.ends
  await warnOfThen({ ...words, days }, before, {
    airports: [said.from === undefined ? from : null, said.to === undefined ? to : null],
    airline: edit.airline?.id === stored.airlineId && said.airline === undefined ? edit.airline : null,
  })
}

/** Problems with the resulting flight, reported by the fields of the edit. */
function inWordsOfEdit(error: unknown, said: EditFlight, people: EditedPeople): unknown {
  if (!(error instanceof AppError) || !error.details) return error
  const { code, problem: given } = error
  // The people who would be left alone are not in the edit, so this points to the person who leaves.
  const details =
    given.reason === 'must_keep_first'
      ? [detail(people.leaving ?? ['people'], given)]
      : error.details.map((one) => inOrder(said, { ...one, path: pathInWords(one.path, people) }))
  return new AppError(code, given, { details })
}

function pathInWords(path: readonly string[], { paths }: EditedPeople): string[] {
  const depth = path[1] === 'new' ? 3 : 2
  const place = paths.get(path.slice(0, depth).join('.'))
  if (place) return [...place.map(String), ...path.slice(depth).map(spokenName)]
  // The path of a person on the flight whom the edit does not name.
  return path[0] === 'passengers' ? ['people'] : path.map(spokenName)
}

const movers = ['departureTime', 'arrivalTime', 'to', 'from', 'date'] as const

/** If an unchanged time is out of order, the edited one is the cause. */
function inOrder(said: EditFlight, one: ErrorDetail): ErrorDetail {
  const isBackward = one.reason === 'arrival_before_departure' || one.reason === 'landing_before_takeoff'
  const isSaid = movers.some((name) => name === one.path[0] && said[name])
  const mover = movers.find((name) => said[name])
  if (!isBackward || isSaid || !mover) return one
  const isOfEdit = one.path[0] === 'departureTime' || one.path[0] === 'arrivalTime'
  return isOfEdit ? detail([mover], 'times_kept_backward', one.code) : { ...one, path: [mover] }
}

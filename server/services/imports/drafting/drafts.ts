// Turns a record of a file into the flight that it would become: texts are resolved as of the day of the flight, times become
// date-times at the airports, and anything that only the person can decide becomes a question (docs/decisions/021).

import { nothingKnown, type ReferenceField } from '../../../domain/flights/fields.ts'
import { importOddity } from '../../../domain/flights/plausibility.ts'
import { writeRegistration } from '../../../domain/flights/registration.ts'
import { distanceKm } from '../../../domain/geo/geo.ts'
import { legInYear } from '../../../domain/imports/boarding-pass.ts'
import type { ImportWarning, QuestionKind, RowCode, SkipCode } from '../../../domain/imports/imports.ts'
import { EXTERNAL_IDS_AT_MOST, EXTERNAL_SOURCE, EXTERNAL_VALUE } from '../../../domain/limits.ts'
import { type Days, daysOf } from '../../../domain/reference/code-periods.ts'
import { utcDate } from '../../../domain/time/calendar.ts'
import { type Aircraft, type Airline, type Airport, findAircraft } from '../../../store/reference/records.ts'
import type { Source } from '../../reference/resolve/records.ts'
import type { Named, SourceFlight, SourceRecord } from '../reading/source.ts'
import type { CreateDrafter, DraftedRow, EvaluationParts, NumberedRecord } from '../reading/stages.ts'
import { isFlightNumber, writeFlightNumber } from '../values/numbers.ts'
import { fieldText } from '../values/text.ts'
import { createCarriers, createTypes } from './airlines.ts'
import { type ChosenFlight, withChoice } from './choices.ts'
import { createCustomValues, type NamedValue } from './custom-fields.ts'
import { type Answer, type Draft, dateOrderKey, PASSES, type RowChoice } from './draft.ts'
import { createFlownNumbers } from './flown-numbers.ts'
import { createPeople } from './people.ts'
import { createPlaces, type Place, type PlaceField } from './places.ts'
import { type Asked, createQuestions, keyOfQuestion, recordIdOf } from './questions.ts'
import { type AboutQuestion, aboutPlace, describeQuestions, FLIGHT, noteContext } from './suggestions.ts'
import { readTimes, type TimesRead } from './times.ts'

export const createDrafter: CreateDrafter = async (parts) => {
  const { db, reference, principal, options, answers, choices, now } = parts
  const today = utcDate(now.getTime())
  const source: Source = {
    db,
    reference,
    revision: principal.revisions.reference,
    traveller: { userId: principal.user.id, flights: principal.revisions.flights },
  }
  const questions = createQuestions<AboutQuestion>(answers)
  const named = idsIn(answers, choices)
  const places = await createPlaces(source, today, named.airports)
  const carriers = await createCarriers(source, today, named.airlines)
  const types = createTypes(source)
  const typesById = new Map((await findAircraft(db, named.aircraft)).map((type) => [type.id, type]))
  const fields = createCustomValues(
    await reference.customFields(db, principal.revisions.reference),
    (key, row) => questions.ask('unknown_custom_field', key, row, () => ({ kind: 'field' })),
  )
  const people = createPeople({
    db,
    principal,
    options,
    ask: (name, row) => questions.ask('which_user', name, row, () => ({ kind: 'person' })),
    answerTo: (name) => questions.answerTo('which_user', name),
  })
  const flown = createFlownNumbers()
  const kilometresOf = createDistances()
  const sourceAirline = await fixedAirline(parts, source, today)

  async function prepare(records: readonly SourceRecord[], flights: readonly SourceFlight[]) {
    const all = [...flights, ...flights.flatMap((flight) => inFields(flight))]
    await places.prepare(all)
    await carriers.prepare(all)
    await types.prepare(all)
    await people.prepare(records)
  }

  /** The records that custom fields name, as separate flights, because they are looked up in the same way. */
  function inFields({ date, customFields, passengers = [] }: SourceFlight): SourceFlight[] {
    if (!customFields && !passengers.some((person) => person.customFields)) return []
    const values = [customFields, ...passengers.map((person) => person.customFields)]
    const nowhere = { date, from: null, to: null }
    return values
      .flatMap((given) => (given ? fields.namedIn(given) : []))
      .map(({ type, named }) => ({ ...nowhere, [type === 'airport' ? 'from' : type]: named }))
  }

  const idInField =
    (days: Days) =>
    ({ type, named }: NamedValue): number | undefined => {
      if (type === 'airport') return places.resolve(named, undefined, days, 'fromId').airport?.id
      if (type === 'airline') return carriers.resolve(named, null, days, 'airlineId').airline?.id
      return types.resolve(named).aircraft?.id
    }

  function draftOf({ number, record }: NumberedRecord, given: ChosenFlight): DraftedRow {
    const row = new RowDraft(number, record, choices.get(number))
    const chosen = { ...given, flight: row.inYear(given.flight) }
    const { flight } = chosen
    const days = daysOfFlight(flight, today)
    const [from, to] = [endOf(flight, 'fromId', days, chosen), endOf(flight, 'toId', days, chosen)]
    const [origin, destination] = [places.apart(from, to), places.apart(to, from)]
    row.confirm(flight, [origin, destination])
    const ends = { from: row.place(origin, flight, 'fromId'), to: row.place(destination, flight, 'toId') }
    row.describeOpenPlaces(flight, ends)
    flown.note(flight, ends)
    const planned = plannedOf(row, flight, days, chosen)
    const aircraft = typeOf(row, flight, chosen)
    const km = ends.from && ends.to ? kilometresOf(ends.from, ends.to) : null
    const times = readTimes({
      flight,
      fromZone: ends.from?.timezone ?? null,
      toZone: ends.to?.timezone ?? null,
      plannedZone: planned?.timezone ?? null,
      distanceKm: km,
      aircraftClass: aircraft?.class ?? null,
      timesAreUtc: options.timesAreUtc,
    })
    row.warn(times.warnings)
    if (times.asksZone) row.asks('times_zone', TIMES, { kind: 'zone' })
    const carrier = carrierOf(row, flight, days, chosen)
    const operating = operatingOf(row, flight, days, chosen)
    const travellers = people.resolve(flight, number)
    row.warn(travellers.warnings)
    row.wait('which_user', travellers.waitsFor)
    const custom = fields.resolve(flight.customFields ?? {}, 'flight', number, idInField(days))
    row.warn(custom.warnings)
    row.wait('unknown_custom_field', custom.waitsFor)
    const passengers = travellers.passengers.map(({ sourceFields, ...passenger }) => {
      const own = fields.resolve(sourceFields, 'flight_passenger', number, idInField(days))
      row.warn(own.warnings)
      row.wait('unknown_custom_field', own.waitsFor)
      return { ...passenger, customFields: own.values }
    })
    const outcome = flight.outcome ?? 'flown'
    const draft: Draft = {
      ...nothingKnown,
      ...textsOf(withPlan(flight, planned), row.warnings),
      // A value that the person typed is used anyway.
      ...(options.bookingReference === false &&
        !('bookingReference' in (choices.get(number)?.draft ?? {})) && { bookingReference: null }),
      ...times.times,
      date: times.date,
      datePrecision: times.datePrecision,
      duration: times.duration,
      fromId: ends.from?.id ?? null,
      toId: ends.to?.id ?? null,
      airlineId: carrier.airline?.id ?? null,
      aircraftId: aircraft?.id ?? null,
      operatingAirlineId: operating?.id ?? null,
      plannedToId: outcome === 'diverted' ? (planned?.id ?? null) : null,
      outcome,
      flightNumber: numberOf(flight, carrier, row.warnings),
      price: flight.price ?? null,
      passengers,
      people: travellers.people,
      ...(travellers.isNamed && { isTravellerNamed: true as const }),
      customFields: custom.values,
      externalIds: externalIdsOf(flight, parts.source, row.warnings),
      track: flight.track ?? null,
    }
    nameUnresolved(draft, flight)
    if (outcome === 'diverted' && !flight.verbatim) row.warn([{ code: 'diverted', field: 'toId' }])
    if (!flight.verbatim) warnAboutOddities(row, draft, times, { km, aircraft, today })
    if (draft.date === null) row.fail('bad_date')
    return row.finish(draft, travellers.isNotMine)
  }

  /** The draft of a row with its warnings and questions. */
  class RowDraft {
    readonly warnings: ImportWarning[]
    readonly #waitsFor: string[] = []
    readonly #open: Asked<AboutQuestion>[] = []
    readonly #number: number
    readonly #record: SourceRecord
    readonly #choice: RowChoice | undefined
    #blocked: RowCode | undefined
    #error: RowCode | undefined
    #skip: SkipCode | undefined
    #isUnconfirmed = false
    #isYearOpen = false

    constructor(number: number, record: SourceRecord, choice: RowChoice | undefined) {
      this.#number = number
      this.#record = record
      this.#choice = choice
      this.warnings = [...(record.warnings ?? [])]
      this.#skip = record.skip
      if (record.dateOpen) this.wait('date_ambiguous', [dateOrderKey])
      if (record.question)
        this.wait(record.question.kind, [keyOfQuestion(record.question.kind, record.question.value)])
    }

    warn(warnings: readonly ImportWarning[]): void {
      for (const warning of warnings) this.warnings.push(warning)
    }

    /** Adds open questions that block the row. */
    wait(kind: QuestionKind, keys: readonly string[]): void {
      if (keys.length === 0) return
      this.#waitsFor.push(...keys)
      this.#blocked ??= kind
    }

    asks(kind: QuestionKind, value: string, about: AboutQuestion, isBlocking = true): Answer | null {
      const asked = questions.ask(kind, value, this.#number, () => about)
      if (!asked.answer) {
        this.#waitsFor.push(asked.key)
        if (isBlocking) this.#blocked ??= kind
      }
      return asked.answer
    }

    /** Asks whether a text is about a flight of the importer, before anything else about it. `PR 12: Tests - Docs` is none. */
    confirm(flight: SourceFlight, ends: readonly Place[]): void {
      if (!this.#record.fromText || this.#record.skip) return
      if (ends.every(({ question }) => question?.kind === 'unknown_airport')) this.#skip = 'not_a_flight'
      this.#isUnconfirmed = true
      if (this.#skip) return
      const answer = this.asks('from_text', textValue(flight), { kind: 'text' })
      if (answer && answer.id !== FLIGHT) this.#skip ??= 'excluded'
      this.#isUnconfirmed = answer?.id !== FLIGHT
    }

    /** The flight in the year that the person chose for boarding passes without one. */
    inYear(flight: SourceFlight): SourceFlight {
      const { date, yearGuess } = flight
      const assumed = isRead(date)
      if (!yearGuess || !assumed) return flight
      const dates = new Map([assumed.iso, yearGuess.otherDate].map((one) => [Number(one.slice(0, 4)), one]))
      const { answer, about } = questions.ask('year_assumed', PASSES, this.#number, () => ({
        kind: 'year',
        dates,
      }))
      if (about.kind === 'year')
        for (const [year, one] of dates) if (!about.dates.has(year)) about.dates.set(year, one)
      const chosen = /^\d{4}$/.test(String(answer?.id)) ? legInYear(yearGuess, Number(answer?.id)) : null
      if (chosen !== null) return { ...flight, date: { ...assumed, iso: chosen } }
      if (answer) return flight
      this.#isYearOpen = true
      this.warn([{ code: 'year_assumed', field: 'date', value: yearGuess.otherDate }])
      return flight
    }

    fail(code: RowCode): void {
      this.#error ??= code
    }

    /** The airport of a place, or the person's answer. */
    place(place: Place, flight: SourceFlight, field: PlaceField): Airport | null {
      this.warn(place.warnings)
      if (place.isStation) this.#skip ??= 'not_a_flight'
      if (!place.question || this.#isUnconfirmed) return place.airport
      const { kind, candidates } = place.question
      const value = place.question.value || missingValue(flight, field)
      const named = field === 'fromId' ? flight.from : flight.to
      const asked = questions.ask(kind, value, this.#number, () => aboutPlace(field, named, candidates))
      if (!asked.answer) {
        this.wait(kind, [asked.key])
        this.#open.push(asked)
        return null
      }
      const id = recordIdOf(asked.answer)
      const airport = id === undefined ? undefined : places.byId(id)
      // The person left it out, or the airport no longer exists.
      if (!airport) this.#skip ??= 'excluded'
      return airport ?? null
    }

    /** Collects hints for the suggestions: the other airport, the flight number and the note. */
    describeOpenPlaces(flight: SourceFlight, ends: { from: Airport | null; to: Airport | null }): void {
      for (const { about } of this.#open) noteContext(about, flight, ends)
    }

    finish(draft: Draft | null, isNotMine: boolean): DraftedRow {
      const { line, raw } = this.#record
      const settled = this.#settled(isNotMine)
      // After those that block the row.
      if (this.#isYearOpen) this.#waitsFor.push(keyOfQuestion('year_assumed', PASSES))
      return {
        number: this.#number,
        line,
        raw,
        draft,
        warnings: this.warnings,
        waitsFor: this.#waitsFor.length > 1 ? [...new Set(this.#waitsFor)] : this.#waitsFor,
        ...(settled && { settled }),
      }
    }

    #settled(isNotMine: boolean): DraftedRow['settled'] {
      const { error, question } = this.#record
      // Until the columns are known, nothing in the row is certain.
      if (question) return { verdict: 'question', code: question.kind }
      const isTyped = this.#choice?.draft !== undefined
      if (error && !(isTyped && this.#error === undefined)) return { verdict: 'error', code: error.code }
      const skip = this.#skip ?? (isNotMine ? 'not_mine' : undefined)
      if (skip && !this.#isIncluded(skip)) return { verdict: 'skipped', code: skip }
      if (this.#error) return { verdict: 'error', code: this.#error }
      return this.#blocked ? { verdict: 'question', code: this.#blocked } : undefined
    }

    #isIncluded(skip: SkipCode): boolean {
      // There is no flight without the airport that was left out.
      if (skip === 'excluded') return false
      if (this.#choice?.include === true) return true
      return (
        (skip === 'cancelled' && options.includeCancelled === true) ||
        (skip === 'not_mine' && options.includeOthers === true)
      )
    }
  }

  function endOf(flight: SourceFlight, field: 'fromId' | 'toId', days: Days, { ids }: ChosenFlight): Place {
    const chosen = byChoice(ids, field, places.byId)
    if (chosen) return { airport: chosen, warnings: [] }
    return field === 'fromId'
      ? places.resolve(flight.from, flight.fromPoint, days, field)
      : places.resolve(flight.to, flight.toPoint, days, field)
  }

  /** The planned destination of a diverted flight. Does not block the row if it is unknown. */
  function plannedOf(row: RowDraft, flight: SourceFlight, days: Days, { ids }: ChosenFlight): Airport | null {
    const chosen = byChoice(ids, 'plannedToId', places.byId)
    if (chosen !== undefined || !flight.plannedTo) return chosen ?? null
    const { airport, warnings } = places.resolve(flight.plannedTo, undefined, days, 'plannedToId')
    row.warn(warnings)
    if (!airport)
      row.warn([{ code: 'value_not_understood', field: 'plannedToId', value: flight.plannedTo.text }])
    return airport
  }

  function typeOf(row: RowDraft, flight: SourceFlight, { ids }: ChosenFlight): Aircraft | null {
    const chosen = byChoice(ids, 'aircraftId', (id) => typesById.get(id))
    if (chosen !== undefined) return chosen
    const named = flight.aircraft ?? null
    const { aircraft, warnings } = types.resolve(named)
    if (aircraft || !named) return aircraft
    const answer = row.asks('unknown_aircraft', named.text, { kind: 'aircraft', named }, false)
    if (!answer) row.warn(warnings)
    return typesById.get(recordIdOf(answer) ?? 0) ?? null
  }

  function carrierOf(row: RowDraft, flight: SourceFlight, days: Days, { ids }: ChosenFlight) {
    const carrier = carriers.resolve(flight.airline ?? null, flight.flightNumber ?? null, days, 'airlineId')
    const chosen = byChoice(ids, 'airlineId', carriers.byId)
    if (chosen !== undefined) return { ...carrier, airline: chosen }
    if (!carrier.airline && !flight.airline && sourceAirline) return { ...carrier, airline: sourceAirline }
    const answer = carrier.question && airlineQuestion(row, carrier.question)
    if (!answer) {
      row.warn(carrier.warnings)
      return carrier
    }
    const id = recordIdOf(answer)
    return { ...carrier, airline: id === undefined ? null : (carriers.byId(id) ?? null) }
  }

  const airlineQuestion = (
    row: RowDraft,
    { value, candidates }: { value: string; candidates: readonly Airline[] },
  ): Answer | null => row.asks('unknown_airline', value, { kind: 'airline', candidates }, false)

  function operatingOf(
    row: RowDraft,
    flight: SourceFlight,
    days: Days,
    { ids }: ChosenFlight,
  ): Airline | null {
    const chosen = byChoice(ids, 'operatingAirlineId', carriers.byId)
    if (chosen !== undefined || !flight.operatingAirline) return chosen ?? null
    const { airline, warnings } = carriers.resolve(flight.operatingAirline, null, days, 'operatingAirlineId')
    row.warn(warnings)
    return airline
  }

  return {
    async draft(records) {
      const chosen = records.map(({ number, record }) => {
        const typed = choices.get(number)?.draft
        return typed ? withChoice(record.flight, typed) : { flight: record.flight, ids: {} }
      })
      await prepare(
        records.map(({ record }) => record),
        chosen.flatMap(({ flight }) => flight ?? []),
      )
      return records.map((numbered, i) => {
        const { flight, ids } = chosen[i]!
        if (flight) return draftOf(numbered, { flight, ids })
        const row = new RowDraft(numbered.number, numbered.record, choices.get(numbered.number))
        row.fail('unreadable_row')
        return row.finish(null, false)
      })
    },
    questions: (waiting) =>
      describeQuestions(questions.list(waiting), {
        source,
        userId: principal.user.id,
        places,
        people,
        fields,
        types,
        flown,
      }),
    isImporter: people.isImporter,
  }
}

/** The value of the question whether times are UTC, which is asked once per file. */
const TIMES = 'times'

/** The value from a choice; undefined if the choice does not include the field. */
function byChoice<Item>(
  ids: ChosenFlight['ids'],
  field: ReferenceField,
  find: (id: number) => Item | undefined,
): Item | null | undefined {
  const id = ids[field]
  return id === undefined ? undefined : id === null ? null : (find(id) ?? null)
}

const isRead = (date: SourceFlight['date'] | undefined) => (date && 'iso' in date ? date : null)

/** The days on which codes are resolved: the flight's, or else its departure's. */
function daysOfFlight(flight: SourceFlight, today: string): Days {
  const own = isRead(flight.date)
  if (own) return daysOf(own.iso, own.precision)
  const { departure, departureScheduled, takeoffActual, recordedAt } = flight
  const time = departure ?? departureScheduled ?? takeoffActual ?? recordedAt
  return daysOf(isRead(time?.date)?.iso ?? time?.exact?.slice(0, 10) ?? today)
}

/** Ids of records in answers and choices, so that they can be looked up together. */
function idsIn(answers: readonly Answer[], choices: EvaluationParts['choices']) {
  const of = (kinds: readonly QuestionKind[]) =>
    answers.flatMap((answer) => (kinds.includes(answer.kind) ? (recordIdOf(answer) ?? []) : []))
  const typed = [...choices.values()].flatMap(({ draft }) =>
    draft ? [withChoice(undefined, draft).ids] : [],
  )
  const chosen = (names: readonly ReferenceField[]) =>
    typed.flatMap((ids) => names.flatMap((name) => ids[name] ?? []))
  return {
    airports: [
      ...of(['unknown_airport', 'ambiguous_airport', 'missing_airport']),
      ...chosen(['fromId', 'toId', 'plannedToId']),
    ],
    airlines: [...of(['unknown_airline']), ...chosen(['airlineId', 'operatingAirlineId'])],
    aircraft: [...of(['unknown_aircraft']), ...chosen(['aircraftId'])],
  }
}

/** The airline that the person chose for a table without an airline column. */
async function fixedAirline(
  { options }: EvaluationParts,
  source: Source,
  today: string,
): Promise<Airline | null> {
  if (!options.airline) return null
  const carriers = await createCarriers(source, today, [])
  const named: Named = {
    text: options.airline,
    codes: [options.airline.toUpperCase()],
    name: options.airline,
  }
  const flight = { date: null, from: null, to: null, airline: named }
  await carriers.prepare([flight])
  return carriers.resolve(named, null, daysOf(today), 'airlineId').airline
}

/** Caches distances per route. */
function createDistances() {
  const known = new Map<number, Map<number, number>>()
  return (from: Airport, to: Airport): number => {
    const ends = known.get(from.id) ?? new Map<number, number>()
    known.set(from.id, ends)
    const km = ends.get(to.id) ?? distanceKm(from, to)
    ends.set(to.id, km)
    return km
  }
}

const plainTexts = [
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'bookingReference',
  'operatingFlightNumber',
] as const

function textsOf(flight: SourceFlight, warnings: ImportWarning[]) {
  const texts = {} as Record<(typeof plainTexts)[number], string | null>
  for (const name of plainTexts)
    texts[name] = flight.verbatim ? (flight[name] ?? null) : fieldText(name, flight[name], warnings)
  if (flight.verbatim)
    return { ...texts, aircraftReg: flight.aircraftReg ?? null, note: noteOf(flight, warnings) }
  const reg = flight.aircraftReg && writeRegistration(flight.aircraftReg)
  return { ...texts, aircraftReg: fieldText('aircraftReg', reg, warnings), note: noteOf(flight, warnings) }
}

/** Keeps an unknown planned destination in the note. */
function withPlan(flight: SourceFlight, planned: Airport | null): SourceFlight {
  const { outcome, plannedTo, extras = [] } = flight
  if (outcome !== 'diverted' || !plannedTo || planned) return flight
  return { ...flight, extras: [...extras, ['Planned destination', plannedTo.text]] }
}

/** The source's note, followed by values without a field of their own. */
function noteOf(
  { note, extras = [], verbatim, flightNumber }: SourceFlight,
  warnings: ImportWarning[],
): string | null {
  if (verbatim && extras.length === 0) return note ?? null
  const unread: (typeof extras)[number][] =
    !verbatim && flightNumber && !isFlightNumber(flightNumber) ? [['Flight', flightNumber]] : []
  const lines = [...unread, ...extras].flatMap(([label, value]) =>
    value.trim() === '' ? [] : `${label}: ${value.trim()}`,
  )
  return fieldText('note', [note?.trim(), ...lines].filter((line) => line).join('\n'), warnings)
}

function numberOf(
  { flightNumber, verbatim }: SourceFlight,
  { airline, ofNumber }: { airline: Airline | null; ofNumber: Airline | null },
  warnings: ImportWarning[],
): string | null {
  if (verbatim) return flightNumber ?? null
  if (!flightNumber) return null
  if (!isFlightNumber(flightNumber)) {
    warnings.push({ code: 'value_not_understood', field: 'flightNumber', value: flightNumber })
    return null
  }
  // An airline that the file contradicts gives a number no code.
  const isDisputed = warnings.some(({ code, field }) => code === 'airline_disagrees' && field === 'airlineId')
  const holder = ofNumber ?? (isDisputed ? null : airline)
  return fieldText('flightNumber', writeFlightNumber(flightNumber, holder), warnings)
}

const written = [
  ['fromText', 'fromId', 'from'],
  ['toText', 'toId', 'to'],
  ['airlineText', 'airlineId', 'airline'],
  ['aircraftText', 'aircraftId', 'aircraft'],
  ['plannedToText', 'plannedToId', 'plannedTo'],
  ['operatingAirlineText', 'operatingAirlineId', 'operatingAirline'],
] as const

/** Adds the original text of everything that could not be resolved. */
function nameUnresolved(draft: Draft, flight: SourceFlight): void {
  for (const [text, id, field] of written) {
    const named = flight[field]
    if (draft[id] === null && named) draft[text] = named.text.slice(0, 500)
  }
}

function externalIdsOf(flight: SourceFlight, own: string, warnings: ImportWarning[]): Record<string, string> {
  const { externalId, externalIds = {} } = flight
  if (!externalId && flight.externalIds === undefined) return {}
  const all = externalId ? { [own]: externalId.trim(), ...externalIds } : externalIds
  const ids = Object.entries(all).slice(0, EXTERNAL_IDS_AT_MOST)
  const sound = ids.filter(([source, id]) => EXTERNAL_SOURCE.test(source) && EXTERNAL_VALUE.test(id))
  if (sound.length < ids.length) warnings.push({ code: 'value_not_understood', field: 'externalIds' })
  return Object.fromEntries(sound)
}

/** What a text says, in one line: it is the value of the question. */
const textValue = ({ flightNumber, date, departure, from, to }: SourceFlight): string =>
  [
    flightNumber,
    isRead(date)?.iso ?? isRead(departure?.date)?.iso,
    `${from?.text ?? '?'} → ${to?.text ?? '?'}`,
  ]
    .filter((part) => part)
    .join(' ')

/** The question's value for a missing airport: the rest of the flight distinguishes it from others. */
function missingValue(flight: SourceFlight, field: PlaceField): string {
  const [from, to] = [flight.from?.text ?? '?', flight.to?.text ?? '?']
  const day = isRead(flight.date)?.iso
  const route = field === 'fromId' ? `? → ${to}` : `${from} → ?`
  return [flight.flightNumber ?? day, route].filter((part) => part).join(' ')
}

function warnAboutOddities(
  row: { warn(warnings: readonly ImportWarning[]): void },
  { date, duration }: Draft,
  { times }: TimesRead,
  about: { km: number | null; aircraft: Aircraft | null; today: string },
): void {
  if (date === null) return
  const seconds = times.departure !== null && times.arrival !== null ? duration : null
  const odd = importOddity(
    { date, seconds, distanceKm: about.km },
    about.aircraft?.class ?? null,
    about.today,
  )
  if (odd) row.warn([{ code: 'implausible', field: null, value: odd }])
}

// What each caller of the resolver makes of a text: one line per caller, kind, text and day. Two versions of the resolver are
// compared by these lines (resolutions.test.ts).
import { AppError } from '../../server/base/errors.ts'
import type { Known } from '../../server/domain/entry/line/candidate.ts'
import { openLineData } from '../../server/domain/entry/line/data.ts'
import { readLine } from '../../server/domain/entry/line/read.ts'
import { type Days, daysOf } from '../../server/domain/reference/code-periods.ts'
import type { Resolution } from '../../server/domain/reference/resolution.ts'
import type { Call } from '../../server/door/operation.ts'
import { type Matched, resolveFilters } from '../../server/operations/flights/filters.ts'
import {
  type Described,
  describedKinds,
  requireAirport,
  requireRecord,
} from '../../server/operations/reference/named.ts'
import { createCarriers, createTypes } from '../../server/services/imports/drafting/airlines.ts'
import { createPlaces } from '../../server/services/imports/drafting/places.ts'
import type { SourceFlight } from '../../server/services/imports/reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed } from '../../server/services/imports/values/named.ts'
import {
  aircraftTypes,
  airlines,
  airports,
  resolveWrittenBack,
} from '../../server/services/reference/resolve/records.ts'
import { REFERENCE, readRevisions } from '../../server/store/engine/revisions.ts'
import type { Aircraft, Airline, Airport } from '../../server/store/reference/records.ts'
import type { TestApp } from '../harness.ts'
import { principalOf } from '../imports/drafting.ts'
import { emptyLog } from '../line/known.ts'

export type RecordKind = 'airport' | 'airline' | 'aircraft'
export interface Given {
  kind: RecordKind
  text: string
}

/** Before most codes moved, a week before Kai Tak closed, and today. */
export const dates = ['1950-06-01', '1998-07-01', '2026-11-18'] as const
const today = dates[2]

type Item = Airport | Airline | Aircraft
const shown = (item: Item | null | undefined): string =>
  item ? `${item.id}=${('iata' in item ? item.iata : null) ?? item.icao ?? item.name}` : '-'
const shownAll = (items: readonly Item[]): string => items.slice(0, 12).map(shown).join(' ')

export interface Resolving {
  call: Call
  known: Known
}

export async function openResolving(app: TestApp): Promise<Resolving> {
  const { store, services } = app
  const [revision = 0] = await readRevisions(store.read, [REFERENCE])
  const call = {
    db: store.read,
    services: { ...services, store },
    principal: principalOf({ revision }),
    now: new Date(`${today}T12:00:00Z`),
  } as unknown as Call
  const reference = openLineData(await services.reference.lineData(store.read, 0))
  return { call, known: { reference, memory: emptyLog, calendar: { today, order: 'day-first' } } }
}

const sourceOf = ({ db, services, principal }: Call) => ({
  db,
  reference: services.reference,
  revision: principal.revisions.reference,
})

const refused = (error: unknown): string => {
  if (!(error instanceof AppError)) throw error
  const { problem, details = [] } = error
  return JSON.stringify([problem, ...details.map(({ reason, params }) => [reason, params])])
}

// Named fields

export async function asField({ call }: Resolving, { kind, text }: Given, days: Days): Promise<string> {
  const words = { call, days, warnings: [], problems: [] }
  const record =
    kind === 'airport'
      ? requireAirport(words, 'from', text)
      : requireRecord<Airline | Aircraft>(
          words,
          kind,
          describedKinds[kind === 'airline' ? 'airlines' : 'aircraft'] as unknown as Described<
            Airline | Aircraft
          >,
          text,
        )
  return record.then(
    (found) => `${shown(found)} ${JSON.stringify(words.warnings)}`,
    (error: unknown) => refused(error),
  )
}

// Filters

export async function asFilter(
  { call }: Resolving,
  { kind, text }: Given,
  isSearch: boolean,
): Promise<string> {
  const matched: Matched = {}
  const reader = { ...sourceOf(call), userId: 'importer', knowsPeople: false, ...(isSearch && { matched }) }
  return resolveFilters(reader, { [kind]: [text] }).then(
    (filter) => `${(filter[`${kind}Ids`] ?? []).slice(0, 40).join(' ')} ${JSON.stringify(matched)}`,
    (error: unknown) => refused(error),
  )
}

// Imports

export async function createImportReader({ call }: Resolving, given: readonly Given[]) {
  const source = sourceOf(call)
  const [places, carriers] = [await createPlaces(source, today, []), await createCarriers(source, today, [])]
  const types = createTypes(source)
  const flights = given.map(({ kind, text }): SourceFlight => {
    const flight: SourceFlight = { date: null, from: null, to: null }
    if (kind === 'airport') return { ...flight, from: airportNamed(text) }
    if (kind === 'aircraft') return { ...flight, aircraft: aircraftNamed(text) }
    return {
      ...flight,
      airline: airlineNamed(text),
      ...(isAirlineCode(text) && { flightNumber: `${text}123` }),
    }
  })
  await places.prepare(flights)
  await carriers.prepare(flights)
  await types.prepare(flights)
  return ({ kind, text }: Given, days: Days): string => {
    if (kind === 'airport') {
      const named = airportNamed(text)
      const { airport, warnings, question, isStation } = places.resolve(named, undefined, days, 'fromId')
      const asked = question && `${question.kind} ${question.value} ${shownAll(question.candidates)}`
      return [shown(airport), said(warnings), asked, isStation].join(' | ')
    }
    if (kind === 'aircraft') {
      const { aircraft, warnings } = types.resolve(aircraftNamed(text))
      return [shown(aircraft), said(warnings)].join(' | ')
    }
    const byName = carriers.resolve(airlineNamed(text), null, days, 'airlineId')
    const byNumber = isAirlineCode(text) ? carriers.resolve(null, `${text}123`, days, 'airlineId') : undefined
    return [byName, byNumber]
      .flatMap((carrier) => (carrier ? [carrier] : []))
      .flatMap(({ airline, ofNumber, warnings, question }) => [
        shown(airline),
        shown(ofNumber),
        said(warnings),
        question && `${question.value} ${shownAll(question.candidates)}`,
      ])
      .join(' | ')
  }
}
const isAirlineCode = (text: string) => /^[A-Z0-9]{2,3}$/.test(text)
const said = (warnings: readonly { code: string; value?: unknown }[]) =>
  warnings.map(({ code, value }) => `${code}(${value})`).join(' ')

// The line

export function asLine({ known }: Resolving, text: string, date: string | undefined): string {
  const calendar = { ...known.calendar, ...(date !== undefined && { given: { date } }) }
  const { parts, missing, problem } = readLine(text, { ...known, calendar })
  const all = parts.map(({ kind, text: typed, sets, alternatives }) => [kind, typed, sets, alternatives])
  return JSON.stringify([all, missing, problem])
}

// What the previous API writes back, and codes alone: the same for codes in place of ids, answers and lookups

export async function asWrittenBack(
  { call }: Resolving,
  kind: RecordKind,
  written: { codes: readonly string[]; id?: number },
  days: Days,
): Promise<string> {
  const given = { ...written, stored: undefined }
  if (kind === 'airport') return resolutionShown(await resolveWrittenBack(call.db, airports, given, days))
  if (kind === 'airline') return resolutionShown(await resolveWrittenBack(call.db, airlines, given, days))
  return resolutionShown(await resolveWrittenBack(call.db, aircraftTypes, given, days))
}

function resolutionShown(resolution: Resolution<Item>): string {
  if (resolution.outcome === 'unknown') return 'none'
  if (resolution.outcome === 'ambiguous')
    return `several by ${resolution.by} ${shownAll(resolution.candidates)}`
  const { record, warning, changedOn } = resolution
  return ['one', shown(record), warning, changedOn].filter((part) => part !== undefined).join(' ')
}

// All of it

/** `asFilter` and the codes that a program writes back say nothing of the kind of text; `isName` leaves the latter out. */
export async function* linesOf(
  resolving: Resolving,
  given: readonly (Given & { isName?: boolean })[],
): AsyncGenerator<string> {
  const asImported = await createImportReader(resolving, given)
  for (const one of given) {
    const { kind, text, isName } = one
    const line = (caller: string, date: string, result: string) =>
      [caller, kind, text, date, result].join('\t')
    yield line('filter', '', await asFilter(resolving, one, false))
    yield line('search', '', await asFilter(resolving, one, true))
    for (const date of dates) {
      const days = daysOf(date)
      yield line('field', date, await asField(resolving, one, days))
      yield line('import', date, asImported(one, days))
      yield line('line', date, asLine(resolving, text, date))
      if (!isName) yield line('legacy', date, await asWrittenBack(resolving, kind, { codes: [text] }, days))
    }
  }
}

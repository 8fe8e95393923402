// Drafts of made-up records, for the tests of drafting.

import { type Permission, permissions } from '../../server/domain/access/access.ts'
import type { ImportOptions, ImportWarning, SourceId } from '../../server/domain/imports/imports.ts'
import { everyScope, type Principal } from '../../server/services/access/principal.ts'
import type { Answer, Draft, Question, RowChoice } from '../../server/services/imports/drafting/draft.ts'
import { createDrafter } from '../../server/services/imports/drafting/drafts.ts'
import type { SourceFlight, SourceRecord, SourceTime } from '../../server/services/imports/reading/source.ts'
import type { DraftedRow } from '../../server/services/imports/reading/stages.ts'
import { airlineNamed, airportNamed } from '../../server/services/imports/values/named.ts'
import { readSourceTime } from '../../server/services/imports/values/times.ts'
import {
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../../server/store/reference/records.ts'
import type { TestApp } from '../harness.ts'

export interface Drafting {
  user?: { id: string; username: string; displayName: string }
  permissions?: readonly Permission[]
  source?: SourceId
  options?: ImportOptions
  answers?: readonly Answer[]
  choices?: Record<number, RowChoice>
  /** Ids of the reference data. */
  revision?: number
}

export const principalOf = ({
  user,
  permissions: allowed = permissions,
  revision = 0,
}: Drafting): Principal => ({
  kind: 'session',
  credentialId: 1,
  user: user ?? { id: 'importer', username: 'nora', displayName: 'Nora Lindqvist' },
  role: null,
  isOwner: false,
  permissions: new Set(allowed),
  scopes: everyScope,
  legacyFormat: 'codes',
  revisions: { flights: 0, names: 0, presentation: 0, reference: revision, epoch: 0 },
})

export interface Drafted {
  rows: DraftedRow[]
  questions: Question[]
}

/** The rows of these records. */
export async function draftRecords(
  app: TestApp,
  records: readonly SourceRecord[],
  drafting: Drafting = {},
): Promise<Drafted> {
  const drafter = await createDrafter({
    db: app.store.read,
    reference: app.services.reference,
    principal: principalOf(drafting),
    source: drafting.source ?? 'generic-csv',
    options: drafting.options ?? {},
    answers: drafting.answers ?? [],
    choices: new Map(Object.entries(drafting.choices ?? {}).map(([row, choice]) => [Number(row), choice])),
    now: new Date('2026-11-16T12:00:00Z'),
  })
  const rows = await drafter.draft(records.map((record, i) => ({ number: i + 1, record })))
  const waiting = (key: string) => rows.filter(({ waitsFor }) => waitsFor.includes(key)).length
  return { rows, questions: await drafter.questions(waiting) }
}

export const recordOf = (flight: SourceFlight, more: Partial<SourceRecord> = {}): SourceRecord => ({
  line: 1,
  raw: ['raw'],
  flight,
  ...more,
})

/** A flight with these texts. */
export function flightOf(
  date: string | null,
  from: string | null,
  to: string | null,
  more: Partial<SourceFlight> = {},
): SourceFlight {
  const precision = date?.length === 4 ? 'year' : date?.length === 7 ? 'month' : 'day'
  const iso = date && `${date}-01-01`.slice(0, 10)
  return { date: iso ? { iso, precision } : null, from: airportNamed(from), to: airportNamed(to), ...more }
}

export const clock = (text: string, more: Partial<SourceTime> = {}): SourceTime => ({
  ...readSourceTime(text)!,
  ...more,
})

export const airline = airlineNamed

export const codesOf = (warnings: readonly ImportWarning[]): string[] =>
  warnings.map(({ code, field }) => (field === null ? code : `${code} ${field}`))

const shortName = ({ iata, icao }: Pick<Airport, 'iata' | 'icao'>) => iata ?? icao

/** The codes of a draft's records, as shown to people. */
export async function named(app: TestApp, draft: Draft | null) {
  const db = app.store.read
  const [airports, airlines, types] = await Promise.all([
    findAirports(
      db,
      [draft?.fromId, draft?.toId, draft?.plannedToId].flatMap((id) => id ?? []),
    ),
    findAirlines(
      db,
      [draft?.airlineId, draft?.operatingAirlineId].flatMap((id) => id ?? []),
    ),
    findAircraft(
      db,
      [draft?.aircraftId].flatMap((id) => id ?? []),
    ),
  ])
  const airport = (id: number | null | undefined) => airports.find((one) => one.id === id)
  const carrier = (id: number | null | undefined) => airlines.find((one) => one.id === id)
  return {
    from: airport(draft?.fromId) ?? null,
    to: airport(draft?.toId) ?? null,
    plannedTo: airport(draft?.plannedToId) ?? null,
    airline: carrier(draft?.airlineId)?.icao ?? null,
    airlineName: carrier(draft?.airlineId)?.name ?? null,
    aircraft: types[0]?.icao ?? null,
    route: [airport(draft?.fromId), airport(draft?.toId)]
      .map((one) => (one ? shortName(one) : '?'))
      .join('-'),
  }
}

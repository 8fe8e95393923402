// What a row of an import needs to become a flight: scopes, existing records and people, and values that the store
// accepts. A row that fails is pending or an error; the others are not affected.

import { AppError } from '../../base/errors.ts'
import { check } from '../../base/request/validation.ts'
import type { Scope } from '../../domain/access/access.ts'
import { standingOf } from '../../domain/flights/consent.ts'
import {
  aircraftFields,
  airlineFields,
  airportFields,
  flightFieldNames,
  flightFields,
  referenceFields,
} from '../../domain/flights/fields.ts'
import type { ImportOptions, ImportWarning, RowCode, Verdict } from '../../domain/imports/imports.ts'
import { pick } from '../../domain/pick.ts'
import type { Call } from '../../door/operation.ts'
import { credentialMay, type Principal, requireScope, roleMay } from '../../services/access/principal.ts'
import type { Draft } from '../../services/imports/drafting/draft.ts'
import { type Plan, planOf } from '../../services/imports/verdicts/commit-plan.ts'
import type { Records } from '../../services/reference/reference.ts'
import { type CommitRecord, type CommitRow, toCommitRow } from '../../store/imports/commits.ts'
import { existingPeople } from '../../store/people/people.ts'
import { mergeCustomFields, requireSoundValues } from '../flights/custom-values.ts'
import { FlightInput, fieldsOf } from '../flights/input.ts'
import type { CheckedFlight } from '../flights/writing.ts'

export interface PlannedRow extends Omit<CommitRow, 'draft'> {
  draft: Draft
  plan: Exclude<Plan, 'leave'>
}

/** The rows that a commit writes, and how. */
export const plannedRows = (records: readonly CommitRecord[], options: ImportOptions): PlannedRow[] =>
  records.flatMap((record) => {
    const row = toCommitRow(record)
    const draft = row.draft as Draft | null
    const plan = planOf({ ...row, draft }, options)
    return plan === 'leave' || !draft ? [] : [{ ...row, draft, plan }]
  })

// Access

const mayImportAny = (principal: Principal): boolean =>
  roleMay(principal, 'flight.import.any') && credentialMay(principal, 'flight.import.any')

/** The people of a draft. The importer is always one of them, except in flights imported for others. */
function passengersOf(draft: Draft, principal: Principal): Draft['passengers'] {
  const { id } = principal.user
  const isOn = draft.passengers.some(({ userId }) => userId === id)
  if (isOn || (draft.passengers.some(({ userId }) => userId !== null) && mayImportAny(principal)))
    return draft.passengers
  const own = {
    userId: id,
    guestName: null,
    seat: null,
    seatNumber: null,
    seatClass: null,
    flightReason: null,
  }
  return [{ ...own, customFields: {} }, ...draft.passengers]
}

/** The scopes beyond `flight.import.own` that writing this row needs. */
export function scopesFor({ plan, draft, updates }: PlannedRow, principal: Principal): Scope[] {
  if (plan === 'update') return updates.some(({ field }) => field === 'track') ? ['tracks.write'] : []
  const passengers = passengersOf(draft, principal)
  const isOwn = passengers.some(({ userId }) => userId === principal.user.id)
  const needed: Scope[] = draft.track ? ['tracks.write'] : []
  if (!isOwn) needed.push('flight.import.any', 'flight.passengers.manage.any')
  else if (passengers.length > 1) needed.push('flight.passengers.manage.own')
  return needed
}

export const restoreScopes: readonly Scope[] = ['flight.import.any', 'users.directory.read']

/** Reports all missing scopes together. */
export function requireScopes(principal: Principal, needed: Iterable<Scope>): void {
  const all: Scope[] = ['flight.import.own', ...needed]
  for (const scope of all) requireScope(principal, scope, all)
}

// Checking

interface Refused {
  verdict: Verdict
  code: RowCode
  /** The draft without references to deleted records. */
  draft: Draft
}
type Checked = { flight: CheckedFlight; warnings: ImportWarning[] } | { refused: Refused }

/** The existing records and people that the rows of a batch refer to. */
interface Known {
  records: Records
  people: ReadonlySet<string>
}

/** Checks rows that become flights. If a record was deleted since the preview, the row becomes pending. */
export async function checkRows(call: Call, rows: readonly PlannedRow[]): Promise<Checked[]> {
  const known = await knownTo(call, rows)
  const checked: Checked[] = []
  for (const { draft } of rows) checked.push(await checkRow(call, draft, known))
  return checked
}

async function knownTo({ services, db, principal }: Call, rows: readonly PlannedRow[]): Promise<Known> {
  const idsOf = <Name extends keyof Draft>(names: readonly Name[]) =>
    new Set(rows.flatMap(({ draft }) => names.map((name) => draft[name] as number | null)))
  const records = await services.reference.records(db, principal.revisions.reference, {
    airports: idsOf(airportFields),
    airlines: idsOf(airlineFields),
    aircraft: idsOf(aircraftFields),
  })
  const users = new Set(rows.flatMap(({ draft }) => draft.passengers.flatMap(({ userId }) => userId ?? [])))
  users.delete(principal.user.id)
  const others = users.size > 0 ? await existingPeople(db, [...users]) : new Set<string>()
  return { records, people: others.add(principal.user.id) }
}

async function checkRow(call: Call, draft: Draft, known: Known): Promise<Checked> {
  const { draft: present, gone } = withoutGoneRecords(draft, known.records)
  const refuse = (verdict: Verdict, code: RowCode): Checked => ({
    refused: { verdict, code, draft: present },
  })
  if (present.fromId === null || present.toId === null) return refuse('question', 'missing_airport')
  const passengers = passengersOf(present, call.principal)
  if (passengers.some(({ userId }) => userId !== null && !known.people.has(userId)))
    return refuse('question', 'which_user')
  const parsed = check(FlightInput, inputOf(present, passengers))
  if ('issues' in parsed) return refuse('error', 'unreadable_row')
  const input = { ...parsed.data, passengers: parsed.data.passengers! }
  const newcomers = input.passengers.map((wanted) => ({ wanted, existing: undefined }))
  try {
    const values = await mergeCustomFields(call, input, undefined, newcomers)
    requireSoundValues(values, true)
    const standings = input.passengers.map(({ userId }) => standingOf(userId, [], call.principal.user.id))
    return { flight: { input, fields: fieldsOf(input), values, standings }, warnings: gone }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error
    return refuse('question', 'unknown_custom_field')
  }
}

const inputOf = (draft: Draft, passengers: Draft['passengers']) => ({
  ...pick(draft, flightFieldNames),
  passengers,
  customFields: draft.customFields,
  externalIds: draft.externalIds,
  ...(draft.track ? { track: draft.track } : {}),
})

const warningFor = {
  airports: 'value_not_understood',
  airlines: 'airline_unknown',
  aircraft: 'aircraft_unknown',
} as const

/** An optional field is emptied with a warning, as if the record had never existed. */
function withoutGoneRecords(draft: Draft, records: Records): { draft: Draft; gone: ImportWarning[] } {
  const missing = referenceFields.filter((name) => {
    const id = draft[name]
    return id !== null && id !== undefined && !records[flightFields[name].to].has(id)
  })
  if (missing.length === 0) return { draft, gone: [] }
  return {
    draft: { ...draft, ...Object.fromEntries(missing.map((name) => [name, null])) },
    gone: missing.flatMap((name) =>
      flightFields[name].required
        ? []
        : [{ code: warningFor[flightFields[name].to], field: flightFields[name].shownAs }],
    ),
  }
}

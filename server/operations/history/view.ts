// Changes of flights as the API returns them: who, when, which flight, and the values before and after.
import * as z from 'zod'
import type { Scope } from '../../domain/access/access.ts'
import { nothingKnown } from '../../domain/flights/fields.ts'
import { type Differences, differences } from '../../domain/history/differences.ts'
import {
  departuresIn,
  type FlightEdit,
  type HistoryVia,
  historyKinds,
  type KeptPassenger,
} from '../../domain/history/edits.ts'
import { airportCode } from '../../domain/reference/code-periods.ts'
import { RowId } from '../../domain/row-id.ts'
import { writtenDate } from '../../domain/time/calendar.ts'
import type { Call } from '../../door/operation.ts'
import { credentialMay, roleMay, roleMayUse } from '../../services/access/principal.ts'
import { findDeletedFlights } from '../../store/flights/bin.ts'
import { findFlights, type StoredFlight } from '../../store/flights/flights.ts'
import type { ExternalIds } from '../../store/history/external-ids.ts'
import type { SeenEntry } from '../../store/history/history.ts'
import { listNames } from '../../store/people/people.ts'
import { appNames } from '../access/app-names.ts'
import { recordsOf, showFlights } from '../flights/view.ts'
import { timestamp } from '../wire/schemas.ts'

const ways = ['web', 'key', 'app', 'import', 'system'] as const
const wayOf: Record<HistoryVia, (typeof ways)[number]> = {
  session: 'web',
  apiKey: 'key',
  oauth: 'app',
  system: 'system',
}

export const HistoryFlight = z
  .object({
    id: RowId,
    date: z.string().nullable(),
    from: z.string().nullable().describe('Code of the airport.'),
    to: z.string().nullable(),
    flightNumber: z.string().nullable(),
  })
  .describe('As it is now. Only the id if you no longer see it.')
export type HistoryFlight = z.output<typeof HistoryFlight>

/** `2026-02-20 CPH–JFK`; undefined if only the id is known. */
export const routeInWords = ({ date, from, to }: HistoryFlight): string | undefined =>
  date === null ? undefined : `${date} ${from ?? '?'}–${to ?? '?'}`

export const HistoryEntry = z
  .object({
    changeId: RowId.nullable().describe('Pass it to undo. null: it is no longer kept.'),
    at: timestamp('When it happened.'),
    kind: z.enum(historyKinds),
    flight: HistoryFlight,
    by: z
      .object({
        userId: z.string().nullable().describe('null if it is not known, or the account was deleted.'),
        name: z.string().nullable(),
        via: z.enum(ways),
        app: z.string().nullable().describe('Name of the key or the app, if it is yours.'),
        importId: RowId.nullable(),
        isThisCredential: z.boolean(),
      })
      .describe('Who did it, and through what.'),
    changed: z
      .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
      .optional()
      .describe('Of a changed flight, by field: the value before and after.'),
    canUndo: z.boolean().describe('Whether undo takes it back, unless the flight was changed since.'),
    undoneBy: RowId.nullable().describe('The change that took it back.'),
  })
  .meta({ id: 'HistoryEntry' })
export type HistoryEntry = z.input<typeof HistoryEntry>

/** Whether the change was made with this call's credential. */
export const isByThis = (
  { principal }: Pick<Call, 'principal'>,
  entry: Pick<SeenEntry, 'userId' | 'via' | 'credential'>,
) =>
  entry.userId === principal.user.id &&
  entry.via === principal.kind &&
  entry.credential === String(principal.credentialId)

/** Leaving a flight is the person's own decision. */
const isOwnDeparture = ({ userId, edit }: SeenEntry): boolean =>
  userId !== null && edit !== null && departuresIn(edit).has(userId)

/** A key can undo its own changes; a person in the web app their own, and those that others made to their flights. */
export function mayUndo(call: Pick<Call, 'principal'>, entry: SeenEntry): boolean {
  if (call.principal.kind !== 'session') return isByThis(call, entry)
  if (entry.userId === call.principal.user.id) return true
  return entry.isInSight && !entry.isFirst && !isOwnDeparture(entry)
}

/**
 * A deleted flight can only be restored. Without access to all flights, the only change of an invisible flight that a
 * person can undo is their own leaving.
 */
function isInReach({ principal }: Pick<Call, 'principal'>, entry: SeenEntry): boolean {
  const { isInSight, isInBin, kind, edit } = entry
  if (isInSight) return isInBin === (kind === 'deleted')
  if (edit && departuresIn(edit).has(principal.user.id)) return true
  return roleMay(principal, kind === 'changed' ? 'flight.update.any' : 'flight.delete.any')
}

/** Whether the change has any content for the viewer: external ids are private, and deleted content is gone. */
export function hasContentFor(viewer: string, entry: SeenEntry): boolean {
  if (entry.userId === viewer || entry.edit === null) return true
  const { fields, customFields, passengers = [], track, externalIds } = seenEdit(entry, entry.edit, viewer)
  return Boolean(fields || customFields || passengers.length > 0 || track || externalIds?.[viewer])
}

export async function showHistory(call: Call, entries: readonly SeenEntry[]): Promise<HistoryEntry[]> {
  const flights = await showRoutes(call, entries)
  const names = await namesIn(call, entries)
  const apps = await appNames(call, entries)
  const changed = await changesIn(call, entries, names)
  return entries.map((entry) => {
    const { changeId, at, kind, flightId, userId, via, credential, importId, undoneBy } = entry
    const isOwn = userId === call.principal.user.id
    const values = changed.get(changeId)
    return {
      changeId,
      at,
      kind,
      flight: flights.get(flightId) ?? onlyId(flightId),
      by: {
        userId,
        name: userId === null ? null : (names.get(userId) ?? null),
        via: importId === null ? wayOf[via] : 'import',
        app: isOwn ? (apps.get(`${via}:${credential}`) ?? null) : null,
        importId,
        isThisCredential: isByThis(call, entry),
      },
      ...(values ? { changed: values } : {}),
      canUndo: undoneBy === null && mayUndo(call, entry) && isInReach(call, entry) && !isGone(values),
      undoneBy,
    }
  })
}

/** Everything that the change wrote was deleted since, such as a custom field: there is nothing to put back. */
const isGone = (changed: Differences | undefined): boolean =>
  changed !== undefined && Object.keys(changed).length === 0

/** For a flight that the caller cannot see. */
export const onlyId = (id: number): HistoryFlight => ({
  id,
  date: null,
  from: null,
  to: null,
  flightNumber: null,
})

/** The flights that the caller can still see, in the log or in the bin, including those of others if permitted. */
export async function showRoutes(
  call: Call,
  entries: readonly Pick<SeenEntry, 'isInSight' | 'flightId'>[],
): Promise<Map<number, HistoryFlight>> {
  const { principal } = call
  const may = (scope: Scope) => credentialMay(principal, scope) && roleMayUse(principal, scope)
  const idsFor = (seesAll: boolean) => [
    ...new Set(entries.flatMap(({ isInSight, flightId }) => (isInSight || seesAll ? flightId : []))),
  ]
  const live = await findFlights(call.db, idsFor(may('flight.read.any')))
  const found = [...live, ...(await findDeletedFlights(call.db, idsFor(may('flight.delete.any'))))]
  const { airports } = await recordsOf(call, call.principal.revisions.reference, found)
  const codeOf = (id: number | null) => {
    const airport = airports.get(id ?? 0)
    return airport ? airportCode(airport) : null
  }
  return new Map(
    found.map((flight) => {
      const { id, fromId, toId, flightNumber } = flight
      return [id, { id, date: writtenDate(flight), from: codeOf(fromId), to: codeOf(toId), flightNumber }]
    }),
  )
}

async function namesIn({ db }: Call, entries: readonly SeenEntry[]): Promise<Map<string, string>> {
  const ids = entries.flatMap(({ userId, edit }) => [
    ...(userId === null ? [] : [userId]),
    ...(edit?.passengers ?? []).flatMap((pair) => pair.flatMap((passenger) => passenger?.userId ?? [])),
  ])
  return new Map((await listNames(db, [...new Set(ids)])).map(({ id, displayName }) => [id, displayName]))
}

// Values before and after

async function changesIn(
  call: Call,
  entries: readonly SeenEntry[],
  names: ReadonlyMap<string, string>,
): Promise<Map<number, Differences>> {
  const viewer = call.principal.user.id
  const edits = entries.flatMap((entry) =>
    entry.edit ? [{ changeId: entry.changeId, edit: seenEdit(entry, entry.edit, viewer) }] : [],
  )
  const states = edits.flatMap(({ edit }, i) => [
    stateOf(edit, 0, 2 * i, names),
    stateOf(edit, 1, 2 * i + 1, names),
  ])
  const ids = new Map(
    edits.flatMap(({ edit }, i) => [0, 1].map((side) => [2 * i + side, idsOf(edit, side, viewer)])),
  )
  const shown = await showFlights(call, states, ids)
  return new Map(
    edits.map(({ changeId }, i) => [changeId, differences(shown[2 * i]!, shown[2 * i + 1]!, viewer)]),
  )
}

/** A person who is added to a flight sees that they were added, and not what was replaced in the same change. */
function seenEdit({ isFirst, userId }: SeenEntry, edit: FlightEdit, viewer: string): FlightEdit {
  if (!isFirst || userId === viewer) return edit
  return { passengers: (edit.passengers ?? []).filter(([, became]) => became?.userId === viewer) }
}

/** A flight for which only the values of one side are known. */
function stateOf(
  edit: FlightEdit,
  side: 0 | 1,
  id: number,
  names: ReadonlyMap<string, string>,
): StoredFlight {
  const sideOf = (pairs: Partial<Record<string, readonly unknown[]>> = {}) =>
    Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, pair![side]]))
  const passengers = (edit.passengers ?? []).flatMap((pair) => pair[side] ?? [])
  const track = edit.track?.[side] ?? null
  return {
    ...nothingKnown,
    date: '',
    ...sideOf(edit.fields),
    id,
    customFields: sideOf(edit.customFields),
    passengers: passengers.filter(isKnown(names)).map((passenger) => ({
      ...passenger,
      username: '',
      displayName: passenger.userId === null ? null : names.get(passenger.userId)!,
    })),
    track,
    createdAt: '',
    updatedAt: '',
    version: 0,
    seenRecords: null,
    importId: null,
  }
}

const isKnown =
  (names: ReadonlyMap<string, string>) =>
  ({ userId }: KeptPassenger): boolean =>
    userId === null || names.has(userId)

/** The viewer's own external ids; those of other people are private. */
function idsOf({ externalIds }: FlightEdit, side: number, viewer: string): ExternalIds {
  const own = Object.entries(externalIds?.[viewer] ?? {})
  return Object.fromEntries(own.flatMap(([source, pair]) => (pair[side] ? [[source, pair[side]]] : [])))
}

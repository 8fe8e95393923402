// The records that changes in the feed are about, in the same shape as elsewhere in the API.
import type * as z from 'zod'
import { type ChangeType, PREFERENCES_ID } from '../../domain/history/changes.ts'
import { defaultPreferences } from '../../domain/people/preferences.ts'
import type { Call } from '../../door/operation.ts'
import { EVERYONE } from '../../store/engine/revisions.ts'
import { listCustomFields } from '../../store/flights/custom-fields.ts'
import { findFlights, listFlights, type Position, type StoredFlight } from '../../store/flights/flights.ts'
import type { Change } from '../../store/history/changes.ts'
import { findPreferences } from '../../store/people/people.ts'
import { listShares } from '../../store/sharing/shares.ts'
import { type CustomField, shownFields } from '../flights/custom-fields.ts'
import { type FlightView, showFlights } from '../flights/view.ts'
import type { Preferences } from '../people/preferences.ts'
import type { Share } from '../sharing/shares.ts'
import { listShownCountries, type VisitedCountry } from '../statistics/visited-countries.ts'
import { listShownTrips, type Trip } from '../trips/trips.ts'

interface Shown {
  flight: FlightView
  visitedCountry: z.input<typeof VisitedCountry>
  share: z.input<typeof Share>
  preferences: z.input<typeof Preferences>
  customField: z.input<typeof CustomField>
  trip: z.input<typeof Trip>
}

export interface Item {
  /** Its position in the list of all items; `id` is the record's id. */
  position: Position
  /** Flights only; other records have no version. */
  version?: number
  /** When it last changed, if known. */
  at?: string
  /** Under the name of its type. */
  shown: Partial<Shown>
}

interface Source {
  type: ChangeType
  viewer: string
}
type Reader = Pick<Call, 'principal' | 'db' | 'services'>

/**
 * The current items of these changes. Undefined if the record was deleted or the viewer no longer sees it, `hidden`
 * if it exists but is not shown. There may be many flights, so they are only read if they are shown.
 */
export async function findItems(
  call: Reader,
  sources: readonly Source[],
  changes: readonly Change[],
  readsFlights: boolean,
): Promise<Map<Change, Item | 'hidden'>> {
  const items = new Map<Change, Item | 'hidden'>()
  for (const source of sources) {
    const wanted = changes.filter(({ type, removed }) => type === source.type && removed === null)
    if (wanted.length === 0) continue
    const ids = wanted.map(({ id }) => id)
    const found =
      source.type === 'flight' && !readsFlights
        ? new Map(ids.map((id) => [id, { position: byId(id), shown: {} }]))
        : await itemsById(call, source, ids)
    for (const change of wanted) {
      const item = found.get(change.id)
      if (item) items.set(change, item)
    }
  }
  return items
}

async function itemsById(
  call: Reader,
  source: Source,
  ids: readonly number[],
): Promise<Map<number, Item | 'hidden'>> {
  const { type, viewer } = source
  const items: Item[] =
    type === 'flight'
      ? await showAll(
          call,
          (await findFlights(call.db, ids)).filter((flight) => isSeenBy(flight, viewer)),
        )
      : await ownItems[type](call)
  const found = new Map<number, Item | 'hidden'>(items.map((item) => [item.position.id, item]))
  if (type !== 'custom_field') return found
  const unused = (await listCustomFields(call.db)).filter(({ active }) => !active)
  return new Map([...unused.map(({ id }) => [id, 'hidden'] as const), ...found])
}

/** A person may have left the flight after the change was read and before the flight was. */
const isSeenBy = ({ passengers }: StoredFlight, viewer: string): boolean =>
  viewer === EVERYONE || passengers.some(({ userId }) => userId === viewer)

const showAll = async (call: Reader, flights: readonly StoredFlight[]): Promise<Item[]> =>
  (await showFlights(call, flights)).map((flight) => ({
    position: { date: flight.date, id: flight.id },
    version: flight.version,
    at: flight.updatedAt,
    shown: { flight },
  }))

/** The position of a record that is listed by id only. */
const byId = (id: number): Position => ({ date: '-', id })

/** All of the caller's records; there are few. */
const ownItems: Record<Exclude<ChangeType, 'flight'>, (call: Reader) => Promise<Item[]>> = {
  visited_country: async ({ db, principal }) =>
    (await listShownCountries(db, principal.user.id)).map((visitedCountry) => ({
      position: byId(visitedCountry.id),
      shown: { visitedCountry },
    })),
  share: async ({ db, principal }) =>
    (await listShares(db, { userId: principal.user.id })).map((share) => ({
      position: byId(share.id),
      shown: { share },
    })),
  preferences: async ({ db, principal }) => {
    const preferences = { ...defaultPreferences, ...(await findPreferences(db, principal.user.id)) }
    return [{ position: byId(PREFERENCES_ID), shown: { preferences } }]
  },
  custom_field: async ({ db }) =>
    shownFields(await listCustomFields(db)).map((customField) => ({
      position: byId(customField.id),
      shown: { customField },
    })),
  trip: async (call) =>
    (await listShownTrips(call)).map((trip) => ({ position: byId(trip.id), shown: { trip } })),
}

/** The items of a source after a position, newest first. */
export async function listItems(
  call: Reader,
  { type, viewer }: Source,
  position: Position,
  limit: number,
): Promise<Item[]> {
  if (type === 'flight') {
    const userId = viewer === EVERYONE ? null : viewer
    return showAll(call, await listFlights(call.db, userId, position, limit))
  }
  const items = await ownItems[type](call)
  return items
    .filter((item) => item.position.id < position.id)
    .sort((a, b) => b.position.id - a.position.id)
    .slice(0, limit)
}

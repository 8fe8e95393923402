// The records that the change feed is about, in the shape in which each is read elsewhere.
import type * as z from 'zod'
import { type ChangeType, PREFERENCES_ID } from '../domain/changes.ts'
import { defaultPreferences } from '../domain/preferences.ts'
import type { Call } from '../operation.ts'
import type { Change } from '../store/changes.ts'
import { listCustomFields } from '../store/custom-fields.ts'
import { findFlights, listFlights, type Position, type StoredFlight } from '../store/flights.ts'
import { findPreferences } from '../store/people.ts'
import { EVERYONE } from '../store/revisions.ts'
import { listShares } from '../store/shares.ts'
import { type CustomField, shownFields } from './custom-fields.ts'
import { type FlightView, showFlights } from './flight-view.ts'
import type { Preferences } from './preferences.ts'
import type { Share } from './shares.ts'
import { listShownTrips, type Trip } from './trips.ts'
import { listShownCountries, type VisitedCountry } from './visited-countries.ts'

interface Shown {
  flight: FlightView
  visitedCountry: z.input<typeof VisitedCountry>
  share: z.input<typeof Share>
  preferences: z.input<typeof Preferences>
  customField: z.input<typeof CustomField>
  trip: z.input<typeof Trip>
}

export interface Item {
  /** Where it stands in the list of everything; `id` is the record's. */
  position: Position
  /** Of flights; other records have no version of their own. */
  version?: number
  /** When it last changed, if that is known. */
  at?: string
  /** Under its own name. */
  shown: Partial<Shown>
}

interface Source {
  type: ChangeType
  viewer: string
}
type Reader = Pick<Call, 'principal' | 'db' | 'services'>

/**
 * The items of these changes as they are now. None for one that is gone or has left the viewer's sight, and `hidden` for
 * one that exists but is not shown. Flights are many, so they are read only if they are shown.
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

/** A person may have left the flight between the reading of its change and of the flight. */
const isSeenBy = ({ passengers }: StoredFlight, viewer: string): boolean =>
  viewer === EVERYONE || passengers.some(({ userId }) => userId === viewer)

const showAll = async (call: Reader, flights: readonly StoredFlight[]): Promise<Item[]> =>
  (await showFlights(call, flights)).map((flight) => ({
    position: { date: flight.date, id: flight.id },
    version: flight.version,
    at: flight.updatedAt,
    shown: { flight },
  }))

/** The position of a record that is listed by id alone. */
const byId = (id: number): Position => ({ date: '-', id })

/** All that the caller has; these are few. */
const ownItems: Record<Exclude<ChangeType, 'flight'>, (call: Reader) => Promise<Item[]>> = {
  visited_country: async ({ db, principal }) =>
    (await listShownCountries(db, principal.user.id)).map((visitedCountry) => ({
      position: byId(visitedCountry.id),
      shown: { visitedCountry },
    })),
  share: async ({ db, principal }) =>
    (await listShares(db, principal.user.id)).map((share) => ({
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

/** What there is of a source after a position, newest first. */
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

// The trips of our own export: which flights of the document are part of which.
import { TRIP_FLIGHTS_AT_MOST, TRIP_NAME_AT_MOST, TRIP_NOTE_AT_MOST } from '../../domain/limits.ts'
import { nameFault } from '../../domain/names.ts'
import { isDateTime } from '../../domain/time.ts'
import { tripColours } from '../../domain/trip.ts'
import type { SourceTrip } from '../source.ts'
import { cleanText, shortenText } from '../values/text.ts'
import type { Accounts } from './backup.ts'
import { isRecord, type JsonRecord } from './json.ts'

interface Trips {
  trips: SourceTrip[]
  /** The key of its trip, by the id that a flight has in the document. */
  tripOf: ReadonlyMap<unknown, string>
}

/** One without a name is left out: nothing would say what it is. */
export function tripsIn(given: unknown, accounts: Accounts): Trips {
  const trips: SourceTrip[] = []
  const tripOf = new Map<unknown, string>()
  for (const value of Array.isArray(given) ? given.filter(isRecord) : []) {
    const trip = tripOfRecord(value, accounts)
    if (!trip) continue
    trips.push(trip)
    const flights = Array.isArray(value['flightIds']) ? value['flightIds'] : []
    // A flight is in one trip at most, whatever the document says.
    for (const id of flights.slice(0, TRIP_FLIGHTS_AT_MOST)) if (!tripOf.has(id)) tripOf.set(id, trip.key)
  }
  return { trips, tripOf }
}

function tripOfRecord(value: JsonRecord, accounts: Accounts): SourceTrip | undefined {
  const name = nameOf(value['name'])
  if (name === null) return undefined
  const created = value['createdAt']
  const createdAt =
    typeof created === 'string' && isDateTime(created) ? new Date(created).toISOString() : null
  const colour = tripColours.find((known) => known === value['colour']) ?? 'blue'
  const key = JSON.stringify([value['id'] ?? null, name, createdAt])
  const note = textOf(value['note'], TRIP_NOTE_AT_MOST)
  return { key, name, note, colour, createdAt, owner: ownerOf(value['userId'], accounts) }
}

/** As a person could have typed it. */
function nameOf(given: unknown): string | null {
  if (typeof given !== 'string') return null
  const name = textOf(
    nameFault(given) ? given.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ') : given,
    TRIP_NAME_AT_MOST,
  )
  return name === null || nameFault(name) ? null : name
}

function ownerOf(userId: unknown, accounts: Accounts): SourceTrip['owner'] {
  if (typeof userId !== 'string') return null
  return accounts.get(userId) ?? { kind: 'account', key: userId, username: null, name: userId }
}

function textOf(given: unknown, most: number): string | null {
  if (typeof given !== 'string') return null
  return shortenText(cleanText(given, null, []).trim(), most, null, []) || null
}

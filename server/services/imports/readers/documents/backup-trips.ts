// The trips of our own export, and the flights of the document that belong to them.
import { TRIP_FLIGHTS_AT_MOST, TRIP_NAME_AT_MOST, TRIP_NOTE_AT_MOST } from '../../../../domain/limits.ts'
import { nameFault } from '../../../../domain/text/names.ts'
import { isDateTime } from '../../../../domain/time/time.ts'
import { tripColours } from '../../../../domain/trips/trip.ts'
import type { SourceTrip } from '../../reading/source.ts'
import { cleanText, shortenText } from '../../values/text.ts'
import type { Accounts } from './backup.ts'
import { isRecord, type JsonRecord } from './json.ts'

interface Trips {
  trips: SourceTrip[]
  /** The key of a flight's trip, by the flight's id in the document. */
  tripOf: ReadonlyMap<unknown, string>
}

/** Trips without a name are left out, because they could not be recognised. */
export function tripsIn(given: unknown, accounts: Accounts): Trips {
  const trips: SourceTrip[] = []
  const tripOf = new Map<unknown, string>()
  for (const value of Array.isArray(given) ? given.filter(isRecord) : []) {
    const trip = tripOfRecord(value, accounts)
    if (!trip) continue
    trips.push(trip)
    const flights = Array.isArray(value['flightIds']) ? value['flightIds'] : []
    // A flight is in at most one trip, whatever the document says.
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

/** The name in the form that a person could have entered. */
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

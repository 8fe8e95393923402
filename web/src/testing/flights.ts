/** Flights as the server returns them, random but the same in every run, and a fake server for the form. */

import { flightTag } from '../../../server/domain/flights/conditions.ts'
import {
  eachOf,
  flightFields,
  type TextField,
  type TimeField,
  textFields,
  timeFields,
} from '../../../server/domain/flights/fields.ts'
import { derivedDuration } from '../../../server/domain/flights/flight.ts'
import { MINUTE } from '../../../server/domain/time/durations.ts'
import { formatInZone, localDate, readLocal } from '../../../server/domain/time/time.ts'
import { type Airport, type FlightInput, type FlightRecord, outcomes } from '../api/types.ts'

const zones = [
  'Europe/Copenhagen',
  'America/New_York',
  'America/St_Johns',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Apia',
  'Africa/Monrovia',
  'UTC',
]

export const airports: Airport[] = zones.map((timezone, i) => ({
  id: i + 1,
  icao: `XX0${i}`,
  iata: `A${String.fromCharCode(65 + i)}X`,
  name: `Airport in ${timezone}`,
  municipality: timezone.split('/').at(-1) ?? null,
  latitude: 60 - i * 9,
  longitude: -150 + i * 30,
  timezone,
  type: 'large_airport',
  continent: 'EU',
  country: 'DK',
  custom: false,
}))
export const zoneOf = (airport: Airport | null): string => airport?.timezone ?? 'UTC'

// Random values

export function createRandom(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)]!,
    chance: (part: number): boolean => next() < part,
  }
}
type Random = ReturnType<typeof createRandom>

// Flights

/** Just before clock changes, the day that Apia skipped, a leap day, New Year, years of unusual offsets. */
const startsOf = [
  '2026-03-29T00:20Z',
  '2026-10-25T00:20Z',
  '2026-03-08T06:20Z',
  '2026-11-01T05:20Z',
  '2026-04-04T14:20Z',
  '2026-10-03T15:20Z',
  '2011-12-30T09:20Z',
  '2024-02-28T22:00Z',
  '2025-12-31T21:00Z',
  '1969-06-15T12:00Z',
  '2027-07-01T12:00Z',
]

/** The same instant in different notations. */
function written(random: Random, instant: number, zone: string): string {
  const utc = new Date(instant).toISOString()
  return random.pick([
    formatInZone(instant, zone),
    formatInZone(instant, 'Asia/Kathmandu'),
    utc,
    utc.replace('Z', '+00:00'),
    utc.replace(/\.\d+Z$/, 'Z'),
    utc.replace(/Z$/, '456Z'),
  ])
}

const texts = ['SK 1417', ' 2 ', 'B12', 'OY-KBO', 'Zeile eins\nZeile zwei', 'ひこうき', '   ']
const customValues = [{}, { bag: 'red' }, { meals: ['fish', 'soup'], miles: 1250, upgraded: false }]

function passengersOf(random: Random): FlightRecord['passengers'] {
  return Array.from({ length: 1 + random.below(4) }, (_, i) => ({
    id: 100 + i,
    user: i % 2 === 0 ? { id: `user-${i}`, displayName: `Person ${i}`, username: `person${i}` } : null,
    guestName: i % 2 === 0 ? null : `Guest ${i}`,
    seat: random.pick([null, 'window', 'jumpseat'] as const),
    seatNumber: random.pick([null, '12A', ' 3C ']),
    seatClass: random.pick([null, 'economy+', 'first'] as const),
    flightReason: random.pick([null, 'leisure', 'crew'] as const),
    customFields: { ...random.pick(customValues) },
  }))
}

export function randomFlight(random: Random): FlightRecord {
  const from = random.pick(airports)
  const to = random.pick(airports)
  const start = Date.parse(random.pick(startsOf)) + random.below(180) * MINUTE + random.below(3) * 29_500
  const end = start + random.below(20 * 60) * MINUTE + random.below(2) * 30_000
  const times = eachOf(timeFields, (field) => {
    const isStart = flightFields[field].end === 'from'
    return random.chance(0.6) ? written(random, isStart ? start : end, zoneOf(isStart ? from : to)) : null
  })
  const outcome = random.pick(outcomes)
  const stated = random.pick([null, null, 5400, 12_345])
  return {
    id: 7,
    version: 3,
    importId: null,
    externalIds: {},
    date: localDate(start, zoneOf(from)),
    datePrecision: random.pick(['day', 'day', 'day', 'month', 'year']),
    ...times,
    duration: derivedDuration({ ...times, duration: stated }),
    ...eachOf(textFields, () => (random.chance(0.5) ? random.pick(texts) : null)),
    outcome,
    plannedTo: outcome === 'diverted' && random.chance(0.7) ? random.pick(airports) : null,
    operatingAirline: null,
    price: random.chance(0.3) ? { amount: '129.90', currency: 'EUR' } : null,
    from,
    to,
    airline: random.chance(0.5)
      ? {
          id: 4319,
          name: 'Scandinavian Airlines',
          icao: 'SAS',
          iata: 'SK',
          iconPath: null,
          active: true,
          from: '1946',
          to: null,
          successorId: null,
        }
      : null,
    aircraft: random.chance(0.5) ? { id: 17, name: 'Airbus A320neo', icao: 'A20N', class: 'jet' } : null,
    passengers: passengersOf(random),
    track: random.chance(0.2)
      ? { pointCount: 2, updatedAt: '2026-01-01T00:00:00.000Z', sourceFormat: 'gpx', sourceName: null }
      : null,
    customFields: { ...random.pick(customValues) },
    distanceKm: 1000,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
}

/** The request body that stores a flight unchanged. */
export const bodyOf = (flight: FlightRecord): FlightInput => ({
  date: flight.date,
  datePrecision: flight.datePrecision,
  ...(eachOf(timeFields, (field) => flight[field]) as Record<TimeField, string | null>),
  ...(eachOf(textFields, (field) => flight[field]) as Record<TextField, string | null>),
  duration: flight.duration,
  fromId: flight.from?.id ?? 0,
  toId: flight.to?.id ?? 0,
  airlineId: flight.airline?.id ?? null,
  aircraftId: flight.aircraft?.id ?? null,
  outcome: flight.outcome,
  plannedToId: flight.plannedTo?.id ?? null,
  operatingAirlineId: flight.operatingAirline?.id ?? null,
  price: flight.price,
  passengers: flight.passengers.map(({ user, ...one }) => ({ ...one, userId: user?.id ?? null })),
  customFields: flight.customFields,
})

// The server

interface SavedRequest {
  method: string
  path: string
  body: FlightInput
  ifMatch: string | null
}

/**
 * Responds to the form's requests and stores what it saves. Local times follow the server's own rules and are returned a moment
 * later, as over a network.
 */
export function startServer() {
  const saved: SavedRequest[] = []
  /** The results of an airline search. */
  const airlines: { id: number; iata: string | null; icao: string | null }[] = []
  /** The local times that were requested. */
  const lookedUp: string[] = []
  let refusal: Response | Error | null = null
  /** The stored flight; null if it was deleted. If it is given, a write must name its version. */
  let current: FlightRecord | null | undefined
  let isOffline = false
  const respond = async (request: Request): Promise<Response> => {
    await new Promise((resolve) => setImmediate(resolve))
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.replace('/app/api', '')
    if (isOffline) throw new TypeError('fetch failed')
    if (path === '/local-times') {
      lookedUp.push(`${searchParams.get('airportId')} ${searchParams.get('local')}`)
      return Response.json({ data: localTime(searchParams) })
    }
    if (path === '/airlines') return Response.json({ data: airlines })
    if (path === '/') return Response.json({ features: [] })
    if (refusal instanceof Error) throw refusal
    if (refusal) return refusal
    if (current === null && request.method !== 'POST') return refusalOf(404, 'not_found')
    if (request.method === 'GET') return Response.json({ data: current })
    const body = (await request.json()) as FlightInput
    const ifMatch = request.headers.get('if-match')
    if (current && ifMatch !== flightTag(current)) return refusalOf(412, 'precondition_failed')
    saved.push({ method: request.method, path, body, ifMatch })
    return Response.json({ data: { id: 7, ...body } })
  }
  globalThis.fetch = respond as typeof fetch
  return {
    saved,
    airlines,
    lookedUp,
    setOffline: (value: boolean) => {
      isOffline = value
    },
    setCurrent: (next: FlightRecord | null) => {
      current = next
    },
    refuse: (next: Response | Error) => {
      refusal = next
    },
  }
}

const refusalOf = (status: number, code: string) =>
  Response.json({ error: { code, reason: code, message: code } }, { status })

function localTime(query: URLSearchParams) {
  const zone = zoneOf(airports[Number(query.get('airportId')) - 1] ?? null)
  const { instant, ...reading } = readLocal(query.get('local') ?? '', zone)
  return { instant: formatInZone(instant, zone), zone, ...reading }
}

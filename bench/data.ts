// Test data: flights over sixty years and a few hundred airports, inserted in bulk.

import { createLogger } from '../server/base/log.ts'
import { createSecret } from '../server/base/secrets.ts'
import { scopes } from '../server/domain/access.ts'
import { defaultPreferences } from '../server/domain/preferences.ts'
import { seed } from '../server/process/seed.ts'
import { insertApiKey } from '../server/store/api-keys.ts'
import { upsertMany } from '../server/store/bulk.ts'
import type { Row } from '../server/store/engine.ts'
import { upsertClient } from '../server/store/oauth-clients.ts'
import { upsertGrant } from '../server/store/oauth-grants.ts'
import { insertRefreshToken } from '../server/store/oauth-tokens.ts'
import { insertPerson } from '../server/store/people.ts'
import { insertSession } from '../server/store/sessions.ts'
import { openStore, type Store } from '../server/store/store.ts'

const CHUNK = 20_000
const AIRPORTS = 300
const NOW = '2026-11-01T00:00:00.000Z'

export interface Dataset {
  databaseUrl: string | undefined
  dataDir: string
  key: string
  userId: string
  flights: number
  /** Refresh tokens of one connected app, each of a separate grant. */
  refreshTokens: string[]
}

export const ORIGIN = 'http://localhost:3000'
export const CLIENT_ID = 'client_bench'
const REFRESH_TOKENS = 3000

/** An instance with one person and the given number of flights. */
export async function createDataset(
  place: { databaseUrl: string | undefined; dataDir: string },
  flights: number,
  routes = AIRPORTS,
): Promise<Dataset> {
  const log = createLogger('silent')
  const store = await openStore(place, log)
  await seed(store, log, new Date(NOW))
  const { secret, hash } = createSecret('apiKey')
  const userId = 'benchbenchbench'
  await store.transaction(async (tx) => {
    await insertPerson(tx, {
      id: userId,
      username: 'bench',
      displayName: 'Bench',
      passwordHash: null,
      roleId: null,
      preferences: defaultPreferences,
      createdAt: NOW,
    })
    await insertApiKey(tx, {
      userId,
      name: 'bench',
      hash,
      lastFour: '',
      scopes,
      legacyFormat: 'codes',
      createdAt: NOW,
    })
  })
  await insertFlights(store, flights, userId, routes)
  const refreshTokens = await insertTokens(store, userId)
  await finish(store, flights)
  await store.close()
  return { ...place, key: secret, userId, flights, refreshTokens }
}

/** The value of the cookie of a new session. */
export async function signIn({ databaseUrl, dataDir, userId }: Dataset): Promise<string> {
  const store = await openStore({ databaseUrl, dataDir }, createLogger('silent'))
  const { secret, hash } = createSecret('session')
  const now = new Date().toISOString()
  const session = { hash, userId, userAgent: null, now, expiresAt: '2099-01-01T00:00:00.000Z' }
  await store.transaction((tx) => insertSession(tx, session))
  await store.close()
  return secret
}

function insertTokens(store: Store, userId: string): Promise<string[]> {
  return store.transaction(async (tx) => {
    const client = {
      id: CLIENT_ID,
      source: 'registration',
      name: 'Bench',
      authMethod: 'none',
      secretHash: null,
    } as const
    const redirectUri = 'http://127.0.0.1/callback'
    await upsertClient(tx, { ...client, redirectUris: [redirectUri] }, NOW, '2099-01-01T00:00:00.000Z')
    const resource = `${ORIGIN}/api/v1`
    const granted = {
      clientId: CLIENT_ID,
      userId,
      resource,
      scopes: ['flight.read.own'],
      redirectUri,
      now: NOW,
    } as const
    const grantId = await upsertGrant(tx, granted)
    const tokens: string[] = []
    for (let i = 0; i < REFRESH_TOKENS; i++) {
      const { secret, hash } = createSecret('refreshToken')
      const expiresAt = '2099-01-01T00:00:00.000Z'
      await insertRefreshToken(tx, { hash, grantId, family: `family${i}`, scopes: granted.scopes, expiresAt })
      tokens.push(secret)
    }
    return tokens
  })
}

/** Inserts this number of flights for the person, with ids from 1, into an empty log. */
export async function insertFlights(
  store: Store,
  flights: number,
  userId: string,
  routes = AIRPORTS,
): Promise<void> {
  const large = await store.read.query(
    `select id from airport where type = 'large_airport' order by id limit ${AIRPORTS}`,
    [],
  )
  const airports = large.map((row) => Number(row['id']))
  for (let start = 1; start <= flights; start += CHUNK) {
    const count = Math.min(CHUNK, flights - start + 1)
    const rows = Array.from({ length: count }, (_, i) => flightRow(start + i, airports, routes))
    const passengers = rows.map((row) => passengerRow(row, userId))
    await store.transaction(async (tx) => {
      await upsertMany(tx, 'flight', Object.keys(rows[0]!), ['id'], rows)
      await upsertMany(tx, 'flight_passenger', Object.keys(passengers[0]!), ['id'], passengers)
    })
  }
}

/** Sets PostgreSQL's sequences after inserts with explicit ids, and runs ANALYZE, which autovacuum would do later. */
async function finish(store: Store, flights: number): Promise<void> {
  if (store.kind !== 'postgres') return
  if (flights > 0) {
    for (const table of ['flight', 'flight_passenger']) {
      await store.transaction((tx) =>
        tx.query(
          `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
          [],
        ),
      )
    }
  }
  await store.transaction((tx) => tx.execute('analyze'))
}

export const dateOf = (id: number): string =>
  new Date(Date.UTC(1966, 0, 1 + ((id * 7919) % 21_900))).toISOString().slice(0, 10)

function flightRow(id: number, airports: number[], routes: number): Row {
  const date = dateOf(id)
  // With as many routes as airports each airport has one way to go; with more, so many more.
  const way = Math.floor((id % routes) / airports.length)
  return {
    id,
    date,
    date_precision: 'day',
    departure: `${date}T08:15:00+01:00`,
    arrival: `${date}T11:40:00Z`,
    departure_scheduled: null,
    arrival_scheduled: null,
    takeoff_scheduled: null,
    takeoff_actual: null,
    landing_scheduled: null,
    landing_actual: null,
    duration: 15_900,
    departure_terminal: '2',
    departure_gate: 'B4',
    arrival_terminal: null,
    arrival_gate: null,
    flight_number: `SK${id % 4000}`,
    aircraft_reg: 'OY-KBO',
    note: id % 5 === 0 ? 'Window seat, clear sky over the Alps' : null,
    from_id: airports[(id * 31) % airports.length],
    to_id: airports[(id * 17 + 5 + 7 * way) % airports.length],
    airline_id: 24,
    aircraft_id: 1 + (id % 200),
    custom_fields: null,
    created_at: NOW,
    updated_at: NOW,
  }
}

const passengerRow = (flight: Row, userId: string): Row => ({
  id: flight['id'],
  flight_id: flight['id'],
  flight_date: flight['date'],
  user_id: userId,
  guest_name: null,
  seat: 'window',
  seat_number: '12A',
  seat_class: 'economy',
  flight_reason: 'leisure',
  custom_fields: null,
})

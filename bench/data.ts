// Test data: an instance with people, keys and flights over sixty years and a few hundred airports.

import { createLogger } from '../server/base/log.ts'
import { createSecret } from '../server/base/secret/secrets.ts'
import { defaultRoleId, scopes } from '../server/domain/access/access.ts'
import { defaultPreferences } from '../server/domain/people/preferences.ts'
import { seed } from '../server/process/seed.ts'
import { insertApiKey } from '../server/store/access/api-keys.ts'
import { upsertClient } from '../server/store/access/oauth/clients.ts'
import { upsertGrant } from '../server/store/access/oauth/grants.ts'
import { insertRefreshToken } from '../server/store/access/oauth/tokens.ts'
import { insertSession } from '../server/store/accounts/sessions.ts'
import type { Executor } from '../server/store/engine/engine.ts'
import { insertPerson } from '../server/store/people/people.ts'
import { openStore, type Store } from '../server/store/store.ts'
import { fillLogs, NOW } from './fill.ts'

/** Keys of one person, used by requests in turn: no two concurrent requests have the same key. */
const KEYS = 16
/** Flights of each of the other people. */
const OTHERS_FLIGHTS = 100

export interface Dataset {
  databaseUrl: string | undefined
  dataDir: string
  /** The first of `keys`. */
  key: string
  /** All keys of one person, whose log has `flights` flights. */
  keys: string[]
  /** One key of each of sixteen people: the person above, and others with short logs. */
  keysOfPeople: string[]
  /** Sessions of that person, as many as keys. */
  sessions: string[]
  userId: string
  flights: number
  /** Refresh tokens of one connected app, each of a separate grant. */
  refreshTokens: string[]
}

export const ORIGIN = 'http://localhost:3000'
export const CLIENT_ID = 'client_bench'
const REFRESH_TOKENS = 3000

/** An instance whose owner has the given number of flights; fifteen others have some. */
export async function createDataset(
  place: { databaseUrl: string | undefined; dataDir: string },
  flights: number,
  routes?: number,
): Promise<Dataset> {
  const log = createLogger('silent')
  const store = await openStore(place, log)
  await seed(store, log, new Date(NOW))
  const userId = 'benchbenchbench'
  const own = await store.transaction(async (tx) => {
    await insertPerson(tx, personOf(userId, 'bench', null))
    const keys: { key: string; keyId: number }[] = []
    for (let i = 0; i < KEYS; i++) keys.push(await insertKey(tx, userId))
    return keys
  })
  const others = await insertPeople(store, KEYS - 1)
  await fillLogs(store, [{ userId, flights, keyId: own[0]!.keyId }], routes === undefined ? {} : { routes })
  await fillLogs(
    store,
    others.map((person) => ({ ...person, flights: OTHERS_FLIGHTS })),
  )
  const refreshTokens = await insertTokens(store, userId)
  const sessions = await insertSessions(store, Array(KEYS).fill(userId))
  await store.close()
  const keys = own.map(({ key }) => key)
  const keysOfPeople = [keys[0]!, ...others.map(({ key }) => key)]
  return { ...place, key: keys[0]!, keys, keysOfPeople, sessions, userId, flights, refreshTokens }
}

/** A session of each of these people; returns the values of their cookies. */
export function insertSessions(store: Store, userIds: readonly string[]): Promise<string[]> {
  return store.transaction(async (tx) => {
    const secrets: string[] = []
    for (const userId of userIds) {
      const { secret, hash } = createSecret('session')
      const [now, expiresAt] = [new Date().toISOString(), '2099-01-01T00:00:00.000Z']
      await insertSession(tx, { hash, userId, userAgent: null, now, expiresAt })
      secrets.push(secret)
    }
    return secrets
  })
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

/** Adds this number of flights to a person's log, with ids from the next free one. */
export const insertFlights = (store: Store, flights: number, userId: string): Promise<void> =>
  fillLogs(store, [{ userId, flights, keyId: 1 }])

/** Adds people with a key each, and all with the same password if there is one. */
export async function insertPeople(
  store: Store,
  count: number,
  passwordHash: string | null = null,
): Promise<Keyholder[]> {
  const people: Keyholder[] = []
  await store.transaction(async (tx) => {
    for (let i = 1; i <= count; i++) {
      const username = `person${i}`
      const userId = username.padStart(15, 'x')
      await insertPerson(tx, { ...personOf(userId, username, defaultRoleId), passwordHash })
      people.push({ userId, username, ...(await insertKey(tx, userId)) })
    }
  })
  return people
}

export interface Keyholder {
  userId: string
  username: string
  keyId: number
  key: string
}

const personOf = (id: string, username: string, roleId: string | null) => ({
  id,
  username,
  displayName: username,
  passwordHash: null,
  roleId,
  preferences: defaultPreferences,
  createdAt: NOW,
})

async function insertKey(tx: Executor, userId: string): Promise<{ key: string; keyId: number }> {
  const { secret, hash } = createSecret('apiKey')
  const key = {
    userId,
    name: 'bench',
    hash,
    lastFour: '',
    scopes,
    legacyFormat: 'codes',
    createdAt: NOW,
  } as const
  return { key: secret, keyId: (await insertApiKey(tx, key)).id }
}

// Fills logs in minutes instead of hours: inserts exactly the rows that the application would have written for as many
// single creates with an API key (test/running/bench.test.ts compares them).

import { recordsSeen } from '../server/operations/flights/writing.ts'
import { everyScope, principalFrom } from '../server/services/access/principal.ts'
import { findCallerByPerson } from '../server/store/access/callers.ts'
import { upsertMany } from '../server/store/engine/bulk.ts'
import type { Row, Transaction } from '../server/store/engine/engine.ts'
import { CHANGES, flightsOf, readRevisions } from '../server/store/engine/revisions.ts'
import type { Store } from '../server/store/store.ts'

interface FilledLog {
  userId: string
  flights: number
  /** The id of the API key under which they appear. */
  keyId: number
}

/** Many, so that writing their indexes is worth one transaction; few enough to fit in memory. */
const CHUNK = 20_000
const AIRPORTS = 300
const CACHE_KB = 512_000
export const NOW = '2026-11-01T00:00:00.000Z'

/**
 * Adds flights to these logs, with ids from the next free one in the order of the logs. `inTurns`: so many flights of each
 * person, then of the next, and again, as they are stored where people log over years.
 */
export async function fillLogs(
  store: Store,
  logs: readonly FilledLog[],
  { routes = AIRPORTS, inTurns = Number.POSITIVE_INFINITY, at = NOW } = {},
): Promise<void> {
  const filler = await createFiller(store, routes, at)
  let owners: FilledLog[] = []
  const write = async () => {
    await filler.write(owners)
    owners = []
  }
  for (const log of ownersInTurn(logs, inTurns)) {
    owners.push(log)
    if (owners.length === CHUNK) await write()
  }
  if (owners.length > 0) await write()
  if (store.kind === 'postgres') await finish(store)
}

/** The owner of the next flight. */
function* ownersInTurn(logs: readonly FilledLog[], inTurns: number): Generator<FilledLog> {
  for (let written = 0, isLeft = true; isLeft; written += inTurns) {
    isLeft = false
    for (const log of logs) {
      const upTo = Math.min(log.flights, written + inTurns)
      for (let i = written; i < upTo; i++) yield log
      isLeft ||= upTo < log.flights
    }
  }
}

async function createFiller(store: Store, routes: number, at: string) {
  const read = (sql: string) => store.read.query(sql, [])
  const large = await read(
    `select id from airport where type = 'large_airport' order by id limit ${AIRPORTS}`,
  )
  const airports = large.map((row) => Number(row['id']))
  const highest = async (table: string) =>
    Number((await read(`select coalesce(max(id), 0) as id from ${table}`))[0]!['id'])
  const [change] = await readRevisions(store.read, [CHANGES])
  const next = {
    flight: (await highest('flight')) + 1,
    passenger: (await highest('flight_passenger')) + 1,
    change: change! + 1,
  }
  const skipsChecks = await maySkipChecks(store)
  const seenBy = createSeenBy(store)

  async function write(owners: readonly FilledLog[]): Promise<void> {
    const rows: Record<string, Row[]> = { flight: [], flight_passenger: [], change: [], flight_history: [] }
    for (const { userId, keyId } of owners) {
      const flight = { ...flightRow(next.flight++, airports, routes), created_at: at, updated_at: at }
      const id = flight.id
      const number = next.change++
      rows['flight']!.push({ ...flight, seen_records: await seenBy(userId) })
      rows['flight_passenger']!.push(passengerRow(next.passenger++, flight, userId))
      for (const viewer of ['*', userId]) rows['change']!.push(changeRow(viewer, id, number, at))
      rows['flight_history']!.push(historyRow(number, id, userId, keyId, at))
    }
    await store.transaction(async (tx) => {
      await prepare(tx, skipsChecks)
      for (const [table, list] of Object.entries(rows))
        await upsertMany(tx, table, Object.keys(list[0]!), [], list)
      await count(tx, owners)
    })
  }
  return { write }
}

/** The names shown by a flight, as a request of this person would have read them. */
function createSeenBy(store: Store): (userId: string) => Promise<string> | string {
  const known = new Map<string, string>()
  const find = async (userId: string) => {
    const caller = await findCallerByPerson(store.read, { userId })
    const credential = { kind: 'session', credentialId: 0, scopes: everyScope } as const
    const seen = recordsSeen(principalFrom(caller!, credential))
    known.set(userId, seen)
    return seen
  }
  return (userId) => known.get(userId) ?? find(userId)
}

/** On PostgreSQL: the references of these rows are right, and checking them takes longer than writing the rows. */
async function maySkipChecks(store: Store): Promise<boolean> {
  if (store.kind !== 'postgres') return false
  const [role] = await store.read.query(
    '/* test */ select rolsuper from pg_roles where rolname = current_user',
    [],
  )
  return role?.['rolsuper'] === true
}

async function prepare(tx: Transaction, skipsChecks: boolean): Promise<void> {
  // The indexes of a large log do not fit into the usual cache.
  if (tx.kind === 'sqlite') await tx.execute(`pragma cache_size = -${CACHE_KB}`)
  else if (skipsChecks) await tx.execute('/* test */ set local session_replication_role = replica')
}

/** As if a separate request had created each flight. */
async function count(tx: Transaction, owners: readonly FilledLog[]): Promise<void> {
  const names = new Map<string, number>([[CHANGES, owners.length]])
  for (const { userId } of owners) names.set(flightsOf(userId), (names.get(flightsOf(userId)) ?? 0) + 1)
  const [one, two] = tx.kind === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  const sql = `insert into revision (name, value) values (${one}, ${two})
    on conflict (name) do update set value = revision.value + excluded.value`
  for (const [name, value] of names) await tx.query(sql, [name, value])
}

/** Sets PostgreSQL's sequences after inserts with explicit ids, and runs ANALYZE, which autovacuum would do later. */
const finish = (store: Store): Promise<void> =>
  store.transaction(async (tx) => {
    for (const table of ['flight', 'flight_passenger']) {
      const highest = `coalesce(max(id), 1), max(id) is not null`
      await tx.execute(`select setval(pg_get_serial_sequence('${table}', 'id'), ${highest}) from ${table}`)
    }
    await tx.execute('/* test */ analyze')
  })

export const dateOf = (id: number): string =>
  new Date(Date.UTC(1966, 0, 1 + ((id * 7919) % 21_900))).toISOString().slice(0, 10)

function flightRow(id: number, airports: number[], routes: number) {
  const date = dateOf(id)
  // With as many routes as airports each airport has one destination; with more routes, proportionally more.
  const way = Math.floor((id % routes) / airports.length)
  return {
    id,
    date,
    date_precision: 'day',
    departure: `${date}T08:15:00+01:00`,
    arrival: `${date}T11:40:00Z`,
    duration: 15_900,
    departure_terminal: '2',
    departure_gate: 'B4',
    flight_number: `SK${id % 4000}`,
    aircraft_reg: 'OY-KBO',
    note: id % 5 === 0 ? 'Window seat, clear sky over the Alps' : null,
    from_id: airports[(id * 31) % airports.length]!,
    to_id: airports[(id * 17 + 5 + 7 * way) % airports.length]!,
    airline_id: 24,
    aircraft_id: 1 + (id % 200),
    outcome: 'flown',
    version: 1,
  }
}

const passengerRow = (id: number, flight: { id: number; date: string }, userId: string): Row => ({
  id,
  flight_id: flight.id,
  flight_date: flight.date,
  user_id: userId,
  seat: 'window',
  seat_number: '12A',
  seat_class: 'economy',
  flight_reason: 'leisure',
})

const changeRow = (viewer: string, flightId: number, number: number, at: string): Row => ({
  viewer,
  type: 'flight',
  item_id: flightId,
  number,
  appeared: number,
  since: number,
  version: 1,
  at,
})

const historyRow = (number: number, flightId: number, userId: string, keyId: number, at: string): Row => ({
  change_id: number,
  flight_id: flightId,
  kind: 'added',
  version: 1,
  at,
  user_id: userId,
  via: 'apiKey',
  credential: String(keyId),
})

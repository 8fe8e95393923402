// How statements in the names of the code become statements in the names of the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Executor } from '../server/store/engine/engine.ts'
import { type Builder, query, queryByList } from '../server/store/engine/query.ts'

/** The text that runs, with its values. */
async function textOf(run: (db: Executor) => Promise<unknown>, kind: Executor['kind'] = 'sqlite') {
  let sent: { sql: string; values: readonly unknown[] } | undefined
  await run({
    kind,
    query: async (text, values) => {
      sent = { sql: text, values }
      return []
    },
  })
  return sent!
}

test('what a statement returns has the names of the code', async () => {
  const own = query((db, p: { userId: string }) =>
    db
      .selectFrom('flightPassenger as mine')
      .innerJoin('flight', 'flight.id', 'mine.flightId')
      .select([
        'flight.id',
        'flight.fromId',
        'mine.flightDate as day',
        sql<string>`mine.user_id`.as('userId'),
      ])
      .where('mine.userId', '=', p.userId)
      .orderBy('mine.flightDate', 'desc'),
  )
  const { sql: text, values } = await textOf((db) => own(db, { userId: 'ada' }))
  assert.equal(
    text,
    'select "flight"."id", "flight"."from_id" as "fromId", "mine"."flight_date" as "day", mine.user_id as "userId" ' +
      'from "flight_passenger" as "mine" inner join "flight" on "flight"."id" = "mine"."flight_id" ' +
      'where "mine"."user_id" = ? order by "mine"."flight_date" desc',
  )
  assert.deepEqual(values, ['ada'])
})

test('so has what a write returns', async () => {
  const insert = query((db, p: { flightId: number; userId: string }) =>
    db
      .insertInto('demoFlight')
      .values({ flightId: p.flightId, userId: p.userId })
      .onConflict((conflict) => conflict.column('flightId').doUpdateSet({ userId: p.userId }))
      .returning(['flightId', 'userId as owner']),
  )
  const { sql: text, values } = await textOf((db) => insert(db, { flightId: 1, userId: 'ada' }), 'postgres')
  assert.equal(
    text,
    'insert into "demo_flight" ("flight_id", "user_id") values ($1, $2) on conflict ("flight_id") ' +
      'do update set "user_id" = $3 returning "flight_id" as "flightId", "user_id" as "owner"',
  )
  assert.deepEqual(values, [1, 'ada', 'ada'])
})

test('within a statement all names are those of the database', async () => {
  const page = (db: Builder) => db.selectFrom('flightPassenger').select(['flightId', 'userId as onBoard'])
  const outer = queryByList((db, ids: number[]) =>
    db
      .selectFrom(page(db).as('firstPage'))
      .select(['firstPage.flightId', 'firstPage.onBoard'])
      .where('firstPage.flightId', 'in', ids)
      .where((eb) => eb.exists(eb.selectFrom('track').select('track.pointCount'))),
  )
  const { sql: text } = await textOf((db) => outer(db, [7]))
  assert.equal(
    text,
    'select "first_page"."flight_id" as "flightId", "first_page"."on_board" as "onBoard" ' +
      'from (select "flight_id", "user_id" as "on_board" from "flight_passenger") as "first_page" ' +
      'where "first_page"."flight_id" in (?) and exists (select "track"."point_count" from "track")',
  )
})

test('names of the database stay as they are', async () => {
  const raw = query((db) => db.selectFrom('flight').select(sql.ref<number>('from_id').as('from_id')))
  const { sql: text } = await textOf((db) => raw(db))
  assert.equal(text, 'select "from_id" as "from_id" from "flight"')
})

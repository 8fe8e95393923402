// Reports flights that a person removes to the other people on them: a notice and an audit event. Written in the
// transaction of the removal, before the flights are gone.
import type { NoticeData, Removal } from '../../domain/people/notices.ts'
import { recordEvent } from '../access/audit.ts'
import { fromJson } from '../engine/codecs.ts'
import type { Executor, Row } from '../engine/engine.ts'
import { type Builder, queryByList } from '../engine/query.ts'
import { insertNoticeOrMerge } from './notices.ts'

interface Removed {
  how: Removal
  /** Null if an account was deleted. */
  by: { id: string; username: string; displayName: string } | null
  now: Date
  address?: string | undefined
  /** The users on the flights, by flight. */
  flights: ReadonlyMap<number, readonly string[]>
}

/** How many flights of one removal the audit trail lists. */
const IDS_AT_MOST = 100

const usernames = queryByList((db, ids: string[]) =>
  db.selectFrom('person').select(['id', 'username']).where('id', 'in', ids),
)

/** Notifies everyone on these flights except the person who removes them. Erasing one's own flights is recorded too. */
export async function reportRemoval(tx: Executor, removed: Removed): Promise<void> {
  const { how, by, now, address, flights } = removed
  const affected = othersOn(flights, by?.id)
  const event = { kind: `flight.${how}`, now, actor: by, address } as const
  if (affected.size === 0 && how === 'erased' && flights.size > 0)
    await recordEvent(tx, { ...event, details: detailsOf([...flights.keys()]) })
  const facts = await factsOf(tx, [...new Set([...affected.values()].map(([first]) => first!))])
  for (const subject of await usernames(tx, [...affected.keys()])) {
    const ids = affected.get(subject.id)!
    await recordEvent(tx, { ...event, subject, details: detailsOf(ids) })
    await notify(tx, subject.id, removed, facts.get(ids[0]!), ids.length)
  }
}

function othersOn(flights: Removed['flights'], userId: string | undefined): Map<string, number[]> {
  const affected = new Map<string, number[]>()
  for (const [id, people] of flights)
    for (const person of people)
      if (person !== userId) affected.set(person, [...(affected.get(person) ?? []), id])
  return affected
}

const detailsOf = (ids: readonly number[]) => ({
  flights: ids.length,
  ids: ids.slice(0, IDS_AT_MOST).map(String),
})

/** A person who removes many flights one by one causes one unread notice. */
async function notify(
  tx: Executor,
  userId: string,
  { how, by, now }: Removed,
  facts: Facts | undefined,
  count: number,
): Promise<void> {
  if (!facts) return
  const person = by && { id: by.id, displayName: by.displayName }
  const data = { ...facts, how, by: person, flights: count }
  const notice = { userId, kind: 'flight.removed', at: now.toISOString(), data, flightId: null } as const
  await insertNoticeOrMerge(tx, notice, (before) =>
    before.how === how && before.by?.id === by?.id
      ? { ...before, flights: before.flights + count }
      : undefined,
  )
}

type Facts = Omit<NoticeData<'flight.removed'>, 'how' | 'by' | 'flights'>
type FactRow = Omit<Facts, 'date' | 'datePrecision' | 'flightNumber'>

const withCodes = <Table extends 'flight' | 'deletedFlight'>(db: Builder, table: Table) =>
  db
    .selectFrom(`${table} as flight` as 'flight')
    .leftJoin('airport as origin', 'origin.id', 'flight.fromId')
    .leftJoin('airport as destination', 'destination.id', 'flight.toId')
    .select((eb) => [
      'flight.id as flightId',
      eb.fn.coalesce('origin.iata', 'origin.icao').as('from'),
      eb.fn.coalesce('destination.iata', 'destination.icao').as('to'),
    ])

const inLog = queryByList((db, ids: number[]) =>
  withCodes(db, 'flight')
    .select(['flight.date', 'flight.datePrecision', 'flight.flightNumber'])
    .where('flight.id', 'in', ids),
)
const inBin = queryByList((db, ids: number[]) =>
  withCodes(db, 'deletedFlight')
    .select('flight.content' as 'flight.id')
    .$castTo<FactRow & { content: string }>()
    .where('flight.id', 'in', ids),
)

async function factsOf(tx: Executor, ids: readonly number[]): Promise<Map<number, Facts>> {
  const live = await inLog(tx, ids)
  const binned = (await inBin(tx, ids)).map(({ content, ...facts }): Facts => {
    const row = fromJson<Row>(content)
    return {
      ...facts,
      date: row['date'] as string,
      datePrecision: row['date_precision'] as Facts['datePrecision'],
      flightNumber: (row['flight_number'] ?? null) as string | null,
    }
  })
  return new Map([...live, ...binned].map((facts) => [facts.flightId, facts]))
}

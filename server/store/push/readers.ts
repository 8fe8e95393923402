// What a notification is made from: the people who get it and the flights that they are reminded of.
import { sql } from 'kysely'
import type { Preferences } from '../../domain/people/preferences.ts'
import { fromJson } from '../engine/codecs.ts'
import { type Builder, query, queryByList } from '../engine/query.ts'
import { withChannel } from './queue.ts'

export interface Reader {
  userId: string
  isOwner: boolean
  permissions: ReadonlySet<string>
  preferences: Preferences
  email: string | null
}

export const listReaders = queryByList(
  (db, userIds: string[]) =>
    db
      .selectFrom('person')
      .leftJoin('role', 'role.id', 'person.roleId')
      .select([
        'person.id as userId',
        'person.isOwner',
        'person.preferences',
        'person.email',
        'role.permissions',
      ])
      .where('person.id', 'in', userIds),
  ({ userId, isOwner, permissions, preferences, email }): Reader => ({
    userId,
    isOwner: isOwner === 1,
    permissions: new Set(permissions === null ? [] : fromJson<string[]>(permissions)),
    preferences: fromJson<Preferences>(preferences),
    email,
  }),
)

export const listDevices = queryByList((db, userIds: string[]) =>
  db
    .selectFrom('pushSubscription')
    .select(['id', 'userId', 'language'])
    .where('userId', 'in', userIds)
    .orderBy('id'),
)

const timeColumns = [
  'flight.id as flightId',
  'flight.date',
  'flight.datePrecision',
  'flight.outcome',
  'flight.departure',
  'flight.takeoffActual',
  'flight.departureScheduled',
  'flight.takeoffScheduled',
] as const

/** Flights in the logs of people: their own, and those that others added them to and that they kept. */
const onTheirOwn = (db: Builder) =>
  db
    .selectFrom('flight')
    .innerJoin('flightPassenger as passenger', 'passenger.flightId', 'flight.id')
    .where((eb) => eb.or([eb('passenger.addedBy', 'is', null), eb('passenger.keptAt', 'is not', null)]))

/** Flights of people with a device or a confirmed address, with their settings; those after `after` in the order of places. */
export const listReminded = query((db, p: { from: string; to: string; after: number; most: number }) =>
  onTheirOwn(db)
    .leftJoin('notificationSettings', 'notificationSettings.userId', 'passenger.userId')
    .select(timeColumns)
    .select(['passenger.id as place', 'notificationSettings.settings'])
    .select(sql<string>`passenger.user_id`.as('userId'))
    .where('passenger.flightDate', '>=', p.from)
    .where('passenger.flightDate', '<=', p.to)
    .where('passenger.userId', 'in', withChannel(db))
    .where('passenger.id', '>', p.after)
    .orderBy('passenger.id')
    .limit(p.most),
)

/** These flights once for each person on them, with what a reminder says. */
export const listFlightsToSay = queryByList((db, flightIds: number[]) =>
  onTheirOwn(db)
    .select(timeColumns)
    .select(['passenger.userId', 'flight.flightNumber', 'flight.fromId', 'flight.toId'])
    .select(['flight.departureTerminal', 'flight.departureGate'])
    .where('flight.id', 'in', flightIds)
    .where('passenger.userId', 'is not', null),
)
export type FlightToSay = Awaited<ReturnType<typeof listFlightsToSay>>[number]

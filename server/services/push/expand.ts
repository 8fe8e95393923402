// Turns notifications that are due into deliveries: one for each device, and one for the mailbox. Role, settings, quiet hours and the
// flight are read now, in the transaction that writes the deliveries.
import type { Config } from '../../base/config.ts'
import { covers } from '../../domain/access/access.ts'
import {
  type Channel,
  isByMail,
  isByPush,
  isWorthSaying,
  kindRules,
  quietUntil,
  remindedDeparture,
  reminderUrgency,
  type Urgency,
} from '../../domain/push/notifications.ts'
import type { NotificationSettings } from '../../domain/push/settings.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import { fromJson, toJson } from '../../store/engine/codecs.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { findNotice } from '../../store/people/notices.ts'
import {
  insertDeliveries,
  lockDueNotifications,
  markExpanded,
  type NewDelivery,
  type Notification,
  postponeNotification,
} from '../../store/push/queue.ts'
import {
  type FlightToSay,
  listDevices,
  listFlightsToSay,
  listReaders,
  type Reader as Person,
} from '../../store/push/readers.ts'
import { listNotificationSettings, noSettings, type StoredSettings } from '../../store/push/settings.ts'
import { type Airport, mapAirports } from '../../store/reference/records.ts'
import { noticeMessage, type Reader, reminderMessage } from './compose.ts'
import type { DeliveryData, RemindedFlight } from './deliveries.ts'
import { mailOf } from './mail.ts'
import type { ShownMessage } from './message.ts'

/** Each takes a quarter of a millisecond, and SQLite has no other writer meanwhile. */
const AT_ONCE = 100

export interface ReminderData {
  minutes: number
  /** The day that the flight had. */
  date: string
}

interface Departure {
  flight: FlightToSay
  departure: number
}

type ExpandConfig = Pick<Config, 'origin' | 'push' | 'smtp'>

/** Everything about the people and flights of some notifications. */
interface Facts {
  people: Map<string, Person>
  settings: Map<string, StoredSettings>
  devices: Map<string, Awaited<ReturnType<typeof listDevices>>>
  flights: readonly FlightToSay[]
  airports: Map<number, Airport>
}

/** What a notification says now, and until when it is of use; a message in the language of each device. */
interface Content {
  expiresAt: number
  urgency: Urgency
  zone: string
  reminds?: RemindedFlight
  say(reader: Reader): ShownMessage | undefined
}

/** Returns how many notifications it handled. */
export async function expandDue(tx: Executor, config: ExpandConfig, now: number): Promise<number> {
  const at = new Date(now).toISOString()
  const due = await lockDueNotifications(tx, { now: at, most: AT_ONCE })
  if (due.length === 0) return 0
  const facts = await readFacts(tx, due)
  const deliveries: NewDelivery[] = []
  const done: number[] = []
  for (const notification of due) {
    const content = await contentOf(tx, notification, facts, now)
    const settings = settingsOf(facts, notification.userId)
    const until = content && quietEnd(notification, settings.settings, content, now)
    if (content && until)
      await postponeNotification(tx, { id: notification.id, dueAt: new Date(until).toISOString() })
    else done.push(notification.id)
    if (content && !until) deliveries.push(...deliveriesOf(notification, content, facts, config, now))
  }
  await insertDeliveries(tx, deliveries)
  await markExpanded(tx, done, { now: at })
  return due.length
}

async function readFacts(tx: Executor, due: readonly Notification[]): Promise<Facts> {
  const userIds = [...new Set(due.map(({ userId }) => userId))]
  const flightIds = due.flatMap(({ kind, flightId }) =>
    kind === 'reminder' && flightId !== null ? [flightId] : [],
  )
  const people = await listReaders(tx, userIds)
  const flights = await listFlightsToSay(tx, [...new Set(flightIds)])
  return {
    people: new Map(people.map((person) => [person.userId, person])),
    settings: await listNotificationSettings(tx, userIds),
    devices: Map.groupBy(await listDevices(tx, userIds), ({ userId }) => userId),
    flights,
    airports: await mapAirports(
      tx,
      flights.flatMap(({ fromId, toId }) => [fromId, toId].filter((id) => id !== null)),
    ),
  }
}

const settingsOf = ({ settings }: Facts, userId: string): StoredSettings => settings.get(userId) ?? noSettings

/** Undefined if there is nothing to say any more. */
function contentOf(
  tx: Executor,
  notification: Notification,
  facts: Facts,
  now: number,
): Promise<Content | undefined> | Content | undefined {
  if (notification.kind === 'reminder') return reminderOf(notification, facts, now)
  return now < Date.parse(notification.expiresAt) ? noticeOf(tx, notification, facts) : undefined
}

/** The flight, if the person still has it and it departs on that day and later than now. */
function aheadOf(
  flights: readonly FlightToSay[],
  userId: string,
  { flightId, date }: RemindedFlight,
  now: number,
): Departure | undefined {
  const flight = flights.find((each) => each.userId === userId && each.flightId === flightId)
  const departure = flight && remindedDeparture(flight)
  return flight && departure && departure > now && flight.date === date ? { flight, departure } : undefined
}

/** Whether a message still holds: a reminder ends with the flight as it was. */
export const isStillAhead = async (
  db: Executor,
  userId: string,
  reminds: RemindedFlight | undefined,
  now: number,
): Promise<boolean> =>
  !reminds || aheadOf(await listFlightsToSay(db, [reminds.flightId]), userId, reminds, now) !== undefined

function reminderOf(notification: Notification, facts: Facts, now: number): Content | undefined {
  const { userId, flightId } = notification
  const { minutes, date } = fromJson<ReminderData>(notification.data)
  const reminds = { flightId: flightId!, date }
  const ahead = aheadOf(facts.flights, userId, reminds, now)
  const person = facts.people.get(userId)
  const isLate = now - Date.parse(notification.dueAt) > (minutes * MINUTE) / 2
  if (!ahead || isLate) return undefined
  if (!person || !(person.isOwner || covers(person.permissions, 'flight.read.own'))) return undefined
  const { flight, departure } = ahead
  const { reminderMinutes } = settingsOf(facts, userId).settings
  if (!isWorthSaying(minutes, departure, reminderMinutes, now)) return undefined
  const airport = (id: number | null) => (id === null ? undefined : facts.airports.get(id))
  const from = airport(flight.fromId)
  const said = { ...flight, departure, from, to: airport(flight.toId) }
  return {
    expiresAt: departure,
    urgency: reminderUrgency(minutes),
    zone: from?.timezone ?? 'Etc/UTC',
    reminds,
    say: (reader) => reminderMessage(said, reader, now),
  }
}

/** A notice that was read in the meantime, or is no longer shown, is not sent. */
async function noticeOf(
  tx: Executor,
  notification: Notification,
  facts: Facts,
): Promise<Content | undefined> {
  const { userId, noticeId, kind, expiresAt } = notification
  const notice = noticeId === null ? undefined : await findNotice(tx, { userId, id: noticeId })
  if (!notice || notice.readAt !== null) return undefined
  return {
    expiresAt: Date.parse(expiresAt),
    urgency: kindRules[kind].urgency,
    zone: settingsOf(facts, userId).settings.timeZone ?? 'Etc/UTC',
    say: (reader) => noticeMessage(notice, reader),
  }
}

/** When the quiet hours end, if the message has to wait for that and is still of use then; it is dropped otherwise. */
function quietEnd(
  { kind }: Notification,
  { quietHours }: NotificationSettings,
  { zone }: Content,
  now: number,
): number | null {
  return kindRules[kind].passesQuietHours ? null : quietUntil(now, quietHours, zone)
}

function deliveriesOf(
  notification: Notification,
  content: Content,
  facts: Facts,
  config: ExpandConfig,
  now: number,
): NewDelivery[] {
  const { userId, kind } = notification
  const { urgency, reminds } = content
  const person = facts.people.get(userId)
  if (!person) return []
  const stored = settingsOf(facts, userId)
  const mayMail = config.smtp !== undefined && stored.mail !== null && stored.mail === person.email
  const channel = usable(kind, stored.settings.kinds[kind], mayMail)
  const deliver = (data: DeliveryData, subscriptionId: number | null): NewDelivery => ({
    userId,
    channel: data.channel,
    subscriptionId,
    data: toJson(data),
    nextAttemptAt: new Date(now).toISOString(),
    expiresAt: new Date(content.expiresAt).toISOString(),
  })
  const { timeFormat, language } = person.preferences
  const { discreet } = stored.settings
  const readerIn = (own: Reader['language']): Reader => ({
    language: language === 'auto' ? own : language,
    timeFormat,
    discreet,
    origin: config.origin,
  })
  const devices = facts.devices.get(userId) ?? []
  const pushed = config.push && isByPush(channel) ? devices : []
  const byPush = pushed.flatMap((device) => {
    const shown = content.say(readerIn(device.language))
    return shown ? [deliver({ channel: 'push', kind, reminds, urgency, shown }, device.id)] : []
  })
  const shown = isByMail(channel) && mayMail ? content.say(readerIn(devices[0]?.language ?? 'en')) : undefined
  const byMail = shown
    ? [deliver({ channel: 'mail', kind, reminds, ...mailOf(shown, config.origin) }, null)]
    : []
  return [...byPush, ...byMail]
}

/** Without a confirmed address, what is about security goes to the devices. */
const usable = (kind: Notification['kind'], channel: Channel, mayMail: boolean): Channel =>
  kind === 'security' && channel === 'mail' && !mayMail ? 'push' : channel

/** A change as text: old and new values, in the person's language and formats. */

import { addDays } from '../../../server/domain/time/calendar.ts'
import type { HistoryEntry } from '../api/history.ts'
import type { CustomField, FlightReason, Outcome, Seat, SeatClass } from '../api/types.ts'
import { textOf as customText } from '../draft/extras.ts'
import { i18n, type PlainKey, t } from '../i18n/i18n.svelte.ts'
import {
  dayHere,
  formatDate,
  formatDayShift,
  formatDuration,
  formatKnownDate,
  formatOffset,
  formatPrice,
  formatTime,
} from '../lib/format.ts'
import { session } from '../session/session.svelte.ts'

/** One line of a change. An unset value is empty. */
export interface Line {
  label: string
  before: string
  after: string
}

const labels: Record<string, PlainKey> = {
  date: 'flight.date',
  from: 'form.from',
  to: 'form.to',
  plannedTo: 'flight.plannedTo',
  airline: 'flight.airline',
  operatingAirline: 'flight.operatingAirline',
  aircraft: 'flight.aircraft',
  registration: 'flight.reg',
  departureTime: 'form.departureTime',
  arrivalTime: 'form.arrivalTime',
  departureScheduled: 'form.departureScheduled',
  arrivalScheduled: 'form.arrivalScheduled',
  takeoffScheduled: 'form.takeoffScheduled',
  takeoffActual: 'form.takeoffActual',
  landingScheduled: 'form.landingScheduled',
  landingActual: 'form.landingActual',
  duration: 'form.duration',
  departureTerminal: 'form.departureTerminal',
  departureGate: 'form.departureGate',
  arrivalTerminal: 'form.arrivalTerminal',
  arrivalGate: 'form.arrivalGate',
  flightNumber: 'flight.number',
  note: 'flight.note',
  outcome: 'flight.outcome',
  bookingReference: 'flight.bookingReference',
  operatingFlightNumber: 'flight.operatingFlightNumber',
  price: 'flight.price',
  seat: 'flight.seat',
  seatNumber: 'form.seatNumber',
  seatClass: 'flight.class',
  reason: 'flight.reason',
  people: 'flight.passengers',
  customFields: 'form.extra',
  passengerFields: 'form.extra',
  externalIds: 'history.externalIds',
  track: 'flight.track',
}

/** The label of a changed field. */
export function labelFor(name: string): string {
  const label = labels[name]
  return label ? t(label) : name
}

const clock = /^(\d\d:\d\d)(?:([+-])(\d+))?$/
const dateTime = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)\S*?(Z|[+-]\d\d:\d\d)$/

function offsetMinutes(offset: string): number {
  if (offset === 'Z') return 0
  const [hours, minutes] = offset.slice(1).split(':').map(Number) as [number, number]
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** `00:20+1`, or a whole date-time where only that shows the difference. */
export function writtenTime(text: string): string {
  const [, time, sign, days] = clock.exec(text) ?? []
  if (time) return `${formatTime(time)}${days ? ` ${formatDayShift(Number(sign + days))}` : ''}`
  const [, day, hours, offset] = dateTime.exec(text) ?? []
  if (!day || !hours || !offset) return text
  return `${formatDate(day)}, ${formatTime(hours)} (${formatOffset(offsetMinutes(offset))})`
}

const isTime = (name: string): boolean =>
  /^(?:departure|arrival|takeoff|landing)(?:Time|Scheduled|Actual)$/.test(name)

function writtenPrice(text: string): string {
  const [amount = '', currency = ''] = text.split(' ')
  return formatPrice({ amount, currency })
}

const writers: Record<string, (value: string) => string> = {
  date: formatKnownDate,
  duration: (value) => formatDuration(Number(value)),
  price: writtenPrice,
  seat: (value) => t(`seat.${value as Seat}`),
  seatClass: (value) => t(`class.${value as SeatClass}`),
  reason: (value) => t(`reason.${value as FlightReason}`),
  outcome: (value) => t(`outcome.${value as Outcome}`),
  track: (value) => t('flight.trackPoints', { count: Number(value) }),
}

const TEXT_AT_MOST = 120

/** The start of a long note is enough to recognise it. */
const shortened = (text: string): string =>
  text.length <= TEXT_AT_MOST ? text : `${text.slice(0, TEXT_AT_MOST).trimEnd()}…`

function written(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  const text = String(value)
  if (isTime(name)) return writtenTime(text)
  return writers[name]?.(text) ?? shortened(text)
}

// People

interface Person {
  name?: string | null
  seat?: Seat
  seatNumber?: string
  seatClass?: SeatClass
  reason?: FlightReason
}

function seatText({ seat, seatNumber, seatClass, reason }: Person): string {
  const known = [
    seatClass && t(`class.${seatClass}`),
    seatNumber,
    seat && t(`seat.${seat}`),
    reason && t(`reason.${reason}`),
  ]
  return known.filter(Boolean).join(' · ')
}

/** One line for each person who was added, removed or has another seat. */
export function peopleLines(before: readonly Person[], after: readonly Person[]): Line[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name ?? ''))]
  return names.map((name) => {
    const [was, is] = [before, after].map((list) => list.find((one) => (one.name ?? '') === name))
    const on = t('history.onFlight')
    return {
      label: name,
      before: was ? seatText(was) || on : t('history.notOnFlight'),
      after: is ? seatText(is) || on : t('history.notOnFlight'),
    }
  })
}

// Values by key

type Values = Record<string, unknown>

const groups: Record<string, CustomField['entityType']> = {
  customFields: 'flight',
  passengerFields: 'flight_passenger',
}

async function valueLines(before: Values, after: Values, defined: readonly CustomField[]): Promise<Line[]> {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Promise.all(
    keys.map(async (key) => {
      const field = defined.find((one) => one.key === key)
      const write = async (value: unknown) =>
        value === null || value === undefined
          ? ''
          : shortened(field ? await customText(field, value) : String(value))
      return { label: field?.label ?? key, before: await write(before[key]), after: await write(after[key]) }
    }),
  )
}

/** Whether the definitions of custom fields are needed to write these changes. */
export const hasCustomFields = (entries: readonly HistoryEntry[]): boolean =>
  entries.some(({ changed }) => Object.keys(groups).some((name) => changed?.[name] !== undefined))

export async function linesOf(entry: HistoryEntry, fields: readonly CustomField[]): Promise<Line[]> {
  const lines: Line[] = []
  for (const [name, [before, after]] of Object.entries(entry.changed ?? {})) {
    const entity = groups[name]
    if (name === 'people') lines.push(...peopleLines(before as Person[], after as Person[]))
    else if (entity || name === 'externalIds') {
      const defined = fields.filter(({ entityType }) => entityType === entity)
      lines.push(...(await valueLines((before ?? {}) as Values, (after ?? {}) as Values, defined)))
    } else {
      lines.push({ label: labelFor(name), before: written(name, before), after: written(name, after) })
    }
  }
  return lines
}

// Who, when, with what

/** "you", or the name; empty if unknown. */
export const authorOf = ({ by }: HistoryEntry): string =>
  by.userId === null
    ? ''
    : by.userId === session.user?.id
      ? t('history.you')
      : (by.name ?? t('history.someone'))

/** The web app, the name of the key or app, or an import; empty if unknown. */
export function meansOf({ by }: HistoryEntry): string {
  if (by.via === 'system') return ''
  if (by.via === 'key') return by.app === null ? t('history.via.key') : t('history.viaKey', { name: by.app })
  return by.via === 'app' && by.app !== null ? by.app : t(`history.via.${by.via}`)
}

/** "Changed by you" */
export function summaryOf(entry: HistoryEntry): string {
  const name = authorOf(entry)
  return name ? t(`history.by.${entry.kind}`, { name }) : t(`history.kind.${entry.kind}`)
}

/** Changes from newest to oldest, grouped by day. */
export function byDay<Change extends { entry: Pick<HistoryEntry, 'at'> }>(
  changes: readonly Change[],
): { day: string; changes: Change[] }[] {
  const days: { day: string; changes: Change[] }[] = []
  for (const change of changes) {
    const day = dayHere(new Date(change.entry.at))
    if (days.at(-1)?.day === day) days.at(-1)!.changes.push(change)
    else days.push({ day, changes: [change] })
  }
  return days
}

/** "Today", "Yesterday", otherwise the date. */
export function dayName(day: string, today = dayHere(new Date())): string {
  if (day === today) return t('form.today')
  return day === addDays(today, -1) ? t('form.yesterday') : formatDate(day)
}

/** "CPH → JFK, 20 Feb 2026" */
export function flightOf({ flight }: Pick<HistoryEntry, 'flight'>): string {
  if (flight.date === null) return t('history.unseen')
  return `${flight.from ?? '???'} → ${flight.to ?? '???'}, ${formatKnownDate(flight.date)}`
}

/** Equal for changes that were made with the same app. */
export const meansKey = ({ by }: HistoryEntry): string => `${by.via} ${by.app ?? ''}`

/** The apps that made changes, by name. */
export function meansIn(entries: readonly HistoryEntry[]): { value: string; label: string }[] {
  const found = new Map(entries.map((entry) => [meansKey(entry), meansOf(entry)]))
  return [...found]
    .filter(([, label]) => label !== '')
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label, i18n.tag))
}

/** What a leg of a pass says, in the reader's words. */

import { classOfCompartment } from '../../../../server/domain/imports/boarding-pass.ts'
import { daysBetween } from '../../../../server/domain/time/calendar.ts'
import { i18n, t } from '../../i18n/i18n.svelte.ts'
import { today } from '../../lib/fields/typed.ts'
import {
  airportCity,
  airportCode,
  formatDate,
  formatDay,
  formatTime,
  formatWeekday,
} from '../../lib/format.ts'
import { log } from '../../log/log.svelte.ts'
import { type Leg, timesInLog } from './pass.ts'

export const codeOf = (leg: Leg, end: 'from' | 'to'): string =>
  leg[end] ? airportCode(leg[end]) : leg.read[end]

export const routeText = (leg: Leg): string =>
  t('scan.result', { from: codeOf(leg, 'from'), to: codeOf(leg, 'to') })

export const citiesText = ({ from, to }: Leg): string =>
  from && to ? t('scan.result', { from: airportCity(from), to: airportCity(to) }) : ''

export const dateText = (date: string): string => `${formatWeekday(date)} ${formatDate(date)}`

export function dateReason({ read, date }: Leg): string {
  if (read.otherDate === null) return t('scan.yearIssued')
  return date === read.date ? t('scan.noYear') : t('scan.yearChosen')
}

/** The year is clear within the last months. */
export const shortDate = (date: string): string =>
  daysBetween(date, today()) < 300 ? formatDay(date) : formatDate(date)

export function numberText({ read, airline }: Leg): string {
  if (!read.flightNumber) return airline?.name ?? t('scan.noNumber')
  return airline ? t('scan.number', { number: read.flightNumber, airline: airline.name }) : read.flightNumber
}

export function inLogText({ read }: Leg): string {
  const times = timesInLog(read.flightNumber, log.own)
  return times === 0 ? t('scan.firstTime') : t('scan.inLog', { count: times })
}

export function seatText({ read }: Leg): string {
  const seatClass = classOfCompartment(read.compartment)
  const named = seatClass ? t(`class.${seatClass}`) : ''
  if (!read.seat) return named || t('scan.noSeat')
  return named
    ? t('scan.seat', { seat: read.seat, class: i18n.locale === 'en' ? named.toLowerCase() : named })
    : read.seat
}

export const seatHint = ({ read }: Leg): string =>
  read.compartment ? t('scan.bookingClass', { letter: read.compartment }) : ''

export function timesText({ departure, arrival, dayShift }: NonNullable<Leg['times']>): string {
  const shift = dayShift > 0 ? ` +${dayShift}` : ''
  return t('scan.times', { departure: formatTime(departure), arrival: formatTime(arrival) + shift })
}

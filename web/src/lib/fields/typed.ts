/** Parses typed dates, times and numbers by the user's preferences; error messages for invalid ones. */

import { type DatePrecision, datePrecisions } from '../../../../server/domain/enums.ts'
import { type NumberReason, writeNumber } from '../../../../server/domain/text/typed-number.ts'
import { MINUTE } from '../../../../server/domain/time/durations.ts'
import {
  type DateReason,
  type DateRules,
  readDate,
  type TypedDate,
} from '../../../../server/domain/time/typed-date.ts'
import type { TimeReason } from '../../../../server/domain/time/typed-time.ts'
import { i18n, t } from '../../i18n/i18n.svelte.ts'
import { dateOrder, formatDate, formatTime } from '../format.ts'

/** Today in the browser's time zone. */
export function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * MINUTE).toISOString().slice(0, 10)
}

export const allPrecisions: readonly DatePrecision[] = datePrecisions

type Own = Pick<DateRules, 'near' | 'lean'> & {
  precision: DatePrecision
  precisions: readonly DatePrecision[]
}

/** The selected precision is tried first, so `2/26` is a month if a month is expected; then the other accepted precisions. */
export function readOwnDate(text: string, { precision, precisions, ...rest }: Own): TypedDate {
  const rules = { ...rest, today: today(), order: dateOrder() }
  const wanted = readDate(text, { ...rules, precisions: [precision] })
  return wanted.ok ? wanted : readDate(text, { ...rules, precisions })
}

export function dateProblem(label: string, reason: DateReason, precision: DatePrecision): string {
  const shown = reason === 'day_missing' ? 'day' : precision
  return t(`typed.date.${reason}`, { label, example: formatDate(today(), shown) })
}

export function timeProblem(label: string, reason: TimeReason, allowDayShift: boolean): string {
  if (reason === 'midnight') return t('typed.time.midnight', { label, time: formatTime('00:00') })
  if (reason === 'day_shift' && !allowDayShift) return t('typed.time.no_day_shift', { label })
  if (reason === 'day_shift')
    return t('typed.time.day_shift', { label, example: `${formatTime('07:50')} +1` })
  return t(`typed.time.${reason}`, { label, example: formatTime('12:30') })
}

/** Accepts 1.5 or 1,5, depending on how numbers are displayed. */
export const decimalSign = (): '.' | ',' =>
  new Intl.NumberFormat(i18n.tag).formatToParts(1.5).some(({ value }) => value === ',') ? ',' : '.'

export function numberProblem(label: string, reason: NumberReason): string {
  const example = reason === 'grouping' ? '1500' : writeNumber(1.5, decimalSign())
  return t(`typed.number.${reason}`, { label, example })
}

// Months and years in a line, for flights whose day is unknown: `march 2019`, `2004`, `letzten Monat`.
import { addMonths } from '../../../time/calendar.ts'
import { readDate } from '../../../time/typed-date.ts'
import type { Line } from '../atoms.ts'
import type { LineCalendar } from '../types.ts'

/** The first day of the period, and of others that the text may mean. */
interface PeriodRead {
  date: string
  precision: 'month' | 'year'
  others: string[]
  score: number
}

const FIRST_YEAR = 1910
/** Below this, four digits alone are a time in the evening: `1930`. */
const FIRST_YEAR_ALONE = 1950
const YEARS_AHEAD = 2

export function readPeriod(text: string, calendar: LineCalendar): PeriodRead | null {
  const bare = text.replace(/^(?:in|im jahre?|im|anno|en|nel) /, '')
  return (
    relativePeriod(text, calendar) ??
    directedMonth(text, calendar) ??
    year(bare, calendar, bare !== text) ??
    month(bare, calendar, bare !== text)
  )
}

const relative =
  /^(?:(?:el|il|lo) )?(?:(?<past>last|letzten|letztes|vorigen|voriges|pasado|scorso)|(?<next>next|nachsten|nachstes|proximo|prossimo)|(?:this|diesen|dieses|este|quest[o'])) ?(?<unit>month|monat|year|jahr|mes|mese|ano|anno)$|^(?:le |el |il |l')?(?<unitBefore>mois|annee|mes|mese|ano|anno) (?:(?<pastBehind>derniere?|passee?|pasado|scorso)|(?<nextBehind>prochaine?|proximo|que viene|prossimo))$/
const monthsAgo =
  /^(?:vor (?<vor>\d{1,2}) monaten|(?<ago>\d{1,2}) months ago|il y a (?<ilYA>\d{1,2}) mois|hace (?<hace>\d{1,2}) mes(?:es)?|(?<fa>\d{1,2}) mes[ei] fa)$/

function relativePeriod(text: string, { today }: LineCalendar): PeriodRead | null {
  const count = monthsAgo.exec(text)?.groups
  const named = relative.exec(text)?.groups
  if (!count && !named) return null
  const isPast = named?.past ?? named?.pastBehind
  const isNext = named?.next ?? named?.nextBehind
  const months = count
    ? -Number(count.vor ?? count.ago ?? count.ilYA ?? count.hace ?? count.fa)
    : isPast
      ? -1
      : isNext
        ? 1
        : 0
  if (named && /^[yja]/.test(named.unit ?? named.unitBefore!))
    return { date: `${Number(today.slice(0, 4)) + months}-01-01`, precision: 'year', others: [], score: 12 }
  const date = `${addMonths(`${today.slice(0, 7)}-01`, months).slice(0, 7)}-01`
  return { date, precision: 'month', others: [], score: 12 }
}

export const isBareYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text)

/** Four digits alone are more likely a year than a time, if no other text names a day. */
const YEAR_ALONE = 6

function year(text: string, { today }: LineCalendar, isSaid: boolean): PeriodRead | null {
  const read = isBareYear(text) ? Number(text) : 0
  if (!(read >= (isSaid ? FIRST_YEAR : FIRST_YEAR_ALONE) && read <= Number(today.slice(0, 4)) + YEARS_AHEAD))
    return null
  return { date: `${read}-01-01`, precision: 'year', others: [], score: isSaid ? 12 : YEAR_ALONE }
}

const names =
  '(?:jan|januar|january|janner|feb|febr|februar|february|mar|march|mrz|marz|maerz|apr|april|may|mai|jun|june|juni|jul|july|juli|aug|august|' +
  'sep|sept|september|oct|okt|october|oktober|nov|november|dec|dez|december|dezember|' +
  'janvier|fev|fevr|fevrier|mars|avr|avril|juin|juil|juillet|aout|septembre|octobre|novembre|decembre|' +
  'enero|ene|febrero|marzo|abril|abr|mayo|junio|julio|agosto|ago|septiembre|setiembre|octubre|noviembre|diciembre|dic|' +
  'gennaio|gen|febbraio|aprile|maggio|mag|giugno|giu|luglio|lug|settembre|set|ottobre|ott|dicembre)'
const named = new RegExp(`^${names}$`)
const withYear = new RegExp(
  `^(?:${names}(?:\\.? ?| de | del )\\d{4}|(?:19[5-9]|20\\d)\\d ${names}|\\d{1,2}[/.]\\d{4}|\\d{4}-\\d{1,2})$`,
)

/** `2019 may 3` as `may 3 2019`. */
export const yearLast = (text: string): string => text.replace(/^(\d{4}) ([a-z].*?)\.?$/, '$2 $1')

/** The `5` of `KLM 5 may 2019` and `5 of may`: a day, unless another day follows the month (`BA 24 may 24 2019`). */
export function isDayOfMonth({ atoms }: Line, at: number): boolean {
  const month = /^(?:of|de)$/.test(atoms[at + 1]?.plain ?? '') ? at + 2 : at + 1
  if (!/^(?:0?[1-9]|[12]\d|3[01])$/.test(atoms[at]?.text ?? '') || !isMonth(atoms[month]?.plain)) return false
  const [next, last] = atoms.slice(month + 1).filter(({ isSign }) => !isSign)
  return !(/^\d{1,2}$/.test(next?.text ?? '') && isBareYear(last?.text ?? ''))
}

export const isMonth = (word: string | undefined): boolean => word !== undefined && named.test(word)

/** Without a year, the last such month: a person who gives no day is remembering rather than planning. Short names are ambiguous. */
function month(text: string, { today, order }: LineCalendar, isSaid: boolean): PeriodRead | null {
  const hasYear = withYear.test(text)
  const isName = named.test(text) && (text.length > SHORT || isSaid)
  if (!hasYear && !isName) return null
  const rules = { today, order, precisions: ['day', 'month'] as const, lean: 'past' } as const
  const typed = readDate(yearLast(text), rules)
  if (!typed.ok || typed.precision !== 'month') return null
  const others = hasYear ? [] : [1, -1].map((years) => addMonths(typed.date, 12 * years))
  return { date: typed.date, precision: 'month', others, score: hasYear || isSaid ? 13 : 8 }
}
const SHORT = 3

const directed = new RegExp(
  `^(?:(?:el|lo) )?(?:(?<past>last|letzten|vorigen|vergangenen|pasado|scorso)|(?<next>next|nachsten|kommenden|coming|proximo|prossimo)|this|diesen|este|questo) (?<month>${names})$`,
)

/** `last may`, `nächsten März`: before or after this month, never this month. */
function directedMonth(text: string, { today, order }: LineCalendar): PeriodRead | null {
  const said = directed.exec(text)?.groups
  const typed =
    said && readDate(`${said.month} ${today.slice(0, 4)}`, { today, order, precisions: ['month'] })
  if (!typed?.ok) return null
  const now = `${today.slice(0, 7)}-01`
  const years = said!.past && typed.date >= now ? -1 : said!.next && typed.date <= now ? 1 : 0
  const date = addMonths(typed.date, 12 * years)
  const others = said!.past ? [addMonths(date, -12)] : said!.next ? [addMonths(date, 12)] : []
  return { date, precision: 'month', others, score: 13 }
}

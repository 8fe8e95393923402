// Days in a line: dates as typed-date.ts reads them, and days relative to today.
import { addDays, daysBetween, isCalendarDate, weekdayOf, writeDay } from '../../../time/calendar.ts'
import { type DateOrder, readDate } from '../../../time/typed-date.ts'
import { isInside, type Line, plainBetween } from '../atoms.ts'
import { type Candidate, type Known, type Search, WORD } from '../candidate.ts'
import type { LineCalendar, LineDraft } from '../types.ts'
import { arrivalWords, departureWords, numerals, otherTimes } from '../words.ts'
import { isBareYear, isMonth, readPeriod, yearLast } from './periods.ts'
import { dayOfHoliday, daysOfChristmas, monthsOfSeason } from './vague.ts'

const LONGEST = 7

/** The day that a text means, other days that it may mean, and how clearly it is a date. */
interface DayRead {
  date: string
  /** Set if only the month or year is named; the date is its first day. */
  precision?: 'month' | 'year'
  /** With the same precision. */
  others: string[]
  score: number
}

/** The beginning of a date; most words of a line have none. */
const beginning =
  /^(?:\d|in$|im$|on$|am$|vor$|the$|den$|vom$|an?$|ein|one$|two$|zwei$|three$|drei$|four$|vier$|five$|fu|six$|sechs$|seven|sieben|eight|acht|nine$|neun|ten$|zehn|last$|letzt|vergang|vorig|next$|nachst|kommend|coming$|this$|dies|anno$|mo|tue|di|we|mi|thu|do|fr|sa|su|so|to|y|h|g|m|d|u|vorg|ja|feb|apr|jun|jul|aug|sep|o[ck]t|nov|av|aou|auj|ap|le$|lu|je|ve|ce|il$|en$|fev|jui|ay|an[to]|pas|est|ogg|ie|l'a|alt|st|que|el$|lo$|la$|due$|tres?$|cu?|quattro$|cinque$|seis?$|sette$|otto$|dieci$|tra$|fra$|prox|pross|jue|ene|ab|ag|set|ott|l'|nell'|zu$|spring|summer|autumn|fall$|winter|herbst|sommer|ete$|hiver|print|verano|invier|otono|prim|estate|inver|autun|durante|previous|past|cet|quest|nel|over|at$|uber|christmas|xmas|weihn|heilig|1|erst|zweit|boxing|new$|nye|silv|neuj|noel|navid|noche|natale|vigilia|veille|capod|santo|san$|saint|steph|nouvel|giorno|dia$|jour)/

export function datesAt({ line, known }: Search, first: number): Candidate[] {
  const found: Candidate[] = []
  if (!beginning.test(line.atoms[first]!.plain)) return found
  const calendar = { ...known.calendar, isPlanned: isPlanned(line) }
  const most = Math.min(line.atoms.length, first + LONGEST)
  for (let end = first + 1; end <= most; end++) {
    if (line.atoms[end - 1]!.isSign) continue
    const text = spelt(line, first, end)
    const isWhole = !isInside(line, first, end)
    const read = readDay(text, calendar) ?? (isWhole ? readPeriod(text, calendar) : null)
    const choices = read ? null : choicesIn(text, known)
    if (choices) found.push(asked(line, first, end, choices))
    if (!read && isNoDay(text, known.calendar)) found.push(noDay(line, first, end))
    // Not `3 march 10` before another month.
    if (!read || (/[a-z] \d{1,2}$/.test(text) && isMonth(line.atoms[end]?.plain))) continue
    if (isBareYear(text) && (isDayGiven(known.calendar) || isAfterTimeWord(line, first))) continue
    const words = wordsIn(line, first, end)
    const setsOf = (date: string) => ({ date, ...(read.precision && { datePrecision: read.precision }) })
    found.push({
      ...{ first, end, slot: 'date', kind: 'date', sets: setsOf(read.date) },
      others: read.others.map(setsOf),
      // If two days are named, the first counts; the other may be the way back.
      score: read.score + WORD * (words - 1) - first / 1000,
    })
  }
  return found
}

/** “Flying to Rome on 14 march”: the day is ahead. */
const isPlanned = ({ atoms }: Line): boolean => atoms.some(({ plain }) => plannedWords.has(plain))
const plannedWords = new Set(
  'flying fliege fliegen werde werden booked gebucht geplant planned upcoming volerai volare volero'.split(
    ' ',
  ),
)

/** Days, months or years of which the person has to choose one. */
function choicesIn(text: string, { calendar, memory, reference }: Known): LineDraft[] | null {
  const home = memory.homeId === null ? undefined : reference.airports.byId.get(memory.homeId)
  const yearOf = (day: string) => writtenDay(day, calendar)!.date
  return monthsOfSeason(text, calendar, (home?.latitude ?? 0) < 0) ?? daysOfChristmas(text, yearOf)
}

const asked = (line: Line, first: number, end: number, choices: readonly LineDraft[]): Candidate => ({
  ...{ first, end, slot: 'date', kind: 'date', sets: {}, others: [] },
  choices: choices.map((sets) => ({ kind: 'date', sets })),
  score: 12 + WORD * (wordsIn(line, first, end) - 1) - first / 1000,
})

const wordsIn = ({ atoms }: Line, first: number, end: number): number =>
  atoms.slice(first, end).filter(({ isSign }) => !isSign).length

/** Scores above the month of `30 feb 2018` and the time of `29 feb 2019`: the whole text is one part that was not understood. */
const noDay = (line: Line, first: number, end: number): Candidate => ({
  ...{ first, end, slot: 'date', kind: 'note', sets: {}, others: [], isNoDay: true },
  score: 14 + WORD * (wordsIn(line, first, end) - 1) - first / 1000,
})

/** If the day is given separately from the line, four digits are a time on that day. */
const isDayGiven = ({ given }: LineCalendar): boolean => given !== undefined && !given.datePrecision

/** `boarding 2015`, `Abflug: 2015` */
function isAfterTimeWord(line: Line, at: number): boolean {
  const { plain = '', isSign = false } = line.atoms[at - 1] ?? {}
  if (isSign) return isAfterTimeWord(line, at - 1)
  return departureWords.has(plain) || arrivalWords.has(plain) || otherTimes.has(plain)
}

/** A comma after a weekday or a day of the month is not part of the date: `Tue, 3 March`. */
const spelt = (line: Line, first: number, end: number) =>
  plainBetween(line, first, end).replaceAll(/ ?,/g, '')

function readDay(text: string, calendar: LineCalendar): DayRead | null {
  const day = text.replace(partOfDay, '')
  return (
    relativeDay(text, calendar) ??
    // “This evening”; “this” alone is no day.
    relativeDay(day === 'this' && day !== text ? 'today' : day, calendar) ??
    weekdayAlone(day, calendar) ??
    weekdayOfWeek(day, calendar) ??
    writtenDay(dayOfHoliday(text) ?? text, calendar)
  )
}

// Counted from today

const relativeDays: Record<string, number> = {
  today: 0,
  heute: 0,
  tonight: 0,
  yesterday: -1,
  gestern: -1,
  'last night': -1,
  'the day before yesterday': -2,
  'day before yesterday': -2,
  vorgestern: -2,
  tomorrow: 1,
  morgen: 1,
  'the day after tomorrow': 2,
  'day after tomorrow': 2,
  ubermorgen: 2,
  uebermorgen: 2,
  "aujourd'hui": 0,
  'ce matin': 0,
  'cet apres-midi': 0,
  'ce soir': 0,
  'cette nuit': 0,
  hier: -1,
  'avant-hier': -2,
  demain: 1,
  'apres-demain': 2,
  hoy: 0,
  'esta manana': 0,
  'esta tarde': 0,
  'esta noche': 0,
  ayer: -1,
  anoche: -1,
  anteayer: -2,
  antier: -2,
  'antes de ayer': -2,
  manana: 1,
  'pasado manana': 2,
  oggi: 0,
  stamattina: 0,
  'questa mattina': 0,
  'questo pomeriggio': 0,
  'questa sera': 0,
  'questa notte': 0,
  stasera: 0,
  stanotte: 0,
  ieri: -1,
  "l'altro ieri": -2,
  "ieri l'altro": -2,
  domani: 1,
  dopodomani: 2,
  'dopo domani': 2,
}
/** A part of the day that may follow a day: “yesterday evening”, “Freitag früh”. */
const partOfDay =
  / (?:morning|noon|afternoon|evening|night|morgen|fruh|vormittag|mittag|nachmittag|abend|nacht|morgens|mittags|nachmittags|abends|matin|midi|apres-midi|soir|(?:por la |de )?(?:manana|tarde|noche)|mattina|pomeriggio|sera|notte)$/

/** Above ten, people write digits. */
const numbers: Record<string, number> = Object.fromEntries(
  ['a an einem einer eine', ...numerals.slice(0, 10)].flatMap((words, i) =>
    words.split(' ').map((word) => [word, Math.max(1, i)]),
  ),
)
const unit =
  '(?<unit>days?|weeks?|tag|tage|tagen|woche|wochen|jours?|semaines?|dias?|semanas?|giorn[oi]|settiman[ae])'
const ago = [
  new RegExp(`^(?<n>\\d{1,3}|[a-z]+) ${unit} (?:ago|fa)$`),
  new RegExp(`^(?:vor|il y a|hace) (?<n>\\d{1,3}|[a-z]+) ${unit}$`),
]
const ahead = new RegExp(`^(?:in|dans|en|dentro de|tra|fra) (?<n>\\d{1,3}|[a-z]+) ${unit}$`)

function relativeDay(text: string, { today }: LineCalendar): DayRead | null {
  const shift = relativeDays[text] ?? countedDays(text)
  return shift === null ? null : { date: addDays(today, shift), others: [], score: 13 }
}

function countedDays(text: string): number | null {
  const past = ago.map((pattern) => pattern.exec(text)).find((match) => match !== null)
  const match = past ?? ahead.exec(text)
  if (!match) return null
  const { n, unit: of } = match.groups as { n: string; unit: string }
  const count = numbers[n] ?? Number(n)
  if (!Number.isInteger(count)) return null
  return (past ? -1 : 1) * count * (/^[ws]/.test(of) ? 7 : 1)
}

// Weekdays

/** Monday first. Two letters alone too often mean something different. */
const weekdays = [
  'monday mon montag lundi lunes lunedi',
  'tuesday tue tues dienstag die mardi martes martedi',
  'wednesday wed mittwoch mit mercredi miercoles mercoledi',
  'thursday thu thurs donnerstag don jeudi jueves giovedi',
  'friday fri freitag fre vendredi viernes venerdi',
  'saturday sat samstag sonnabend sam samedi sabado sabato',
  'sunday sun sonntag son dimanche domingo domenica',
].map((words) => words.split(' '))
/** German words of three letters that are also common words count only next to another word. */
const SHORT = 4
const directed =
  /^(?:on |am |el |il |lo |la )?(?:(?<past>last|letzten|letzter|vergangenen|vorigen|pasado|scors[oa])|(?<next>next|nachsten|nachster|kommenden|coming|proximo|prossim[oa])|(?<this>this|diesen|ce|este|quest[oa])) (?<day>[a-z]+)$/

/** `vendredi dernier`, `el lunes pasado`, `lunedì scorso`. */
const directedBehind =
  /^(?:(?:le|el|il|la) )?(?<day>[a-z]+) (?:(?<past>dernier|passe|pasado|scors[oa])|(?<next>prochain|proximo|que viene|prossim[oa]))$/

function weekdayAlone(text: string, { today }: LineCalendar): DayRead | null {
  const match = directed.exec(text) ?? directedBehind.exec(text)
  const word = match?.groups?.day ?? text.replace(/^(?:on|am|le|el|il|la) /, '')
  const index = weekdays.findIndex((names) => names.includes(word))
  if (index < 0) return null
  const isGermanShort = word.length < SHORT && !/^(?:mon|tue|wed|thu|fri|sat|sun)$/.test(word)
  if (isGermanShort && !match) return null
  const ahead = (index + 1 - weekdayOf(today) + 7) % 7
  const [next, last] = [addDays(today, ahead || 7), addDays(today, ahead - 7)]
  if (match?.groups?.past) return { date: last, others: [next], score: 12 }
  if (match?.groups?.next) return { date: next, others: [addDays(next, 7)], score: 12 }
  if (match?.groups?.this) {
    const date = addDays(today, index + 1 - weekdayOf(today))
    return { date, others: [addDays(date, date < today ? 7 : -7)], score: 12 }
  }
  // The nearest; today's own weekday means today.
  const [near, ...others] = ahead === 0 ? [today, last, next] : ahead <= 3 ? [next, last] : [last, next]
  return { date: near!, others, score: word.length < SHORT ? 7 : 12 }
}

/** `next week tuesday`, `Dienstag letzter Woche`. */
function weekdayOfWeek(text: string, { today }: LineCalendar): DayRead | null {
  const week = ofWeek.exec(text)?.groups
  const index = weekdays.findIndex((names) => names.includes(week?.before ?? week?.after ?? ''))
  if (!week || index < 0) return null
  const weeks = week.past ? -1 : week.next ? 1 : 0
  return { date: addDays(today, index + 1 - weekdayOf(today) + 7 * weeks), others: [], score: 12 }
}
const ofWeek =
  /^(?:(?:on |am )?(?<before>[a-z]+) )?(?:(?<past>last|letzte|letzten|letzter)|(?<next>next|nachste|nachsten|nachster)|this|diese|dieser) (?:week|woche)(?: (?:on |am )?(?<after>[a-z]+))?$/

// Written

const month =
  '(?:jan|feb|fev|mar|mrz|mae|apr|avr|may|mai|jun|jui|jul|aug|aou|sep|oct|okt|nov|dec|dez|ene|gen|abr|mag|giu|lug|ago|set|ott|dic)[a-z]*'
/** Only text that looks like a date is read as one, unlike `12 30` and `1998`. */
const shapes = [
  /^\d{4}-\d{1,2}-\d{1,2}$/,
  /^(?:19|20)\d{6}$/,
  /^\d{1,2}\. ?\d{1,2}\.(?: ?\d{2}| ?\d{4})?$/,
  /^\d{1,2}\.\d{1,2}$/,
  /^\d{1,2}[/]\d{1,2}(?:[/](?:\d{2}|\d{4}))?$/,
  /^\d{1,2}-\d{1,2}-(?:\d{2}|\d{4})$/,
  new RegExp(
    `^\\d{1,2}(?:st|nd|rd|th|er|o|°|\\.)?(?: |-)?(?:of |de )?${month}\\.?(?:(?:[ -]?| de | del )(?:\\d{4}|\\d{2}))?$`,
  ),
  new RegExp(`^${month}\\.? ?\\d{1,2}(?:st|nd|rd|th)?\\.?(?: \\d{4})?$`),
  new RegExp(`^(?:19[5-9]|20\\d)\\d ${month}\\.? \\d{1,2}$`),
]
const beforeDate =
  /^(?:(?:on|am|den|the|vom|le|du|el|il|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miercoles|jueves|viernes|sabado|domingo|lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica)\.? (?:den |the |le |el |il )?)+/

function writtenDay(text: string, { today, order, isPlanned }: LineCalendar): DayRead | null {
  const bare = text.replace(beforeDate, '')
  if (!shapes.some((shape) => shape.test(bare))) return dayOfMonth(text, today)
  // `12.30` has no month: it is a time.
  if (Number(/^\d{1,2}\.(\d{2})$/.exec(bare)?.[1]) > 12) return null
  const read = (given: DateOrder) => {
    const dayOrder = /\d\./.test(bare) ? 'day-first' : given
    const words = yearLast(text.replace(/^am |^on /, ''))
    const lean = isPlanned ? 'future' : 'past'
    const typed = readDate(words, { today, order: dayOrder, lean, yearsAhead: 2 })
    return typed.ok ? typed.date : null
  }
  const date = read(order) ?? (hasYear(bare) ? null : fittingYear(text, today, order))
  if (date === null) return null
  // With dots the day comes first, whatever the person's order for slashes.
  const swapped = !bare.includes('/') ? null : read(order === 'day-first' ? 'month-first' : 'day-first')
  const others = [...(hasYear(bare) ? [] : otherYears(date, today)), swapped]
  const isLikeTime = /^\d{1,2}\.\d{2}$/.test(bare)
  return {
    date,
    others: [...new Set(others)].flatMap((other) => (other === null || other === date ? [] : other)),
    score: isLikeTime ? 8 : 13,
  }
}

/** `30 feb`, `31.6.2013`, `2013-02-30`. Two numbers alone may be anything. */
function isNoDay(text: string, { today, order }: LineCalendar): boolean {
  const bare = text.replace(beforeDate, '')
  if (/^\d{1,2}[/.]\d{1,2}$/.test(bare) || !shapes.some((shape) => shape.test(bare))) return false
  const typed = readDate(yearLast(bare), { today, order: /\d\./.test(bare) ? 'day-first' : order })
  return !typed.ok && typed.reason === 'no_such_day'
}

/** A weekday that does not fit the nearest year decides for another year near it. */
function fittingYear(text: string, today: string, order: DateOrder): string | null {
  const year = Number(today.slice(0, 4))
  const separator = /\d[/]\d/.test(text) ? '/' : /\d\.\d+$/.test(text) ? '.' : ' '
  const dates = [-3, -2, -1, 0, 1, 2, 3].flatMap((shift) => {
    const typed = readDate(`${text}${separator}${year + shift}`, { today, order })
    return typed.ok ? typed.date : []
  })
  const away = (date: string) => Math.abs(daysBetween(today, date))
  return dates.toSorted((a, b) => away(a) - away(b))[0] ?? null
}

const hasYear = (bare: string): boolean =>
  /\d{4}/.test(bare) ||
  /^\d+[./-] ?\d+[./-] ?\d+$/.test(bare) ||
  (/[a-z]\.?[ -]?\d{2}$/.test(bare) && /^\d/.test(bare))

/** The same day in the years around, nearest to today first. */
function otherYears(date: string, today: string): string[] {
  const year = Number(date.slice(0, 4))
  const away = (day: string) => Math.abs(daysBetween(today, day))
  return [year - 1, year + 1]
    .map((other) => writeDay(other, Number(date.slice(5, 7)), Number(date.slice(8, 10))))
    .filter(isCalendarDate)
    .toSorted((a, b) => away(a) - away(b))
}

/** `the 20th`, `am 20.`, `el 20`: the nearest month that fits. */
function dayOfMonth(text: string, today: string): DayRead | null {
  const match =
    /^(?:(?:on )?the (\d{1,2})(?:st|nd|rd|th)|(\d{1,2})(?:st|nd|rd|th)|am (\d{1,2})\.|(?:el|il) (\d{1,2}))$/.exec(
      text,
    )
  const day = Number(match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4])
  if (!match || day < 1 || day > 31) return null
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const near = [-2, -1, 0, 1, 2].flatMap((shift) => {
    const count = year * 12 + month - 1 + shift
    const date = writeDay(Math.floor(count / 12), (count % 12) + 1, day)
    return isCalendarDate(date) ? date : []
  })
  const away = (date: string) => Math.abs(daysBetween(today, date))
  const [date, other] = near.toSorted((a, b) => away(a) - away(b))
  return date === undefined ? null : { date, others: other === undefined ? [] : [other], score: 10 }
}

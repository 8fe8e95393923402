// Words that name a time of the year but no day: `last summer`, `Weihnachten 2012`. Which month or day is meant is asked, never
// assumed. Holidays that are one day are days: `christmas day 2015`.
import { addMonths, writeDay } from '../../../time/calendar.ts'
import type { LineCalendar, LineDraft } from '../types.ts'

const words = (groups: readonly string[]): ReadonlyMap<string, number> =>
  new Map(groups.flatMap((group, i) => group.split('|').map((word): [string, number] => [word, i])))

/** Spring first, each three months long; spring begins in March, south of the equator in September. */
const seasons = words([
  'spring|fruhling|fruhjahr|fruehling|fruehjahr|printemps|primavera',
  "summer|sommer|ete|l'ete|verano|estate|l'estate",
  "autumn|fall|herbst|automne|l'automne|otono|autunno|l'autunno",
  "winter|hiver|l'hiver|invierno|inverno|l'inverno",
])

const before =
  /^(?:(?:the|le|la|el|il|im|in der|in den|in|in the|en|durante|nel) )?(?:(?<past>last|past|previous|letzten|letztes|letzter|vergangenen|vergangenes|vorigen|voriges)|(?<next>next|coming|nachsten|nachstes|kommenden|kommendes)|(?<now>this|diesen|dieses|cet|ce|este|quest[ao]|quest')) (?<season>\S+)$/
const behind =
  /^(?:(?:le|la|el|il) )?(?<season>\S+) (?:(?<past>dernier|derniere|passe|pasad[oa]|scors[oa])|(?<next>prochaine?|proxim[oa]|que viene|prossim[oa]))$/
const ofYear =
  /^(?:(?:in|in the|im|en|le|la|el|il|nel|nell') )?(?<season>\S+) (?:of |de |del |vom |des jahres )?(?<year>(?:19|20)\d\d)$/

/** The first days of the months that a season may mean, then of its years; null if the text is no season. */
export function monthsOfSeason(text: string, { today }: LineCalendar, isSouth: boolean): LineDraft[] | null {
  const said = (before.exec(text) ?? behind.exec(text) ?? ofYear.exec(text))?.groups
  const season = seasons.get(said?.['season'] ?? '')
  if (!said || season === undefined) return null
  const first = ((season * 3 + 2 + (isSouth ? 6 : 0)) % 12) + 1
  const year = Number(said['year'] ?? today.slice(0, 4))
  if (said['year'] !== undefined && first === 12) {
    // The winter of a year is at both its ends.
    return choicesOf([1, 2, 12].map((month) => writeDay(year, month, 1)))
  }
  const starts = [-2, -1, 0, 1, 2].map((shift) => writeDay(year + shift, first, 1))
  const start = said['year']
    ? writeDay(year, first, 1)
    : said['past']
      ? starts.findLast((one) => addMonths(one, 3) <= today)!
      : said['next']
        ? starts.find((one) => one > today)!
        : starts.findLast((one) => one <= today)!
  return choicesOf([0, 1, 2].map((shift) => addMonths(start, shift)))
}

const choicesOf = (months: readonly string[]): LineDraft[] => [
  ...months.map((date) => ({ date, datePrecision: 'month' as const })),
  ...[...new Set(months.map((date) => date.slice(0, 4)))].map((year) => ({
    date: `${year}-01-01`,
    datePrecision: 'year' as const,
  })),
]

// Holidays

const christmas =
  /^(?:(?:at|on|over|an|zu|uber|a|en|pour) )?(?:christmas|xmas|weihnachten|noel|navidad|navidades|natale)(?: (?:de )?(?<year>(?:19|20)\d\d))?$/

/** `Weihnachten 2012`: one of its days, or only the month. */
export function daysOfChristmas(text: string, yearOf: (day: string) => string): LineDraft[] | null {
  const match = christmas.exec(text)
  if (!match) return null
  const year = match.groups?.['year'] ?? yearOf('25 dec').slice(0, 4)
  return [
    ...['24', '25', '26'].map((day) => ({ date: `${year}-12-${day}` })),
    { date: `${year}-12-01`, datePrecision: 'month' },
  ]
}

const holidays: readonly (readonly [day: string, RegExp])[] = [
  [
    '24 dec',
    /^(?:christmas eve|xmas eve|heiligabend|heilig abend|heiliger abend|nochebuena|vigilia di natale|veille de noel|la vigilia)$/,
  ],
  [
    '25 dec',
    /^(?:christmas day|xmas day|(?:1\.?|erste[nr]?) weihnachts(?:feier)?tag|jour de noel|dia de navidad|giorno di natale)$/,
  ],
  ['26 dec', /^(?:boxing day|(?:2\.?|zweite[nr]?) weihnachts(?:feier)?tag|stephanstag|santo stefano)$/],
  ['31 dec', /^(?:new years? eve|new year's eve|nye|silvester|saint-sylvestre|nochevieja|san silvestro)$/],
  [
    '1 jan',
    /^(?:new years? day|new year's day|neujahr|neujahrstag|jour de l'an|nouvel an|ano nuevo|capodanno)$/,
  ],
]

/** `christmas day 2015` as `25 dec 2015`, which is read like any other day; null if it is no holiday. */
export function dayOfHoliday(text: string): string | null {
  const [, name = '', year = ''] =
    /^(?:on |an |am |the |den |le |el |il )*(.+?)((?: (?:19|20)\d\d)?)$/.exec(
      text.replace(/ (?:de|del) (?=\d)/, ' '),
    ) ?? []
  const day = holidays.find(([, names]) => names.test(name))?.[0]
  return day === undefined ? null : day + year
}

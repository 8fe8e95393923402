// Flights in plain text: a flight number with two places, and a day if the text has it. Airlines and people write such texts in
// many ways, and advertisements do too, so whatever is found is only asked about (docs/decisions/021).
import type { Named, SourceDate } from '../reading/source.ts'
import { readDateText } from './dates.ts'
import { airportNamed, namedBy } from './named.ts'

interface ProseFlight {
  flightNumber: string
  from: Named
  to: Named
  /** The text around the number. */
  excerpt: string
}

interface DatedProse extends ProseFlight {
  date: SourceDate
}

const READ_AT_MOST = 20_000
const FLIGHTS_AT_MOST = 20
/** How far from its number a flight is described. */
const [BEFORE, AFTER] = [300, 600]

const label =
  '(?:flight|flug|vol|vuelo|volo)(?: ?-?(?:no|nr|number|nummer|num[ée]ro|n[úu]m(?:ero)?|n))?[.°º]*[ :#]*'
const number = '((?=[A-Z0-9]?[A-Z])[A-Z0-9]{2}[ -]?|[A-Z]{3})(\\d{1,4}[A-Z]?)(?![\\p{L}\\d]|[:.,]\\d)'
const labelled = new RegExp(`(?<![\\p{L}])(?:${label})(?-i:${number})`, 'giu')
const alone = new RegExp(`(?<![\\p{L}\\d])${number}`, 'gu')

interface Mention {
  flightNumber: string
  start: number
  end: number
}

/** Numbers after a word for flight; without any, everything of that form. */
function mentionsIn(text: string): Mention[] {
  const found = [...text.matchAll(labelled)]
  return (found.length > 0 ? found : [...text.matchAll(alone)]).slice(0, FLIGHTS_AT_MOST).map((match) => ({
    flightNumber: `${match[1]!.replace(/[ -]$/, '')}${match[2]!}`,
    start: match.index,
    end: match.index + match[0].length,
  }))
}

const ARROW = '(?:-+>?|–|—|→|⇒|➔|✈️?|>|/|\\bto\\b|\\bnach\\b|\\bbis\\b|(?<=\\s)à(?=\\s)|\\ba\\b)'
const codePair = new RegExp(
  `(?<![\\p{L}\\d])\\(?([A-Z]{3})\\)?[^\\S\\n]*${ARROW}[^\\S\\n]*\\(?([A-Z]{3})\\)?(?![\\p{L}\\d])`,
  'u',
)
const NAME = "(\\p{Lu}[\\p{L}.'’-]*(?:[ /](?:\\p{Lu}|de |la |el |am |an |di |do )[\\p{L}.'’-]*){0,3})"
const fromTo = new RegExp(
  `(?<![\\p{L}])(?:[Ff]rom|[Vv]on|[Dd]e|[Dd]a|[Dd]esde) ${NAME} (?:to|nach|à|a|hasta|per|al) ${NAME}(?![\\p{L}])`,
  'u',
)
/** On the line of the number, right after it. */
const afterNumber = new RegExp(
  `^[:,.\\s]*${NAME}\\s*(?:-+>?|–|—|→|to|nach|à|a)\\s*${NAME}\\s*(?:$|[,;(\\n])`,
  'u',
)

const ends = {
  from: 'from|origin|departure|departs|departing|von|ab|abflug|abflugort|start|de|départ|origine|desde|origen|salida|da|partenza|provenienza',
  to: 'to|destination|arrival|arrives|arriving|nach|an|ankunft|ziel|zielort|à|arrivée|a|destino|llegada|destinazione|arrivo',
}
const labelledEnd = (end: keyof typeof ends): RegExp =>
  new RegExp(`(?:^|\\n)[^\\S\\n]*(?:${ends[end]})[^\\S\\n]*:[^\\S\\n]*([^\\n]{2,100})`, 'iu')
const [fromLine, toLine] = [labelledEnd('from'), labelledEnd('to')]

/** `MUNICH DE FRANZ JOSEF STRAUSS`, `Kopenhagen (CPH) 09:20`: a country and a time are not part of the place. */
function placeOf(written: string): Named | null {
  const code = /\(([A-Z]{3})\)/.exec(written)?.[1]
  if (code) return namedBy([code], written.slice(0, written.indexOf('(')).trim())
  const place = written
    .replace(/\d.*$/, '')
    .replace(/^(\p{L}.*?) [A-Z]{2}(?: .*)?$/u, '$1')
    .replace(/[,;.\s]+$/, '')
  return /^\p{L}[\p{L} .'’/-]{1,40}$/u.test(place) ? airportNamed(place) : null
}

type Ends = readonly [from: Named | null, to: Named | null]

/** `rest`: what follows the number. */
function* endsIn(text: string, rest: string): Generator<Ends> {
  const [, first, second] = codePair.exec(text) ?? []
  if (first && second) yield [namedBy([first]), namedBy([second])]
  const codes = [...text.matchAll(/(\p{L}[\p{L} .'’/-]{0,40}?)?\s*\(([A-Z]{3})\)/gu)].slice(0, 2)
  if (codes.length === 2) yield [namedBy([codes[0]![2]]), namedBy([codes[1]![2]])]
  yield [placeOf(fromLine.exec(text)?.[1] ?? ''), placeOf(toLine.exec(text)?.[1] ?? '')]
  for (const [, from, to] of [afterNumber.exec(rest) ?? [], fromTo.exec(text) ?? []])
    if (from && to) yield [placeOf(from), placeOf(to)]
}

/** On the line of the number, after it, or before it. */
function flightAt(text: string, mention: Mention, from: number, to: number): ProseFlight | null {
  const { flightNumber, start, end } = mention
  const lineStart = Math.max(from, text.lastIndexOf('\n', start) + 1)
  const lineEnd = text.indexOf('\n', end)
  const line = text.slice(lineStart, lineEnd < 0 ? to : Math.min(to, lineEnd))
  for (const part of [line, text.slice(end, to), text.slice(from, to)])
    for (const [origin, destination] of endsIn(part, text.slice(end, to)))
      if (origin && destination && origin.text !== destination.text)
        return { flightNumber, from: origin, to: destination, excerpt: text.slice(from, to).trim() }
  return null
}

const plainOf = (text: string): string =>
  text
    .slice(0, READ_AT_MOST)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')

/** The first flight of a text whose day is known otherwise. */
export function flightInProse(text: string): ProseFlight | null {
  const plain = plainOf(text)
  for (const mention of mentionsIn(plain)) {
    const found = flightAt(plain, mention, 0, plain.length)
    if (found) return found
  }
  return null
}

/** The flights of a text that names their days. A date without a year is the one nearest to the day of the text. */
export function flightsInProse(text: string, day: string): DatedProse[] {
  const plain = plainOf(text)
  const mentions = mentionsIn(plain)
  const found = mentions.flatMap((mention, index): DatedProse[] => {
    const from = Math.max(mentions[index - 1]?.end ?? 0, mention.start - BEFORE)
    const to = Math.min(mentions[index + 1]?.start ?? plain.length, mention.end + AFTER)
    const flight = flightAt(plain, mention, from, to)
    const date = flight && dateNear(plain.slice(from, to), mention.start - from, day)
    return flight && date ? [{ ...flight, date }] : []
  })
  const byFlight = found.map((one): [string, DatedProse] => [
    `${one.flightNumber} ${JSON.stringify(one.date)}`,
    one,
  ])
  return [...new Map(byFlight).values()]
}

const wholeDates = [
  /\b\d{4}-\d{2}-\d{2}\b/g,
  /\b\d{1,2}\.? ?(?:de )?\p{L}{3,12}\.?,? ?(?:de )?\d{4}\b/gu,
  /\b\p{L}{3,12}\.? \d{1,2},? \d{4}\b/gu,
  /\b\d{1,2}[A-Z]{3}\d{2}\b/g,
  /\b\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})\b/g,
]
const datesWithoutYear = [/\b\d{1,2}\.? (?:de )?\p{L}{3,12}\b/gu, /\b\p{L}{3,12} \d{1,2}\b/gu]

/** The date nearest to the number, if possible one with its year. One whose order of day and month is open stays a text. */
function dateNear(text: string, at: number, day: string): SourceDate | null {
  const datesOf = (patterns: readonly RegExp[]) =>
    patterns
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .sort((a, b) => Math.abs(a.index - at) - Math.abs(b.index - at))
      .flatMap(([date]): SourceDate[] => {
        if (/^\d{1,2}[/-]/.test(date)) return [{ text: date }]
        const read = readDateText(date.replace(/(\p{L})[.,]+/gu, '$1').replaceAll(',', ' '), 'dmy', day)
        return read?.precision === 'day' ? [read] : []
      })
  return datesOf(wholeDates)[0] ?? datesOf(datesWithoutYear)[0] ?? null
}

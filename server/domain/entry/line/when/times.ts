// Clock times in a line: one, or departure and arrival joined by a dash. A single time is assigned by a word before it
// (`arr 11:10`), otherwise by its order in the text.
import { readTime } from '../../../time/typed-time.ts'
import { isInside, type Line, plainBetween } from '../atoms.ts'
import { type Candidate, type Search, WORD } from '../candidate.ts'
import type { Arrival } from '../types.ts'
import { arrivalWords, departureWords, otherTimes } from '../words.ts'
import { type DayPart, spokenClock, withinPart, withoutDayPart } from './clock-words.ts'

const LONGEST = 8

/** “A las ocho” keeps its words, because “ocho” alone is no time. */
const beforeTime =
  /^(?:(?:um|at|gegen|about|vers|ore|~) |(?:a las?|sobre las?|alle(?: ore)?|verso le) (?=\d)|a (?!las? ))/

/** Text that can only be a time. `0825` alone may be a number, `8` is one. */
const plainTime =
  /^(?:\d{1,2}(?:[:h]| h )\d{2}(?: ?h)?|\d{1,2} ?h|\d{1,2}[.:]?\d{0,2} ?(?:am|pm|a\.m|p\.m)\.?|\d{1,2}(?:[.:]\d{2})? ?uhr(?: ?\d{2})?|noon|midday|mittags?|midi|mediodia|mezzogiorno)(?: ?\+ ?\d(?: ?d| days?| tage?| jours?| dias?| giorn[oi])?)?$/
const dotted = /^\d{1,2}\.\d{2}(?: ?\+ ?\d)?$/
const four = /^\d{4}(?: ?\+ ?\d)?$/
const inRange =
  /^\d{3,4}(?: ?\+ ?\d)?$|^\d{1,2}[.:h]\d{2}(?: ?\+ ?\d)?$|^\d{1,2}(?:[.:]\d{2})? ?(?:am|pm)(?: ?\+ ?\d)?$/

export function timesAt({ line, isDayUnknown, dayPart }: Search, first: number): Candidate[] {
  // `boarding 7:30` is no departure.
  if (isDayUnknown || otherTimes.has(line.atoms[first - 1]?.plain ?? '')) return []
  const most = Math.min(line.atoms.length, first + LONGEST)
  const found: Candidate[] = []
  for (let end = first + 1; end <= most; end++) {
    const words = line.atoms.slice(first, end).filter(({ isSign }) => !isSign).length
    const text = plainBetween(line, first, end)
    const candidate = range(text) ?? single(line, first, end, text, dayPart)
    if (candidate)
      found.push({ first, end, others: [], ...candidate, score: candidate.score + WORD * (words - 1) })
  }
  return found
}

type Meaning = Pick<Candidate, 'slot' | 'kind' | 'sets' | 'score'>

/** `0825-1110`, `8:25 – 11:10+1`, `8.25 bis 11.10`. */
function range(text: string): Meaning | null {
  const match =
    /^(?:um |at |von |from |(?:de|desde)(?: las?)? |dalle )?(.+?)(?: ?[-–—−] ?| bis | to | (?:a|hasta)(?: las?)? | alle )(.+?)(?: uhr)?$/.exec(
      text,
    )
  if (!match || !inRange.test(match[1]!) || !inRange.test(match[2]!)) return null
  const [departure, arrival] = [clock(match[1]!), clock(match[2]!)]
  if (!departure || !arrival || departure.dayShift !== null) return null
  // Digits alone may mean something different: 737-800.
  const score = /[:.h]|[ap]m/.test(text) ? 22 : 13
  return { slot: 'times', kind: 'time', sets: { departure: departure.time, arrival }, score }
}

function single(
  line: Line,
  first: number,
  end: number,
  text: string,
  dayPart: DayPart | undefined,
): Meaning | null {
  const [word = ''] = text.split(' ')
  const hasPlace = departureWords.has(word) || arrivalWords.has(word)
  const bare = text.replace(hasPlace ? `${word} ` : '', '').replace(beforeTime, '')
  const { time, part } = withoutDayPart(bare)
  const weight = isInside(line, first, end) ? 0 : weightOf(time, hasPlace || time !== text)
  // “Tonight 20:30 5:40”: times in digits are used as typed.
  const read = weight === 0 ? null : clock(time, part ?? (spokenClock(time) === null ? undefined : dayPart))
  if (!read) return null
  // “Halb eins mittags” is one time, not that and noon.
  const score = weight + (part === 'noon' ? 8 : 0)
  // Only arrivals have a day shift.
  if (arrivalWords.has(word) || read.dayShift !== null)
    return { slot: 'arrival', kind: 'time', sets: { arrival: read }, score }
  const slot = hasPlace ? 'departure' : 'time'
  return line.atoms[first]!.isSign ? null : { slot, kind: 'time', sets: { departure: read.time }, score }
}

/** How clearly the text is a time; 0 if it does not look like one. A word before it makes it one. */
function weightOf(text: string, isSaid: boolean): number {
  if (plainTime.test(text) || spokenClock(text) !== null) return 12
  if (dotted.test(text)) return isSaid ? 12 : 7
  if (four.test(text)) return isSaid ? 11 : 5
  return isSaid && /^\d{1,2}$/.test(text) ? 8 : 0
}

function clock(text: string, part?: DayPart): Arrival | null {
  const spoken = spokenClock(text)
  if (spoken !== null) return { time: withinPart(spoken, part), dayShift: null }
  const typed = readTime(text.replace(/(\d) ?h$/, '$1'), { allowDayShift: true })
  return typed.ok ? { time: withinPart(typed.time, part), dayShift: typed.dayShift } : null
}

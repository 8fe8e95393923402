// Helpers for samples whose file is printed from a list of flights: the list is the truth, the program's printer writes the file.
//
// A line of the list is a line of `Sample.truth`. After ` | ` it may name cells that this file writes differently (`From=Tegel ; Seat=`),
// after ` |= ` the whole row as it is. A line that begins with `> ` is text of the file that is no record.

import { airlines, places, types } from './names.ts'
import type { Sample } from './sample.ts'

export interface Leg {
  /** The truth line without the cells. */
  line: string
  /** `flight`, or the word after `-`. */
  kind: string
  /** Counts the records from 0: for ids. */
  index: number
  date: string
  from: string
  to: string
  /** The values by name; empty if the line has none. */
  value: Record<string, string>
  cells: Record<string, string>
  /** The whole row, if the sample writes it by hand. */
  raw?: string
}

const NAMES = ['number', 'airline', 'dep', 'arr', 'depS', 'arrS', 'type', 'reg', 'seat', 'class']

export function legsOf(life: string): Leg[] {
  const lines = life.split('\n').filter((line) => line.trim() !== '')
  return lines.map(legOf)
}

function legOf(text: string, index: number): Leg {
  if (text.startsWith('> '))
    return { ...EMPTY, kind: 'text', index, value: valuesOf([]), cells: {}, raw: text.slice(2) }
  const [line = '', raw] = text.split(' |= ')
  const [truth = '', cellText] = line.split(' | ')
  const words = truth.trim().split(' ')
  const kind = words[0] === '-' ? (words[1] ?? '') : 'flight'
  const [date = '', from = '', to = '', ...rest] = kind === 'flight' ? words : words.slice(2)
  const leg = {
    line: truth.trim(),
    kind,
    index,
    date,
    from,
    to,
    value: valuesOf(rest),
    cells: cellsOf(cellText),
  }
  return raw === undefined ? leg : { ...leg, raw }
}

const EMPTY = { line: '', date: '', from: '', to: '' }

function valuesOf(words: string[]): Record<string, string> {
  const value = Object.fromEntries(NAMES.map((name) => [name, '']))
  for (const word of words) {
    const at = word.indexOf('=')
    if (!NAMES.includes(word.slice(0, at))) throw new Error(`No such value: ${word}`)
    value[word.slice(0, at)] = word.slice(at + 1)
  }
  return value
}

function cellsOf(text = ''): Record<string, string> {
  const cells = text.split(' ; ').filter((cell) => cell.includes('='))
  return Object.fromEntries(
    cells.map((cell) => [cell.slice(0, cell.indexOf('=')).trim(), cell.slice(cell.indexOf('=') + 1)]),
  )
}

export function truthOf(legs: Leg[]): string {
  return legs
    .filter((leg) => leg.kind !== 'text')
    .map((leg) => leg.line)
    .join('\n')
}

/** A sample whose file `print` writes from the life. */
export function sample(
  half: Sample['half'],
  name: string,
  filename: string,
  print: (legs: Leg[]) => string | Buffer,
  life: string,
  options?: Record<string, unknown>,
): Sample {
  const legs = legsOf(life)
  const made = { name, half, filename, content: print(legs), truth: truthOf(legs) }
  return options === undefined ? made : { ...made, options }
}

/** The cells of a leg in the order of the headings; a cell that the line names wins. */
export function cellsIn(headings: readonly string[], made: Record<string, string>, leg: Leg): string[] {
  for (const name of [...Object.keys(leg.cells), ...Object.keys(made)])
    if (!headings.includes(name)) throw new Error(`No such column: ${name} (${leg.line})`)
  return headings.map((heading) => leg.cells[heading] ?? made[heading] ?? '')
}

/** Quoted as RFC 4180 wants it, only where it must be. */
export function csvRow(cells: string[], delimiter = ','): string {
  return cells
    .map((cell) =>
      cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter)
}

export function placeOf(code: string) {
  return (
    places.get(code) ?? {
      iata: code,
      icao: code,
      lat: 0,
      lon: 0,
      zone: 'UTC',
      city: '',
      name: '',
      country: '',
    }
  )
}

export function airlineOf(icao: string) {
  return airlines.get(icao) ?? { icao, iata: '', name: '' }
}

export function typeOf(icao: string) {
  return types.get(icao) ?? { icao, iata: '', name: '' }
}

/** The digits of a flight number without its airline: `LH2030` → `2030`. */
export function digitsOf(number: string): string {
  return number.replace(/^[A-Z]\d(?=\d)|^\d[A-Z]|^[A-Z]{2,3}/, '')
}

/** `06:10+1` on a date: the date and the clock. */
export function dayAndClock(date: string, time: string): { date: string; clock: string } {
  const [clock = '', days = '0'] = time.split(/(?=[+-]\d$)/)
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + Number(days))
  return { date: day.toISOString().slice(0, 10), clock }
}

/** The instant of a local time, in milliseconds. Where a clock is read twice, the earlier. */
export function instantOf(date: string, time: string, zone: string): number {
  const day = dayAndClock(date, time)
  const wall = Date.parse(`${day.date}T${day.clock}:00Z`)
  const before = wall - offsetAt(wall - 86_400_000, zone)
  return offsetAt(before, zone) === wall - before ? before : wall - offsetAt(wall + 86_400_000, zone)
}

function offsetAt(instant: number, zone: string): number {
  const wall = new Date(instant).toLocaleString('sv-SE', { timeZone: zone })
  return Date.parse(`${wall.replace(' ', 'T')}Z`) - instant
}

/** `2019-05-01T08:20:00`, in UTC. */
export function utcOf(date: string, time: string, place: string): string {
  return new Date(instantOf(date, time, placeOf(place).zone)).toISOString().slice(0, 19)
}

/** Minutes from departure to arrival; undefined if the truth lacks one of them. */
export function minutesOf(leg: Leg): number | undefined {
  const { dep, arr } = leg.value
  if (!dep || !arr || dep === '?' || arr === '?') return undefined
  const start = instantOf(leg.date, dep, placeOf(leg.from).zone)
  return (instantOf(leg.date, arr, placeOf(leg.to).zone) - start) / 60_000
}

/** `h:mm` with as many digits for the hour as asked for. */
export function clockOf(minutes: number, digits = 1): string {
  const hours = String(Math.floor(minutes / 60)).padStart(digits, '0')
  return `${hours}:${String(minutes % 60).padStart(2, '0')}`
}

/** Great-circle distance in km. */
export function kmOf(leg: Leg): number {
  const a = placeOf(leg.from)
  const b = placeOf(leg.to)
  const rad = Math.PI / 180
  const cosine =
    Math.sin(a.lat * rad) * Math.sin(b.lat * rad) +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.cos((b.lon - a.lon) * rad)
  return Math.round(6371 * Math.acos(Math.min(1, cosine)))
}

/** An id as programs write them, the same in every run. */
export function uuidOf(text: string): string {
  let hash = 2166136261
  const hex = Array.from({ length: 32 }, (_, index) => {
    for (const char of `${text}${index}`) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0
    return (hash >>> 28).toString(16)
  }).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

const LATIN: Record<string, number> = { '€': 0x80, '–': 0x96, '’': 0x92, '„': 0x84, '“': 0x93, '”': 0x94 }

/** Windows-1252. */
export function windows1252(text: string): Buffer {
  return Buffer.from([...text].map((char) => LATIN[char] ?? char.charCodeAt(0)))
}

/** UTF-16 with a BOM, little-endian, as Excel saves "Unicode text". */
export function utf16(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`, 'utf16le')
}

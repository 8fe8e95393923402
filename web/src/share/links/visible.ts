/** What a visitor can read, determined from the data that the page would receive. */
import type { components } from '../../api/schema.d.ts'
import type { Detail } from './choices.ts'

type SharePage = components['schemas']['SharePage']

/** Where a detail occurs in the data: in the statistics, in a row of the list, on the map. */
const places: Record<Detail, { figure?: string; column?: string; onMap?: string }> = {
  showDates: { figure: 'byYear', column: 'date' },
  showTimes: { figure: 'byHour', column: 'departureTime' },
  showFlightNumbers: { column: 'flightNumber' },
  showAirlines: { figure: 'topAirlines', column: 'airline' },
  showAircraft: { figure: 'topAircraft', column: 'aircraft' },
  showSeat: { figure: 'classes', column: 'seat' },
  showTracks: { onMap: 'tracks' },
}

const has = (part: object | undefined, name: string | undefined) =>
  part !== undefined && name !== undefined && name in part

/** Determined from the data and not from the settings: a map never shows a flight number. */
export function isIncluded({ map, statistics, flights }: SharePage, detail: Detail): boolean {
  const { figure, column, onMap } = places[detail]
  return has(statistics, figure) || has(flights?.[0], column) || has(map, onMap)
}

export const isColumn = ({ flights }: SharePage, detail: Detail): boolean =>
  has(flights?.[0], places[detail].column)

export function plannedIn({ map, flights }: SharePage): number {
  if (flights) return flights.filter(({ completed }) => completed === false).length
  return (map?.routes ?? []).reduce((sum, { planned = 0 }) => sum + planned, 0)
}

const ITEMS_AT_MOST = 5

/** The data as text. Long lists are cut off, with the number of further entries. */
export function excerptOf(value: unknown, more: (count: number) => string): string {
  return lines(shortened(value, more), '')
}

function shortened(value: unknown, more: (count: number) => string): unknown {
  const cut = <Item>(items: Item[]) => ({
    kept: items.slice(0, ITEMS_AT_MOST),
    rest: Math.max(0, items.length - ITEMS_AT_MOST),
  })
  if (Array.isArray(value)) {
    const { kept, rest } = cut(value)
    const shown = kept.map((item) => shortened(item, more))
    return rest > 0 ? [...shown, new Note(more(rest))] : shown
  }
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
  // Objects are cut off only if their keys are days; field names are all shown.
  const { kept, rest } = /^\d/.test(entries[0]?.[0] ?? '') ? cut(entries) : { kept: entries, rest: 0 }
  const shown = Object.fromEntries(kept.map(([name, item]) => [name, shortened(item, more)]))
  return rest > 0 ? { ...shown, '…': new Note(more(rest)) } : shown
}

/** A note that is not part of the data, shown without quotation marks. */
class Note {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const LINE = 76

function flat(value: unknown): string {
  if (value instanceof Note) return value.text
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{ ${Object.entries(value).map(named).join(', ')} }`
}
const named = ([name, item]: [string, unknown]) =>
  item instanceof Note ? item.text : `${JSON.stringify(name)}: ${flat(item)}`

/** Short values are written on one line. */
function lines(value: unknown, indent: string): string {
  const short = flat(value)
  if (
    indent.length + short.length <= LINE ||
    value === null ||
    typeof value !== 'object' ||
    value instanceof Note
  )
    return short
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = Array.isArray(value)
    ? value.map((item) => lines(item, inner))
    : Object.entries(value).map(([name, item]) =>
        item instanceof Note ? item.text : `${JSON.stringify(name)}: ${lines(item, inner)}`,
      )
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`
}

// OpenFlights. Only the note is quoted, so a comma in another cell breaks the row; the order of the columns is fixed.
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import type { Table, TableRow } from '../../content/content.ts'
import { foldHeading } from '../../content/heading.ts'
import type { Named, SourceFlight } from '../../reading/source.ts'
import { airlineNamed } from '../../values/named.ts'
import { dateWithSlashes } from './cells.ts'
import type { Row } from './flight.ts'
import { tableSource } from './reader.ts'

const columns = {
  date: 'Date',
  from: 'From',
  to: 'To',
  airline: 'Airline',
  flightNumber: 'Flight_Number',
  aircraft: 'Plane',
  aircraftReg: 'Registration',
  distance: 'Distance',
  duration: 'Duration',
  note: 'Note',
  trip: 'Trip',
  seatNumber: 'Seat',
  seat: 'Seat_Type',
  seatClass: 'Class',
  reason: 'Reason',
  fromOid: 'From_OID',
  toOid: 'To_OID',
  airlineOid: 'Airline_OID',
  planeOid: 'Plane_OID',
}
type Key = keyof typeof columns

/** The order in which OpenFlights writes them. */
const order =
  'date from to flightNumber airline distance duration seatNumber seat seatClass reason aircraft aircraftReg trip note fromOid toOid airlineOid planeOid'.split(
    ' ',
  ) as Key[]

/** OpenFlights' marks for no value. */
const none = /^(?:\\N|N\/A)$/i

export const openflights = tableSource({
  id: 'openflights',
  name: 'OpenFlights',
  extensions: ['csv'],
  options: ['dateOrder'],
  columns,
  order,
  none,
  proof: ['from', 'to', 'flightNumber', 'aircraft', 'distance'],
  align: withoutBrokenCells,
  own: {
    date: departureIn,
    airline: (text, { cell }) => ({ airline: airlineIn(text, cell('airlineOid')) }),
  },
  words: {
    // B is business class in very old files.
    seatClass: { F: 'first', C: 'business', B: 'business', P: 'economy+', Y: 'economy' },
    reason: { B: 'business', L: 'leisure', C: 'crew', O: 'other', P: 'leisure' },
  },
  extras: { trip: 'Trip' },
})

/** A date, or date and time in one: `2011-09-12 07:20:00`. */
function departureIn(text: string, { time }: Row<Key>): Pick<SourceFlight, 'date' | 'departure'> {
  const [, day, clock] = /^(\S+)\s+(\S*:\S*.*)$/.exec(text) ?? []
  if (!day || !clock) return { date: dateWithSlashes(text) }
  const date = dateWithSlashes(day)
  const departure = time('departure', clock)
  return { date, departure: departure && { ...departure, date: departure.date ?? date } }
}

/** We know the ids of OpenFlights' airlines, which distinguish airlines with the same name. */
function airlineIn(name: string, oid: string): Named | null {
  // 1 is a private flight, -1 an unknown airline.
  if (oid === '1' || name === 'Private flight') return null
  const named = airlineNamed(name)
  if (!/^\d{1,6}$/.test(oid)) return named
  return {
    text: named?.text ?? `OpenFlights ${oid}`,
    codes: [...(named?.codes ?? []), `of:${oid}`],
    name: named?.name ?? null,
  }
}

/** Columns that may contain a comma: `5,755` miles, `Airlines, Inc.`, a note without quotes. */
const breakable: Key[] = ['distance', 'airline', 'note', 'aircraft', 'from', 'to']
/** The shapes of the other cells, if each is in its place. */
const shapes: Partial<Record<Key, RegExp>> = {
  distance: /^[\d.,]*$/,
  duration: /^(?:-?\d{1,3}:\d{2}(?::\d{2})?)?$/,
  seat: /^[WAM]?$/i,
  seatClass: /^[A-Z]?$/i,
  reason: /^[A-Z]?$/i,
  fromOid: /^\d*$/,
  toOid: /^\d*$/,
  airlineOid: /^-?\d*$/,
}

function withoutBrokenCells(row: TableRow, table: Table): TableRow {
  const keys = order.slice(0, table.headings.length)
  const surplus = row.cells.length - keys.length
  const isInOrder = keys.every((key, i) => table.folded[i] === foldHeading(columns[key]))
  if (surplus <= 0 || !isInOrder || fits(row.cells, keys)) return row
  for (const broken of breakable) {
    const at = keys.indexOf(broken)
    const joined = row.cells.slice(at, at + surplus + 1).join(broken === 'distance' ? '' : ', ')
    const cells = row.cells.toSpliced(at, surplus + 1, joined)
    if (at >= 0 && fits(cells, keys))
      return { ...row, cells, warnings: [...(row.warnings ?? []), badQuoting] }
  }
  return row
}

const badQuoting: ImportWarning = { code: 'bad_quoting', field: null }

const fits = (cells: readonly string[], keys: readonly Key[]): boolean =>
  keys.every((key, i) => shapes[key]?.test((cells[i] ?? '').replace(none, '')) ?? true)

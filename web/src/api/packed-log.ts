/**
 * A large log as a few arrays: the fields that the first screen needs as columns, the rest as JSON that is parsed on first use.
 * Tens of thousands of objects would take the page longer to receive than to show.
 */

import { outcomes } from '../../../server/domain/enums.ts'
import { type CompactFlight, instantOf, type LogPayload, newestFirst } from './compact-log.ts'

export interface PackedFlights {
  ids: Float64Array
  /** Airports; 0 where there is none. */
  from: Float64Array
  to: Float64Array
  /** NaN where unknown, as in the columns below. */
  distanceKm: Float64Array
  completesAt: Float64Array
  departs: Float64Array
  arrives: Float64Array
  /** 1 with a track; from 2, the index of the outcome if there is one. */
  marks: Uint8Array
  /** Ten characters each. */
  dates: string
  /** Where the JSON of each flight begins, and where the last one ends. */
  starts: Uint32Array
  json: Uint8Array
}

export interface PackedLog extends Omit<LogPayload, 'flights'> {
  packed: PackedFlights
}

/** Sent by the worker before the log, when the server's response begins. */
export const BEGUN = 'begun'

const DATE_LENGTH = 10
const TRACK = 1
const OUTCOME = 2

export function packLog({ flights, ...log }: LogPayload): PackedLog {
  const sorted = flights
    .map((flight) => ({ id: flight.id, date: flight.date, departs: instantOf(flight.departure), flight }))
    .sort(newestFirst)
    .map(({ flight }) => flight)
  const rows = sorted.map((flight) => new TextEncoder().encode(JSON.stringify(flight)))
  const starts = new Uint32Array(rows.length + 1)
  for (const [i, row] of rows.entries()) starts[i + 1] = starts[i]! + row.byteLength
  const json = new Uint8Array(starts[rows.length]!)
  for (const [i, row] of rows.entries()) json.set(row, starts[i])
  return { ...log, packed: { ...columnsOf(sorted), starts, json } }
}

const columnsOf = (flights: readonly CompactFlight[]): Omit<PackedFlights, 'starts' | 'json'> => ({
  ids: Float64Array.from(flights, ({ id }) => id),
  from: Float64Array.from(flights, ({ from }) => from ?? 0),
  to: Float64Array.from(flights, ({ to }) => to ?? 0),
  distanceKm: Float64Array.from(flights, ({ distanceKm }) => distanceKm ?? Number.NaN),
  completesAt: Float64Array.from(flights, ({ completesAt }) => completesAt ?? Number.NaN),
  departs: Float64Array.from(flights, ({ departure }) => instantOf(departure) ?? Number.NaN),
  arrives: Float64Array.from(flights, ({ arrival }) => instantOf(arrival) ?? Number.NaN),
  marks: Uint8Array.from(
    flights,
    ({ track, outcome }) => (track ? TRACK : 0) + (outcome ? OUTCOME * (outcomes.indexOf(outcome) + 1) : 0),
  ),
  dates: flights.map(({ date }) => date).join(''),
})

export const buffersOf = ({ packed }: PackedLog): ArrayBufferLike[] =>
  Object.values(packed).flatMap((column) => (typeof column === 'string' ? [] : [column.buffer]))

const packedIn = new WeakMap<LogPayload, PackedFlights>()

/** The columns of an unpacked log; undefined as soon as anything in it is replaced. */
export const columnsIn = (log: LogPayload): PackedFlights | undefined => packedIn.get(log)

/** The log with its flights, newest first. Flights are created on demand: a page reads the columns. */
export function unpackLog({ packed, ...log }: PackedLog): LogPayload {
  let flights: CompactFlight[] | undefined
  const unpacked = {
    ...log,
    get flights() {
      flights ??= flightsIn(packed)
      return flights
    },
  }
  packedIn.set(unpacked, packed)
  return unpacked
}

function flightsIn(packed: PackedFlights): CompactFlight[] {
  const flights: CompactFlight[] = []
  // `Array.from` takes ten times as long.
  for (let i = 0; i < packed.ids.length; i++)
    flights.push(new PackedFlight(packed, i) as unknown as CompactFlight)
  return flights
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** Fields of every row of a packed log. Spreading a row would copy none of its fields. */
export class PackedRow {
  protected readonly packed: PackedFlights
  protected readonly row: number
  private read: CompactFlight | undefined

  constructor(packed: PackedFlights, row: number) {
    this.packed = packed
    this.row = row
    this.read = undefined
  }

  get id(): number {
    return this.packed.ids[this.row]!
  }
  get date(): string {
    return this.packed.dates.slice(this.row * DATE_LENGTH, (this.row + 1) * DATE_LENGTH)
  }
  get distanceKm(): number | null {
    return known(this.packed.distanceKm[this.row]!)
  }
  get departs(): number | null {
    return known(this.packed.departs[this.row]!)
  }
  get arrives(): number | null {
    return known(this.packed.arrives[this.row]!)
  }
  get track(): boolean {
    return (this.packed.marks[this.row]! & TRACK) !== 0
  }
  get outcome(): CompactFlight['outcome'] {
    const mark = this.packed.marks[this.row]! >> 1
    // Reading index -1 would be slow, and most rows have none.
    return mark === 0 ? undefined : outcomes[mark - 1]
  }
  /** All fields of the row. */
  get whole(): CompactFlight {
    if (!this.read) {
      const { json, starts } = this.packed
      const bytes = json.subarray(starts[this.row], starts[this.row + 1])
      this.read = JSON.parse(new TextDecoder().decode(bytes)) as CompactFlight
    }
    return this.read
  }
}

/** Contains every field of a CompactFlight. */
export class PackedFlight extends PackedRow {
  /** Whether it is an older flight of the same log. */
  comesAfter(other: CompactFlight | PackedFlight | undefined): boolean {
    return other instanceof PackedFlight && other.packed === this.packed && other.row < this.row
  }

  /** The same row as another object type. */
  get place(): [PackedFlights, number] {
    return [this.packed, this.row]
  }
  get from(): number | null {
    return this.packed.from[this.row] || null
  }
  get to(): number | null {
    return this.packed.to[this.row] || null
  }
  get completesAt(): number | null {
    return known(this.packed.completesAt[this.row]!)
  }
}

type InColumns = 'id' | 'date' | 'from' | 'to' | 'distanceKm' | 'completesAt' | 'track' | 'outcome'
/** Complete by its type: a field that is missing here does not compile. */
const fieldsInJson = Object.keys({
  version: 0,
  datePrecision: 0,
  airline: 0,
  aircraft: 0,
  flightNumber: 0,
  aircraftReg: 0,
  plannedTo: 0,
  bookingReference: 0,
  operatingFlightNumber: 0,
  importId: 0,
  departureDelay: 0,
  arrivalDelay: 0,
  departure: 0,
  arrival: 0,
  departureLocal: 0,
  arrivalLocal: 0,
  departureOffset: 0,
  arrivalOffset: 0,
  dayShift: 0,
  duration: 0,
  durationEstimated: 0,
  note: 0,
  passengers: 0,
} satisfies Record<Exclude<keyof CompactFlight, InColumns>, 0>) as Exclude<keyof CompactFlight, InColumns>[]

for (const field of fieldsInJson)
  Object.defineProperty(PackedRow.prototype, field, {
    get(this: PackedRow) {
      return this.whole[field]
    },
  })

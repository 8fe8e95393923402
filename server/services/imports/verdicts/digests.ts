// Whether two records of a log say the same. Only digests of their values are kept, because a file has up to 200,000 records.
import { flightFieldNames, passengerFieldNames } from '../../../domain/flights/fields.ts'
import type { Draft } from '../drafting/draft.ts'

/** Route and day are the same. */
const placing: ReadonlySet<string> = new Set(['date', 'datePrecision', 'fromId', 'toId'])
const compared = flightFieldNames.filter((name) => !placing.has(name))
const texts = ['airlineText', 'aircraftText', 'plannedToText', 'operatingAirlineText'] as const

/** So many records on one route and day are kept. A day has a few; a hostile file may consist of nothing else. */
const KEPT_AT_MOST = 100
/** The numbers of a record: the place of the next one on its route and day, plus one; its row; a digest per value. */
const [NEXT, ROW, VALUES] = [0, 1, 2] as const
const WIDTH = VALUES + compared.length + texts.length + passengerFieldNames.length + 6
const RECORDS_A_PAGE = 1024
/** Instead of the row of a record that was removed. */
const GONE = 0

interface Placed {
  fromId: number | null
  toId: number | null
  date: string
}

/**
 * The records of a log by route and day, in pages of numbers: a large file has 200,000, and as objects they would need several
 * times the memory.
 */
export class WrittenRecords {
  readonly #importer: string
  readonly #pages: Int32Array[] = []
  /** The place of the first record, by route and day. */
  readonly #routes = new Map<string, Map<number, number>>()
  #count = 0

  constructor(importer: string) {
    this.#importer = importer
  }

  /** The row of the first earlier record with the same route, day and values. Keeps the record if there is none. */
  repeated(row: number, flight: Placed, draft: Draft): number | undefined {
    // In the next free place, which is only taken if the record is kept.
    if (this.#count === this.#pages.length * RECORDS_A_PAGE)
      this.#pages.push(new Int32Array(RECORDS_A_PAGE * WIDTH))
    const made = writeRecord(this.#at(this.#count), row, draft, this.#importer)
    let last: Int32Array | undefined
    let kept = 0
    for (const other of this.#on(flight)) {
      last = other
      if (other[ROW] === GONE) continue
      if (saysTheSame(made, other)) return other[ROW]
      kept++
    }
    if (kept >= KEPT_AT_MOST) return undefined
    if (last) last[NEXT] = this.#count + 1
    else this.#daysOf(flight).set(dayOf(flight), this.#count)
    this.#count++
    return undefined
  }

  /** Removes a record that a later one replaces. */
  forget(row: number, flight: Placed): void {
    for (const other of this.#on(flight)) if (other[ROW] === row) other[ROW] = GONE
  }

  *#on(flight: Placed): Generator<Int32Array> {
    for (let next = this.#daysOf(flight).get(dayOf(flight)) ?? -1; next >= 0; ) {
      const other = this.#at(next)
      yield other
      next = other[NEXT]! - 1
    }
  }

  #daysOf({ fromId, toId }: Placed): Map<number, number> {
    const route = `${fromId}-${toId}`
    const days = this.#routes.get(route) ?? new Map<number, number>()
    this.#routes.set(route, days)
    return days
  }

  #at(place: number): Int32Array {
    const start = (place % RECORDS_A_PAGE) * WIDTH
    return this.#pages[Math.floor(place / RECORDS_A_PAGE)]!.subarray(start, start + WIDTH)
  }
}

const dayOf = ({ date }: Placed): number => Number(date.replaceAll('-', ''))

/** What one of them leaves empty does not make them two flights. */
function saysTheSame(a: Int32Array, b: Int32Array): boolean {
  for (let i: number = VALUES; i < WIDTH; i++) if (a[i] !== 0 && b[i] !== 0 && a[i] !== b[i]) return false
  return true
}

/** One number per value; 0 if it is empty. */
function writeRecord(record: Int32Array, row: number, draft: Draft, importer: string): Int32Array {
  record[NEXT] = 0
  record[ROW] = row
  const own = draft.passengers.find(({ userId }) => userId === importer)
  let at: number = VALUES
  for (const name of compared)
    record[at++] = name === 'outcome' && draft.outcome === 'flown' ? 0 : digestOf(draft[name])
  for (const name of texts) record[at++] = digestOf(draft[name])
  for (const name of passengerFieldNames) record[at++] = digestOf(own?.[name])
  record[at++] = digestOf(draft.passengers.filter((passenger) => passenger !== own))
  record[at++] = digestOf(draft.people)
  record[at++] = digestOf(draft.customFields)
  record[at++] = digestOf(own?.customFields)
  record[at++] = digestOf(draft.externalIds)
  record[at] = digestOf(draft.track)
  return record
}

/** FNV-1a of the value, never 0. Most values are empty or short texts, of which no JSON is made. */
function digestOf(value: unknown): number {
  if (value === null || value === undefined || value === '') return 0
  if (typeof value === 'object' && Object.keys(value).length === 0) return 0
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  let digest = 0x811c9dc5
  for (let i = 0; i < text.length; i++) digest = Math.imul(digest ^ text.charCodeAt(i), 0x01000193)
  return digest | 1
}

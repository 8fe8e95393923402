// Compares what an import read with what the flights truly were.
import assert from 'node:assert/strict'
import type { Row } from '../judged.ts'
import type { Sample } from './sample.ts'

/** What became of a flight: right; asked about, or left out with a word; silently wrong in a field; not offered at all. */
export type Outcome = 'right' | 'asked' | 'wrong' | 'kept out'
export interface Judgement {
  outcome: Outcome
  /** For a person who looks into it. */
  told: string
}

interface Truth {
  line: string
  values: Record<string, string>
}

/** Each value of a truth: the fields of the draft that it is compared with, which are also the fields of its warnings. */
const compared = {
  date: ['date'],
  from: ['from', 'fromId'],
  to: ['to', 'toId'],
  number: ['flightNumber'],
  airline: ['airline', 'airlineId'],
  dep: ['departure', 'departureScheduled'],
  arr: ['arrival', 'arrivalScheduled'],
  depS: ['departureScheduled'],
  arrS: ['arrivalScheduled'],
  type: ['aircraft', 'aircraftId'],
  reg: ['aircraftReg'],
  seat: ['seatNumber'],
  class: ['seatClass'],
  reason: ['flightReason'],
} as const
type Name = keyof typeof compared

/** Values that must not appear if the file does not state them. An airline may follow from a number. */
const neverInvented = ['number', 'dep', 'arr', 'type', 'reg', 'seat', 'class'] as const

export function judge(sample: Sample, rows: Row[]): Judgement[] {
  const truths = sample.truth
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('-'))
    .map(truthOf)
  const pairs = matched(truths, rows)
  const found = new Set(pairs.values())
  return [
    ...truths.map((truth) => judgedFlight(truth, pairs.get(truth))),
    ...rows
      .filter((row) => row.verdict === 'new' && !found.has(row))
      .map((row): Judgement => ({ outcome: 'wrong', told: `not a flight of the person: ${readOf(row)}` })),
  ]
}

function truthOf(line: string): Truth {
  const [date, from, to, ...pairs] = line.split(' ') as [string, string, string, ...string[]]
  const named = pairs.map((pair) => pair.split('=') as [string, string])
  for (const [name, value] of named) assert.ok(name in compared && value, `${line}: ${name}`)
  return { line, values: { date, from, to, ...Object.fromEntries(named) } }
}

/** Each truth with the row that is most like it, the surest pairs first. */
function matched(truths: Truth[], rows: Row[]): Map<Truth, Row> {
  const scored = truths
    .flatMap((truth, t) =>
      rows.map((row, r) => ({ truth, row, score: likeness(truth, row) - Math.abs(t - r) / 1000 })),
    )
    .filter(({ score }) => score >= 2)
    .sort((one, other) => other.score - one.score)
  const pairs = new Map<Truth, Row>()
  const taken = new Set<Row>()
  for (const { truth, row } of scored) {
    if (pairs.has(truth) || taken.has(row)) continue
    pairs.set(truth, row)
    taken.add(row)
  }
  return pairs
}

function likeness({ values }: Truth, row: Row): number {
  const weights: Partial<Record<Name, number>> = {
    date: 3,
    from: 2,
    to: 2,
    number: 2,
    dep: 1,
    reg: 1,
    seat: 1,
  }
  const equal = Object.entries(weights).filter(
    ([name]) => name in values && row.draft && isEqual(name as Name, values[name]!, row.draft),
  )
  return equal.reduce((sum, [, weight]) => sum + weight, row.draft?.date ? 0 : -0.5)
}

function judgedFlight(truth: Truth, row: Row | undefined): Judgement {
  if (!row || ['duplicate', 'skipped'].includes(row.verdict))
    return { outcome: 'kept out', told: `${truth.line}\n    ${row ? readOf(row) : 'no row'}` }
  const wrong = row.draft ? silentlyWrong(truth, row) : []
  if (wrong.length > 0)
    return { outcome: 'wrong', told: `${truth.line}\n    ${wrong.join(', ')} in ${readOf(row)}` }
  const isRight =
    ['new', 'similar'].includes(row.verdict) &&
    (['date', 'from', 'to'] as const).every((name) => isEqual(name, truth.values[name]!, row.draft))
  return { outcome: isRight ? 'right' : 'asked', told: `${truth.line}\n    ${readOf(row)}` }
}

function silentlyWrong({ values }: Truth, row: Row): string[] {
  const stated = (Object.keys(values) as Name[]).filter(
    (name) => !isEqual(name, values[name]!, row.draft) && !isSaid(name, row),
  )
  const invented = neverInvented.filter(
    (name) =>
      !(name in values) &&
      !(`${name}S` in values) &&
      // Without the airport, the zone of its times is unknown.
      values[name === 'dep' ? 'from' : 'to'] !== '?' &&
      valueIn(name, row.draft) &&
      !isSaid(name, row),
  )
  return [...stated, ...invented]
}

/** Whether the row asks about this value, or says that it was left out or assumed. */
function isSaid(name: Name, row: Row): boolean {
  const fields: readonly string[] = compared[name]
  const codes = row.warnings.map(({ code }: Row) => code)
  const isWarned = row.warnings.some(({ field }: Row) => fields.includes(field))
  const isAsked = row.questions.some(({ kind }: Row) => questionsAbout[name]?.includes(kind))
  return (
    isWarned ||
    isAsked ||
    row.verdict === 'error' ||
    row.code === 'from_text' ||
    (name === 'airline' && codes.includes('airline_disagrees')) ||
    // Until both airports are known, times are not read.
    (isTime(name) && (row.verdict === 'question' || row.warnings.some(({ field }: Row) => field === null)))
  )
}

const isTime = (name: Name): boolean => name.startsWith('dep') || name.startsWith('arr')

const airportQuestions = ['unknown_airport', 'ambiguous_airport', 'missing_airport']
const questionsAbout: Partial<Record<Name, readonly string[]>> = {
  date: ['date_ambiguous', 'year_assumed'],
  from: airportQuestions,
  to: airportQuestions,
  dep: ['times_zone'],
  arr: ['times_zone'],
  depS: ['times_zone'],
  arrS: ['times_zone'],
  airline: ['unknown_airline'],
  type: ['unknown_aircraft'],
  seat: ['which_user'],
  class: ['which_user'],
  reason: ['which_user'],
}

function isEqual(name: Name, truth: string, draft: Row): boolean {
  const value = valueIn(name, draft)
  if (truth === '?') return value === ''
  // easyJet's three companies have one designator for passengers.
  if (name === 'number') return value === truth || value === truth.replace(/^(?:EJU|EZS|EZY)/, 'U2')
  return value.split('|').includes(truth)
}

/** A value of a draft as a truth writes it; an airport by either code. */
function valueIn(name: Name, draft: Row): string {
  const first = compared[name].map((field) => draft[field]).find(Boolean)
  const passengers: Row[] = draft.passengers ?? []
  const passenger = passengers.find(({ seatNumber, seatClass }) => seatNumber || seatClass) ?? passengers[0]
  switch (name) {
    case 'date':
      return (draft.date ?? '').slice(0, { day: 10, month: 7, year: 4 }[draft.datePrecision as string] ?? 10)
    case 'from':
    case 'to':
      return [first?.iata, first?.icao].filter(Boolean).join('|')
    case 'airline':
    case 'type':
      return first?.icao ?? first?.iata ?? ''
    case 'dep':
    case 'depS':
      return first?.slice(11, 16) ?? ''
    case 'arr':
    case 'arrS':
      return first ? first.slice(11, 16) + dayShift(draft.date, first) : ''
    case 'seat':
      return passenger?.seatNumber ?? ''
    case 'class':
      return passenger?.seatClass ?? ''
    case 'reason':
      return passenger?.flightReason ?? ''
    default:
      return first ?? ''
  }
}

function dayShift(date: string, arrival: string): string {
  const days = Math.round((Date.parse(arrival.slice(0, 10)) - Date.parse(date.slice(0, 10))) / 86_400_000)
  return days === 0 ? '' : `${days > 0 ? '+' : ''}${days}`
}

function readOf(row: Row): string {
  const values = row.draft
    ? (Object.keys(compared) as Name[]).map((name) => `${name}=${valueIn(name, row.draft)}`)
    : []
  const warnings = row.warnings.map((warning: Row) => `!${warning.code}`)
  return [`row ${row.row}`, row.verdict, row.code, ...values.filter((v) => !v.endsWith('=')), ...warnings]
    .filter(Boolean)
    .join(' ')
}

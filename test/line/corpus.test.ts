// How well the line understands what people type: a hundred lines in English and German, written for this test (corpus.tsv), with
// what each means. A line is right, asked about, incomplete (a detail stayed a note) or wrong. Half b was measured only after
// the rules were written.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Known } from '../../server/domain/entry/line/candidate.ts'
import type { LineReference } from '../../server/domain/entry/line/data.ts'
import { rememberLog } from '../../server/domain/entry/line/memory.ts'
import { readLine } from '../../server/domain/entry/line/read.ts'
import type { LineReading } from '../../server/domain/entry/line/types.ts'
import { calendar, flight, shippedReference } from './known.ts'

/** What the rules reach, in percent. */
const RIGHT_AT_LEAST = { a: 94, b: 96 }

interface Line {
  half: 'a' | 'b'
  text: string
  truth: Record<string, string>
  /** No flight can be told from the text: only a question is right. */
  isVague: boolean
}

const lines = readFileSync(new URL('corpus.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((row): Line => {
    const [half, , text, truth] = row.split('\t') as ['a' | 'b', string, string, string]
    const pairs = truth.split(' ').map((pair) => pair.split('='))
    const isVague = truth === '?'
    return { half, text, truth: isVague ? {} : Object.fromEntries(pairs), isVague }
  })

let known: Known
let close: () => Promise<void>
after(() => close())
before(async () => {
  const { reference, close: end } = await shippedReference()
  close = end
  const id = (code: string) => reference.airports.byCode.get(code)![0]!.id
  // The newest flight is the way out; home is Copenhagen.
  const newest = flight({ date: '2026-11-10', flightNumber: 'SK909', fromId: id('CPH'), toId: id('EWR') })
  known = { reference, memory: rememberLog([newest], [], id('CPH')), calendar }
})

/** As the truth is written. A closed or unusual airport is written by its ICAO code. */
function readingOf(
  { draft }: LineReading,
  { airports, airlines, aircraft }: LineReference,
): Record<string, string> {
  const codes = (id: number | undefined) => {
    const { iata, icao } = airports.byId.get(id ?? 0) ?? { iata: '', icao: '' }
    return [iata ?? '', icao].filter(Boolean)
  }
  const { date, datePrecision, arrival, viaIds } = draft
  const shift = arrival?.dayShift == null ? '' : `+${arrival.dayShift}`
  const stops = viaIds ? [draft.fromId, ...viaIds, draft.toId].map((id) => codes(id)[0]).join('-') : undefined
  const values = {
    from: stops ? undefined : codes(draft.fromId).join('|'),
    to: stops ? undefined : codes(draft.toId).join('|'),
    legs: stops,
    date: date?.slice(0, datePrecision === 'year' ? 4 : datePrecision === 'month' ? 7 : 10),
    number: draft.flightNumber,
    airline: airlines.byId.get(draft.airlineId ?? 0)?.iata ?? undefined,
    dep: draft.departure,
    arr: arrival && arrival.time + shift,
    aircraft: aircraft.byId.get(draft.aircraftId ?? 0)?.icao ?? undefined,
    reg: draft.aircraftReg,
    seatNumber: draft.seatNumber,
    seat: draft.seat,
    class: draft.seatClass,
    reason: draft.flightReason,
    outcome: draft.outcome,
    gate: draft.departureGate,
    terminal: draft.departureTerminal,
    people: draft.people?.map(({ name }) => name).join('+'),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Record<string, string>
}

type Judgement = 'right' | 'asked' | 'incomplete' | 'wrong'

function judge({ text, truth, isVague }: Line): Judgement {
  const reading = readLine(text, known)
  if (reading.problem || reading.missing.length > 0) {
    if (isVague) return 'right'
    return 'asked'
  }
  const read = readingOf(reading, known.reference)
  const isSame = (name: string) => read[name]!.split('|').includes(truth[name] ?? '')
  if (isVague || Object.keys(read).some((name) => !isSame(name))) return 'wrong'
  return Object.keys(truth).every((name) => name in read) ? 'right' : 'incomplete'
}

const judged = (half: 'a' | 'b') =>
  Map.groupBy(
    lines.filter((line) => line.half === half),
    judge,
  )

test('there are a hundred lines, half of them in each half', () => {
  assert.deepEqual([lines.length, lines.filter(({ half }) => half === 'a').length], [100, 50])
})

for (const half of ['a', 'b'] as const)
  test(`of half ${half}, most lines are right and none is wrong`, (context) => {
    const found = judged(half)
    const count = (of: Judgement) => found.get(of)?.length ?? 0
    const others = (['wrong', 'asked', 'incomplete'] as const).flatMap((of) =>
      (found.get(of) ?? []).map(({ text }) => `${of}: ${text}`),
    )
    const figures = `${count('right')} right, ${count('asked')} asked, ${count('incomplete')} incomplete, ${count('wrong')} wrong`
    const report = [figures, ...others].join('\n')
    context.diagnostic(report)
    assert.equal(count('wrong'), 0, report)
    assert.ok(count('right') * 2 >= RIGHT_AT_LEAST[half], report)
  })

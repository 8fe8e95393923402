// Which record a text means, with a few made-up records, so that each rule is visible. What the rules make of the real reference
// data is in test/reference.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FIRST_CUSTOM_ID } from '../../server/domain/limits.ts'
import {
  agreed,
  aircraftPeriods,
  airlinePeriods,
  airportPeriods,
  bears,
  meaningOfAll,
  ofCode,
} from '../../server/domain/reference/by-code.ts'
import { ofBeginning, readName } from '../../server/domain/reference/by-name.ts'
import { type Days, daysOf, type Holder } from '../../server/domain/reference/code-periods.ts'
import {
  type Coded,
  candidatesOf,
  foundOrUnknown,
  type Holders,
  type Index,
  type Named,
  type Place,
  type RecordKind,
  type Resolution,
  recordOf,
} from '../../server/domain/reference/resolution.ts'
import { codesWithin, everyMeaning, mayBeName, resolve } from '../../server/domain/reference/resolve.ts'
import { searchFold } from '../../server/domain/text/fold.ts'

interface Item extends Coded {
  importance?: number
  /** Folded. */
  names?: readonly string[]
}
const CUSTOM = FIRST_CUSTOM_ID + 1
const airport = (id: number, more: Partial<Item> = {}): Item => ({
  ...{
    id,
    name: `Airport ${id}`,
    icao: `AA0${id}`,
    iata: `A${id}A`,
    type: 'large_airport',
    importance: 50_000,
  },
  ...more,
})
const airline = (id: number, name: string, more: Partial<Item> = {}): Item => ({
  ...{ id, name, icao: null, iata: null, active: true, from: null, to: null, importance: 300 },
  ...{ names: [searchFold(name)] },
  ...more,
})

const holder = (id: number, from: string | null = null, to: string | null = null): Holder => ({
  id,
  from,
  to,
})
const holdersOf = (records: readonly Item[], more: Partial<Holders<Item>> = {}): Holders<Item> => ({
  records,
  periods: records.map(({ id }) => holder(id)),
  city: [],
  ...more,
})

/** A name of places: what it means on any day. */
const place = (
  on: Resolution<Item>,
  like: Partial<Place<Item>['like']> = {},
  all: Item[] = [],
): Named<Item> => ({
  ...nothing,
  place: { on: () => on, all, like: { isCity: false, isTown: false, isAny: false, ...like } },
})
const nothing: Named<Item> = { matches: [], names: new Map(), whole: [], beginning: [] }
const found = (record: Item): Resolution<Item> => ({ outcome: 'found', record, isByName: true })
const several = (by: 'name' | 'part', ...candidates: Item[]): Resolution<Item> => ({
  outcome: 'ambiguous',
  candidates,
  by,
})
const unknown: Resolution<Item> = { outcome: 'unknown' }

interface Has {
  codes?: Record<string, Holders<Item>>
  /** Search results by text, or the meaning of a name of places. */
  names?: Record<string, readonly Item[] | Named<Item>>
}
const indexOf = ({ codes = {}, names = {} }: Has): Index<Item> => ({
  byCode: (code) => codes[code] ?? holdersOf([]),
  byName: (text) => {
    const given = names[text] ?? nothing
    if ('matches' in given) return given
    return readName(text, given, new Map(given.map(({ id, names: own = [] }) => [id, own])))
  },
  importance: ({ importance = 0 }) => importance,
})

const shown = (resolution: Resolution<Item>): string => {
  if (resolution.outcome === 'unknown') return 'unknown'
  if (resolution.outcome === 'ambiguous')
    return [
      `${resolution.by}:`,
      ...resolution.candidates.map(({ id }) => id),
      ...(resolution.changedOn ? ['changedOn', resolution.changedOn] : []),
    ].join(' ')
  const { outcome: _, record, ...marks } = resolution
  const said = Object.entries(marks).flatMap(([key, value]) =>
    value === undefined ? [] : value === true ? key : `${key} ${value}`,
  )
  return [record.id, ...said].join(' ')
}
const today = daysOf('2026-11-18')
const meant = (has: Has, kind: RecordKind, text: string, days: Days = today): string =>
  shown(resolve(indexOf(has), text, { kind, days, strictness: 'text' }))
const named = (has: Has, kind: RecordKind, text: string, days: Days = today): string =>
  shown(resolve(indexOf(has), text, { kind, days, strictness: 'name' }))
const byCode = (holders: Holders<Item>, days: Days, kind: RecordKind = 'airport'): string =>
  shown(ofCode(indexOf({ codes: { ABC: holders } }), 'abc', { kind, days }))

describe('results', () => {
  const [one, two] = [airport(1), airport(2)]
  test('a result as a record, and as candidates', () => {
    assert.deepEqual(foundOrUnknown(one), { outcome: 'found', record: one })
    assert.deepEqual(foundOrUnknown(undefined), unknown)
    assert.deepEqual([found(one), several('name', one, two), unknown].map(recordOf), [
      one,
      undefined,
      undefined,
    ])
    assert.deepEqual([found(one), several('name', one, two), unknown].map(candidatesOf), [
      [one],
      [one, two],
      [],
    ])
  })
})

describe('a code on a day', () => {
  const [old, next, other] = [airport(1), airport(2), airport(3)]
  const moved = holdersOf([old, next], {
    periods: [holder(1, '1990-01-01', '1998-07-05'), holder(2, '1998-07-06')],
  })

  test('the holder of the day is meant, without a warning', () => {
    assert.equal(byCode(holdersOf([old]), today), '1')
    assert.equal(byCode(moved, daysOf('1998-07-05')), '1')
    assert.equal(byCode(moved, daysOf('1998-07-06')), '2')
    assert.equal(byCode(holdersOf([]), today), 'unknown')
  })
  test('before the first holder, the nearest one is meant with a warning, unless it existed then', () => {
    assert.equal(byCode(moved, daysOf('1950-01-01')), '1 warning airport_closed_then')
    assert.equal(byCode(moved, daysOf('1950-01-01'), 'airline'), '1 warning airline_not_flying_then')
    assert.equal(byCode(moved, daysOf('1950-01-01'), 'aircraft'), '1')
    const known = new Map([[1, [{ from: '1940-01-01', to: '1960-01-01' }]]])
    assert.equal(byCode({ ...moved, known }, daysOf('1950-01-01')), '1')
    assert.equal(byCode({ ...moved, known }, daysOf('1970-01-01')), '1 warning airport_closed_then')
    const ended = holdersOf([old], { periods: [holder(1, '1990-01-01', '1998-07-05')] })
    assert.equal(byCode(ended, today), '1 warning airport_closed_then')
  })
  test('in a year with two holders, an airport is asked about, and the airline of most days is meant', () => {
    const year = daysOf('1998-01-01', 'year')
    assert.equal(byCode(moved, year), 'code: 1 2 changedOn 1998-07-06')
    assert.equal(byCode(moved, daysOf('1998-07-01', 'month')), 'code: 2 1 changedOn 1998-07-06')
    assert.equal(byCode(moved, year, 'airline'), '1 warning code_changed_hands changedOn 1998-07-06')
  })
  test('an airline that ended on an unknown day is only a candidate, unless its days with a code are known', () => {
    const ended = airline(1, 'Old', { active: false, from: '1950' })
    assert.equal(byCode(holdersOf([ended]), today, 'airline'), 'code: 1')
    assert.equal(byCode(holdersOf([{ ...ended, to: '1990' }]), today, 'airline'), '1')
    assert.equal(byCode(holdersOf([{ ...ended, id: CUSTOM }]), today, 'airline'), String(CUSTOM))
    const dated = holdersOf([ended], { periods: [holder(1, null, '1990-12-31')] })
    assert.equal(byCode(dated, daysOf('1980-01-01'), 'airline'), '1')
    const late = holdersOf([ended], { periods: [holder(1, '1960-01-01')] })
    assert.equal(byCode(late, daysOf('1950-01-01'), 'airline'), 'code: 1')
  })
  test('two holders of equal days are both candidates', () => {
    const both = holdersOf([next, old], { periods: [holder(1), holder(2), holder(1)] })
    assert.equal(byCode(both, today), 'code: 1 2')
    // A holder without a record is none.
    assert.equal(byCode({ ...both, records: [old] }, today), '1')
    assert.equal(byCode({ ...both, records: [] }, today), 'unknown')
    assert.equal(byCode({ ...moved, records: [next] }, daysOf('1990-01-01')), 'unknown')
  })
  test('a city’s code means its airports if no airport had it for as many days', () => {
    const city = [holder(2, '1990-01-01', '2020-10-31'), holder(3, '1990-01-01', '2020-10-31')]
    const ber = holdersOf([old, next, other], { periods: [holder(1, '2020-10-31')], city })
    assert.equal(byCode(ber, daysOf('2019-01-01')), 'city: 2 3')
    assert.equal(byCode(ber, daysOf('2020-10-31')), '1')
    assert.equal(byCode(ber, daysOf('2020-01-01', 'year')), 'city: 1 2 3')
    assert.equal(byCode(ber, daysOf('2021-01-01')), '1')
    assert.equal(byCode(ber, daysOf('1980-01-01')), '1 warning airport_closed_then')
    assert.equal(byCode({ ...ber, city: [city[0]!] }, daysOf('2019-01-01')), '2')
    assert.equal(byCode({ ...ber, periods: [] }, daysOf('2019-01-01')), 'city: 2 3')
    assert.equal(byCode({ ...ber, periods: [], city: [] }, daysOf('2019-01-01')), 'unknown')
    // One airport of a city that has the code on the day too.
    assert.equal(byCode(holdersOf([old], { city: [holder(1)] }), today), '1')
    assert.equal(byCode(holdersOf([old, next], { periods: [holder(1)], city: [holder(2)] }), today), '1')
  })
})

describe('who may be meant by a code', () => {
  const ids = (holders: readonly Holder[]) =>
    holders.map(({ id, from, to }) => [id, from, to].join(' ').trim())

  test('airports: custom ones, then the history, then those with that ICAO code, then open ones', () => {
    const [open, closed] = [airport(1), airport(2, { type: 'closed' })]
    const custom = airport(CUSTOM)
    assert.deepEqual(ids(airportPeriods('ABC', [open, custom], [holder(2)])), [String(CUSTOM)])
    assert.deepEqual(ids(airportPeriods('ABC', [open], [holder(2, '1990-01-01')])), ['2 1990-01-01'])
    assert.deepEqual(ids(airportPeriods('ABC', [closed, open], [])), ['1'])
    assert.deepEqual(ids(airportPeriods('ABC', [closed], [])), ['2'])
    const own = airport(3, { icao: 'ABC', type: 'closed' })
    assert.deepEqual(ids(airportPeriods('ABC', [open, own], [])), ['3'])
    const ownToo = airport(FIRST_CUSTOM_ID, { icao: 'ABC' })
    assert.deepEqual(ids(airportPeriods('ABC', [custom, ownToo], [])), [String(FIRST_CUSTOM_ID)])
  })
  test('airlines: the history, and custom ones once the code is free', () => {
    const custom = airline(CUSTOM, 'Own')
    const history = [holder(1, '1990-01-01', '2000-12-31')]
    assert.deepEqual(ids(airlinePeriods([airline(2, 'Two'), custom], history)), [
      '1 1990-01-01 2000-12-31',
      String(CUSTOM),
    ])
    const taken = [...history, holder(2, '2001-01-01')]
    assert.deepEqual(airlinePeriods([custom], taken), taken)
  })
  test('airlines without a history: while they fly', () => {
    const flying = airline(1, 'New', { from: '2000' })
    const ended = airline(2, 'Old', { active: false, from: '1950' })
    assert.deepEqual(ids(airlinePeriods([flying, ended], [])), ['1 2000-01-01', '2 1950-01-01 1999-12-31'])
    // The first day of the other one is unknown.
    assert.deepEqual(ids(airlinePeriods([airline(1, 'New'), ended], [])), ['1'])
    assert.deepEqual(ids(airlinePeriods([ended], [])), ['2 1950-01-01'])
    const known = airline(3, 'Known', { active: false, from: '1950', to: '1960' })
    assert.deepEqual(ids(airlinePeriods([known, flying], [])), ['3 1950-01-01 1960-12-31', '1 2000-01-01'])
    const custom = airline(CUSTOM, 'Own')
    assert.deepEqual(ids(airlinePeriods([flying, custom], [])), ['1 2000-01-01'])
    assert.deepEqual(ids(airlinePeriods([ended, custom], [])), [String(CUSTOM)])
  })
  test('aircraft types: those with that designator, shipped ones first', () => {
    const [type, iata] = [airline(1, 'A', { icao: 'A320' }), airline(2, 'B', { icao: 'B738' })]
    const custom = airline(CUSTOM, 'C', { icao: 'A320' })
    assert.deepEqual(ids(aircraftPeriods('A320', [iata, custom, type])), ['1'])
    assert.deepEqual(ids(aircraftPeriods('A320', [custom])), [String(CUSTOM)])
    assert.deepEqual(ids(aircraftPeriods('32', [iata, custom])), ['2'])
  })
  test('a record bears a code that it has or had, or its name if it has none', () => {
    const one = airport(1)
    assert.ok(bears(one, 'XYZ', holdersOf([airport(2), one])))
    assert.ok(!bears(one, 'XYZ', holdersOf([airport(2)])))
    assert.ok(bears(one, 'aa01', holdersOf([])))
    assert.ok(!bears(one, 'A1A', holdersOf([])))
    assert.ok(bears({ ...one, icao: null }, 'A1A', holdersOf([])))
    assert.ok(bears({ ...one, icao: null, iata: null }, 'AIRPORT 1', holdersOf([])))
  })
})

describe('several codes of one record', () => {
  const closed = airport(1, { type: 'closed' })
  const [next, third] = [airport(2), airport(3)]
  const days = daysOf('1995-01-01')
  const index = indexOf({
    codes: {
      OSL: holdersOf([closed, next], { periods: [holder(1, null, '1998-10-07'), holder(2, '1998-10-08')] }),
      ENGM: holdersOf([next]),
      ENFB: holdersOf([closed]),
      XXX: holdersOf([third]),
      LATE: holdersOf([next], { periods: [holder(2, '1998-10-08')] }),
      FOUR: holdersOf([airport(4)]),
      MOVED: holdersOf([third, next], { periods: [holder(3, null, '1998-10-07'), holder(2, '1998-10-08')] }),
      PAST: holdersOf([third, next], { periods: [holder(3, null, '1994-12-31'), holder(2, '1998-10-08')] }),
      BOTH: holdersOf([closed, third, next], {
        periods: [holder(1, null, '1998-10-07'), holder(3, null, '1998-10-07'), holder(2, '1998-10-08')],
      }),
    },
  })
  const all = (...codes: string[]) => shown(meaningOfAll(index, codes, { kind: 'airport', days }, today))

  test('codes that agree, none, and codes that mean nothing', () => {
    assert.equal(all(), 'unknown')
    assert.equal(all('OSL', 'ENFB'), '1')
    assert.equal(all('LATE', 'ENGM'), '2 warning airport_closed_then')
    assert.equal(all('QQQ'), 'unknown')
    assert.equal(all('QQQ', 'ENGM'), '2')
    assert.equal(all('ENGM', 'QQQ'), '2')
  })
  test('a code that has passed to a successor since means the former holder, in either order', () => {
    assert.equal(all('OSL', 'ENGM'), '1')
    assert.equal(all('ENGM', 'OSL'), '1')
    assert.equal(all('LATE', 'OSL'), '1')
    assert.equal(all('ENGM', 'MOVED'), '3')
    // Not if no other code means the successor, or if the former holder is uncertain.
    assert.equal(all('FOUR', 'MOVED'), '4')
    assert.equal(all('PAST', 'ENGM'), '2')
    assert.equal(all('BOTH', 'ENGM'), '2')
  })
  test('other codes mean the first, or the closed airport', () => {
    assert.equal(all('ENGM', 'XXX'), '2')
    assert.equal(all('XXX', 'ENGM'), '3')
    assert.equal(all('XXX', 'ENFB'), '1')
    assert.equal(all('LATE', 'XXX'), '3')
  })
  test('codes of airlines mean the first', () => {
    const [one, two] = [airline(1, 'One'), airline(2, 'Two')]
    const warned: Resolution<Item> = { outcome: 'found', record: one, warning: 'airline_not_flying_then' }
    assert.equal(shown(agreed([unknown, warned, found(two)])), '1 warning airline_not_flying_then')
    assert.equal(shown(agreed([several('name', one, two), unknown])), 'name: 1 2')
  })
})

describe('a place with its codes', () => {
  const within = (text: string, kind: RecordKind = 'airport') => {
    const { codes, rest } = codesWithin(text, kind)
    return [...codes, rest]
  }
  test('codes are found behind, alone, and in front', () => {
    assert.deepEqual(within('Copenhagen / Kastrup (CPH/EKCH)'), ['CPH', 'EKCH', 'Copenhagen / Kastrup'])
    assert.deepEqual(within('Kastrup ( CPH / EKCH ) '), ['CPH', 'EKCH', 'Kastrup'])
    assert.deepEqual(within('EKCH / CPH'), ['EKCH', 'CPH', ''])
    assert.deepEqual(within('CPH ( Kastrup )'), ['CPH', 'Kastrup'])
    assert.deepEqual(within('CPH - Copenhagen /DK'), ['CPH', 'Copenhagen'])
    assert.deepEqual(within('CPH – Copenhagen'), ['CPH', 'Copenhagen'])
    assert.deepEqual(within('Kastrup (cph)'), [''])
    assert.deepEqual(within('CPH'), [''])
    assert.deepEqual(within('Kastrup (CPH)', 'aircraft'), [''])
    assert.deepEqual(within('Swiss (LX/SWR)', 'airline'), ['LX', 'SWR', 'Swiss'])
    assert.deepEqual(within('Air Malta ( KM / )', 'airline'), ['KM', 'Air Malta'])
    assert.deepEqual(within('Air Malta', 'airline'), [''])
    assert.deepEqual(within(`${'K'.repeat(194)} (CPH)`), ['CPH', 'K'.repeat(194)])
    assert.deepEqual(within(`${'K'.repeat(195)} (CPH)`), [''])
  })

  const [kastrup, roskilde, third] = [airport(1), airport(2), airport(3)]
  const codes = { CPH: holdersOf([kastrup]), TWO: holdersOf([kastrup, third]) }
  const at = (name: Named<Item>, text = 'Kastrup (CPH)') =>
    meant({ codes, names: { Kastrup: name } }, 'airport', text)

  test('the codes decide if the name means the same, nothing, or only something similar', () => {
    assert.equal(at(nothing), '1 isByName')
    assert.equal(at(place(found(kastrup))), '1 isByName')
    assert.equal(at(place(unknown)), '1 isByName')
    assert.equal(at(place(several('part', roskilde))), '1 isByName')
    assert.equal(at(place(several('name', roskilde, kastrup))), '1 isByName')
    assert.equal(at(place(found(roskilde), {}, [roskilde, kastrup])), '1 isByName')
    assert.equal(at(place(found(roskilde)), 'CPH/CPH'), '1 isByName')
    // Without a name, what the index says of an empty one does not count.
    assert.equal(meant({ codes, names: { '': place(found(roskilde)) } }, 'airport', 'CPH/CPH'), '1 isByName')
  })
  test('a name of another place leaves both in doubt, the code’s airport first', () => {
    assert.equal(at(place(found(roskilde))), 'name: 1 2')
    assert.equal(at(place(several('name', roskilde, third))), 'name: 1 2 3')
  })
  test('without a meaning of the codes, the name decides; several holders are asked about', () => {
    const names = { Kastrup: place(found(roskilde)) }
    assert.equal(meant({ codes, names }, 'airport', 'Kastrup (QQQ)'), '2 isByName')
    assert.equal(meant({ codes, names: { '': place(found(roskilde)) } }, 'airport', 'QQQ/QQQQ'), 'unknown')
    assert.equal(meant({ codes, names }, 'airport', 'Kastrup (TWO)'), 'code: 1 3')
  })
})

describe('a word that is a code and may be a place', () => {
  const holderOfCode = airport(1, { iata: 'KOS' })
  const town = airport(2)
  const at = (text: string, name: Named<Item>, record: Item = holderOfCode) =>
    meant({ codes: { KOS: holdersOf([record]) }, names: { [text]: name } }, 'airport', text)
  const small = { ...holderOfCode, importance: 19_999 }

  test('in capitals it is a code', () => {
    assert.equal(at('KOS', place(found(town), { isCity: true, isTown: true, isAny: true })), '1')
    assert.equal(meant({ names: { KOS: place(found(town)) } }, 'airport', 'KOS'), '2 isByName')
  })
  test('written like a name, it is a code only if nothing has that name, and is marked', () => {
    assert.equal(at('Kos', place(found(town), { isAny: true })), '2 isByName')
    assert.equal(at('Kos', place(several('name', town), { isAny: true })), 'name: 2 1')
    assert.equal(at('Kos', place(unknown)), '1 isCodeOfWord')
    assert.equal(at('Kos', place(unknown, { isAny: true })), 'part: 1')
  })
  test('typed in lower case, it is a code unless a town with an airport has that name', () => {
    assert.equal(at('kos', place(found(town), { isTown: true, isAny: true })), 'name: 2 1')
    assert.equal(at('kos', place(found(town), { isAny: true })), '1 isCodeOfWord')
    assert.equal(at('kos', place(unknown)), '1')
    assert.equal(at('kos', place(found(town), { isTown: true }), small), '2 isByName')
  })
  test('the airport must have airline service, today or while it had the code', () => {
    assert.equal(at('Kos', place(unknown), { ...small, importance: 20_000 }), '1 isCodeOfWord')
    assert.equal(at('Kos', place(unknown), small), 'part: 1')
    assert.equal(at('Kos', place(unknown), { ...small, iata: 'NEW' }), '1 isCodeOfWord')
    assert.equal(at('Kos', place(unknown), { ...small, type: 'closed' }), '1 isCodeOfWord')
    assert.equal(at('Kos', place(unknown), { ...holderOfCode, type: 'closed', iata: null }), 'part: 1')
    // Four letters are an ICAO code, which does not pass on.
    const lima = { ...small, iata: 'NEW', icao: 'LIMA' }
    const has = { codes: { LIMA: holdersOf([lima]) }, names: { Lima: place(unknown) } }
    assert.equal(meant(has, 'airport', 'Lima'), 'part: 1')
  })
  test('a custom airport is always meant by its code, a heliport never by a word', () => {
    assert.equal(at('Kos', place(found(town), { isAny: true }), { ...small, id: CUSTOM }), `${CUSTOM}`)
    assert.equal(at('Kos', place(unknown), { ...small, type: 'heliport' }), 'unknown')
    assert.equal(at('Kos', place(several('part', town)), { ...small, type: 'heliport' }), 'part: 2')
  })
  test('a code of several airports gives way to a city, not if it is typed', () => {
    const two = { codes: { LON: holdersOf([airport(3), airport(4)]) } }
    const at = (text: string, name: Named<Item>) =>
      meant({ ...two, names: { [text]: name } }, 'airport', text)
    assert.equal(at('Lon', place(found(town))), '2 isByName')
    assert.equal(at('Lon', place(several('name', town), { isCity: true })), 'name: 2')
    assert.equal(at('Lon', place(several('name', town))), 'code: 3 4')
    assert.equal(at('lon', place(found(town), { isCity: true })), 'code: 3 4')
  })
  test('the candidate of the code follows the first of the name, without a duplicate', () => {
    const [third, fourth] = [airport(3), airport(4)]
    assert.equal(at('Kos', place(several('name', town, third, fourth), { isAny: true })), 'name: 2 1 3 4')
    assert.equal(at('Kos', place(several('part', town, holderOfCode), { isAny: true })), 'part: 2 1')
  })
})

describe('a code that may be the name of an airline', () => {
  const small = airline(1, 'Small', { importance: 199 })
  const ita = airline(2, 'ITA Airways', { names: ['ita airways', 'ita'], importance: 200 })
  const at = (text: string, byItsCode: Item, matches: readonly Item[] = [ita], days?: Days) =>
    meant({ codes: { ITA: holdersOf([byItsCode]) }, names: { [text]: matches } }, 'airline', text, days)

  test('in capitals, the holder of the code on the day is meant', () => {
    assert.equal(at('ITA', small), '1')
    assert.equal(at('ITA', { ...small, from: '2020' }, [ita], daysOf('2019-12-31')), '2 isByName')
  })
  test('in capitals, the well-known airline wins over one that ended on an unknown day', () => {
    const ended = { ...small, active: false }
    assert.equal(at('ITA', ended), '2 isByName')
    assert.equal(at('ITA', ended, [{ ...ita, importance: 199 }]), 'code: 1')
    assert.equal(at('ITA', ended, []), 'code: 1')
    assert.equal(at('ITA', ended, [{ ...ita, from: '2020' }], daysOf('2019-12-31')), 'code: 1')
    assert.equal(at('ITA', { ...small, id: CUSTOM }), `${CUSTOM}`)
    const two = { codes: { IT: holdersOf([small]) }, names: { IT: [{ ...ita, names: ['it'] }] } }
    assert.equal(meant(two, 'airline', 'IT'), '1')
  })
  test('as a word, an airline in use is meant by its code, or both if the name is another’s', () => {
    const known = { ...small, importance: 200 }
    assert.equal(at('ita', known, []), '1')
    assert.equal(at('Ita', known), 'name: 2 1')
    assert.equal(at('Ita', known, [{ ...ita, importance: 199 }]), '1')
    assert.equal(at('Ita', known, [{ ...known, names: ['ita'] }]), '1')
    assert.equal(at('Ita', known, [ita, { ...ita, id: 3, importance: 199 }]), '1')
    assert.equal(at('Ita', { ...known, id: CUSTOM }), `${CUSTOM}`)
  })
  test('as a word, a little-known airline is only suggested by its code', () => {
    assert.equal(at('Ita', small), '2 isByName')
    assert.equal(at('Ita', small, []), 'part: 1')
    assert.equal(at('Ita', { ...small, importance: 300, to: '1990', active: false }, []), 'part: 1')
    const shared = { codes: { ITA: holdersOf([small, airline(4, 'Four')]) } }
    assert.equal(meant(shared, 'airline', 'Ita'), 'code: 1 4')
  })
  test('a code of an aircraft type is one in any spelling', () => {
    const type = airline(1, 'Type')
    assert.equal(
      meant({ codes: { BAE: holdersOf([type]) }, names: { bae: [airline(3, 'BAE')] } }, 'aircraft', 'bae'),
      '1',
    )
    const two = { codes: { BAE: holdersOf([type, airline(3, 'BAE')]) } }
    assert.equal(meant(two, 'aircraft', 'bae'), 'code: 1 3')
    assert.equal(meant({ codes: { ITA: holdersOf([type]) }, names: { ITA: [ita] } }, 'aircraft', 'ITA'), '1')
  })
})

describe('names of airlines and aircraft types', () => {
  const lufthansa = airline(1, 'Lufthansa', { importance: 500 })
  const cityLine = airline(2, 'Lufthansa CityLine', { importance: 200 })
  const all = [cityLine, lufthansa]
  const at = (text: string, matches: readonly Item[], days?: Days, kind: RecordKind = 'airline') =>
    meant({ names: { [text]: matches } }, kind, text, days)

  test('a whole name is meant, with or without the words that people omit', () => {
    assert.equal(at('lufthansa', all), '1 isByName')
    assert.equal(at('Lufthansa Airlines', all), '1 isByName')
    assert.equal(at('City Line', [airline(3, 'CityLine')]), '3 isByName')
    const jet = airline(3, 'Boeing 777')
    assert.equal(at('777', [jet], today, 'aircraft'), '3 isByName')
    const whole = airline(4, 'Triple', { names: ['777'] })
    assert.equal(at('777', [jet, whole], today, 'aircraft'), '4 isByName')
    // A text without letters or digits names nothing.
    assert.deepEqual(readName('-', [jet], new Map([[3, ['']]])).whole, [])
  })
  test('parts of names are only suggested; beginnings of the last word from four letters', () => {
    assert.equal(at('Lufthansa City', all), 'part: 2')
    assert.equal(at('Luft', all), 'part: 2 1')
    assert.equal(at('Luf', all), 'unknown')
    assert.equal(at('City Lufthansa', all), 'unknown')
    assert.equal(at('Lufthansa 3', [airline(3, 'Lufthansa 320')]), 'part: 3')
    assert.equal(at('320 Lufthansa', [airline(3, 'Lufthansa 320')]), 'part: 3')
    assert.equal(at('Luft CityLine', all), 'unknown')
    assert.equal(at('Air Condor', [airline(3, 'Condor Flug')]), 'part: 3')
    // Words of many names do not count, unless there are no others.
    assert.equal(at('Air Lufthansa Cargo', [airline(3, 'Lufthansa Cargo Air')]), 'part: 3')
    assert.equal(at('Lufthansa Airlines X', [airline(3, 'Lufthansa X')]), 'part: 3')
    assert.equal(at('Air Airways', [airline(3, 'Foo Air'), airline(4, 'Airways Air Foo')]), 'part: 4')
  })
  test('of several with one name, the one that is written so, else the far more used one', () => {
    const own = airline(3, 'National', { names: ['national'], importance: 100 })
    const other = airline(4, 'National Airlines', {
      names: ['national airlines', 'national'],
      importance: 120,
    })
    assert.equal(at('National', [other, own]), '3 isByName')
    assert.equal(at('National', [{ ...own, name: 'National X' }, other]), 'name: 4 3')
    assert.equal(
      at('National', [
        { ...own, name: 'National X' },
        { ...other, importance: 250 },
      ]),
      '4 isByName',
    )
    // Both are written so.
    assert.equal(at('national', [own, { ...other, name: 'NATIONAL' }]), 'name: 4 3')
    assert.equal(at('national', [own, { ...other, name: 'N' }], today, 'aircraft'), '3 isByName')
    assert.equal(at('nat ional', [own, { ...other, importance: 900 }], today, 'aircraft'), '3 isByName')
  })
  test('airlines that flew on the days come first; others get a warning', () => {
    const pan = airline(3, 'Pan', { names: ['pan'], active: false, from: '1930', to: '1991' })
    const newer = airline(4, 'Pan Air', { names: ['pan air', 'pan'], from: '1996', importance: 100 })
    assert.equal(at('Pan', [pan, newer], daysOf('1991-12-31')), '3 isByName')
    assert.equal(at('Pan', [pan, newer], daysOf('2000-01-01')), '4 isByName')
    assert.equal(at('Pan', [pan], daysOf('1992-01-01')), '3 isByName warning airline_not_flying_then')
    assert.equal(at('Pan', [pan], daysOf('1930-01-01')), '3 isByName')
    assert.equal(at('Pan', [{ ...pan, to: null }], daysOf('1950-01-01')), '3 isByName')
    // Without a last day and not known to fly: its years are unknown.
    const undated: Item = { id: 3, name: 'Pan', icao: null, from: '1996', names: ['pan'] }
    assert.equal(at('Pan', [undated], daysOf('1950-01-01')), '3 isByName')
    assert.equal(
      at('Pan', [{ ...newer, name: 'Pan' }], daysOf('1950-01-01')),
      '4 isByName warning airline_not_flying_then',
    )
    assert.equal(at('pa n', [newer], daysOf('1950-01-01')), '4 isByName warning airline_not_flying_then')
  })
  test('a shortened name of an airline that is known not to have flown then is a guess', () => {
    const ryan = airline(3, 'Ryan International', { active: false, from: '1972', to: '2013' })
    assert.equal(at('Ryan', [ryan], daysOf('2000-01-01')), '3 isByName')
    assert.equal(at('Ryan', [ryan], daysOf('2020-01-01')), 'part: 3')
    assert.equal(at('Ryan', [{ ...ryan, to: null }], daysOf('2020-01-01')), 'name: 3')
    assert.equal(at('Ryan', [ryan, { ...ryan, id: 4, to: null }], daysOf('2020-01-01')), 'name: 3 4')
    // A whole name that no airline had then gives way to a shortened one that flew.
    const whole = airline(5, 'RYAN', { names: ['ryan'], active: false, to: '1960' })
    assert.equal(at('Ryan', [whole, ryan], daysOf('2000-01-01')), '3 isByName')
    assert.equal(at('Ryan', [whole, ryan], daysOf('1950-01-01')), '5 isByName')
    assert.equal(
      at('Ryan', [whole, ryan], daysOf('2020-01-01')),
      '5 isByName warning airline_not_flying_then',
    )
  })
  test('only whole names', () => {
    const has = (...matches: Item[]) => ({ names: { Pan: matches } })
    const pan = airline(3, 'Pan', { active: false, from: '1930', to: '1991' })
    const newer = airline(4, 'Pan', { from: '1996' })
    assert.equal(named(has(), 'airline', 'Pan'), 'unknown')
    assert.equal(named(has(pan), 'airline', 'Pan'), '3 isByName warning airline_not_flying_then')
    assert.equal(named(has(airline(5, 'Pan Am')), 'airline', 'Pan'), 'unknown')
    assert.equal(named(has(pan, newer), 'airline', 'Pan', daysOf('1950-01-01')), '3 isByName')
    assert.equal(named(has(pan, newer), 'airline', 'Pan', daysOf('1993-01-01')), 'name: 3 4')
    assert.equal(named(has(pan, newer), 'aircraft', 'Pan', daysOf('1950-01-01')), 'name: 3 4')
    const one = airport(1)
    assert.equal(named({ names: { Kos: place(found(one)) } }, 'airport', 'Kos'), '1 isByName')
    assert.equal(named({ names: { Kos: place(several('name', one)) } }, 'airport', 'Kos'), 'name: 1')
    assert.equal(named({ names: { Kos: place(several('part', one)) } }, 'airport', 'Kos'), 'unknown')
  })
  test('the only name that begins with two or more words', () => {
    const [am, air] = [airline(3, 'Pan Am World'), airline(4, 'Pan Am Air', { from: '1996' })]
    const only = (text: string, matches: readonly Item[], kind: RecordKind, days: Days) =>
      ofBeginning(readName(text, matches, new Map()), { kind, days })?.id
    assert.equal(only('Pan Am', [am, airline(5, 'Pan Amsterdam')], 'airline', today), 3)
    assert.equal(only('Pan', [am], 'airline', today), undefined)
    assert.equal(only('Pan Am', [am, air], 'airline', today), undefined)
    assert.equal(only('Pan Am', [am, air], 'airline', daysOf('1990-01-01')), 3)
    assert.equal(only('Pan Am', [air], 'airline', daysOf('1990-01-01')), undefined)
    assert.equal(only('Pan Am', [air], 'aircraft', daysOf('1990-01-01')), 4)
  })
  test('which texts may be names', () => {
    const held = holdersOf([airport(1)])
    assert.ok(mayBeName('CPH', holdersOf([]), 'airport'))
    assert.ok(!mayBeName('CPH', held, 'airport'))
    assert.ok(mayBeName('Kos', held, 'airport'))
    assert.ok(mayBeName('lima', held, 'airport'))
    assert.ok(!mayBeName('limas', held, 'airport'))
    assert.ok(mayBeName('ITA', held, 'airline'))
    assert.ok(!mayBeName('ITA', held, 'aircraft'))
    assert.ok(!mayBeName('SK', held, 'airline'))
    assert.ok(!mayBeName('DLHX', held, 'airline'))
  })
})

describe('everything that a search may mean', () => {
  const ids = (has: Has, text: string, kind: RecordKind) =>
    everyMeaning(indexOf(has), text, kind, { isSearch: true }).map(({ id }) => id)
  const [one, two] = [airport(1, { importance: 10 }), airport(2, { importance: 20 })]

  test('airports: the holders of the code by importance, or all of the place', () => {
    const codes = { KOS: holdersOf([one, two]) }
    const kos = place(found(one), {}, [airport(3)])
    assert.deepEqual(ids({ codes, names: { KOS: kos } }, 'KOS', 'airport'), [2, 1])
    assert.deepEqual(ids({ codes, names: { kos } }, 'kos', 'airport'), [2, 1])
    assert.deepEqual(ids({ codes, names: { Kos: kos } }, 'Kos', 'airport'), [3])
    assert.deepEqual(ids({ codes, names: { Kos: place(unknown) } }, 'Kos', 'airport'), [2, 1])
    assert.deepEqual(ids({ codes }, 'Kos', 'airport'), [2, 1])
    assert.deepEqual(ids({ codes: { KOS: holdersOf([one]) }, names: { KOS: kos } }, 'KOS', 'airport'), [1])
    assert.deepEqual(ids({ names: { KOS: kos } }, 'KOS', 'airport'), [3])
    assert.deepEqual(ids({}, 'KOS', 'airport'), [])
    const many = Array.from({ length: 25 }, (_, i) => airport(i + 1, { importance: i }))
    assert.deepEqual(
      ids({ codes: { KOS: holdersOf(many) } }, 'KOS', 'airport'),
      Array.from({ length: 20 }, (_, i) => 25 - i),
    )
  })
  test('airlines: the holders of the code, else those of the whole name, else of the shortened name', () => {
    const sk = airline(1, 'SAS')
    const names = {
      SAS: [airline(2, 'SAS Norge'), airline(3, 'Sas', { names: ['sas'] }), airline(4, 'S A S')],
    }
    assert.deepEqual(ids({ codes: { SAS: holdersOf([sk]) }, names }, 'sas', 'airline'), [1])
    assert.deepEqual(ids({ names }, 'SAS', 'airline'), [3])
    const spaced = { 's as': names.SAS }
    assert.deepEqual(ids({ names: spaced }, 's as', 'airline'), [3, 4])
    const [spacedOnly, longer] = [airline(2, 'S A S'), airline(3, 'SAS Airlines')]
    assert.deepEqual(ids({ names: { SAS: [spacedOnly, longer] } }, 'SAS', 'airline'), [2])
    assert.deepEqual(ids({ names: { SAS: [longer] } }, 'SAS', 'airline'), [3])
    assert.deepEqual(ids({ names: { SAS: [airline(2, 'SAS Norge')] } }, 'SAS', 'airline'), [])
  })
  test('aircraft types: all matches of something like a code, else those of the whole name by id', () => {
    const [a, b] = [airline(7, 'Concorde'), airline(5, 'Concorde', { names: ['concorde', 'b74'] })]
    const other = airline(1, 'Concorde B')
    assert.deepEqual(ids({ names: { Concorde: [a, other, b] } }, 'Concorde', 'aircraft'), [5, 7])
    assert.deepEqual(ids({ names: { Concorde: [other] } }, 'Concorde', 'aircraft'), [1])
    assert.deepEqual(ids({ names: { B74: [a, b] } }, 'B74', 'aircraft'), [7, 5])
    assert.deepEqual(ids({ codes: { B74: holdersOf([a]) }, names: { B74: [b] } }, 'b74', 'aircraft'), [7])
  })
})

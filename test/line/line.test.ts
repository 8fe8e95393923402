// One line of text: the meaning of its words, the draft, and the offers from the log.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Known } from '../../server/domain/entry/line/candidate.ts'
import type { LineReference } from '../../server/domain/entry/line/data.ts'
import { withAirports } from '../../server/domain/entry/line/data.ts'
import { legsOf } from '../../server/domain/entry/line/legs.ts'
import { rememberLog } from '../../server/domain/entry/line/memory.ts'
import { isUsual, withOffers } from '../../server/domain/entry/line/offers.ts'
import { LINE_CHARACTERS_AT_MOST, readLine } from '../../server/domain/entry/line/read.ts'
import { logBody } from '../../server/domain/entry/line/save.ts'
import type { LineReading } from '../../server/domain/entry/line/types.ts'
import { lineCases } from './cases.ts'
import { hardCases, refusedLines } from './hard-cases.ts'
import { calendar, emptyLog, flight, people, shippedReference, shown } from './known.ts'

let reference: LineReference
let known: Known
let close: () => Promise<void>
after(() => close())
before(async () => {
  const shipped = await shippedReference()
  reference = shipped.reference
  close = shipped.close
  known = { reference, memory: emptyLog, calendar }
})

const id = (code: string): number => reference.airports.byCode.get(code)![0]!.id
const partsOf = ({ parts }: LineReading): string =>
  parts.map(({ kind, text }) => `${kind} ${text}`).join(' | ')
const draftOf = (text: string, using: Known = known): string => shown(readLine(text, using).draft, reference)

describe('lines in the languages of the app', () => {
  test('there are at least 120 lines', () => assert.ok(lineCases.length >= 120))
  test('each line is understood word by word, and makes its draft', () => {
    const read = lineCases.map(([text]) => {
      const reading = readLine(text, known)
      return [text, partsOf(reading), shown(reading.draft, reference)]
    })
    assert.deepEqual(read, lineCases)
  })
})

describe('ambiguous lines', () => {
  test('ambiguous lines lose no day, invent no number, and read no small word as an airport', () => {
    const read = hardCases.map(([text]) => [text, draftOf(text)])
    assert.deepEqual(read, hardCases)
    const problems = hardCases.filter(([text]) => readLine(text, known).problem)
    assert.deepEqual(problems, [])
  })
  test('a line with a third airport, a diversion or an impossible day is refused', () => {
    const read = refusedLines.map(([text]) => {
      const { problem } = readLine(text, known)
      return [text, problem?.reason, problem?.text]
    })
    assert.deepEqual(read, refusedLines)
  })
  test('other lines are refused only for a third airport or a missing day', () => {
    const refused = lineCases.flatMap(([text]) => readLine(text, known).problem?.text ?? [])
    assert.deepEqual(refused, ['lhr', '30.2.', '2026-02-30', 'lissabon', 'christchurch'])
  })
  test('a number of the log is read as one, also if its code is an airport’s', () => {
    const own = flight({ flightNumber: 'SC1830', fromId: id('TNA'), toId: id('CPH') })
    const memory = rememberLog([own], people, null)
    assert.match(draftOf('CPH CDG 1830 2.3.2019', { ...known, memory }), /flightNumber SC1830/)
  })
})

describe('every line', () => {
  /** The same numbers in every run. */
  const createRandom = (seed: number) => () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const pieces = [
    ...lineCases.flatMap(([text]) => text.split(' ')),
    ...[
      '-',
      '→',
      ',',
      '..',
      '(',
      ')',
      '"',
      '12',
      '0',
      '+1',
      ':',
      '\t',
      '😀',
      'ß',
      '\u0301',
      '\u0000',
      '\ud800',
      '9'.repeat(40),
    ],
  ]
  const randomLine = (random: () => number): string =>
    Array.from({ length: 1 + Math.floor(random() * 14) }, () => {
      const piece = pieces[Math.floor(random() * pieces.length)]!
      return piece + (random() < 0.8 ? ' ' : '')
    }).join('')

  test('every character is in exactly one part, or is blank', () => {
    const random = createRandom(7)
    for (let i = 0; i < 400; i++) {
      const text = randomLine(random)
      const { parts } = readLine(text, known)
      let at = 0
      for (const part of parts) {
        assert.match(text.slice(at, part.start), /^\s*$/, `before ${part.text} in ${JSON.stringify(text)}`)
        assert.ok(part.end > part.start)
        assert.equal(part.text, text.slice(part.start, part.end))
        at = part.end
      }
      assert.match(text.slice(at), /^\s*$/, JSON.stringify(text))
    }
  })

  test('words that are not understood are in the note', () => {
    const random = createRandom(11)
    for (let i = 0; i < 200; i++) {
      const { parts, draft } = readLine(randomLine(random), known)
      for (const { kind, text } of parts)
        if (kind === 'note' && !text.toLowerCase().startsWith('not'))
          assert.ok(draft.note?.includes(text), text)
    }
  })

  test('odd lines are read without an error', () => {
    for (const text of [
      '',
      ' ',
      '\n\t',
      'a'.repeat(5000),
      '- '.repeat(400),
      'mit '.repeat(200),
      'with a and '.repeat(100),
      '1 '.repeat(300),
      '::::',
      '🛫'.repeat(300),
    ]) {
      const { parts } = readLine(text, known)
      assert.ok(parts.every(({ end }) => end <= text.length))
    }
  })

  test('what follows “seat” is no flight number, and “w/” is with', () => {
    const text = 'Flew SAN-SJC on Southwest w/ Tom & Lisa, 9 Nov 2019, seat B32'
    const draft = 'airline WN, date 2019-11-09, from KSAN, people Tom+Lisa, seatNumber 32B, to KSJC'
    assert.equal(draftOf(text), draft)
    assert.equal(draftOf(text.replace('seat', 'seat:')), draft)
    assert.equal(draftOf('cph jfk today seat X99'), 'date 2026-11-16, from EKCH, note seat X99, to KJFK')
    assert.equal(draftOf('cph jfk today w/o bags'), 'date 2026-11-16, from EKCH, note w/o bags, to KJFK')
  })

  test('a line that is too long is kept in full in the note', () => {
    const tail = 'x'.repeat(100)
    const text = `SK909 20 feb ${'y '.repeat(250)}${tail}`
    const { draft, parts } = readLine(text, known)
    assert.ok(text.length > LINE_CHARACTERS_AT_MOST)
    assert.equal(draft.flightNumber, 'SK909')
    assert.ok(draft.note!.endsWith('x'.repeat(10)))
    assert.equal(parts.at(-1)!.end, text.length)
  })

  const permutable = [
    ['SK909', '20 feb', '12a'],
    ['cph jfk', 'yesterday', 'business', 'window'],
    ['lh 400', 'morgen', 'fenster'],
    ['BA117', '3.3.26', 'LHR-JFK', '0825-1110'],
    ['BA117', 'LHR-JFK', 'a350', 'g-xwba'],
    ['from paris to rom', 'tomorrow', 'eco', 't2'],
    ['SQ321', 'lhr → sin', '1.2.26', '22:05-18:00+1', 'gate B12'],
    ['mit Grace und Ada', 'vor 3 tagen', 'cph arn', 'Urlaub'],
    ['new york london', 'last friday', '14c', 'premium economy'],
  ]
  test('the order of the words does not change the draft', () => {
    for (const words of permutable) {
      const drafts = new Set(permutationsOf(words).map((order) => draftOf(order.join(' '))))
      assert.equal(drafts.size, 1, [...drafts].join('\n'))
    }
  })

  test('capitals do not change the draft', () => {
    for (const text of [
      'sk909 20 feb 12a',
      'cph jfk yesterday business',
      'lh 400 morgen fenster',
      'von münchen nach rom heute',
    ])
      assert.equal(draftOf(text.toUpperCase()), draftOf(text))
  })
})

function permutationsOf(words: readonly string[]): string[][] {
  if (words.length < 2) return [[...words]]
  return words.flatMap((word, i) => permutationsOf(words.toSpliced(i, 1)).map((rest) => [word, ...rest]))
}

describe('dates', () => {
  test('a day without a year is the latest one at most 60 days ahead, with the next year as an alternative', () => {
    assert.equal(draftOf('14 march'), 'date 2026-03-14')
    assert.equal(draftOf('15 jan'), 'date 2027-01-15', '60 days ahead')
    assert.equal(draftOf('16 jan'), 'date 2026-01-16', '61 days ahead')
    assert.equal(draftOf('flying to oslo on 14 march').slice(0, 15), 'date 2027-03-14')
    const part = readLine('SK909 20 feb', known).parts[1]!
    assert.deepEqual(part.alternatives[0], { kind: 'date', sets: { date: '2027-02-20' } })
  })
  test('a season or Christmas is asked about: its months or days, and the year', () => {
    const asked = (text: string, using = known) => {
      const { parts, missing } = readLine(text, using)
      const part = parts.find(({ kind }) => kind === 'date')!
      assert.deepEqual([part.sets, missing], [{}, ['date']], text)
      return part.alternatives.map(({ sets: { date = '', datePrecision = 'day' } }) =>
        date.slice(0, { year: 4, month: 7, day: 10 }[datePrecision]),
      )
    }
    const summer = ['2026-06', '2026-07', '2026-08', '2026']
    for (const said of ['last summer', 'letzten Sommer', 'l’été dernier', 'el verano pasado', 'this summer'])
      assert.deepEqual(asked(`oslo bergen ${said}`), summer, said)
    assert.deepEqual(asked('oslo bergen next summer'), ['2027-06', '2027-07', '2027-08', '2027'])
    assert.deepEqual(asked('oslo bergen Sommer 2019'), ['2019-06', '2019-07', '2019-08', '2019'])
    assert.deepEqual(asked('oslo bergen last winter'), ['2025-12', '2026-01', '2026-02', '2025', '2026'])
    assert.deepEqual(asked('oslo bergen winter 2019'), ['2019-01', '2019-02', '2019-12', '2019'])
    const south = { ...known, memory: rememberLog([], people, id('SYD')) }
    assert.deepEqual(asked('oslo bergen summer 2019', south).slice(0, 3), ['2019-01', '2019-02', '2019-12'])
    assert.deepEqual(asked('Weihnachten 2012 fra bkk'), ['2012-12-24', '2012-12-25', '2012-12-26', '2012-12'])
    assert.equal(draftOf('cph jfk christmas day 2015'), 'date 2015-12-25, from EKCH, to KJFK')
    assert.equal(draftOf('Heiligabend 2019'), 'date 2019-12-24')
    assert.equal(draftOf('new year’s eve'), 'date 2026-12-31')
    assert.equal(draftOf('oslo bergen winter coat'), 'from ENGM, note winter coat, to ENBR')
  })
  test('dates with slashes follow the person’s order, dates with dots do not', () => {
    const american = { ...known, calendar: { ...calendar, order: 'month-first' as const } }
    assert.equal(draftOf('3/4/2026', american), 'date 2026-03-04')
    assert.equal(draftOf('3.4.2026', american), 'date 2026-04-03')
    const [part] = readLine('3/4/2026', known).parts
    assert.deepEqual(part!.alternatives, [{ kind: 'date', sets: { date: '2026-03-04' } }])
  })
  test('a weekday decides the year that it fits', () => {
    assert.equal(draftOf('sat 20 feb'), 'date 2027-02-20')
    assert.equal(draftOf('fri 20 feb'), 'date 2026-02-20')
  })
})

describe('ambiguous words', () => {
  test('a city with several airports offers the others', () => {
    const part = readLine('cph new york today', known).parts[1]!
    const codes = part.alternatives.map(({ sets }) => reference.airports.byId.get(sets.toId!)!.iata)
    assert.deepEqual(codes.slice(0, 2), ['EWR', 'LGA'])
  })
  test('a chosen meaning applies while its text is unchanged', () => {
    const text = 'cph new york today'
    const choice = { start: 4, text: 'new york', kind: 'to', sets: { toId: id('EWR') } } as const
    assert.equal(readLine(text, known, [choice]).draft.toId, id('EWR'))
    assert.notEqual(readLine('cph new yxrk today', known, [choice]).draft.toId, id('EWR'))
    const other = readLine('SK909 business', known).parts[1]!
    const reason = { start: other.start, text: other.text, ...other.alternatives[0]! }
    assert.equal(draftOf('SK909 business'), 'airline SK, flightNumber SK909, seatClass business')
    assert.equal(readLine('SK909 business', known, [reason]).draft.flightReason, 'business')
  })
  test('a word that may be a registration stays a note, and offers the registration', () => {
    for (const [text, aircraftReg] of [
      ['sk909 yesterday SEROA', 'SE-ROA'],
      ['sq26 yesterday 9vska', '9V-SKA'],
    ] as const) {
      const part = readLine(text, known).parts.at(-1)!
      assert.deepEqual(
        [part.kind, part.alternatives],
        ['note', [{ kind: 'registration', sets: { aircraftReg } }]],
      )
    }
  })
  test('a single airport may be either end', () => {
    const [part] = readLine('jfk today', known).parts
    assert.deepEqual(part!.alternatives, [{ kind: 'from', sets: { fromId: id('JFK') } }])
  })
  test('of two people with one name, the first is the one flown with most', () => {
    const both = [...people, { userId: 'u9', name: 'Grace Kelly' }]
    const reading = readLine('with Grace', { ...known, memory: rememberLog([], both, null) })
    assert.equal(shown(reading.draft, reference), 'people u1!')
    assert.equal(shown(reading.parts[0]!.alternatives[0]!.sets, reference), 'people u9!')
  })
})

describe('the line with the log', () => {
  const remember = () => {
    const usual = {
      flightNumber: 'SK909',
      fromId: id('CPH'),
      toId: id('EWR'),
      seatClass: 'economy',
      seatNumber: '14C',
    } as const
    const times = { departure: '12:20', arrival: '15:05', dayShift: 0 }
    const flights = [
      ...['2024-05-01', '2025-05-01', '2026-10-03'].map((date) => flight({ ...usual, ...times, date })),
      flight({ flightNumber: 'LH 400', fromId: id('FRA'), toId: id('JFK'), date: '2026-01-01' }),
      flight({ fromId: id('FRA'), toId: id('EWR'), date: '2026-01-02' }),
    ]
    return { ...known, memory: rememberLog(flights, people, id('CPH')) }
  }
  const offered = ({ offers }: LineReading) =>
    offers.map(
      ({ kind, sets, because, isNeeded }) =>
        `${kind}${isNeeded ? '!' : ''} ${shown(sets, reference)} (${because.kind} ${because.times})`,
    )

  test('a number offers its route, times, seat and class, and only the route is required', () => {
    const reading = readLine('SK909 20 feb', remember())
    assert.equal(shown(reading.draft, reference), 'airline SK, date 2026-02-20, flightNumber SK909')
    assert.deepEqual(offered(reading), [
      'route! from EKCH, to KEWR (number 3)',
      'times arrival 15:05+0, departure 12:20 (number 3)',
      'seatNumber seatNumber 14C (usual 3)',
      'seatClass seatClass economy (usual 3)',
    ])
    assert.deepEqual(reading.missing, [])
  })
  test('typed values are not offered', () => {
    const reading = readLine('SK909 20 feb cph ewr 12a business 8:00', remember())
    assert.deepEqual(offered(reading), [])
  })
  test('a route offers its number', () => {
    assert.deepEqual(offered(readLine('cph ewr today 12a eco', remember())), [
      'number flightNumber SK909 (route 3)',
      'times arrival 15:05+0, departure 12:20 (route 3)',
    ])
  })
  test('for a single place, the flight from home is only offered', () => {
    const reading = readLine('oslo today', remember())
    assert.equal(offered(reading)[0], 'from from EKCH (home 0)')
    assert.deepEqual(reading.missing, ['from'])
    assert.equal(withOffers(reading.draft, reading.offers.slice(0, 1)).fromId, id('CPH'))
    assert.deepEqual(readLine('cph today', remember()).missing, ['to'])
  })
  test('the airport of another city is asked about, even if it is the person’s usual one', () => {
    const reading = readLine('oslo new york today', remember())
    assert.equal(shown(reading.draft, reference), 'date 2026-11-16, from ENGM')
    assert.deepEqual([reading.missing, reading.parts[1]!.sets], [['to'], {}])
    const codes = reading.parts[1]!.alternatives.map(
      ({ sets }) => reference.airports.byId.get(sets.toId!)!.iata,
    )
    assert.deepEqual(codes.slice(0, 3), ['EWR', 'JFK', 'LGA'])
    assert.equal(
      draftOf('SK909 cph new york today', remember()).slice(-7),
      'to KEWR',
      'the number says which',
    )
    assert.equal(draftOf('oslo new york today'), 'date 2026-11-16, from ENGM, to KJFK')
  })
  test('of the airports of one city, the person’s usual one is meant', () => {
    const own = [
      flight({ fromId: id('CPH'), toId: id('LGW') }),
      flight({ fromId: id('LGW'), toId: id('CPH') }),
    ]
    const memory = rememberLog(own, people, null)
    assert.equal(draftOf('oslo london today', { ...known, memory }), 'date 2026-11-16, from ENGM, to EGKK')
  })
  test('nothing offered contradicts what was typed, and what happened once is dated', () => {
    const airline = (code: string) => reference.airlines.byCode.get(code)![0]!.id
    const route = { fromId: id('FRA'), toId: id('SIN') }
    const times = { departure: '21:55', arrival: '16:35', dayShift: 1 }
    const sq = flight({
      ...route,
      ...times,
      airlineId: airline('SQ'),
      flightNumber: 'SQ325',
      date: '2026-03-01',
    })
    const lh = flight({ ...route, airlineId: airline('LH'), flightNumber: 'LH778', date: '2025-03-01' })
    const with2 = { ...known, memory: rememberLog([sq, lh], people, null) }
    assert.deepEqual(offered(readLine('lufthansa frankfurt singapore 3 may 2019', with2)), [
      'number airline LH, flightNumber LH778 (route 1)',
    ])
    const with1 = { ...known, memory: rememberLog([sq], people, null) }
    assert.deepEqual(offered(readLine('lufthansa frankfurt singapore 3 may 2019', with1)), [])
    assert.deepEqual(offered(readLine('LH778 frankfurt singapore 3 may 2019', with1)), [])
    const { offers } = readLine('frankfurt singapore 3 may 2019', with1)
    assert.deepEqual(
      offers.map(({ kind, because }) => [kind, isUsual(because), because.date]),
      [
        ['number', false, '2026-03-01'],
        ['times', false, '2026-03-01'],
      ],
    )
  })
  test('home and the return are the person’s own', () => {
    const using = remember()
    assert.equal(draftOf('flew home from lisbon on sunday', using), 'date 2026-11-15, from LPPT, to EKCH')
    assert.equal(draftOf('heim von Lissabon gestern', using), 'date 2026-11-15, from LPPT, to EKCH')
    assert.equal(draftOf('from home to oslo yesterday', using), 'date 2026-11-15, from EKCH, to ENGM')
    const home = readLine('flew home yesterday', using)
    assert.deepEqual([home.missing, offered(home)[0]], [['from'], 'from from KEWR (last 0)'])
    assert.equal(draftOf('return on sunday', using), 'date 2026-11-15, from KEWR, to EKCH')
    assert.equal(draftOf('Rückflug am 1.2.2026', using), 'date 2026-02-01, from KEWR, to EDDF')
    assert.equal(draftOf('return from oslo to bergen yesterday', using).includes('KEWR'), false)
    assert.equal(draftOf('LH400 return yesterday', using).includes('KEWR'), false)
    assert.equal(draftOf('flew home yesterday'), 'date 2026-11-15, note flew home', 'no home is known')
  })
  test('a logged number with blanks and zeros is the same number', () => {
    assert.equal(offered(readLine('lh0400 today', remember()))[0], 'route! from EDDF, to KJFK (number 1)')
  })
  const airfield = (id: number, icao: string) => ({
    ...{ id, iata: null, icao, name: 'Little Meadow Airfield', city: 'Meadowville', country: 'DK' },
    ...{ latitude: 55, longitude: 12, timezone: 'Europe/Copenhagen', size: 0, names: [] },
  })
  test('airports known only from the log are found by code and name', () => {
    const own = { ...known, reference: withAirports(reference, [airfield(9, 'EKXX')]) }
    assert.equal(readLine('cph meadowville today', own).draft.toId, 9)
    assert.equal(readLine('ekxx cph today', own).draft.fromId, 9)
  })
  test('local codes of the United States are codes, but no seat and no aircraft is one', () => {
    const fields = [airfield(901, 'K1Q4'), airfield(902, 'K3O8'), airfield(903, 'KC83')]
    const own = { ...known, reference: withAirports(reference, fields) }
    const read = (text: string) => shown(readLine(text, own).draft, own.reference)
    assert.equal(read('1Q4 to 3O8 3 may 2019'), 'date 2019-05-03, from K1Q4, to K3O8')
    assert.equal(read('1Q4-SFO 3 may 2019'), 'date 2019-05-03, from K1Q4, to KSFO')
    assert.equal(read('3O8 SFO 3 may 2019 C172'), 'aircraft C172, date 2019-05-03, from K3O8, to KSFO')
    assert.equal(read('SFO C83 3 may 2019'), 'date 2019-05-03, from KSFO, to KC83')
    assert.equal(read('from 16A to BET 3 may 2019'), 'date 2019-05-03, from PPIT, to PABE')
    assert.equal(read('CPH ARN 3 may 2019 16A'), 'date 2019-05-03, from EKCH, seatNumber 16A, to ESSA')
    assert.match(read('CPH ARN 3O8 3 may 2019'), /flightNumber 3O8/)
  })
})

describe('several flights in a line', () => {
  const legsIn = (text: string) => legsOf(readLine(text, known).draft).map((leg) => shown(leg, reference))
  test('a chain of airports is one flight for each pair, with what both share', () => {
    assert.deepEqual(legsIn('EWR-SFO-HNL 3 may 2024 united business with Grace was late'), [
      'airline UA, date 2024-05-03, from KEWR, note was late, people u1!, seatClass business, to KSFO',
      'airline UA, date 2024-05-03, from KSFO, people u1!, seatClass business, to PHNL',
    ])
    assert.deepEqual(legsIn('Graz → Frankfurt → Chicago 12.9.2023'), [
      'date 2023-09-12, from LOWG, to EDDF',
      'date 2023-09-12, from EDDF, to KORD',
    ])
    assert.deepEqual(readLine('EWR-SFO-HNL 3 may 2024', known).missing, [])
  })
  test('what belongs to one of them, or a second day, is asked about', () => {
    for (const text of [
      'EWR-SFO-HNL UA1 3 may 2024',
      'EWR-SFO-HNL 3 may 2024 8:00',
      'EWR-SFO-HNL 3 may 2024 12a',
      'LHR-SIN-SYD 3 may 2024',
      'JFK-LHR-FRA 3 may 2024',
      'CPH-JFK-CPH 3 may 2024',
    ])
      assert.equal(readLine(text, known).problem?.reason, 'text_names_several_flights', text)
  })
})

describe('places by other names', () => {
  test('a city and a word of one of its airports, and names that no record has', () => {
    const cases: [string, string][] = [
      ['Milan Linate Rome 3 may 2019', 'from LIML, to LIRF'],
      ['chicago ohare boston 3 may 2019', 'from KORD, to KBOS'],
      ['Houston Hobby dallas 3 may 2019', 'from KHOU, to KDFW'],
      ['washington national boston 3 may 2019', 'from KDCA, to KBOS'],
      ['Moskau Scheremetjewo paris 3 may 2019', 'from UUEE, to LFPG'],
      ['Moskau Domodedowo paris 3 may 2019', 'from UUDD, to LFPG'],
      ['Tegel Palma 3 may 2019', 'from EDDT, to LEPA'],
      ['Easter Island santiago 3 may 2019', 'from SCIP, to SCEL'],
      ['ibiza valencia 3 may 2019', 'from LEIB, to LEVC'],
      // Two cities, not Manchester–Boston Regional Airport.
      ['Manchester Boston 3 may 2019', 'from EGCC, to KBOS'],
      ['Paris de Gaulle rome 3 may 2019', 'from LFPG, to LIRF'],
    ]
    const read = cases.map(([text]) => [text, draftOf(text).replace('date 2019-05-03, ', '')])
    assert.deepEqual(read, cases)
  })
  test('a name of two places is asked about, a closed airport is not understood', () => {
    const { parts, missing } = readLine('Monaco london 3 may 2019', known)
    assert.deepEqual([parts[0]!.kind, parts[0]!.sets, missing], ['from', {}, ['from']])
    assert.equal(parts[0]!.alternatives[0]!.sets.fromId, id('NCE'))
    const own = flight({ flightNumber: 'SK909', fromId: id('CPH'), toId: id('EWR') })
    const memory = rememberLog([own], people, id('CPH'))
    for (const text of ['Monaco london 3 may 2019', 'SK909 to Monaco 3 may 2019'])
      assert.deepEqual(
        readLine(text, { ...known, memory }).offers.filter(({ kind }) => kind === 'from' || kind === 'route'),
        [],
        text,
      )
    assert.equal(readLine('muc tegel tomorrow', known).draft.note, 'tegel')
  })
  test('each misspelt name is named, with a number too', () => {
    const { parts } = readLine('amstredam to barcelna 3 may 2019 HV5131', known)
    assert.deepEqual(
      parts.flatMap(({ alternatives: [first] }) =>
        first?.isNear ? [first.kind, codeOfPlace(first.sets)] : [],
      ),
      ['from', 'AMS', 'to', 'BCN'],
    )
  })
  const codeOfPlace = ({ fromId, toId }: LineReading['draft']) =>
    reference.airports.byId.get(fromId ?? toId!)!.iata
})

describe('misspelt names in a line', () => {
  /** Offers for words that were not understood. */
  const offeredFor = (text: string): string =>
    readLine(text, known)
      .parts.flatMap(({ text: typed, alternatives }) => {
        const near = alternatives.filter(({ isNear }) => isNear)
        const meant = near.map(({ kind, sets }) => `${kind} ${codeOf(sets.fromId ?? sets.toId)}`)
        return meant.length > 0 ? `${typed}: ${meant.join(', ')}` : []
      })
      .join('; ')
  const codeOf = (of: number | undefined) => reference.airports.byId.get(of ?? 0)?.iata

  test('one edit in five to seven letters and two in longer names are offered, never applied', () => {
    const cases: [string, string][] = [
      ['copenhagn jfk yesterday', 'copenhagn: from CPH'],
      ['copnehagn jfk yesterday', 'copnehagn: from CPH'],
      ['frankfrut to new york today', 'frankfrut: from FRA'],
      ['cph to amsterdm tomorrow', 'amsterdm: to AMS'],
      ['cph amsterdm tomorrow', 'amsterdm: to AMS'],
      ['von hamburgg nach zürch morgen', 'zürch: to ZRH'],
      ['new yrok london today', 'new yrok: from JFK'],
      ['cph osllo today', ''],
      ['viena london today', ''],
      ['viemna london today', 'viemna: from VIE'],
      ['vzemxa london today', ''],
      ['los angelos to sfo yesterday', 'los angelos: from LAX'],
      ['sfo to los angelos yesterday', 'los angelos: to LAX'],
      ['san fracisco jfk yesterday', 'san fracisco: from SFO'],
      // Both airports are known, so a note stays a note.
      ['cph jfk today viemna', ''],
      // An exact word is never corrected.
      ['cph male today', ''],
    ]
    assert.deepEqual(
      cases.map(([text]) => [text, offeredFor(text)]),
      cases,
    )
    const { draft, missing } = readLine('copenhagn jfk yesterday', known)
    assert.deepEqual([draft.note, draft.fromId, missing], ['copenhagn', undefined, ['from']])
  })
  test('an offer can be chosen', () => {
    const { parts } = readLine('cph to amsterdm tomorrow', known)
    const { start, text, alternatives } = parts.find(({ kind }) => kind === 'note')!
    const chosen = [{ start, text, ...alternatives[0]! }]
    const { draft } = readLine('cph to amsterdm tomorrow', known, chosen)
    assert.equal(shown(draft, reference), 'date 2026-11-17, from EKCH, to EHAM')
  })
})

test('a month or year offers no times, and is sent as such', () => {
  const timed = flight({
    flightNumber: 'SK909',
    fromId: id('CPH'),
    toId: id('EWR'),
    departure: '12:20',
    arrival: '15:05',
  })
  const memory = rememberLog([timed], people, null)
  const { draft, offers } = readLine('SK909 march 2019', { ...known, memory })
  assert.deepEqual(
    offers.map(({ kind }) => kind),
    ['route'],
  )
  assert.equal(logBody(draft, reference).date, '2019-03')
  assert.equal(logBody(readLine('cph jfk 2004', known).draft, reference).date, '2004')
})

test('with a given day, four digits are a time, and codes mean what they meant then', () => {
  const read = (text: string, given: NonNullable<Known['calendar']['given']>) =>
    draftOf(text, { ...known, calendar: { ...calendar, given } })
  const date = '2026-11-15'
  assert.equal(
    read('SK909 cph ewr 1955', { date }),
    'airline SK, departure 19:55, flightNumber SK909, from EKCH, to KEWR',
  )
  assert.equal(
    read('cph ewr march 2019 0825', { date }),
    'date 2019-03-01, datePrecision month, departure 08:25, from EKCH, to KEWR',
  )
  assert.equal(read('hkg lhr', { date: '1995-05-03' }), 'from VHHX, to EGLL')
  assert.equal(read('hkg lhr 3.5.2005', { date: '1995-05-03' }), 'date 2005-05-03, from VHHX, to EGLL')
  assert.equal(
    read('hkg lhr 1997', { date: '1996-01-01', datePrecision: 'year' }),
    'date 1997-01-01, datePrecision year, from VHHX, to EGLL',
  )
})

test('a draft becomes the body of POST /flights/log with every choice resolved', () => {
  const { draft } = readLine('SQ321 lhr sin 1.2.26 22:05-18:00+1 a350 with Grace and Tom 12a was late', known)
  assert.deepEqual(logBody(draft, reference), {
    flightNumber: 'SQ321',
    from: String(id('LHR')),
    to: String(id('SIN')),
    date: '2026-02-01',
    departureTime: '22:05',
    arrivalTime: '2026-02-02T18:00',
    aircraft: 'A359',
    companions: [{ userId: 'u1' }, { name: 'Tom' }],
    seatNumber: '12A',
    note: 'was late',
  })
  const late = readLine('cph arn 3.3.26 landed 9:05 with SAS', known).draft
  assert.equal(logBody(late, reference).arrivalTime, '2026-03-03T09:05')
  assert.equal(logBody(late, reference).airline, 'SK')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totals } from '../../../../server/domain/statistics/sums.ts'
import { filmHref, readTime, withoutFilm, withTime } from './address.ts'
import { barsOf, momentAt, shareOf, ticksOf } from './histogram.ts'
import { rampOf } from './ramp.ts'
import {
  advance,
  countUntil,
  createTimeline,
  halfWay,
  instantOf,
  neighbour,
  periodsOf,
  planeTime,
  presentAt,
  rangeOf,
  secondsBetween,
  shownMonth,
  step,
  Tally,
  YEAR_MS,
} from './timeline.ts'

type Flown = Parameters<typeof createTimeline>[0][number]

const place = (id: number, country: string) => ({
  id,
  icao: `X${id}`,
  iata: null,
  name: `Airport ${id}`,
  municipality: null,
  latitude: id,
  longitude: id,
  country,
  continent: 'EU',
})
const [cph, hel, hkg] = [place(1, 'DK'), place(2, 'FI'), place(3, 'HK')]
let nextId = 1
const fly = (date: string, more: Partial<Flown> = {}): Flown => ({
  id: nextId++,
  date: `${date}-01-01`.slice(0, 10),
  datePrecision: date.length === 4 ? 'year' : date.length === 7 ? 'month' : 'day',
  departureLocal: null,
  departs: null,
  arrives: null,
  from: cph,
  to: hel,
  distanceKm: 1000.1,
  duration: 3600,
  ...more,
})
const now = Date.parse('2026-11-16T12:00:00Z')
const at = (text: string) => Date.parse(`${text}Z`)
const dated = (moment: number) => new Date(moment).toISOString().slice(0, 10)

test('flights stand in the order of their days and local times, and no two at one moment', () => {
  const late = fly('2019-08-14', { departureLocal: '2019-08-14T18:00' })
  const early = fly('2019-08-14', { departureLocal: '2019-08-14T09:30' })
  const second = fly('2019-08-14', { departureLocal: '2019-08-14T18:00' })
  // As the log has them: the newest first.
  const { flights, moments, start, end } = createTimeline([second, late, early, fly('2001-02-03')], now)
  assert.deepEqual(
    flights.slice(1).map(({ id }) => id),
    [early.id, late.id, second.id],
  )
  assert.equal(moments[1], at('2019-08-14T09:30'))
  assert.equal(moments[3], at('2019-08-14T18:01'))
  assert.deepEqual([dated(start), dated(end)], ['2001-01-01', '2020-01-01'])
})

test('flights of a year or a month are spread over it, and counted', () => {
  const timeline = createTimeline([fly('2004'), fly('2004'), fly('2004-06'), fly('2004-06-02')], now)
  assert.deepEqual([...timeline.moments].map(dated), ['2004-04-01', '2004-06-02', '2004-06-16', '2004-10-01'])
  assert.equal(timeline.spread, 3)
})

test('playback of the year that is going on ends today, of earlier ones with the year', () => {
  assert.equal(createTimeline([fly('2026-03-01')], now).last, now)
  assert.equal(dated(createTimeline([fly('2025-03-01')], now).last), '2026-01-01')
})

test('a range has the flights between its moments, both included', () => {
  const timeline = createTimeline([fly('2003-05-01'), fly('2002-05-01'), fly('2001-05-01')], now)
  const [, second] = timeline.moments
  assert.equal(countUntil(timeline, second! - 1), 1)
  assert.equal(countUntil(timeline, second!), 2)
  assert.deepEqual(rangeOf(timeline, second!, second!), [1, 2])
  assert.deepEqual(rangeOf(timeline, timeline.start, timeline.end), [0, 3])
  assert.deepEqual(rangeOf(timeline, at('2002-06-01T00:00'), at('2002-07-01T00:00')), [2, 2])
})

test('one year is divided into months, more into years', () => {
  const one = periodsOf(createTimeline([fly('2019-01-05'), fly('2019-12-05')], now))
  assert.deepEqual([one.count, one.of(at('2019-12-05T00:00'))], [12, 11])
  const several = periodsOf(createTimeline([fly('2018-01-05'), fly('2019-12-05')], now))
  assert.deepEqual([several.count, several.of(at('2019-12-05T00:00'))], [2, 1])
})

test('a year takes a second at speed 1, an empty one a quarter of that', () => {
  const timeline = createTimeline([fly('2001-05-01'), fly('2004-05-01')], now)
  assert.equal(dated(advance(timeline, timeline.start, 1, 1)), '2002-01-01')
  assert.equal(dated(advance(timeline, timeline.start, 1.25, 1)), '2003-01-01')
  assert.equal(dated(advance(timeline, timeline.start, 1.5, 1)), '2004-01-01')
  assert.equal(dated(advance(timeline, timeline.start, 2, 0.25)), '2001-07-02')
  assert.equal(advance(timeline, timeline.start, 99, 4), timeline.last)
  assert.equal(secondsBetween(timeline, timeline.start, timeline.end, 1), 2.5)
  assert.equal(secondsBetween(timeline, timeline.start, timeline.end, 4), 0.625)
})

test('steps go to the next boundary of a month or year and stop at the ends', () => {
  const timeline = createTimeline([fly('2001-05-01'), fly('2004-05-01')], now)
  const go = (text: string, by: 1 | -1, unit: 'month' | 'year') => dated(step(timeline, at(text), by, unit))
  assert.equal(go('2002-03-10T05:00', 1, 'month'), '2002-04-01')
  assert.equal(go('2002-03-10T05:00', -1, 'month'), '2002-03-01')
  assert.equal(go('2002-03-01T00:00', -1, 'month'), '2002-02-01')
  assert.equal(go('2002-01-01T00:00', -1, 'month'), '2001-12-01')
  assert.equal(go('2002-12-10T05:00', 1, 'month'), '2003-01-01')
  assert.equal(go('2002-03-10T05:00', 1, 'year'), '2003-01-01')
  assert.equal(go('2002-01-01T00:00', -1, 'year'), '2001-01-01')
  assert.equal(go('2001-01-01T00:00', -1, 'year'), '2001-01-01')
  assert.equal(go('2004-12-10T00:00', 1, 'year'), '2005-01-01')
})

test('a position at the end of a month shows that month', () => {
  const timeline = createTimeline([fly('2001-05-01'), fly('2004-05-01')], now)
  assert.equal(dated(shownMonth(timeline, at('2002-04-01T00:00'))), '2002-03-31')
  assert.equal(dated(shownMonth(timeline, timeline.start)), '2001-01-01')
})

test('the plane of a flight goes until the next flight, and is half-way where a step stops', () => {
  const timeline = createTimeline([fly('2001-05-01'), fly('2001-05-11'), fly('2004-05-01')], now)
  const most = planeTime(1)
  const [first, second, third] = timeline.moments as unknown as [number, number, number]
  const present = (moment: number, from = timeline.start) => presentAt(timeline, from, moment, most)
  assert.equal(present(first - 1), null)
  assert.deepEqual(present(first + (second - first) / 4), { index: 0, share: 0.25 })
  assert.equal(present(second)?.index, 1)
  assert.equal(present(second + most), null, 'it has arrived')
  assert.equal(present(first + 1, second), null, 'before the start')
  assert.equal(present(timeline.last), null, 'at the end')
  assert.equal(present(halfWay(timeline, 0, most))?.share, 0.5)
  assert.equal(neighbour(timeline, timeline.start, 1, most), 0)
  assert.equal(neighbour(timeline, timeline.start, -1, most), undefined)
  assert.equal(neighbour(timeline, halfWay(timeline, 1, most), 1, most), 2)
  assert.equal(neighbour(timeline, halfWay(timeline, 1, most), -1, most), 0)
  assert.equal(neighbour(timeline, third - 1, -1, most), 1, 'the one that has arrived')
  assert.equal(neighbour(timeline, timeline.last, 1, most), undefined)
  assert.ok(planeTime(4) <= YEAR_MS / 2)
})

test('the instant of a flight without times is noon', () => {
  assert.equal(instantOf(fly('2001-05-01'), 0.5), at('2001-05-01T12:00'))
  assert.equal(instantOf(fly('2001-05-01', { departs: 100, arrives: 300 }), 0.5), 200)
  assert.equal(instantOf(fly('2001-05-01', { departs: 100 }), 0.5), 100)
})

test('figures of every range are those of the statistics, forwards and backwards', () => {
  const flown = [
    fly('2001-05-01'),
    fly('2001-06-01', { from: hel, to: hkg, distanceKm: 7822.3 }),
    fly('2002-05-01', { from: null, distanceKm: null }),
    fly('2003-05-01', { from: hkg, to: hkg, distanceKm: 0.2 }),
    fly('2004-05-01', { distanceKm: 0.1 }),
  ]
  const timeline = createTimeline(flown, now)
  const tally = new Tally(timeline)
  const ranges = [0, 3, 5, 2, 4].map((high) => [0, high] as const)
  for (const [low, high] of [...ranges, [1, 4], [2, 5], [3, 3]] as const) {
    const expected = totals(timeline.flights.slice(low, high))
    const { flights, distanceKm, airports, countries } = expected
    assert.deepEqual(tally.of(low, high), { flights, distanceKm, airports, countries }, `${low} to ${high}`)
  }
})

test('bars are quarters, half-years or months of equal width, relative to the highest', () => {
  const timeline = createTimeline([fly('2001-02-01'), fly('2001-03-31'), fly('2002-12-31')], now)
  const quarters = barsOf(timeline, 3)
  assert.deepEqual(
    quarters.map(({ height }) => height),
    [1, 0, 0, 0, 0, 0, 0, 0.5],
  )
  assert.deepEqual(
    [quarters[7]!.x, quarters[7]!.width, dated(quarters[7]!.moment)],
    [7 / 8, 1 / 8, '2002-10-01'],
  )
  assert.equal(barsOf(timeline, 6).length, 4)
  assert.equal(barsOf(createTimeline([fly('2019-05-05')], now), 1).length, 12)
  assert.ok(barsOf(createTimeline([], now), 3).every(({ height }) => height === 0))
})

test('a place on the axis and its moment belong together, also before 1970', () => {
  const timeline = createTimeline([fly('1956-02-01'), fly('2002-12-31')], now)
  assert.equal(shareOf(timeline, timeline.start), 0)
  assert.equal(shareOf(timeline, timeline.end), 1)
  for (const day of ['1956-02-29', '1969-12-31', '1970-01-01', '2001-08-14'])
    assert.equal(dated(momentAt(timeline, shareOf(timeline, at(`${day}T00:00`)) + 1e-9)), day)
  assert.equal(momentAt(timeline, 2), timeline.last)
  assert.equal(momentAt(timeline, -1), timeline.start)
})

test('as many years are named as fit, always the first and the last', () => {
  const timeline = createTimeline([fly('2001-02-01'), fly('2026-03-31')], now)
  const named = (width: number) => ticksOf(timeline, width, 40).map(({ value }) => value)
  assert.equal(named(1130).length, 26)
  assert.deepEqual(named(358), [2001, 2005, 2010, 2015, 2020, 2026])
  assert.deepEqual(named(60), [2001, 2026])
  const months = ticksOf(createTimeline([fly('2019-05-05')], now), 1130, 40)
  assert.deepEqual(
    months.map(({ value }) => value),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  )
})

test('the ramp runs from the first colour to the last and stays bright between', () => {
  const ramp = rampOf(
    [
      [0, 0, 255],
      [255, 0, 0],
      [255, 255, 255],
    ],
    5,
  )
  assert.deepEqual(
    [ramp[0], ramp[2], ramp[4]],
    [
      [0, 0, 255],
      [255, 0, 0],
      [255, 255, 255],
    ],
  )
  assert.ok(ramp[1]![0] > 180 && ramp[1]![2] > 180, 'mixed in linear light')
  assert.deepEqual(
    rampOf(
      [
        [0, 0, 255],
        [255, 0, 0],
      ],
      1,
    ),
    [[255, 0, 0]],
  )
})

test('the address keeps everything, and what else is in it', () => {
  assert.equal(readTime(new URLSearchParams('q=SAS')), null)
  const state = {
    colouring: 'heat',
    from: at('2004-01-01T00:00'),
    to: at('2019-08-14T10:25'),
    night: true,
  } as const
  const query = withTime(new URLSearchParams('q=SAS&people=all'), state)
  assert.equal(query.toString(), 'q=SAS&people=all&time=heat&from=2004&to=2019-08-14T10%3A25&night=1')
  assert.deepEqual(readTime(query), state)
  assert.equal(withTime(query, null).toString(), 'q=SAS&people=all')
  const short = withTime(new URLSearchParams(), { ...state, to: at('2019-08-01T00:00'), night: false })
  assert.equal(short.toString(), 'time=heat&from=2004&to=2019-08')
  assert.deepEqual(readTime(new URLSearchParams('time=&from=soon&to=2019-13')), {
    colouring: 'years',
    from: null,
    to: null,
    night: false,
  })
})

test('the wish for a film is in the address once', () => {
  const href = filmHref(new URLSearchParams('people=all&from=2019'))
  assert.equal(href, '/?people=all&time=years&film=1')
  const query = new URLSearchParams(href.slice(2))
  assert.equal(withoutFilm(query)!.toString(), 'people=all&time=years')
  assert.equal(withoutFilm(withoutFilm(query)!), null)
})

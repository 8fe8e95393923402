// What a share must not reveal, for every combination of its settings: values of a detail appear only if the detail is enabled, and
// two logs that differ only in disabled details give the same bytes, so that order, numbers, ties and sums reveal nothing either.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { isLong } from '../rounds.ts'

const switches = [
  ...['showMap', 'showStats', 'showFlightList', 'showFlightNumbers', 'showAirlines', 'showAircraft'],
  ...['showTimes', 'showTracks', 'showDates', 'showSeat'],
] as const
type Settings = Record<(typeof switches)[number], boolean>

const combinations: Settings[] = Array.from(
  { length: 2 ** switches.length },
  (_, bits) => Object.fromEntries(switches.map((name, i) => [name, (bits >> i) % 2 === 1])) as Settings,
)
/** Every nth combination and the last, with everything enabled; not a power of two, so that every setting is on and off. */
const every = (step: number) => combinations.filter((_, i) => i % step === 0 || i === combinations.length - 1)
/**
 * The rules are the same on both engines: one of them tries so many that any five settings (two logs: any four) occur in
 * every combination, the other some.
 */
const tried = (engine: string) => every(engine === 'postgres' ? 37 : isLong ? 1 : 5)
const compared = (engine: string) => every(engine === 'postgres' ? 37 : isLong ? 3 : 13)

/** No route of the log is flown three times: alone, statistics show nothing that occurs once or twice. */
const hasFigures = (s: Settings) => (s.showStats && s.showMap) || s.showFlightList

/** Counts of airlines, aircraft, years and classes are always shown. */
const hasCounts = (s: Settings) => s.showStats || s.showFlightList

interface Ids {
  airports: Record<string, number>
  airlines: [number, number]
  aircraft: [number, number]
}

interface Entry {
  date: string
  from: string
  to: string
  [name: string]: unknown
}

/** All in July, so that local times are equal whichever day a flight is moved to. */
const log: Entry[] = [
  {
    date: '2019-07-14',
    from: 'CPH',
    to: 'JFK',
    departure: '2019-07-14T13:37:00+02:00',
    arrival: '2019-07-14T16:19:17-04:00',
    flightNumber: 'CANARY101',
    airline: 0,
    aircraft: 0,
    aircraftReg: 'OY-ONCE',
    seat: { seat: 'jumpseat', seatNumber: '47K', seatClass: 'private' },
    track: [
      [12.656, 55.618, 11],
      [-20.1, 63.2, 10_101],
      [-73.779, 40.64, 7],
    ],
  },
  { date: '2020-07-03', from: 'JFK', to: 'CPH', flightNumber: 'CANARY102', aircraftReg: 'OY-TWCE' },
  {
    date: '2021-07-04',
    from: 'CPH',
    to: 'OSL',
    flightNumber: 'CANARY103',
    aircraftReg: 'OY-TWCE',
    airline: 0,
  },
  { date: '2021-07-05', from: 'OSL', to: 'CPH', airline: 1, aircraft: 1 },
  { date: '2022-07-06', from: 'CPH', to: 'AMS', seat: { seat: 'aisle', seatClass: 'business' } },
  { date: '2023-07-07', from: 'AMS', to: 'OSL', duration: 6543 },
  { date: '2023-07-07', from: 'OSL', to: 'AMS' },
  { date: '2031-07-08', from: 'CPH', to: 'HND', flightNumber: 'CANARY104' },
]

/** Which settings reveal which value. */
const canaries: [string, (settings: Settings) => boolean][] = [
  ['CANARY101', (s) => s.showFlightList && s.showFlightNumbers],
  ['CANARY104', (s) => s.showFlightList && s.showFlightNumbers && s.showDates],
  ['Canary Airways', (s) => hasFigures(s) && s.showAirlines],
  ['Canary Jet', (s) => hasFigures(s) && s.showAircraft],
  ['OY-TWCE', (s) => hasFigures(s) && s.showAircraft],
  ['OY-ONCE', (s) => s.showFlightList && s.showAircraft],
  ['2019-07-14', (s) => s.showFlightList && s.showDates],
  ['2031', (s) => s.showFlightList && s.showDates],
  ['RJTT', (s) => (s.showMap || s.showFlightList) && s.showDates],
  ['13:37', (s) => s.showFlightList && s.showTimes],
  ['16:19', (s) => s.showFlightList && s.showTimes],
  [`:${8 * 3600 + 42 * 60 + 17},`, (s) => s.showFlightList && s.showTimes && s.showDates],
  ['47K', (s) => s.showFlightList && s.showSeat],
  ['jumpseat', (s) => hasFigures(s) && s.showSeat],
  ['private', (s) => hasFigures(s) && s.showSeat],
  ['"tracks"', (s) => s.showMap && s.showTracks],
  ['EKCH', (s) => s.showMap || hasFigures(s)],
  ...['secret note', 'T-99', 'G-77', 'Canary Guest', 'Canary Friend', 'CANARYMEAL', 'crew', '10101'].map(
    (text): [string, () => boolean] => [text, () => false],
  ),
]

async function prepare(app: TestApp): Promise<Ids> {
  const cookie = await (await app.person('owner')).session()
  const make = async (path: string, body: object): Promise<number> => {
    const reply = await app.request('POST', `/app/api${path}`, { cookie, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }
  await make('/custom-fields', { entityType: 'flight', key: 'meal', label: 'Meal', fieldType: 'text' })
  const codes = ['CPH', 'JFK', 'OSL', 'AMS', 'HND']
  const ids = await Promise.all(codes.map((code) => app.airportId(code)))
  return {
    airports: Object.fromEntries(codes.map((code, i) => [code, ids[i]!])),
    airlines: [
      await make('/airlines', { name: 'Canary Airways' }),
      await make('/airlines', { name: 'Other Wings' }),
    ],
    aircraft: [
      await make('/aircraft', { name: 'Canary Jet' }),
      await make('/aircraft', { name: 'Other Jet' }),
    ],
  }
}

interface Twin {
  person: TestPerson
  cookie: string
  read(settings: Settings): Promise<string>
}

async function createTwin(app: TestApp, ids: Ids, entries: readonly Entry[]): Promise<Twin> {
  const person = await app.person()
  const [key, cookie] = [await person.key(), await person.session()]
  const named = { username: person.username, displayName: 'Canary Owner' }
  assert.equal((await app.request('PUT', '/app/api/me', { cookie, body: named })).status, 204)
  for (const { from, to, airline, aircraft, seat, track, company, ...rest } of entries) {
    const body = {
      ...rest,
      fromId: ids.airports[from],
      toId: ids.airports[to],
      airlineId: airline === undefined ? null : ids.airlines[airline as 0 | 1],
      aircraftId: aircraft === undefined ? null : ids.aircraft[aircraft as 0 | 1],
      passengers: [{ userId: person.id, ...(seat as object) }, ...((company as object[] | undefined) ?? [])],
      ...(track ? { track: { sourceFormat: 'gpx', coordinates: track } } : {}),
    }
    const reply = await app.request('POST', '/api/v1/flights', { key, body })
    assert.equal(reply.status, 201, reply.text)
  }
  return {
    person,
    cookie,
    async read(settings) {
      const reply = await app.request('POST', '/app/api/share-preview', { cookie, body: settings })
      assert.equal(reply.status, 200, reply.text)
      return reply.text
    },
  }
}

const namesOf = (settings: Settings) => switches.filter((name) => settings[name]).join(', ') || 'nothing'

const changed = (change: (entry: Entry, index: number) => Partial<Entry>): Entry[] =>
  log.map((entry, i) => ({ ...entry, ...change(entry, i) }))
const isFlown = ({ date }: Entry) => date < '2026'
const flown = log.filter(isFlown)

/** The log with one change, and the settings that reveal it. */
const twins: [string, Entry[], (settings: Settings) => boolean][] = [
  ['the order of entry', log.toReversed(), () => false],
  [
    'flight numbers',
    changed(({ flightNumber }) => (flightNumber ? { flightNumber: `X${flightNumber}` } : {})),
    (s) => s.showFlightList && s.showFlightNumbers,
  ],
  [
    'airlines',
    changed(({ airline }, i) => (airline === undefined ? {} : { airline: i === 0 ? 1 : airline })),
    (s) => hasCounts(s) && s.showAirlines,
  ],
  [
    'aircraft',
    changed(({ aircraftReg }) => (aircraftReg ? { aircraftReg: `${aircraftReg}X`, aircraft: 1 } : {})),
    (s) => hasCounts(s) && s.showAircraft,
  ],
  [
    'times',
    changed(({ departure }) =>
      departure ? { departure: '2019-07-14T11:22:00+02:00', arrival: '2019-07-14T14:04:17-04:00' } : {},
    ),
    (s) => hasCounts(s) && s.showTimes,
  ],
  [
    'dates, and with them the order in which it was flown',
    changed((entry, i) => (isFlown(entry) ? moved(entry, flown.at(-1 - i)!.date) : {})),
    (s) => hasCounts(s) && s.showDates,
  ],
  ['that a flight is planned', flown, (s) => (s.showMap || s.showFlightList) && s.showDates],
  [
    'the direction',
    changed((entry, i) => (i === 1 || i > 3 ? { from: entry.to, to: entry.from } : {})),
    (s) => s.showFlightList,
  ],
  [
    'seats',
    changed(({ seat }) => (seat ? { seat: { seat: 'window', seatNumber: '1A', seatClass: 'first' } } : {})),
    (s) => hasCounts(s) && s.showSeat,
  ],
  [
    'the track',
    changed(({ track }) => (track ? { track: undefined } : {})),
    (s) => s.showMap && s.showTracks,
  ],
  [
    'altitudes',
    changed(({ track }) => (track ? { track: (track as number[][]).map(([x, y]) => [x, y, 1]) } : {})),
    () => false,
  ],
  [
    'fields that are never shared',
    changed((_, i) => ({
      note: `secret note ${i}`,
      departureTerminal: 'T-99',
      arrivalGate: 'G-77',
      customFields: { meal: 'CANARYMEAL' },
      company: [{ guestName: 'Canary Guest', seat: 'jumpseat', seatNumber: '47K', flightReason: 'crew' }],
    })),
    () => false,
  ],
]

function moved(entry: Entry, date: string): Partial<Entry> {
  const on = (time: unknown) => (typeof time === 'string' ? { to: date + time.slice(10) } : undefined)
  const [departure, arrival] = [on(entry['departure']), on(entry['arrival'])]
  return { date, ...(departure && { departure: departure.to }), ...(arrival && { arrival: arrival.to }) }
}

const AT_ONCE = 16

async function inBatches<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += AT_ONCE) await Promise.all(items.slice(i, i + AT_ONCE).map(run))
}

onBothEngines('the secrets of a share', (app, engine) => {
  let ids: Ids
  let ada: Twin
  /** Expected responses for the log above, by the names of enabled settings. */
  const expected = new Map<string, string>()

  /** A log full of canaries. */
  before(async () => {
    ids = await prepare(app())
    const friend = await app().person()
    const body = { username: friend.username, displayName: 'Canary Friend' }
    await app().request('PUT', '/app/api/me', { cookie: await friend.session(), body })
    ada = await createTwin(
      app(),
      ids,
      changed((_, i) => ({
        note: `secret note ${i}`,
        departureTerminal: 'T-99',
        arrivalGate: 'G-77',
        customFields: { meal: 'CANARYMEAL' },
        company: [{ userId: friend.id, flightReason: 'crew' }, { guestName: 'Canary Guest' }],
      })),
    )
  })

  test('preview-share: every canary is shown exactly if its part is selected and needed', async () => {
    await inBatches(tried(engine), async (settings) => {
      const text = await ada.read(settings)
      for (const [canary, isTold] of canaries) {
        const what = `${canary} with ${namesOf(settings)}`
        assert.equal(text.includes(canary), isTold(settings), what)
      }
      for (const secret of [ada.person.id, ada.person.username]) assert.ok(!text.includes(secret))
    })
  })

  test('the public data equals the preview, and the page’s HTML has none of it', async () => {
    const key = await ada.person.key()
    const made = await app().request('POST', '/api/v1/shares', { key, body: { slug: 'canary' } })
    for (const settings of every(37)) {
      const address = `/api/v1/shares/${made.json.data.id}`
      assert.equal((await app().request('PUT', address, { key, body: settings })).status, 200)
      const [data, page] = [
        await app().request('GET', '/share/canary/data'),
        await app().request('GET', '/share/canary', { headers: { accept: 'text/html' } }),
      ]
      assert.equal(data.text, await ada.read(settings), namesOf(settings))
      assert.equal(page.status, 200)
      for (const [canary] of canaries) assert.ok(!page.text.includes(canary), canary)
      assert.match(page.text, /<meta name="robots" content="noindex" \/>/)
      assert.equal(page.headers['x-robots-tag'], 'noindex')
    }
  })

  before(async () => {
    const plain = await createTwin(app(), ids, log)
    await inBatches(compared(engine), async (settings) => {
      expected.set(namesOf(settings), await plain.read(settings))
    })
  })

  for (const [name, entries, isTold] of twins) {
    test(`${name}: the share is the same unless it shows that field`, async () => {
      const other = await createTwin(app(), ids, entries)
      let differences = 0
      await inBatches(compared(engine), async (settings) => {
        const [here, there] = [expected.get(namesOf(settings)), await other.read(settings)]
        if (!isTold(settings)) assert.equal(there, here, `with ${namesOf(settings)}`)
        else if (here !== there) differences++
      })
      assert.equal(differences > 0, combinations.some(isTold), 'shown exactly where it is enabled')
    })
  }

  test('preview-share: invalid shares are refused, and the right to share is needed', async () => {
    const refused = await app().request('POST', '/app/api/share-preview', {
      cookie: ada.cookie,
      body: { showMap: 'yes' },
    })
    assert.equal(refused.status, 422, refused.text)
    const reader = await app().person(['flight.read.own'])
    const forbidden = await app().request('POST', '/app/api/share-preview', {
      cookie: await reader.session(),
      body: {},
    })
    assert.equal(forbidden.status, 403)
  })
})

// Sixteen ordinary requests with the calls of a careful assistant that knows only the list of tools: each right in at most
// two calls, and all of them in fewer than 25,000 characters of results. The size of each is recorded in sixteen.txt, so
// that growth is visible in a diff (UPDATE=1 writes it).
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { onBothEngines } from '../harness.ts'
import { passText } from '../imports/passes-text.ts'
import { legacy } from './clients.ts'
import { type Ada, prepareLog } from './log-of-ada.ts'

const CALLS_AT_MOST = 2
const CHARACTERS_AT_MOST = 25_000
const REPORT = new URL('sixteen.txt', import.meta.url)

// biome-ignore lint/suspicious/noExplicitAny: results of every shape are looked into
type Result = any

/** As people note them, and as an assistant passes them on: places and airlines in the words of the list. */
const messyLines = [
  { date: '2012-03-04', from: 'Kopenhagen', to: 'Wien', airline: 'Austrian' },
  { date: '2012-03-09', from: 'Vienna', to: 'Copenhagen', flightNumber: 'OS 303' },
  { date: '2013-07', from: 'Nizza', to: 'Rom' },
  { date: '2013-07', from: 'FCO', to: 'CPH', note: 'verspätet' },
  { date: '2014-10-01', from: 'CPH', to: 'Athen', departureTime: '7:50', arrivalTime: '12:05' },
  { date: '2014-10-08', from: 'Athens', to: 'CPH', departureTime: '1305' },
  { date: '2015-01-30', from: 'CPH', to: 'München', seatNumber: '4C' },
  { date: '2015-02-01', from: 'Munich', to: 'CPH' },
  { date: '2016', from: 'Lissabon', to: 'Kopenhagen' },
  { date: '2016-06-11', from: 'CPH', to: 'London' },
  { date: '2016-06-14', from: 'LHR', to: 'CPH', departureTime: '22:15', arrivalTime: '01:05+1' },
  { date: '2017-09-09', from: 'ARN', to: 'CPH', flightNumber: 'SK1419', seatClass: 'business' },
]

onBothEngines('sixteen requests', (app, engine) => {
  let log: Ada
  let calls = 0
  let characters = 0
  const costs: string[] = []
  before(async () => {
    log = await prepareLog(app())
  })

  /** One call, counted as the client gets its result. */
  const call = async (name: string, args: object = {}): Promise<Result> => {
    // With the handshake, like today's hosts: later revisions add the server's description to every result, which no model
    // sees.
    const { json } = await legacy(app(), log.key, 'tools/call', { name, arguments: args })
    const { result } = json
    assert.ok(result, `no tool ${name}`)
    calls++
    characters += JSON.stringify(result).length
    return result
  }
  const right = async (name: string, args: object = {}): Promise<Result> => {
    const result = await call(name, args)
    assert.equal(result.isError, undefined, `${name}: ${result.content?.[0]?.text}`)
    return result.structuredContent
  }
  const read = async (path: string): Promise<Result> => {
    const { status, json, text } = await app().request('GET', `/api/v1${path}`, { key: log.key })
    assert.equal(status, 200, text)
    return json.data
  }
  const flightsOn = (date: string) => read(`/flights/search?date=${date}`)

  const request = (words: string, answer: () => Promise<void>) =>
    test(words, async () => {
      const earlier = { calls, characters }
      await answer()
      const cost = { calls: calls - earlier.calls, characters: characters - earlier.characters }
      assert.ok(cost.calls <= CALLS_AT_MOST, `${cost.calls} calls`)
      costs.push(`${String(cost.calls).padStart(5)} ${String(cost.characters).padStart(10)}  ${words}`)
    })

  request('Grace was with me on SK909, she sat in 12B', async () => {
    const match = { flightNumber: 'SK909' }
    const { changed, changeId } = await right('edit_flight', {
      match,
      people: [{ name: 'Grace', seatNumber: '12B' }],
    })
    assert.ok(Object.keys(changed).length > 0 && changeId > 0)
    const [flight] = await flightsOn('2026-02-20')
    const grace = flight.passengers.find(({ seatNumber }: Result) => seatNumber === '12B')
    assert.equal(grace.user.id, log.grace.id, 'she is the user, not a guest')
    assert.equal(flight.passengers.length, 2)
  })

  request('Which airline did I fly most in 2019, and how far?', async () => {
    const { data } = await right('summarize_flights', { date: '2019', groupBy: 'airline', top: 1 })
    assert.match(JSON.stringify(data.groups[0]), /SAS/)
    assert.equal(data.groups[0].flights ?? data.groups[0].count, 4)
    assert.ok(data.groups[0].distanceKm > 3000 && data.groups[0].distanceKm < 3200, JSON.stringify(data))
  })

  request('Twelve messy lines, German and English', async () => {
    const first = await right('log_flights', { flights: messyLines })
    // A name of several airports is asked about, all together, and never guessed.
    const meant: Record<number, object> = { 2: { to: 'FCO' }, 9: { to: 'LHR' } }
    const open = first.data.filter(({ status }: Result) => status !== 'stored')
    assert.ok(
      open.every(({ index, status }: Result) => status === 'ambiguous' && index in meant),
      JSON.stringify(open),
    )
    assert.match(JSON.stringify(open), /LHR/)
    const again = open.map(({ index }: Result) => ({ ...messyLines[index], ...meant[index] }))
    const second = await right('log_flights', { flights: again })
    assert.ok(
      second.data.every(({ status }: Result) => status === 'stored'),
      JSON.stringify(second.data),
    )
    const route = async (date: string) => {
      const [{ from, to }] = await flightsOn(date)
      return `${from.iata}-${to.iata}`
    }
    assert.equal(await route('2012-03-04'), 'CPH-VIE')
    assert.equal(await route('2014-10-01'), 'CPH-ATH')
    assert.equal(await route('2015-01-30'), 'CPH-MUC')
    assert.equal(await route('2016-06-11'), 'CPH-LHR')
    const [night] = await flightsOn('2016-06-14')
    assert.match(night.arrival, /^2016-06-15T01:05/)
  })

  request('From Kiew to Nizza on 3 May 2010, with Aerosvit', async () => {
    const flight = { date: '2010-05-03', to: 'Nizza' }
    const asked = await call('log_flight', { ...flight, from: 'Kiew' })
    assert.equal(asked.isError, true)
    assert.match(asked.content[0].text, /KBP/)
    assert.match(asked.content[0].text, /IEV/)
    const { data, warnings } = await right('log_flight', { ...flight, from: 'KBP' })
    assert.deepEqual([data.from, data.to], ['KBP', 'NCE'])
    assert.match(JSON.stringify(warnings), /Nizza.*NCE/)
  })

  request('How many hours have I flown with SAS?', async () => {
    const { data } = await right('summarize_flights', { airline: 'SAS' })
    assert.match(JSON.stringify(data), /"timeSeconds":\d{5}/)
    assert.match(JSON.stringify(data), /"estimatedSeconds":\d+/)
  })

  request('I was in business class on that flight in August 2019', async () => {
    const { changed } = await right('edit_flight', { match: { date: '2019-08' }, seatClass: 'business' })
    assert.deepEqual(Object.values(changed), [['economy', 'business']])
    const flight = (await flightsOn('2019-08'))[0]
    assert.deepEqual([flight.datePrecision, flight.passengers[0].seatClass], ['month', 'business'])
  })

  let next: Result
  request('When is my next flight?', async () => {
    const { data } = await right('find_flights', { when: 'upcoming', limit: 1 })
    next = data[0]
    assert.deepEqual([next.date, next.from, next.to], ['2026-07-01', 'CPH', 'NCE'])
  })

  request('Give me a link that shows my map and statistics', async () => {
    const { data } = await right('create_share', { showMap: true, showStats: true })
    assert.ok(data.url.startsWith(app().config.origin), JSON.stringify(data))
    const page = await app().request('GET', new URL(data.url).pathname)
    assert.equal(page.status, 200)
  })

  request('Keep which meal I had: on SK909 it was vegetarian', async () => {
    await right('create_custom_field', {
      entityType: 'flight',
      key: 'meal',
      label: 'Meal',
      fieldType: 'text',
    })
    const match = { flightNumber: 'SK909' }
    await right('edit_flight', { match, customFields: { meal: 'vegetarian' } })
    const [flight] = await flightsOn('2026-02-20')
    assert.deepEqual(flight.customFields, { meal: 'vegetarian' })
  })

  request('How many flights did I take with Bob?', async () => {
    const { isError, content } = await call('summarize_flights', { person: 'Bob' })
    assert.equal(isError, true, 'not zero')
    assert.match(content[0].text, /Bob/)
    const { data } = await right('list_people')
    assert.ok(!JSON.stringify(data).includes('Bob') && JSON.stringify(data).includes('Grace Hopper'))
  })

  request('Delete that next flight. No, bring it back', async () => {
    const before = await read(`/flights/${next.id}`)
    const { data } = await right('delete_flight', { id: next.id })
    assert.match(data.message, /30 days/)
    await right('restore_flight', { id: next.id })
    const after = await read(`/flights/${next.id}`)
    assert.deepEqual([after.id, after.passengers], [before.id, before.passengers])
  })

  request('How do Grace and I compare?', async () => {
    const { data } = await right('compare_people', { b: 'Grace' })
    assert.equal(data.together.count, 1)
    assert.match(JSON.stringify(data.onlyB), /HEL/)
  })

  request('Is anything wrong in my log?', async () => {
    const { data, summary } = await right('check_log')
    assert.ok(
      data.some(({ kind }: Result) => kind === 'impossible_speed'),
      JSON.stringify(summary),
    )
    assert.ok(!data.some(({ kind }: Result) => kind === 'duplicate'), JSON.stringify(data))
  })

  request('Log this boarding pass', async () => {
    const text = passText([{ day: '160' }], { name: 'LOVELACE/ADA' })
    const { data } = await right('read_boarding_pass', { text })
    assert.match(JSON.stringify(data), /2026-06-09/)
    const pass = { date: '2026-06-09', from: 'MAD', to: 'LHR', flightNumber: 'IB3170', seatNumber: '12C' }
    assert.equal((await right('log_flight', pass)).data.number, 'IB3170')
  })

  request('What did you change today?', async () => {
    const { data } = await right('list_changes', { since: '2026-06-15T00:00:00Z', by: 'thisKey' })
    const kinds = data.map(({ kind }: Result) => kind)
    for (const kind of ['added', 'changed', 'deleted', 'restored']) assert.ok(kinds.includes(kind), kind)
    assert.ok(!JSON.stringify(data).includes('SK1418'), 'another key added it')
  })

  request('Undo everything you did today', async () => {
    const before = (await read('/flights?limit=100')).length
    const { summary } = await right('undo', { since: '2026-06-15T00:00:00Z' })
    assert.equal(summary.left, 0, JSON.stringify(summary))
    assert.equal((await read('/flights?limit=100')).length, before - 14)
    const [sk909] = await flightsOn('2026-02-20')
    assert.deepEqual([sk909.passengers.length, sk909.customFields], [1, {}])
    const august = (await flightsOn('2019-08'))[0]
    assert.equal(august.passengers[0].seatClass, 'economy')
  })

  test('all sixteen requests stay within the recorded cost', () => {
    assert.equal(costs.length, 16)
    assert.ok(characters < CHARACTERS_AT_MOST, `${characters} characters\n${costs.join('\n')}`)
  })

  // Both engines give the same results; the numbers of one are recorded.
  after(() => {
    if (engine !== 'sqlite') return
    const total = `${String(calls).padStart(5)} ${String(characters).padStart(10)}  in all`
    const report = `calls characters  request\n${[...costs, total].join('\n')}\n`
    if (process.env['UPDATE']) writeFileSync(REPORT, report)
    assert.equal(readFileSync(REPORT, 'utf8'), report, 'UPDATE=1 writes the cost of the sixteen requests')
  })
})

// Logging and editing in words: which questions, reports and refusals there are, equally by fields, by text and as a tool.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { updatePerson } from '../../server/store/people/people.ts'
import { complaints } from '../fixtures.ts'
import { onSqlite, type Reply, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

const codes = ({ json }: Reply): string[] => json.warnings.map(({ code }: { code: string }) => code)
const messages = ({ json }: Reply): string[] =>
  json.warnings.map(({ message }: { message: string }) => message)

onSqlite('names and codes in words', (app) => {
  let ada: TestPerson
  let key: string
  before(async () => {
    app().clock.set('2026-11-16T12:00:00Z')
    ada = await app().person('role-user')
    key = await ada.key()
  })
  const fresh = async () => (await app().person('role-user')).key()
  const named = async (username: string, displayName: string) => {
    const person = await app().person('role-user')
    await app().store.transaction((tx) => updatePerson(tx, person.id, { username, displayName }))
    return person
  }
  const log = (body: object, by = key) => app().request('POST', '/api/v1/flights/log', { key: by, body })
  const edit = (body: object, by = key) => app().request('POST', '/api/v1/flights/edit', { key: by, body })
  const logged = async (body: object, by = key) => {
    const reply = await log(body, by)
    assert.equal(reply.status, 201, reply.text)
    return reply
  }
  const told = async (tool: string, given: Record<string, unknown>, by = key) => {
    const result = await callTool(app(), by, tool, given)
    return (result.content as { text: string }[])[0]!.text
  }

  test('ambiguous names in a text are asked about like fields, also if the log has flown one of them', async () => {
    const by = await fresh()
    await logged({ from: 'CPH', to: 'LGW', date: '2019-01-01' }, by)
    const asked = await log({ text: 'London nach Seoul 3. Mai 2019' }, by)
    assert.deepEqual(complaints(asked), ['from: ambiguous', 'to: ambiguous'])
    assert.equal(
      asked.json.error.details[0].params.candidates[0],
      'LGW London Gatwick (London, United Kingdom; in your log)',
    )
    const fields = await log({ from: 'London', to: 'Seoul', date: '2019-05-03' }, by)
    assert.deepEqual(complaints(fields), complaints(asked))
    assert.deepEqual(complaints(await log({ text: 'Kiew nach Athen Mai 2018' }, by)), ['from: ambiguous'])
    const settled = await logged({ text: 'London nach Seoul 3. Mai 2019', from: 'LHR', to: 'ICN' }, by)
    assert.deepEqual(codes(settled), [])
  })

  test('names resolved from a text are reported', async () => {
    const by = await fresh()
    const route = await logged({ text: 'gestern von Wien nach Genf 7:50 swiss 787-9' }, by)
    assert.deepEqual(codes(route), [
      'airline_by_name',
      'aircraft_by_name',
      'airport_by_name',
      'airport_by_name',
    ])
    assert.ok(messages(route).includes('“Wien” was taken as VIE, Vienna, Austria.'))
    const grace = await app().person('role-user')
    await logged({ text: 'osl bgo 1.4.2026', companions: [{ userId: grace.id }] }, by)
    const { username, displayName } = grace
    const people = await logged({ text: `osl bgo 8.4.2026 with ${username}` }, by)
    assert.deepEqual(messages(people), [`“${username}” was taken as ${displayName} (@${username}).`])
    const beside = await logged({ text: 'osl bgo 9.5.2026 swiss', airline: 'SK' }, by)
    assert.deepEqual(codes(beside), [], 'the text’s airline was not used')
    const exact = await logged({ text: 'London (LHR) New York JFK 3.5.2018' }, by)
    assert.deepEqual([exact.json.data.from.iata, exact.json.data.to.iata], ['LHR', 'JFK'])
  })

  test('an airport closed on the day is not suggested', async () => {
    for (const text of ['Athen München 3.5.2018', 'hkg fra 3.5.1996']) {
      const reply = await logged({ text }, await fresh())
      assert.ok(!codes(reply).includes('may_also_mean'), messages(reply).join())
    }
  })

  test('a code that meant another airport on the day is reported', async () => {
    const by = await fresh()
    const then = await logged({ from: 'FRA', to: 'HKG', date: '1995-06-06' }, by)
    assert.deepEqual(codes(then), ['airport_code_then'])
    assert.match(messages(then)[0]!, /^HKG was HKG .*Kai Tak.* on 1995-06-06\.$/)
    const moved = await logged({ text: 'ist bkk 1.5.2003' }, by)
    assert.deepEqual(codes(moved), ['airport_code_then', 'airport_code_then'])
    assert.match(messages(moved)[0]!, /^IST was ISL .* on 2003-05-01\.$/)
    for (const [from, to, date] of [
      ['TXL', 'SXF', '2010-05-01'],
      ['FRA', 'HKG', '2015-06-06'],
      ['IST', 'BKK', '2025-06-06'],
    ])
      assert.deepEqual(
        codes(await logged({ from, to, date }, by)).filter((code) => code === 'airport_code_then'),
        [],
      )
    const { id } = then.json.data
    assert.deepEqual(codes(await edit({ id, from: 'IST' }, by)), ['airport_code_then'])
  })

  test('unknown fields are reported together with other faults', async () => {
    const bad = { date: '2016-13', from: 'Xyzzy', to: 'CPH', bogus: 1 }
    const expected = ['bogus: unknown_field', 'date: no_such_month', 'from: no_airport_matches']
    assert.deepEqual(complaints(await log(bad)), expected)
    const { json } = await app().request('POST', '/api/v1/flights/log/bulk', {
      key,
      body: { flights: [bad] },
    })
    assert.match(json.data[0].reason, /“bogus”.*month.*“Xyzzy”/)
    const text = await told('log_flight', bad)
    assert.deepEqual(
      text.split('\n').map((line) => line.split(':')[0]),
      ['- bogus', '- date', '- from'],
    )
    assert.doesNotMatch(text, /lookup/)
    const { id } = (await logged({ from: 'CPH', to: 'OSL', date: '2012-01-01' }, key)).json.data
    const edited = await edit({ id, bogus: 1, to: 'Xyzzy' })
    assert.deepEqual(complaints(edited), ['bogus: unknown_field', 'to: no_airport_matches'])
  })

  test('unknown custom fields and unreadable list items are reported with the other faults', async () => {
    const by = await fresh()
    const flight = { from: 'CPH', to: 'OSL', date: '2012-02-01' }
    const guests = [{ name: 'Uma Lee' }, { name: 'Uma Stone' }]
    const { id } = (await logged({ ...flight, companions: guests }, by)).json.data
    const bad = { to: 'Xyzzy', customFields: { nope: 1 } }
    const people = [{ name: '', seatClass: 'x' }, { name: 'Uma' }]
    assert.deepEqual(complaints(await log({ ...flight, ...bad, companions: people }, by)).sort(), [
      'companions.0.name: required',
      'companions.0.seatClass: not_an_option',
      'companions.1.name: person_ambiguous',
      'customFields.nope: unknown_custom_field',
      'to: no_airport_matches',
    ])
    assert.deepEqual(complaints(await edit({ id, ...bad, people }, by)).sort(), [
      'customFields.nope: unknown_custom_field',
      'people.0.name: required',
      'people.0.seatClass: not_an_option',
      'people.1.name: person_ambiguous',
      'to: no_airport_matches',
    ])
    assert.deepEqual(
      complaints(await edit({ id, seatNumber: '1A', people: [{ nme: 'Uma Lee' }] }, by)).sort(),
      ['people.0.name: required', 'people.0.nme: unknown_field'],
    )
  })

  test('a tool reports each problem once, without a generic headline', async () => {
    const text = await told('log_flight', { from: 'CPH', to: 'LON', date: '2016-12-03' })
    assert.match(text, /^- to: “LON” may mean LHR [^\n]*give the code$/)
    await logged({ from: 'BLL', to: 'OSL', date: '2013-01-01' })
    const twice = await told('log_flight', { from: 'BLL', to: 'OSL', date: '2013-01-01' })
    assert.match(twice, /^This looks like flight [^\n]*$/)
  })

  test('airlines and aircraft types are found by name', async () => {
    const flight = { from: 'CPH', to: 'ARN', date: '2014-01-01' }
    for (const airline of ['Foo Air', 'Blubb Air', 'Foo'])
      assert.deepEqual(
        complaints(await log({ ...flight, airline })),
        ['airline: no_airline_matches'],
        airline,
      )
    assert.deepEqual(complaints(await log({ ...flight, airline: 'Luftha' })), ['airline: ambiguous'])
    assert.deepEqual(complaints(await log({ ...flight, aircraft: 'Dreamliner' })), ['aircraft: ambiguous'])
    const reply = await logged({ ...flight, aircraft: '787-9', flightNumber: '!!' })
    assert.equal(reply.json.data.aircraft.icao, 'B789')
    assert.deepEqual(codes(reply), ['aircraft_by_name', 'flight_number_odd'])
    assert.deepEqual(codes(await edit({ id: reply.json.data.id, flightNumber: 'abc' })), [
      'flight_number_odd',
    ])
  })

  test('a code next to a name decides the airport; digits are a number of the named airline', async () => {
    const flight = { from: 'CPH (Kastrup)', to: 'Frankfurt (FRA)', date: '2014-02-01' }
    const reply = await logged({ ...flight, flightNumber: '825', airline: 'Lufthansa' })
    const { from, to, flightNumber } = reply.json.data
    assert.deepEqual([from.iata, to.iata, flightNumber], ['CPH', 'FRA', 'LH825'])
    assert.deepEqual(codes(reply), ['airport_by_name', 'airport_by_name'])
  })

  test('a month item of a list is reported as such, and so is a day of a month', async () => {
    const second = async (to: string, dates: string[]) => {
      const flights = dates.map((date) => ({ from: 'CPH', to, date }))
      const { json } = await app().request('POST', '/api/v1/flights/log/bulk', { key, body: { flights } })
      return json.data[1].reason
    }
    const said = (date: string) =>
      `May be the same as flight 0 of this list, which has the date ${date}; set allowDuplicate to log both.`
    assert.equal(await second('KRK', ['2012-04', '2012-04-05']), said('2012-04'))
    assert.equal(await second('GDN', ['2012-04-05', '2012-04']), said('2012-04-05'))
    assert.equal(await second('WRO', ['2012-04', '2012']), said('2012-04'))
  })

  test('an assumed day of arrival is reported', async () => {
    const times = { from: 'CPH', to: 'LHR', date: '2016-12-04', departureTime: '22:00' }
    const next = await logged({ ...times, arrivalTime: '1:20' })
    assert.deepEqual(messages(next), [
      'The arrival was taken to be on 2016-12-05, the day after the departure.',
    ])
    const given = { ...times, date: '2016-12-10', arrivalTime: '1:20+1' }
    assert.deepEqual(codes(await logged(given)), [])
    assert.deepEqual(codes(await logged({ ...times, date: '2016-12-14', arrivalTime: '23:00' })), [])
  })

  test('a person named twice is reported by name', async () => {
    const flight = { from: 'CPH', to: 'LHR', date: '2015-12-05' }
    const companions = [{ name: 'Gracie Newhall' }, { name: 'me' }, { name: 'Gracie Newhall' }]
    const reply = await log({ ...flight, companions })
    assert.deepEqual(complaints(reply), [
      'companions.1: person_already_aboard',
      'companions.2: person_already_aboard',
    ])
    assert.match(reply.json.error.details[1].message, /Gracie Newhall/)
  })

  test('an ambiguous or misspelt name is a question, and a family name is enough', async () => {
    const by = await fresh()
    const flight = { from: 'CPH', to: 'LHR', date: '2015-11-05' }
    const guests = [{ name: 'Ann Lee' }, { name: 'Ann Stone' }]
    await logged({ ...flight, date: '2015-11-06', companions: guests }, by)
    const two = await log({ ...flight, date: '2015-11-07', companions: [{ name: 'Ann' }] }, by)
    assert.deepEqual(complaints(two), ['companions.0.name: person_ambiguous'])
    const family = await logged({ ...flight, date: '2015-11-08', companions: [{ name: 'Stone' }] }, by)
    assert.equal(family.json.data.passengers[1].guestName, 'Ann Stone')
    const near = await log({ ...flight, date: '2015-11-09', companions: [{ name: 'Anm Stone' }] }, by)
    assert.deepEqual(complaints(near), ['companions.0.name: person_nearly_matches'])
  })

  test('the caller’s own name is not a guest’s, unless stated', async () => {
    const ada = await named('adal', 'Adalina Lovelock')
    const by = await ada.key()
    const flight = { from: 'CPH', to: 'LHR', date: '2015-10-05' }
    for (const name of ['Adalina', 'adal', '@adal', 'ADALINA LOVELOCK', 'Lovelock']) {
      const refused = await log({ ...flight, companions: [{ name: 'Gus' }, { name }] }, by)
      assert.deepEqual(complaints(refused), ['companions.1.name: person_is_you'], name)
    }
    assert.deepEqual(complaints(await log({ text: 'CPH LHR 2015-10-05 with Adalina and Gus' }, by)), [
      'companions.0.name: person_is_you',
    ])
    const other = await logged({ ...flight, companions: [{ name: 'Adalina (guest)' }] }, by)
    assert.equal(other.json.data.passengers[1].guestName, 'Adalina')
    // From now on two people match, one of whom may be a companion.
    const again = await logged({ ...flight, date: '2015-10-09', companions: [{ name: 'Adalina' }] }, by)
    assert.equal(again.json.data.passengers[1].guestName, 'Adalina')
  })

  test('a name with one extra letter is a question, and an unknown user name is not read as another name', async () => {
    const by = await fresh()
    const benno = await named('benok', 'Benok Okri')
    const flight = { from: 'CPH', to: 'LHR', date: '2015-09-05' }
    await logged({ ...flight, companions: [{ name: 'Nobodi At All' }, { name: 'Jörg Maßmann' }] }, by)
    const second = { ...flight, date: '2015-09-20' }
    const asked = async (name: string) => complaints(await log({ ...second, companions: [{ name }] }, by))
    for (const name of ['Bennok', 'Benokk', 'Benok Okrii', 'Bennok Okri', 'Jorgg', 'Nobbodi'])
      assert.deepEqual(await asked(name), ['companions.0.name: person_nearly_matches'], name)
    assert.deepEqual(complaints(await log({ text: 'CPH LHR 2015-09-20 with Bennok' }, by)), [
      'companions.0.name: person_nearly_matches',
    ])
    for (const name of ['@nobodi', '@noone', 'Nobodi At All (@nobodi)'])
      assert.deepEqual(await asked(name), ['companions.0.name: no_person_matches'], name)
    const { id } = (await logged(second, by)).json.data
    const edited = await edit({ id, people: [{ name: 'Bennok' }] }, by)
    assert.deepEqual(complaints(edited), ['people.0.name: person_nearly_matches'])
    const right = await logged(
      {
        ...flight,
        date: '2015-09-25',
        companions: [{ name: '@benok' }, { name: 'Joerg Massmann' }, { name: 'Bennok (guest)' }],
      },
      by,
    )
    const who = right.json.data.passengers.slice(1)
    assert.deepEqual(
      who.map(({ user, guestName }: { user: { id: string } | null; guestName: string | null }) =>
        user ? user.id : guestName,
      ),
      [benno.id, 'Jörg Maßmann', 'Bennok'],
    )
  })

  test('an assistant does not get the readings of single words', async () => {
    const result = await callTool(app(), key, 'log_flight', { text: 'cph arn gestern fenster' })
    assert.deepEqual(Object.keys(result.structuredContent as object).sort(), ['changeId', 'data', 'warnings'])
  })

  test('an edit must name a field, empty text empties it, and a flight needs a passenger', async () => {
    const { id } = (await logged({ from: 'CPH', to: 'HEL', date: '2011-01-01', note: 'x' })).json.data
    for (const nothing of [{}, { people: [] }, { customFields: {} }, { ifVersion: 1 }]) {
      const reply = await edit({ id, ...nothing })
      assert.deepEqual([reply.status, reply.json.error.reason], [422, 'nothing_to_change'])
    }
    const emptied = await edit({ id, note: ' ' })
    assert.deepEqual(emptied.json.changed, { note: ['x', null] })
    assert.deepEqual(complaints(await edit({ id, from: '' })), ['from: required'])
    const alone = await edit({ id, people: [{ name: 'me', remove: true }] })
    assert.deepEqual(complaints(alone), ['people: nobody_left'])
    const same = await told('edit_flight', { id, note: null })
    assert.equal(same.match(/nothing changed/gi)?.length, 1)
  })
})

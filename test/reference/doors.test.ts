// log-flight list-flights start-import: the same name of a place means the same airport in a file, in a named field, in a filter and
// in the previous API, or is asked about in all of them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onSqlite, type Reply, type TestPerson } from '../harness.ts'
import { readImport } from '../imports/judged.ts'

/** The airport from which the flight left, and `?` where that must be asked. The other end is the last column. */
const names: [name: string, expected: string, date?: string, to?: string][] = [
  ['Tegel', 'TXL', '2015-05-01'],
  ['Teneriffa Süd', 'TFS'],
  ['Tenerife South', 'TFS'],
  ['Milan Linate', 'LIN'],
  ['Mailand Malpensa', 'MXP'],
  ['chicago ohare', 'ORD'],
  ['Houston Hobby', 'HOU'],
  ['washington national', 'DCA'],
  ['Moskau Scheremetjewo', 'SVO'],
  ['Easter Island', 'IPC'],
  ['Osterinsel', 'IPC'],
  ['Mallorca', 'PMI'],
  ['Kopenhagen', 'CPH'],
  ['Frankfurt (FRA)', 'FRA'],
  ['EKCH/CPH', 'CPH'],
  ['CPH (Kastrup)', 'CPH'],
  ['OSL/ENGM', 'FBU', '1995-05-01'],
  ['ENGM/OSL', 'OSL', '2005-05-01'],
  ['1Q4', 'K1Q4', '2026-05-01', 'SFO'],
  ['C83', 'KC83', '2026-05-01', 'SFO'],
  ['3O8', 'K3O8', '2026-05-01', 'SFO'],
  ['0Q5', 'K0Q5', '2026-05-01', 'SFO'],
  ['16A', 'NUP', '2026-05-01', 'BET'],
  ['Z09', 'KUK', '2026-05-01', 'BET'],
  ['33MO', '0MU3', '2026-05-01', 'SFO'],
  ['valencia', '?'],
  ['New York', '?'],
  ['Monaco', '?', '2026-05-01', 'NCE'],
  ['Valparaíso', '?', '2019-03-03', 'LIM'],
  ['Taiping', '?', '2019-03-03', 'IPH'],
  ['Ica', '?', '2019-03-03', 'LIM'],
  ['Nicosia', '?'],
  ['Sale', '?', '2019-03-03', 'MEL'],
  ['Niagara', '?', '2019-03-03', 'YYZ'],
  ['Sydney', '?', '2019-03-03', 'YHZ'],
  ['Sydney', 'SYD', '2019-03-03', 'LHR'],
]

onSqlite('doors', (app) => {
  let person: TestPerson
  let key: string
  before(async () => {
    app().clock.set('2026-11-16T12:00:00Z')
    person = await app().person('role-user')
    key = await person.key()
  })
  const codeOf = (airport: { iata: string | null; icao: string } | null): string =>
    airport ? (airport.iata ?? airport.icao) : '?'

  /** Only refusals that say that there is no such airport, or several, are questions. */
  function asked({ json, text }: Reply): string {
    assert.match(text, /ambiguous|no_airport_matches|Invalid departure airport/, text)
    return json.error || json.success === false ? '?' : text
  }

  const flights = names.map(([name, expected, date = '2026-05-01', to = 'LHR'], i) => {
    // A different day for each, so that none is a duplicate.
    const day = `${date.slice(0, 8)}${String(1 + (i % 28)).padStart(2, '0')}`
    return { name, expected, date: day, to }
  })

  test('a file', async () => {
    const cells = flights.map(({ name, date, to }) => `${date},"${name}",${to}`)
    const body = { filename: 'flights.csv', text: ['Date,From,To', ...cells].join('\n') }
    const { json } = await app().request('POST', '/api/v1/imports', { key, body })
    const { rows } = await readImport(app(), key, json.data.id)
    assert.deepEqual(
      rows.map(({ draft }, i) => `${flights[i]!.name} ${codeOf(draft.from)}`),
      flights.map(({ name, expected }) => `${name} ${expected}`),
    )
  })

  test('a named field', async () => {
    const results: string[] = []
    for (const { name, date, to } of flights) {
      const body = { from: name, to, date, confirmDuplicate: true }
      const reply = await app().request('POST', '/api/v1/flights/log', { key, body })
      results.push(`${name} ${reply.status === 201 ? codeOf(reply.json.data.from) : asked(reply)}`)
    }
    assert.deepEqual(
      results,
      flights.map(({ name, expected }) => `${name} ${expected}`),
    )
  })

  test('a filter, which finds the flight from that airport', async () => {
    for (const { name, expected } of flights) {
      if (expected === '?') continue
      const path = `/api/v1/flights?from=${encodeURIComponent(name)}&limit=100`
      const { status, text, json } = await app().request('GET', path, { key })
      assert.equal(status, 200, `${name}: ${text}`)
      const found = json.data.map(({ from }: { from: { iata: string; icao: string } }) => codeOf(from))
      assert.ok(found.includes(expected), `${name}: ${found}`)
    }
  })

  test('the previous API', async () => {
    const results: string[] = []
    for (const { name, date, to } of flights) {
      const body = { from: name, to, departure: date, seats: [{ userId: '<USER_ID>', guestName: null }] }
      const reply = await app().request('POST', '/api/flight/save', { key, body })
      const id = reply.status === 200 ? reply.json.id : undefined
      const saved = id === undefined ? null : await app().request('GET', `/api/v1/flights/${id}`, { key })
      results.push(`${name} ${saved ? codeOf(saved.json.data.from) : asked(reply)}`)
    }
    assert.deepEqual(
      results,
      // It has no field for the flight's other end when it looks for a name.
      flights.map(
        ({ name, expected, to }) => `${name} ${name === 'Sydney' && to === 'YHZ' ? 'SYD' : expected}`,
      ),
    )
  })
})

// start-import: which airline, airport and aircraft type the texts of a table mean, with the files that once were read as something
// else without a word.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { type Row, readImport } from './judged.ts'

interface Flight {
  date?: string
  from?: string
  to?: string
  airline?: string
  number?: string
  aircraft?: string
}

onSqlite('meanings of texts in tables', (app) => {
  let key: string
  before(async () => {
    app().clock.set('2026-11-16T12:00:00Z')
    key = await (await app().person('role-user')).key()
  })
  const read = async (flights: readonly Flight[]): Promise<{ import: Row; rows: Row[] }> => {
    const lines = flights.map(
      ({ date = '2022-03-25', from = 'LHR', to = 'YYZ', airline, number, aircraft }) =>
        [date, from, to, airline, number, aircraft].map((cell) => `"${cell ?? ''}"`).join(','),
    )
    const body = { filename: 'a.csv', text: ['Date,From,To,Airline,Flight,Aircraft', ...lines].join('\n') }
    const { json, text } = await app().request('POST', '/api/v1/imports', { key, body })
    assert.ok(json.data, text)
    return readImport(app(), key, json.data.id)
  }
  const codesOf = ({ warnings }: Row): string[] => warnings.map(({ code }: Row) => code).sort()
  const carrier = ({ draft, warnings }: Row): string =>
    [
      draft.airline?.icao ?? draft.airline?.name ?? '?',
      draft.flightNumber ?? '-',
      ...codesOf({ warnings }),
    ].join(' ')

  test('an airline’s code is a code before it is a name', async () => {
    const expected: [Flight, string][] = [
      [{ airline: 'ACA', number: 'ACA855' }, 'ACA AC855'],
      [{ airline: 'CAL', number: 'CI2' }, 'CAL CI2'],
      [{ airline: 'Batik Air (OD/MXD)', number: 'OD205' }, 'MXD OD205 airline_disagrees'],
      [{ airline: 'Batik Air' }, 'BTK -'],
      [{ airline: 'GFA', number: 'GF4' }, 'GFA GF4'],
      // A name is not a code, and a number of another airline is always reported.
      [{ airline: 'Lufthansa', number: 'AC855' }, 'DLH AC855 airline_disagrees'],
      [{ airline: 'Lufthansa', number: '855' }, 'DLH LH855'],
      [{ airline: 'mas' }, '? - airline_unknown'],
      [{ airline: 'ANA All Nippon Airways', number: 'NH203' }, 'ANA NH203'],
      [{ airline: 'Ryanair', number: 'FR12' }, 'RYR FR12'],
      [{ airline: 'Ryan Air' }, 'RYA -'],
    ]
    const { rows } = await read(expected.map(([flight]) => flight))
    assert.deepEqual(
      rows.map(carrier),
      expected.map(([, result]) => result),
    )
  })

  test('an airline that ended on an unknown day is asked about, unless it is named', async () => {
    const { rows, import: found } = await read([
      { number: 'XX123' },
      { airline: 'XX' },
      { airline: 'Greenfly', number: 'XX123' },
    ])
    assert.deepEqual(rows.map(carrier), ['? XX123 airline_unknown', '? - airline_unknown', 'GFY XX123'])
    assert.deepEqual(
      found.questions.map(({ kind, value, choices }: Row) => [kind, value, choices[0].label]),
      [['unknown_airline', 'XX', 'Greenfly']],
    )
  })

  test('numbers of easyJet’s subsidiaries begin with U2, which people search for', async () => {
    const { rows } = await read([
      { number: 'EJU7940' },
      { number: 'EZS1381' },
      { airline: 'easyJet Europe', number: '7940' },
      { number: 'EC7940' },
      { airline: 'EJU', number: 'U27940' },
    ])
    assert.deepEqual(rows.map(carrier), [
      'EJU U27940',
      'EZS U21381',
      'EJU U27940',
      'EJU EC7940',
      'EJU U27940',
    ])
  })

  test('a code that meant several airports on the day, or in the year, is asked about', async () => {
    const { rows, import: found } = await read([
      { date: '2019-02-11', from: 'Berlin / Brandenburg (BER/EDDB)', to: 'CPH' },
      { date: '2019-02-12', from: 'Berlin (SXF/EDDB)', to: 'CPH' },
      { date: '2019-02-13', from: 'Tegel (BER/EDDB)', to: 'CPH' },
      { date: '2021-02-11', from: 'Berlin / Brandenburg (BER/EDDB)', to: 'CPH' },
      { date: '2019', from: 'IST', to: 'CPH' },
      { date: '2018', from: 'IST', to: 'CPH' },
    ])
    assert.deepEqual(
      rows.map(({ draft, code }) => draft.from?.iata ?? code),
      ['ambiguous_airport', 'SXF', 'TXL', 'BER', 'ambiguous_airport', 'ISL'],
    )
    const choices = found.questions.map((question: Row) =>
      question.choices.map(({ label }: Row) => label.slice(0, 3)),
    )
    assert.deepEqual(choices, [
      ['TXL', 'SXF'],
      ['IST', 'ISL'],
    ])
  })

  test('each suggested airport says why, and how far it is from the other end', async () => {
    const { import: found } = await read([{ from: 'Taiping', to: 'IPH' }])
    const [nearest, ...others] = found.questions[0].choices
    assert.deepEqual([nearest.label.slice(0, 3), nearest.reason], ['TPG', 'name'])
    assert.ok(nearest.km < 100)
    assert.equal(nearest.kmFrom, 'IPH')
    const harbin = others.find(({ label }: Row) => label.startsWith('HRB'))
    assert.equal(harbin.reason, 'similar')
    assert.ok(harbin.km > 4000)
  })

  test('aircraft types as programs write them', async () => {
    const expected = {
      'Airbus 318': 'A318',
      'Airbus 319': 'A319',
      'Airbus 320': 'A320',
      'Airbus 321': 'A321',
      'Airbus A320-200': 'A320',
      'Airbus A320-251N': 'A20N',
      'Airbus A330-900neo': 'A339',
      'Embraer 120': 'E120',
      'Canadair CRJ-200': 'CRJ2',
      'Dash 8 Q200': 'DH8B',
      'Dash 8 Q400': 'DH8D',
      'De Havilland Canada DHC-8-100 Dash 8': 'DH8A',
      'De Havilland Canada DHC-8-200 Dash 8Q': 'DH8B',
      'De Havilland Canada DHC-8-300 Dash 8': 'DH8C',
      'Bombardier DHC-8-400 Dash 8Q': 'DH8D',
      'DHC-8-400 Dash 8Q': 'DH8D',
      'MD-80': 'MD80',
      'McDonnell Douglas MD-80': 'MD80',
      'McDonnell Douglas MD-82': 'MD82',
      'Embraer E175 (long wing)': 'E75L',
      Concorde: 'CONC',
      'Aérospatiale/BAC Concorde': 'CONC',
      'Boeing 737-800 (winglets)': 'B738',
      'BAe 146-200': 'B462',
      // These mean several types.
      '737': null,
      'ATR 72': null,
      'Boeing 777': null,
    }
    const { rows } = await read(Object.keys(expected).map((aircraft) => ({ aircraft })))
    assert.deepEqual(
      Object.fromEntries(
        rows.map(({ draft }, i) => [Object.keys(expected)[i], draft.aircraft?.icao ?? null]),
      ),
      expected,
    )
  })

  test('a family without a name of its own is one question with its types', async () => {
    const families = ['ATR 72', 'AT7', '350', '32S', 'E175', 'Embraer 175', 'ERJ-175']
    const { import: found } = await read(families.map((aircraft) => ({ aircraft })))
    const types = found.questions.map(({ value, choices }: Row) => [
      value,
      choices.map(({ detail }: Row) => detail),
    ])
    assert.deepEqual(Object.fromEntries(types), {
      'ATR 72': ['AT76', 'AT75', 'AT72', 'AT73'],
      AT7: ['AT76', 'AT75', 'AT72', 'AT73'],
      '350': ['A359', 'A35K'],
      '32S': ['A320', 'A321', 'A20N', 'A21N'],
      E175: ['E75L', 'E75S', 'E275'],
      'Embraer 175': ['E75L', 'E75S'],
      'ERJ-175': ['E75L', 'E75S'],
    })
  })
})

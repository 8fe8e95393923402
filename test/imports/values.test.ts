// Texts of files, one table per kind of value. No database.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { writeRegistration } from '../../server/domain/flights/registration.ts'
import {
  duplicateCodes,
  type ImportWarning,
  importWarnings,
  questionKinds,
  rowErrorCodes,
  skipCodes,
} from '../../server/domain/imports/imports.ts'
import { languages } from '../../server/domain/languages.ts'
import { rowMessage, warningMessage } from '../../server/services/imports/drafting/messages.ts'
import {
  aircraftNamed,
  airlineNamed,
  airportNamed,
  namedBy,
} from '../../server/services/imports/values/named.ts'
import { readFlightNumber, writeFlightNumber } from '../../server/services/imports/values/numbers.ts'
import { cleanText, fieldText, shortenText } from '../../server/services/imports/values/text.ts'
import { readClock, readDuration, readSourceTime } from '../../server/services/imports/values/times.ts'
import {
  readBookingLetter,
  readReason,
  readSeat,
  readSeatClass,
} from '../../server/services/imports/values/words.ts'
import { core } from '../../web/src/i18n/en/core.ts'

/** Codes, then the name. */
type NamedRow = [text: string, codes: string[], name: string | null]

const airportRows: NamedRow[] = [
  ['CPH', ['CPH'], null],
  ['cph', ['CPH'], null],
  ['EKCH', ['EKCH'], null],
  ['EKCH/CPH', ['EKCH', 'CPH'], null],
  ['CPH/EKCH', ['EKCH', 'CPH'], null],
  ['Copenhagen / Kastrup (CPH/EKCH)', ['EKCH', 'CPH'], 'Copenhagen / Kastrup'],
  ['Kopenhagen (CPH)', ['CPH'], 'Kopenhagen'],
  ['CPH - Copenhagen/DK', ['CPH'], 'Copenhagen'],
  ['CPH – Copenhagen', ['CPH'], 'Copenhagen'],
  ['Tokyo HND', ['HND'], 'Tokyo'],
  ['Nandi / Test (NA0/NFFN)', ['NFFN', 'NA0'], 'Nandi / Test'],
  ['Paris (Charles de Gaulle)', [], 'Paris (Charles de Gaulle)'],
  ['Chicago USA', [], 'Chicago USA'],
  ['Lima', [], 'Lima'],
  ['LIMA', ['LIMA'], null],
  ['São Paulo', [], 'São Paulo'],
  ['1G4', ['1G4'], null],
]
test('airports are read as codes and names', () => {
  for (const [text, codes, name] of airportRows)
    assert.deepEqual(airportNamed(text), { text, codes, name }, text)
  for (const nothing of ['', ' ', '()', ' (/)', 'N/A', '\\N', null, undefined])
    assert.equal(airportNamed(nothing), null)
})

test('airlines are read as codes and names', () => {
  const rows: NamedRow[] = [
    ['Swiss (LX/SWR)', ['SWR', 'LX'], 'Swiss'],
    ['Air Malta (KM/)', ['KM'], 'Air Malta'],
    ['easyJet (U2/EZY)', ['EZY', 'U2'], 'easyJet'],
    ['Jet Airways (9W/JAI)', ['JAI', '9W'], 'Jet Airways'],
    ['U2', ['U2'], 'U2'],
    ['KLM', ['KLM'], 'KLM'],
    ['Swiss', [], 'Swiss'],
    ['Air France (old)', [], 'Air France (old)'],
  ]
  for (const [text, codes, name] of rows) {
    const read = airlineNamed(text)
    assert.deepEqual(read, { text, codes, name }, text)
  }
  assert.deepEqual(airlineNamed('Air Malta (KM/)')?.codes, ['KM'])
  assert.equal(airlineNamed(' (/)'), null)
})

test('aircraft are read as codes and names', () => {
  const rows: NamedRow[] = [
    ['Boeing 777-300ER (B77W)', ['B77W'], 'Boeing 777-300ER'],
    ['B77W', ['B77W'], 'B77W'],
    ['77W', ['77W'], '77W'],
    ['787-9', [], '787-9'],
    ['Airbus A320neo', [], 'Airbus A320neo'],
  ]
  for (const [text, codes, name] of rows) assert.deepEqual(aircraftNamed(text), { text, codes, name }, text)
  assert.equal(aircraftNamed(' ()'), null)
})

test('separate codes and names are both used', () => {
  assert.deepEqual(namedBy(['ekch', null, 'CPH', 'CPH'], ' Kastrup '), {
    text: 'Kastrup (EKCH/CPH)',
    codes: ['EKCH', 'CPH'],
    name: 'Kastrup',
  })
  assert.deepEqual(namedBy(['CPH']), { text: 'CPH', codes: ['CPH'], name: null })
  assert.equal(namedBy(['', null], ' '), null)
})

test('clocks are read', () => {
  const rows: [string, string | undefined, number?][] = [
    ['7:05', '07:05'],
    ['07:05:00', '07:05'],
    ['07:05:30', '07:05:30'],
    ['0705', '07:05'],
    ['7.05', '07:05'],
    ['9:30 PM', '21:30'],
    ['9:30:00 AM', '09:30'],
    ['12:15 am', '00:15'],
    ['9:30p', '21:30'],
    ['24:00', '24:00'],
    ['24:00:00', '24:00'],
    ['06:10+1', '06:10', 1],
    ['06:10 -1', '06:10', -1],
    ['25:00', undefined],
    ['12:60:00', undefined],
    ['soon', undefined],
  ]
  for (const [text, clock, dayShift] of rows) {
    const expected = clock === undefined ? undefined : { clock, dayShift: dayShift ?? null }
    assert.deepEqual(readClock(text), expected, text)
  }
})

test('times with a date, an offset or a zone are read', () => {
  const iso = (text: string) => ({ iso: text, precision: 'day' as const })
  const day = iso('2024-05-17')
  const rows: [string, ReturnType<typeof readSourceTime>][] = [
    ['07:05', { date: null, clock: '07:05', zone: 'local' }],
    ['2024-05-17T07:05', { date: day, clock: '07:05', zone: 'local' }],
    ['2024-05-17 07:05:30', { date: day, clock: '07:05:30', zone: 'local' }],
    ['2024-05-17T07:05:00.000Z', { date: day, clock: '07:05', zone: 'utc' }],
    ['2024-05-17 05:05Z', { date: day, clock: '05:05', zone: 'utc' }],
    ['2024-05-17T07:05:00+02:00', { date: day, clock: '07:05', zone: '+02:00' }],
    ['2024-05-17T07:05:00+0000', { date: day, clock: '07:05', zone: 'utc' }],
    ['2024-05-17T07:05-0330', { date: day, clock: '07:05', zone: '-03:30' }],
    ['2024-05-17T07:05+02:00[Europe/Paris]', { date: day, clock: '07:05', zone: '+02:00' }],
    ['2024-05-17 07:05 Europe/Paris', { date: day, clock: '07:05', zone: 'Europe/Paris' }],
    ['17.05.2024 7:05', { date: { text: '17.05.2024' }, clock: '07:05', zone: 'local' }],
    ['5/17/2024 7:05 PM', { date: { text: '5/17/2024' }, clock: '19:05', zone: 'local' }],
    ['17 May 2024, 07:05', { date: { text: '17 May 2024' }, clock: '07:05', zone: 'local' }],
    ['06:10+1', { date: null, clock: '06:10', zone: 'local', dayShift: 1 }],
    ['0705Z', { date: null, clock: '07:05', zone: 'utc' }],
    ['', undefined],
    ['never', undefined],
    ['2024-05-17', undefined],
  ]
  for (const [text, time] of rows) assert.deepEqual(readSourceTime(text), time, text)
  const given = readSourceTime('07:05', { date: day, zone: 'utc' })
  assert.deepEqual(given, { date: day, clock: '07:05', zone: 'utc' })
})

test('durations become seconds', () => {
  const rows: [string, 'hours' | 'minutes' | 'seconds', number | undefined][] = [
    ['11:35:00', 'hours', 41_700],
    ['1:05', 'hours', 3900],
    ['1.1', 'hours', 3960],
    ['1,1', 'hours', 3960],
    ['0+35', 'hours', 2100],
    ['165', 'minutes', 9900],
    ['4800', 'seconds', 4800],
    ['1h 35m', 'minutes', 5700],
    ['2 h', 'minutes', 7200],
    ['95 min', 'hours', 5700],
    ['PT1H35M', 'minutes', 5700],
    ['1:75', 'hours', undefined],
    ['0', 'minutes', undefined],
    ['00:00:00', 'hours', undefined],
    ['long', 'hours', undefined],
    ['', 'hours', undefined],
  ]
  for (const [text, unit, seconds] of rows) assert.equal(readDuration(text, unit), seconds, text)
})

test('seats, classes and reasons are read in several languages', () => {
  const warnings: ImportWarning[] = []
  for (const [text, seat] of [
    ['WINDOW', 'window'],
    ['Fenster', 'window'],
    ['hublot', 'window'],
    ['W', 'window'],
    ['Mitte', 'middle'],
    ['Gang', 'aisle'],
    ['couloir', 'aisle'],
    ['PIC', 'pilot'],
    ['Captain', 'pilot'],
    ['First officer', 'copilot'],
    ['SIC', 'copilot'],
    ['co-pilot', 'copilot'],
    ['jump seat', 'jumpseat'],
    ['', null],
    ['-', null],
  ] as const)
    assert.equal(readSeat(text, warnings), seat, text)
  for (const [text, seatClass] of [
    ['eco', 'economy'],
    ['Main Cabin', 'economy'],
    ['ECOLIGHT', 'economy'],
    ['PREMIUM_ECONOMY', 'economy+'],
    ['Comfort+', 'economy+'],
    ['Prem.Eco', 'economy+'],
    ['economy_plus', 'economy+'],
    ['economy+', 'economy+'],
    ['PLUS', 'economy+'],
    ['Club World', 'business'],
    ['J', 'business'],
    ['Polaris', 'business'],
    ['first_class', 'first'],
    ['Suites', 'first'],
    ['GA', 'private'],
    ['Charter', 'private'],
  ] as const)
    assert.equal(readSeatClass(text, warnings), seatClass, text)
  for (const [text, reason] of [
    ['Vacation', 'leisure'],
    ['PERSONAL', 'leisure'],
    ['dienstlich', 'business'],
    ['geschäftlich', 'business'],
    ['WORK', 'business'],
    ['deadhead', 'crew'],
    ['Other', 'other'],
  ] as const)
    assert.equal(readReason(text, warnings), reason, text)
  assert.deepEqual(warnings, [])
})

test('the app’s own words for seats, classes and reasons are read in every language', async () => {
  const warnings: ImportWarning[] = []
  const readers = { seat: readSeat, class: readSeatClass, reason: readReason }
  for (const language of languages) {
    const texts: Record<string, unknown> =
      language === 'en' ? core : JSON.parse(readFileSync(`web/src/i18n/${language}/first.json`, 'utf8'))
    for (const [key, text] of Object.entries(texts)) {
      const [, kind, value] = /^(seat|class|reason)\.(.+)$/.exec(key) ?? []
      if (kind !== undefined)
        assert.equal(
          readers[kind as keyof typeof readers](String(text), warnings),
          value,
          `${language} ${key}`,
        )
    }
  }
  assert.deepEqual(warnings, [])
})

test('an unknown word leaves the field empty and is reported', () => {
  const warnings: ImportWarning[] = []
  assert.equal(readSeatClass('Zebra', warnings), null)
  assert.equal(readSeatClass('M', warnings), null, 'a booking letter alone is not a class')
  assert.equal(readSeat('9', warnings), null)
  assert.deepEqual(warnings, [
    { code: 'value_not_understood', field: 'seatClass', value: 'Zebra' },
    { code: 'value_not_understood', field: 'seatClass', value: 'M' },
    { code: 'value_not_understood', field: 'seat', value: '9' },
  ])
})

test('a source’s own words take precedence, and letters count only where they are expected', () => {
  const warnings: ImportWarning[] = []
  assert.equal(readSeat('PILOT', warnings, { captain: 'pilot', pilot: 'copilot' }), 'copilot')
  assert.equal(readSeat('0', warnings, { 0: null, 1: 'window' }), null)
  assert.equal(readSeat('1', warnings, { 0: null, 1: 'window' }), 'window')
  assert.equal(readBookingLetter('Q', warnings), 'economy')
  assert.equal(readBookingLetter('E', warnings), 'economy+')
  assert.equal(readBookingLetter('P', warnings), 'business')
  assert.equal(readBookingLetter('A', warnings), 'first')
  assert.deepEqual(warnings, [])
  assert.equal(readBookingLetter('R', warnings), null)
  assert.equal(warnings.length, 1)
})

test('flight numbers are read', () => {
  const qantas = { iata: 'QF', icao: 'QFA' }
  const rows: [string, { iata: string | null; icao: string | null } | null, string][] = [
    ['12', qantas, 'QF12'],
    ['QFA12', qantas, 'QF12'],
    ['QFA 0012', qantas, 'QF12'],
    ['LH 0829', null, 'LH829'],
    ['LH829', { iata: 'CL', icao: 'CLH' }, 'LH829'],
    ['SL*1508', null, 'SL1508'],
    ['B6117D', null, 'B6117D'],
    ['U2 8642', null, 'U28642'],
    ['0012', null, '12'],
    ['12A', qantas, 'QF12A'],
    ['12', { iata: null, icao: 'ABC' }, 'ABC12'],
    ['Charter 5', null, 'CHARTER 5'],
  ]
  for (const [text, airline, written] of rows) assert.equal(writeFlightNumber(text, airline), written, text)
  assert.deepEqual(readFlightNumber('9W 229'), { airlineCode: '9W', number: '229' })
  assert.deepEqual(readFlightNumber('7'), { airlineCode: null, number: '7' })
  assert.equal(readFlightNumber('no number'), undefined)
})

test('registrations get their hyphen where the country prefix is certain', () => {
  for (const [text, written] of [
    ['VHOQA', 'VH-OQA'],
    ['vh-oqa', 'VH-OQA'],
    ['GEUYA', 'G-EUYA'],
    ['EIHJA', 'EI-HJA'],
    ['FHTYA', 'F-HTYA'],
    ['DAIUB', 'D-AIUB'],
    ['DQFJX', 'DQ-FJX'],
    ['CSTNA', 'CS-TNA'],
    ['CGABC', 'C-GABC'],
    ['BHNR', 'B-HNR'],
    ['RPC8762', 'RP-C8762'],
    ['VNA861', 'VN-A861'],
    ['A6EDA', 'A6-EDA'],
    ['N123AB', 'N123AB'],
    ['JA871A', 'JA871A'],
    ['HL7611', 'HL7611'],
    ['#012345', '#012345'],
    ['12+34', '12+34'],
    ['QQQQQQ', 'QQQQQQ'],
  ] as const)
    assert.equal(writeRegistration(text), written)
})

test('text is trimmed of unstorable characters and cut at a word', () => {
  const warnings: ImportWarning[] = []
  assert.equal(cleanText('a\r\nb\rc 😀', 'note', warnings), 'a\nb\nc 😀')
  assert.deepEqual(warnings, [])
  assert.equal(cleanText('a\u0000b\ud800c\udc00d', 'note', warnings), 'abcd')
  assert.deepEqual(warnings, [{ code: 'text_cleaned', field: 'note' }])
  assert.equal(shortenText('one two three', 9, 'note', warnings), 'one two')
  assert.equal(shortenText('one two three', 7, 'note', warnings), 'one two')
  assert.equal(shortenText('abcdefghij', 4, 'note', warnings), 'abcd')
  assert.equal(shortenText('abc😀def', 4, 'note', warnings), 'abc')
  assert.equal(warnings.filter(({ code }) => code === 'text_shortened').length, 4)
  assert.equal(fieldText('bookingReference', ' Q7RT2M ', warnings), 'Q7RT2M')
  assert.equal(fieldText('bookingReference', 'A'.repeat(30), warnings)?.length, 20)
  assert.equal(fieldText('note', '  ', warnings), null)
  assert.equal(fieldText('note', '=1+1', warnings), '=1+1')
})

test('every warning and code of a row has its own sentence', () => {
  const sentences = importWarnings.map((code) => warningMessage({ code, field: 'seatClass', value: 'Zebra' }))
  const codes = [...questionKinds, ...skipCodes, ...duplicateCodes, ...rowErrorCodes]
  const all = [...sentences, ...codes.map(rowMessage)]
  for (const sentence of all) assert.match(sentence, /^[A-Z].*\.$/)
  assert.equal(new Set(all).size, all.length)
  assert.equal(
    warningMessage({ code: 'value_not_understood', field: 'seatClass', value: 'Zebra' }),
    'The value “Zebra” is not a known class. The class was left empty.',
  )
  assert.equal(
    warningMessage({ code: 'implausible', field: null, value: 'too_slow' }),
    'The average speed would be below 60 km/h. Check the times and the airports.',
  )
})

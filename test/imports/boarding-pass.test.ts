// The text of bar codes: which fields are read, and what is refused. Unusual codes follow real ones, with made-up content.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BoardingPass,
  classOfCompartment,
  dayOfName,
  looksLikePass,
  type PassLeg,
  readBoardingPass,
} from '../../server/domain/imports/boarding-pass.ts'
import { isTraveller, writtenName } from '../../server/domain/people/travellers.ts'
import { recordsOfPass, recordsOfPasses } from '../../server/services/imports/readers/passes/boarding-pass.ts'
import { passText } from './passes-text.ts'
import { saidBy } from './said.ts'

const passOf = (read: ReturnType<typeof readBoardingPass>): BoardingPass | null =>
  'refused' in read ? (read.refused === 'rail' ? read.pass : null) : read

const legSaid = (leg: PassLeg): string =>
  [
    leg.date ?? 'bad_date',
    `${leg.from}-${leg.to}`,
    leg.flightNumber ?? `${leg.carrier}?`,
    classOfCompartment(leg.compartment) ?? `?${leg.compartment ?? ''}`,
    leg.seat ?? (leg.seatText ? `!${leg.seatText}` : '-'),
    leg.locator ?? '-',
    ...(leg.marketingCarrier ? [`by ${leg.marketingCarrier}`] : []),
    ...(leg.otherDate ? [`or ${leg.otherDate}`] : []),
    ...(leg.isRail ? ['rail'] : []),
  ].join(' ')

/** `refused`, or the legs, one per line; `…` before them if something is missing. */
function said(text: string, date: string): string {
  const read = readBoardingPass(text, date)
  const pass = passOf(read)
  if (!pass) return 'not_a_boarding_pass'
  const refused = 'refused' in read ? `${read.refused}: ` : ''
  return `${refused}${pass.isTruncated ? '… ' : ''}${pass.legs.map(legSaid).join(' | ')}`
}

const issued = (day: string) => ({ once: { issued: day, issuer: 'IB' }, sold: { carrier: 'IB' } })
const full = passText([issued('6243')])
const plain = passText()
const NOW = '2026-09-02'

/** The subject, the text, the day of the document, the result. */
const table: [about: string, text: string, date: string, expected: string][] = [
  // The mandatory part
  [
    'the sample of the specification',
    'M1ROSSI/MARIA         EQ7RT2M MADLHRIB 3170 244Y012C0041 100',
    NOW,
    '2026-09-01 MAD-LHR IB3170 economy 12C Q7RT2M or 2025-09-01',
  ],
  ['in a leap year', plain, '2024-09-02', '2024-08-31 MAD-LHR IB3170 economy 12C Q7RT2M or 2023-09-01'],
  ['no electronic ticket', passText([{}], { flag: ' ' }), NOW, said(plain, NOW)],
  [
    'a carrier of three letters',
    passText([{ carrier: 'IBE' }]),
    NOW,
    said(plain, NOW).replace('IB3170', 'IBE3170'),
  ],
  [
    'a carrier with a digit',
    passText([{ carrier: 'U2', number: '8642 ' }]),
    NOW,
    said(plain, NOW).replace('IB3170', 'U28642'),
  ],
  ['a suffix', passText([{ number: '0117D' }]), NOW, said(plain, NOW).replace('IB3170', 'IB117D')],
  ['one digit', passText([{ number: '0007 ' }]), NOW, said(plain, NOW).replace('IB3170', 'IB7')],
  ['a number without zeros', passText([{ number: '7    ' }]), NOW, said(plain, NOW).replace('IB3170', 'IB7')],
  ['no number', passText([{ number: '     ' }]), NOW, said(plain, NOW).replace('IB3170', 'IB?')],
  [
    'a locator of seven',
    passText([{ locator: 'Q7RT2M9' }]),
    NOW,
    said(plain, NOW).replace('Q7RT2M', 'Q7RT2M9'),
  ],
  ['no locator', passText([{ locator: '' }]), NOW, said(plain, NOW).replace('Q7RT2M', '-')],
  // Seats and classes
  ['a seat without zeros', passText([{ seat: '12C ' }]), NOW, said(plain, NOW)],
  ['an infant', passText([{ seat: 'INF ' }]), NOW, said(plain, NOW).replace('12C', '-')],
  ['a seat from the gate', passText([{ seat: 'GATE' }]), NOW, said(plain, NOW).replace('12C', '-')],
  ['no seat', passText([{ seat: '    ' }]), NOW, said(plain, NOW).replace('12C', '-')],
  ['a seat that is none', passText([{ seat: 'BABY' }]), NOW, said(plain, NOW).replace('12C', '!BABY')],
  ['premium economy', passText([{ compartment: 'W' }]), NOW, said(plain, NOW).replace('economy', 'economy+')],
  ['business', passText([{ compartment: 'J' }]), NOW, said(plain, NOW).replace('economy', 'business')],
  ['first', passText([{ compartment: 'F' }]), NOW, said(plain, NOW).replace('economy', 'first')],
  [
    'a letter without a meaning',
    passText([{ compartment: 'R' }]),
    NOW,
    said(plain, NOW).replace('economy', '?R'),
  ],
  ['no compartment', passText([{ compartment: ' ' }]), NOW, said(plain, NOW).replace('economy', '?')],
  // The year
  ['issued the day before', full, NOW, '2026-09-01 MAD-LHR IB3170 economy 12C Q7RT2M'],
  ['found again years later', full, '2031-03-01', '2026-09-01 MAD-LHR IB3170 economy 12C Q7RT2M'],
  ['found ten years later', full, '2036-09-02', '2036-08-31 MAD-LHR IB3170 economy 12C Q7RT2M'],
  [
    'issued in December for January',
    passText([{ ...issued('5364'), day: '002' }]),
    '2025-12-31',
    '2026-01-02 MAD-LHR IB3170 economy 12C Q7RT2M',
  ],
  [
    'the same, scanned after the flight',
    passText([{ ...issued('5364'), day: '002' }]),
    '2026-01-20',
    '2026-01-02 MAD-LHR IB3170 economy 12C Q7RT2M',
  ],
  [
    'issued tomorrow, by the clock of another zone',
    passText([{ ...issued('6246'), day: '246' }]),
    NOW,
    '2026-09-03 MAD-LHR IB3170 economy 12C Q7RT2M',
  ],
  [
    'issued the day after tomorrow cannot be: ten years ago',
    passText([{ ...issued('6247'), day: '247' }]),
    NOW,
    '2016-09-03 MAD-LHR IB3170 economy 12C Q7RT2M',
  ],
  [
    'issued on the day itself',
    passText([issued('6244')]),
    NOW,
    '2026-09-01 MAD-LHR IB3170 economy 12C Q7RT2M',
  ],
  [
    'issued a day after the flight: next year',
    passText([issued('6245')]),
    '2026-09-03',
    '2027-09-01 MAD-LHR IB3170 economy 12C Q7RT2M',
  ],
  [
    'no issue date: January, scanned in December',
    passText([{ day: '003' }]),
    '2026-12-30',
    '2027-01-03 MAD-LHR IB3170 economy 12C Q7RT2M or 2026-01-03',
  ],
  [
    'no issue date: December, scanned in January',
    passText([{ day: '360' }]),
    '2027-01-05',
    '2026-12-26 MAD-LHR IB3170 economy 12C Q7RT2M or 2025-12-26',
  ],
  [
    'day 366 of a leap year',
    passText([{ day: '366' }]),
    '2025-01-02',
    '2024-12-31 MAD-LHR IB3170 economy 12C Q7RT2M or 2020-12-31',
  ],
  [
    'day 366 scanned in no leap year',
    passText([{ day: '366' }]),
    '2026-12-31',
    '2024-12-31 MAD-LHR IB3170 economy 12C Q7RT2M or 2020-12-31',
  ],
  [
    'day 366, issued in that year',
    passText([{ ...issued('4360'), day: '366' }]),
    '2025-02-01',
    '2024-12-31 MAD-LHR IB3170 economy 12C Q7RT2M',
  ],
  [
    'issued on day 366 of a year that has none: unknown',
    passText([{ ...issued('5366'), day: '244' }]),
    NOW,
    '2026-09-01 MAD-LHR IB3170 economy 12C Q7RT2M or 2025-09-01',
  ],
  [
    'day 365 is not day 366',
    passText([{ day: '365' }]),
    '2024-12-31',
    '2024-12-30 MAD-LHR IB3170 economy 12C Q7RT2M or 2023-12-31',
  ],
  [
    'day 366 around 2100, which is no leap year',
    passText([{ day: '366' }]),
    '2100-12-31',
    '2096-12-31 MAD-LHR IB3170 economy 12C Q7RT2M or 2092-12-31',
  ],
  [
    'day 366 of 2000, which is one',
    passText([{ day: '366' }]),
    '2001-01-02',
    '2000-12-31 MAD-LHR IB3170 economy 12C Q7RT2M or 1996-12-31',
  ],
  // The latest year in which the day is at most 60 days ahead
  ...(
    [
      ['in 3 days', 324, '2026-11-20 or 2025-11-20'],
      ['in 4 days', 325, '2026-11-21 or 2025-11-21'],
      ['in 30 days', 351, '2026-12-17 or 2025-12-17'],
      ['in 60 days', 16, '2027-01-16 or 2026-01-16'],
      ['in 61 days', 17, '2026-01-17 or 2025-01-17'],
      ['200 days ago', 121, '2026-05-01 or 2025-05-01'],
      ['in February', 47, '2026-02-16 or 2025-02-16'],
    ] as const
  ).map(([about, day, expected]): [string, string, string, string] => [
    `read on 17 November: ${about}`,
    passText([{ day: String(day).padStart(3, '0') }]),
    '2026-11-17',
    expected.replace(' or', ' MAD-LHR IB3170 economy 12C Q7RT2M or'),
  ]),
  ['day 000', passText([{ day: '000' }]), NOW, 'bad_date MAD-LHR IB3170 economy 12C Q7RT2M'],
  ['day 367', passText([{ day: '367' }]), NOW, 'bad_date MAD-LHR IB3170 economy 12C Q7RT2M'],
  ['no day', passText([{ day: '   ' }]), NOW, 'bad_date MAD-LHR IB3170 economy 12C Q7RT2M'],
  // Several legs
  [
    'two legs over the turn of the year',
    passText([
      { ...issued('6364'), day: '365' },
      {
        from: 'LHR',
        to: 'JFK',
        carrier: 'BA',
        number: '0117 ',
        day: '001',
        compartment: 'C',
        sold: { carrier: 'IB' },
      },
    ]),
    '2026-12-31',
    '2026-12-31 MAD-LHR IB3170 economy 12C Q7RT2M | 2027-01-01 LHR-JFK BA117 business 12C Q7RT2M by IB',
  ],
  [
    'two legs without an issue date are days apart',
    passText([{ day: '182' }, { from: 'LHR', to: 'JFK', day: '183' }]),
    '2026-12-31',
    '2026-07-01 MAD-LHR IB3170 economy 12C Q7RT2M or 2025-07-01 | 2026-07-02 LHR-JFK IB3170 economy 12C Q7RT2M or 2025-07-02',
  ],
  [
    'four legs, each with its own text',
    passText([
      { ...issued('6243'), own: 'AB12' },
      { from: 'LHR', to: 'JFK', own: '', sold: { carrier: 'BA' } },
      { from: 'JFK', to: 'LHR', day: '250', seat: '001A', sold: { carrier: 'IB' }, own: 'X' },
      { from: 'LHR', to: 'MAD', day: '251', locator: 'OTHER1' },
    ]),
    NOW,
    '2026-09-01 MAD-LHR IB3170 economy 12C Q7RT2M | 2026-09-01 LHR-JFK IB3170 economy 12C Q7RT2M by BA | ' +
      '2026-09-07 JFK-LHR IB3170 economy 1A Q7RT2M | 2026-09-08 LHR-MAD IB3170 economy 12C OTHER1',
  ],
  [
    'the second leg is missing',
    passText([{}]).replace('M1', 'M2'),
    NOW,
    '… 2026-09-01 MAD-LHR IB3170 economy 12C Q7RT2M or 2025-09-01',
  ],
  // The conditional part
  [
    'sold by another airline',
    passText([{ once: { issued: '6243' }, sold: { carrier: 'QR' } }]),
    NOW,
    '2026-09-01 MAD-LHR IB3170 economy 12C Q7RT2M by QR',
  ],
  [
    'no issue date (TAP)',
    passText([{ once: { issuer: 'TP' }, sold: { carrier: 'IB' } }]),
    NOW,
    said(plain, NOW),
  ],
  ['only the airline’s own text (easyJet)', passText([{ own: '300E2AB 12345' }]), NOW, said(plain, NOW)],
  [
    'only the airline’s own text, on both legs',
    passText([{ own: '2A7' }, { from: 'LHR', to: 'JFK', own: '2A0752401234567 0BA BA' }]),
    NOW,
    `${said(plain, NOW)} | ${said(plain, NOW).replace('MAD-LHR', 'LHR-JFK')}`,
  ],
  ['size 0 with text after it (Qatar)', `${plain}>6180WW6243BQR 2A157`, NOW, said(plain, NOW)],
  ['security data', passText([issued('6243')], { security: '^164MEYCIQCVDy6sskhy' }), NOW, said(full, NOW)],
  [
    'security data without a conditional part',
    passText([{}], { security: '^108ABCDEFGH' }),
    NOW,
    said(plain, NOW),
  ],
  [
    'version 1 without a repeated block',
    passText([{ once: { version: 1, issued: '6243' } }]),
    NOW,
    said(full, NOW),
  ],
  [
    'a short once-only block',
    passText([{ once: { issued: '6243' }, size: '0B' }]).slice(0, 71),
    NOW,
    `${said(full, NOW)}`,
  ],
  // Cut, stripped, or spelt differently
  ['ends after the compartment', plain.slice(0, 48), NOW, said(plain, NOW).replace('12C', '-')],
  [
    'ends after the day',
    plain.slice(0, 47),
    NOW,
    said(plain, NOW).replace('12C', '-').replace('economy', '?'),
  ],
  ['ends after the seat', plain.slice(0, 52), NOW, said(plain, NOW)],
  ['ends inside the seat', plain.slice(0, 50), NOW, `… ${said(plain, NOW).replace('12C', '-')}`],
  ['ends before the day', plain.slice(0, 46), NOW, 'not_a_boarding_pass'],
  ['a size that is larger than the text', passText([{ size: '5A' }]), NOW, `… ${said(plain, NOW)}`],
  ['cut in the issue date', full.slice(0, 70), NOW, `… ${said(plain, NOW)}`],
  [
    'cut in the number of the frequent flyer',
    passText([{ ...issued('6243'), sold: { carrier: 'IB', member: '123456789' } }]).slice(0, 115),
    NOW,
    `… ${said(full, NOW)}`,
  ],
  ['blanks at the end are stripped', full.trimEnd(), NOW, said(full, NOW)],
  ['blanks and a line break after it', `  ${plain}   \r\n`, NOW, said(plain, NOW)],
  ['lower case', full.toLowerCase(), NOW, said(full, NOW)],
  ['with the kind of symbol in front', `]z3${plain}`, NOW, said(plain, NOW)],
  // Not flights
  [
    'a train to Cologne',
    passText([{ from: 'FRA', to: 'QKL', carrier: 'LH', number: '3500 ' }]),
    NOW,
    'rail: 2026-09-01 FRA-QKL LH3500 economy 12C Q7RT2M or 2025-09-01 rail',
  ],
  [
    'a train of a railway',
    passText([{ from: 'FRA', to: 'STR', carrier: '2A' }]),
    NOW,
    'rail: 2026-09-01 FRA-STR 2A3170 economy 12C Q7RT2M or 2025-09-01 rail',
  ],
  [
    'a train to the flight',
    passText([
      { from: 'QKL', to: 'FRA', carrier: 'LH', ...issued('6243') },
      { from: 'FRA', to: 'JFK', carrier: 'LH', number: '0400 ' },
    ]),
    NOW,
    '2026-09-01 QKL-FRA LH3170 economy 12C Q7RT2M by IB rail | 2026-09-01 FRA-JFK LH400 economy 12C Q7RT2M',
  ],
  [
    'a web address',
    'https://www.example.org/boarding?pnr=Q7RT2M&name=ROSSI%2FMARIA&from=MAD&to=LHR',
    NOW,
    'not_a_boarding_pass',
  ],
  ['nothing', '', NOW, 'not_a_boarding_pass'],
  ['format S', plain.replace('M1', 'S1'), NOW, 'not_a_boarding_pass'],
  ['five legs', plain.replace('M1', 'M5'), NOW, 'not_a_boarding_pass'],
  ['no legs', plain.replace('M1', 'M0'), NOW, 'not_a_boarding_pass'],
  [
    'a text that begins like one',
    `M1${'ROSSI/MARIA and some text about a journey to London'.padEnd(80)}`,
    NOW,
    'not_a_boarding_pass',
  ],
  ['a number with a gap', passText([{ number: '31 0 ' }]), NOW, 'not_a_boarding_pass'],
  ['airports that are none', passText([{ from: 'M4D' }]), NOW, 'not_a_boarding_pass'],
  ['a carrier of digits', passText([{ carrier: '12' }]), NOW, 'not_a_boarding_pass'],
  ['no name', passText([{}], { name: '' }), NOW, 'not_a_boarding_pass'],
  ['a loyalty card', '9250001234567890', NOW, 'not_a_boarding_pass'],
]

test('bar codes give legs, days, classes and seats, or are refused', () => {
  assert.ok(table.length >= 40, `${table.length}`)
  for (const [about, text, date, expected] of table) assert.equal(said(text, date), expected, about)
})

test('the day in the name of a file', () => {
  const days: [name: string, day: string | null][] = [
    ['IMG_20190216_101500.jpg', '2019-02-16'],
    ['IMG-20190216-WA0003.jpeg', '2019-02-16'],
    ['20190216101500.png', '2019-02-16'],
    ['Screenshot 2019-02-16 at 10.15.00.png', '2019-02-16'],
    ['2019.02.16 pass.pdf', '2019-02-16'],
    ['Bordkarte 16.2.2019.pdf', '2019-02-16'],
    ['IMG_20190230.jpg', null],
    ['IMG_20261118.jpg', '2026-11-18'],
    ['IMG_20261119.jpg', null],
    ['1234567890123.jpg', null],
    ['pass.png', null],
  ]
  for (const [name, day] of days) assert.equal(dayOfName(name, '2026-11-17'), day, name)
})

test('the sample has 60 characters and keeps names as printed', () => {
  assert.equal(plain, 'M1ROSSI/MARIA         EQ7RT2M MADLHRIB 3170 244Y012C0041 100')
  const pass = passOf(readBoardingPass(passText([issued('6243')], { name: 'LINDQVIST/NORAMRS' }), NOW))!
  assert.deepEqual([pass.name, pass.issueDate], ['LINDQVIST/NORAMRS', '2026-08-31'])
})

test('a bar code cut at any length does not throw and gives no invented flight', () => {
  const long = passText(
    [
      { ...issued('6243'), own: 'OWN TEXT' },
      { from: 'LHR', to: 'JFK', sold: { carrier: 'BA' } },
    ],
    { security: '^164ABC' },
  )
  const whole = readBoardingPass(long, NOW) as BoardingPass
  for (let length = 0; length <= long.length; length++) {
    const cut = passOf(readBoardingPass(long.slice(0, length), NOW))
    if (length < 47) assert.equal(cut, null)
    else {
      const [first] = cut!.legs
      assert.deepEqual([first!.from, first!.to, first!.flightNumber], ['MAD', 'LHR', 'IB3170'])
      assert.ok(first!.seat === null || first!.seat === '12C')
      assert.ok([null, whole.issueDate].includes(cut!.issueDate))
      // Without its second leg it is never complete.
      assert.equal(cut!.isTruncated || cut!.legs.length === 2, true, `${length}`)
    }
    for (const record of recordsOfPass(long.slice(0, length), { documentDate: NOW, options: {} }))
      assert.ok(record.flight || record.error)
  }
})

test('a stripped text may end between two fields, not inside one', () => {
  const once = { issued: '6243', issuer: 'IBX', tags: '0123456789012' }
  const dense = passText([
    { sequence: '0041A', once, sold: { carrier: 'IBX', member: '1234567890123456', bags: '2PC', fast: 'N' } },
  ])
  const whole: number[] = []
  for (let length = 47; length <= dense.length; length++)
    if (!passOf(readBoardingPass(dense.slice(0, length), NOW))!.isTruncated) whole.push(length)
  assert.deepEqual(whole, [
    ...[47, 48, 52, 56, 57, 58],
    ...[0, 3, 13, 14, 15, 17, 18, 20, 21, 37, 38, 41, 42].map((field) => 90 + field),
  ])
  const isCut = (text: string) => passOf(readBoardingPass(text, NOW))!.isTruncated
  assert.deepEqual(
    [isCut(passText([{ seat: '12C ' }]).slice(0, 51)), isCut(plain.slice(0, 51))],
    [false, true],
  )
})

test('a pass is read whatever today’s date is', () => {
  for (const date of ['0001-01-01', '1899-12-31', '2000-02-29', '9999-12-31'])
    for (const text of [plain, full]) assert.doesNotThrow(() => readBoardingPass(text, date), date)
})

test('one wrong character at any place does not throw', () => {
  for (let at = 0; at < full.length; at++)
    for (const wrong of ['\0', 'Z', '9', ' ', '\u{1F6EB}', 'ß', '>', '^']) {
      const text = full.slice(0, at) + wrong + full.slice(at + 1)
      assert.doesNotThrow(() => recordsOfPass(text, { documentDate: NOW, options: {} }), text)
    }
})

test('records have operating number, seller, passenger and missing values', async () => {
  const two = passText(
    [
      { once: { issued: '6243' }, sold: { carrier: 'QR' }, seat: 'BABY', compartment: 'R' },
      { from: 'LHR', to: 'XDB', day: '000' },
    ],
    { name: 'LINDQVIST/NORAMRS' },
  )
  const text = `${two}\n\n${plain.slice(0, 50)}\nhttps://www.example.org/checkin?pnr=Q7RT2M\n`
  const { source, records } = await saidBy(Buffer.from(text), { documentDate: NOW })
  assert.equal(source, 'bcbp')
  assert.deepEqual(records, [
    '1 date:2026-09-01 from:MAD to:LHR airline:IB flightNumber:IB3170 bookingReference:Q7RT2M {Marketing carrier: QR} with:"LINDQVIST/NORAMRS" areAllNamed:true !value_not_understood:seatClass:R !value_not_understood:seatNumber:BABY',
    '1 skip:not_a_flight error:bad_date from:LHR to:XDB airline:IB flightNumber:IB3170 bookingReference:Q7RT2M with:"LINDQVIST/NORAMRS",12C,economy areAllNamed:true',
    '3 date:2026-09-01 yearGuess:{"day":"244","yearsAfter":0,"otherDate":"2025-09-01"} from:MAD to:LHR airline:IB flightNumber:IB3170 bookingReference:Q7RT2M with:"ROSSI/MARIA",economy areAllNamed:true !truncated',
    '4 error:not_a_boarding_pass',
  ])
  const without = await saidBy(Buffer.from(plain), {
    documentDate: NOW,
    options: { bookingReference: false },
  })
  assert.doesNotMatch(without.records.join(), /bookingReference|Q7RT2M/)
})

test('no record contains the bar code, the locator or the ticket number', () => {
  const secret = passText([{ ...issued('6243'), own: 'SECRET' }])
  const texts = [secret, plain, plain.slice(0, 49), `X${secret}`, 'https://www.example.org/c?pnr=Q7RT2M']
  for (const record of recordsOfPasses(texts.join('\n'), { documentDate: NOW, options: {} })) {
    const shown = JSON.stringify([record.raw, record.warnings, record.error])
    assert.doesNotMatch(shown, /Q7RT2M|0752401234567|SECRET|M1ROSSI/)
  }
  const [record] = recordsOfPass(secret, { documentDate: NOW, options: {} })
  assert.equal(record!.raw, 'ROSSI/MARIA, IB3170, MAD–LHR, day 244 (2026-09-01), seat 12C')
})

test('a text is recognised as a pass by its beginning, even if it cannot be read', () => {
  for (const text of [plain, full.toLowerCase(), plain.slice(0, 40), `\n${plain}`])
    assert.ok(looksLikePass(text), text)
  for (const text of ['M1', 'Date,From,To\n', 'https://example.org', 'M1,M2,M3,M4,M5,M6,M7,M8,M9\n1,2,3'])
    assert.ok(!looksLikePass(text), text)
})

test('a name on a ticket is classed as the user’s own, possibly theirs, or another', () => {
  const same: [written: string, own: string, expected: string][] = [
    ['LINDQVIST/NORA', 'Nora Lindqvist', 'same'],
    ['LINDQVIST/NORAMRS', 'Nora Lindqvist', 'same'],
    ['LINDQVIST/NORA MARIA', 'Nora Lindqvist', 'same'],
    ['LINDQVIST/N', 'Nora Lindqvist', 'same'],
    ['LINDQVIST/MRS', 'Nora Lindqvist', 'same'],
    ['LINDQVIST', 'Nora Lindqvist', 'unsure'],
    ['LINDQVIST/PETER', 'Nora Lindqvist', 'other'],
    ['LINDQVIST/PETERMR', 'Nora Lindqvist', 'other'],
    ['LI/BOMR', 'Bo Li', 'same'],
    ['LI/BOB', 'Bo Li', 'other'],
    ['VANDERBERG/ANNA', 'Anna van der Berg', 'same'],
    ['VAN DER BERG/ANNA', 'Anna van der Berg', 'same'],
    ['BERG/ANNAMS', 'Anna van der Berg', 'same'],
    ['VANDERBERG/PIET', 'Anna van der Berg', 'other'],
    ['SMITHJONES/ADA', 'Ada Smith-Jones', 'same'],
    ['GARCIA/MARIA', 'María García López', 'same'],
    ['MUELLER/JUERGEN', 'Jürgen Müller', 'same'],
    ['OBRIEN/CONOR', "Conor O'Brien", 'same'],
    ['NAGY/ANNA', 'Nagy Anna', 'same'],
    ['WOLFESCHLEGELSTEINHA', 'Hubert Wolfeschlegelsteinhausen', 'unsure'],
    ['ROSSI/MARIA', 'Nora Lindqvist', 'other'],
    ['LOVELACE/ADA', 'ada', 'unsure'],
    ['/', 'Nora Lindqvist', 'other'],
  ]
  for (const [written, own, expected] of same)
    assert.equal(isTraveller(written, own), expected, `${written} ${own}`)
  assert.equal(writtenName('HOPPER/GRACEMRS'), 'Grace Hopper')
  assert.equal(writtenName('VAN DER BERG/ANNA MARIA MISS'), 'Anna Maria Van Der Berg')
  assert.equal(writtenName("O'BRIEN-SMITH/CONOR"), "Conor O'Brien-Smith")
  assert.equal(writtenName('Grace Hopper'), 'Grace Hopper')
  assert.equal(writtenName('A/B testing'), 'A/B testing')
  assert.equal(writtenName('HOPPER/'), 'Hopper')
})

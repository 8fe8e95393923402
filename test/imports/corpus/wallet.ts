// Passes of Apple Wallet.
import { strToU8, zipSync } from 'fflate'
import { pkpassOf } from '../wallet.ts'
import { type Clock, type Leg, legOf, legsOf, lines, passText, truthOf } from './printers.ts'
import type { Sample } from './sample.ts'

const others = { includeOthers: true }

export const iso = (at: Clock): string => `${at.date}T${at.time}${at.offset}`

/** The same clock with an offset that is wrong, as some airlines write it. */
const withOffset = (at: Clock, offset: string, time = at.time): string => `${at.date}T${time}:00${offset}`

const utf16 = (text: string): Uint8Array =>
  Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')])

export const strings = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([key, value]) => `"${key}" = "${value}";\n`)
    .join('')

interface Field {
  key: string
  label?: string
  value: string | number
  [more: string]: unknown
}

export const head = (organisation: string, serial: string): Record<string, unknown> => ({
  formatVersion: 1,
  passTypeIdentifier: `pass.com.example.${organisation.toLowerCase().replaceAll(' ', '')}`,
  serialNumber: serial,
  teamIdentifier: 'A1B2C3D4E5',
  organizationName: organisation,
  description: 'Boarding pass',
  foregroundColor: 'rgb(255,255,255)',
  backgroundColor: 'rgb(0,33,85)',
})

export const airPass = (
  organisation: string,
  serial: string,
  fields: Record<string, Field[]>,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...head(organisation, serial),
  boardingPass: { transitType: 'PKTransitTypeAir', ...fields },
  ...more,
})

export const ends = (leg: Leg, from: string, to: string): Field[] => [
  { key: 'origin', label: from, value: leg.from },
  { key: 'destination', label: to, value: leg.to },
]

const code = (message: string): Record<string, unknown> => ({
  barcodes: [{ format: 'PKBarcodeFormatAztec', message, messageEncoding: 'iso-8859-1' }],
  barcode: { format: 'PKBarcodeFormatAztec', message, messageEncoding: 'iso-8859-1' },
})

export const packed = (pass: unknown, translations: Record<string, Uint8Array> = {}): Buffer =>
  Buffer.from(pkpassOf(pass, translations))

/** The text of the bar code of a leg, without a day of issue. */
export const bars = (name: string, leg: Leg, cabin: string, locator: string): string =>
  passText(
    name,
    `${leg.dep.date} ${leg.from} ${leg.to} ${leg.carrier} ${leg.digits} ${leg.airline} ${cabin} ${leg.seat} 42 ${locator}`,
  )

// Semantic tags

const newark = legOf('SK909 SAS CPH 2025-03-14T12:20+01:00 EWR 2025-03-14T15:25-04:00 24A')
const nairobi = legOf('KQ117 KQA AMS 2024-12-08T21:10+01:00 NBO 2024-12-09T07:50+03:00 16C')

const tagged = airPass(
  'Nordic Air',
  '0909-20250314-24A',
  {
    headerFields: [{ key: 'gate', label: 'GATE', value: 'C37' }],
    primaryFields: ends(newark, 'COPENHAGEN', 'NEW YORK NEWARK'),
    auxiliaryFields: [
      { key: 'boards', label: 'BOARDING', value: '11:35' },
      { key: 'group', label: 'GROUP', value: 3 },
    ],
    secondaryFields: [{ key: 'who', label: 'PASSENGER', value: 'Astrid Lindgren' }],
  },
  {
    relevantDate: '2025-03-14T11:35:00+01:00',
    semantics: {
      airlineCode: 'SK',
      flightNumber: 909,
      flightCode: 'SK909',
      departureAirportCode: 'CPH',
      departureTerminal: '3',
      departureGate: 'C37',
      destinationAirportCode: 'EWR',
      originalDepartureDate: iso(newark.dep),
      currentDepartureDate: '2025-03-14T12:55+01:00',
      originalBoardingDate: '2025-03-14T11:35+01:00',
      originalArrivalDate: iso(newark.arr),
      currentArrivalDate: iso({ ...newark.arr, time: '15:35' }),
      seats: [{ seatRow: '24', seatIdentifier: 'A', seatNumber: '24A' }],
      passengerName: { givenName: 'Astrid', familyName: 'Lindgren' },
      confirmationNumber: 'TB4KQ9',
    },
  },
)

const taggedInFields = airPass(
  'Savanna',
  'kq-117-08dec-16C',
  {
    primaryFields: [
      {
        key: 'a',
        label: 'Amsterdam',
        value: 'AMS',
        semantics: { departureAirportCode: 'AMS', originalDepartureDate: iso(nairobi.dep) },
      },
      {
        key: 'b',
        label: 'Nairobi',
        value: 'NBO',
        semantics: { destinationAirportCode: 'NBO', originalArrivalDate: iso(nairobi.arr) },
      },
    ],
    headerFields: [
      { key: 'c', label: 'Flight', value: 'KQ 117', semantics: { airlineCode: 'KQ', flightNumber: 117 } },
    ],
    secondaryFields: [
      { key: 'd', label: 'Name', value: 'Lotte Peeters' },
      { key: 'e', label: 'Seat', value: '16C', semantics: { seats: [{ seatNumber: '16C' }] } },
    ],
    backFields: [
      {
        key: 'x',
        label: 'Baggage',
        value: '2 pieces of 23 kg. See https://www.example.com/bags?flight=KQ565',
      },
    ],
  },
  { relevantDate: '2024-12-08T20:10:00Z' },
)

// Bar code and a day

const bucharest = legOf('LH1652 DLH MUC 2023-07-03T09:45+02:00 OTP 2023-07-03T12:50+03:00 14D')
const tenerife = legOf('IB3820 IBE MAD 2022-06-24T15:55+02:00 TFN 2022-06-24T17:40+01:00 8F')

const barredA = airPass(
  'Lufthansa',
  '2201652070314D',
  {
    headerFields: [
      { key: 'date', label: 'DATE', value: '03JUL' },
      { key: 'flight', label: 'FLIGHT', value: 'LH1652' },
    ],
    primaryFields: ends(bucharest, 'MUNICH', 'BUCHAREST'),
    auxiliaryFields: [
      { key: 'boarding', label: 'BOARDING', value: '09:10' },
      { key: 'departure', label: 'DEPARTURE', value: '09:45' },
      { key: 'seat', label: 'SEAT', value: '14D' },
    ],
  },
  {
    relevantDate: withOffset(bucharest.dep, '+01:00', '09:10'),
    ...code(bars('BRANDT/TILL MR', bucharest, 'H', 'QW4RT6')),
  },
)

const barredB = airPass(
  'Iberia',
  'IB3820-24-042',
  {
    headerFields: [{ key: 'puerta', label: 'PUERTA', value: 'J42' }],
    primaryFields: ends(tenerife, 'MADRID', 'TENERIFE NORTE'),
    auxiliaryFields: [
      { key: 'embarque', label: 'EMBARQUE', value: '15:15' },
      { key: 'asiento', label: 'ASIENTO', value: '8F' },
      { key: 'fecha', label: 'FECHA', value: '24 JUN' },
    ],
  },
  {
    relevantDate: withOffset(tenerife.dep, '+00:00', '15:15'),
    ...code(bars('GARCIA LOPEZ/ELENA', tenerife, 'O', 'JHT7K')),
  },
)

// Words by language

const helsinki = legOf('AY1412 FIN DUS 2024-09-18T11:25+02:00 HEL 2024-09-18T14:50+03:00 21A')
const ajaccio = legOf('XK703 CCM ORY 2025-08-09T07:15+02:00 AJA 2025-08-09T09:00+02:00 5B')

export const keyed = (
  leg: Leg,
  organisation: string,
  prefix: string,
  day: string,
  name: string,
  cabin: string,
): Record<string, unknown> =>
  airPass(
    organisation,
    `${prefix}-${leg.digits}`,
    {
      headerFields: [{ key: 'f1', label: `${prefix}_flight`, value: `${leg.carrier} ${leg.digits}` }],
      primaryFields: ends(leg, `${prefix}_from`, `${prefix}_to`),
      secondaryFields: [
        { key: 'f2', label: `${prefix}_name`, value: name },
        { key: 'f3', label: `${prefix}_date`, value: day },
      ],
      auxiliaryFields: [
        { key: 'f4', label: `${prefix}_departs`, value: leg.dep.time },
        { key: 'f5', label: `${prefix}_seat`, value: leg.seat },
        { key: 'f6', label: `${prefix}_class`, value: `${prefix}_${cabin}` },
      ],
    },
    { relevantDate: withOffset(leg.dep, leg.dep.offset) },
  )

const germanWords = strings({
  bp_flight: 'Flug',
  bp_from: 'Düsseldorf',
  bp_to: 'Helsinki',
  bp_name: 'Fluggast',
  bp_date: 'Datum',
  bp_departs: 'Abflug',
  bp_seat: 'Sitz',
  bp_class: 'Klasse',
  bp_eco: 'Economy',
})

const frenchWords = strings({
  xk_flight: 'Vol',
  xk_from: 'Paris Orly',
  xk_to: 'Ajaccio',
  xk_name: 'Passager',
  xk_date: 'Date',
  xk_departs: 'Départ',
  xk_seat: 'Siège',
  xk_class: 'Classe',
  xk_eco: 'Économique',
})

// The airline's name is the label of the number

const sofia = legOf('TK1027 THY IST 2026-02-11T08:05+03:00 SOF 2026-02-11T08:15+02:00 11F')
const sydney = legOf('EK412 UAE DXB 2025-10-30T10:15+04:00 SYD 2025-10-31T08:25+11:00 52K')

const named = (
  leg: Leg,
  airline: string,
  shown: string,
  day: string,
  name: string,
): Record<string, unknown> =>
  airPass(
    airline,
    `${leg.number}/${leg.seat}/${leg.dep.date}`,
    {
      headerFields: [{ key: 'airline', label: airline, value: shown }],
      primaryFields: ends(leg, 'From', 'To'),
      secondaryFields: [
        { key: 'passenger', label: 'Passenger', value: name },
        { key: 'date', label: 'Departure date', value: day },
      ],
      auxiliaryFields: [
        { key: 'std', label: 'Departs', value: leg.dep.time },
        { key: 'seat', label: 'Seat', value: leg.seat },
        { key: 'zone', label: 'Zone', value: 'B' },
      ],
    },
    { relevantDate: withOffset(leg.dep, leg.dep.offset, leg.dep.time) },
  )

// Bundles

const bundleA = legsOf(`
  OS294 AUA GRZ 2025-05-30T06:10+02:00 VIE 2025-05-30T07:00+02:00 4D
  OS87 AUA VIE 2025-05-30T10:25+02:00 EWR 2025-05-30T13:15-04:00 31A
  UA1988 UAL EWR 2025-05-30T17:30-04:00 MCO 2025-05-30T19:55-04:00 26E
  OS88 AUA EWR 2025-06-13T18:00-04:00 VIE 2025-06-14T08:50+02:00 30H`)

const bundleB = legsOf(`
  TP1357 TAP LGW 2026-01-20T07:00+00:00 LIS 2026-01-20T09:30+00:00 9A
  TP1541 TAP LIS 2026-01-20T13:45+00:00 BVC 2026-01-20T16:50-01:00 19C
  VR4214 TCV RAI 2026-01-26T16:30-01:00 SID 2026-01-26T17:25-01:00 2B
  TP1542 TAP SID 2026-02-01T02:10-01:00 LIS 2026-02-01T07:10+00:00 19D`)

const bundled = (legs: Leg[], name: string, cabins: string, extra: [string, unknown]): Buffer => {
  const members: [string, Uint8Array][] = legs.map((leg, at) => {
    const pass = airPass(
      'Group',
      `B${at}${leg.number}`,
      {
        primaryFields: ends(leg, 'FROM', 'TO'),
        headerFields: [{ key: 'flight', label: 'FLIGHT', value: leg.number }],
      },
      { relevantDate: iso(leg.dep), ...code(bars(name, leg, cabins[at]!, 'BNDL42')) },
    )
    return [`pass-${at + 1}.pkpass`, pkpassOf(pass)]
  })
  const [filename, pass] = extra
  return Buffer.from(
    zipSync(Object.fromEntries([...members, [filename, pkpassOf(pass)], ['readme.txt', strToU8('Passes')]])),
  )
}

const trainPass = {
  ...head('Rail', 'ICE-577-21'),
  boardingPass: {
    transitType: 'PKTransitTypeTrain',
    headerFields: [{ key: 'train', label: 'ZUG', value: 'ICE 577' }],
    primaryFields: [
      { key: 'origin', label: 'VON', value: 'HAM' },
      { key: 'destination', label: 'NACH', value: 'STR' },
    ],
    auxiliaryFields: [{ key: 'seat', label: 'Sitz', value: '21' }],
  },
  relevantDate: '2025-05-29T08:24:00+02:00',
}

const concert = {
  ...head('Concert hall', 'ROW-12-SEAT-9'),
  eventTicket: {
    headerFields: [{ key: 'gate', label: 'GATE', value: 'B4' }],
    primaryFields: [{ key: 'event', label: 'EVENT', value: 'The Flight of the Valkyries' }],
    auxiliaryFields: [
      { key: 'seat', label: 'SEAT', value: '12A' },
      { key: 'date', label: 'DATE', value: '2026-01-22T19:30+00:00', dateStyle: 'PKDateStyleMedium' },
    ],
  },
  relevantDate: '2026-01-22T19:30:00+00:00',
}

// Fields alone

const bergen = legOf('WF591 WIF BGO 2023-11-27T08:10+01:00 AES 2023-11-27T09:05+01:00 3F')
const cusco = legOf('LA2021 LAN LIM 2024-05-06T06:35-05:00 CUZ 2024-05-06T07:55-05:00 17L')

const fieldsA = airPass('Widerøe', 'wf591', {
  primaryFields: [
    { key: 'depart', label: 'Bergen', value: 'BGO' },
    { key: 'arrive', label: 'Ålesund', value: 'AES' },
  ],
  headerFields: [{ key: 'flightnumber', label: 'Flight', value: 'WF 591' }],
  auxiliaryFields: [
    {
      key: 'departuredate',
      label: 'Departure',
      value: iso(bergen.dep),
      dateStyle: 'PKDateStyleShort',
      timeStyle: 'PKDateStyleShort',
    },
    { key: 'seatno', label: 'Seat', value: '3F' },
  ],
  backFields: [{ key: 'pnr', label: 'Booking reference', value: 'H7KL2P' }],
})

const fieldsB = airPass('Andes', '17L-LIM-CUZ', {
  primaryFields: [
    { key: 'salida', label: 'LIMA', value: 'LIM' },
    { key: 'llegada', label: 'CUSCO', value: 'CUZ' },
  ],
  secondaryFields: [
    { key: 'vuelo', label: 'Vuelo', value: 'LA2021' },
    { key: 'fecha', label: 'Fecha', value: '06 MAY 2024' },
    { key: 'hora', label: 'Salida', value: '06:35' },
  ],
  auxiliaryFields: [{ key: 'asiento', label: 'Asiento', value: '17L' }],
})

// iOS 26

const seoul = legOf('KE902 KAL CDG 2026-10-14T21:00+02:00 ICN 2026-10-15T15:25+09:00 41D')
const toronto = legOf('AC857 ACA LHR 2026-09-28T13:05+01:00 YYZ 2026-09-28T15:35-04:00 7K')

const newStyle = (
  leg: Leg,
  airline: string,
  delayed: [string, string, string],
  family: string,
  given: string,
  row: string,
  letter: string,
) =>
  airPass(
    airline,
    `${leg.number}-${leg.dep.date}`,
    { primaryFields: ends(leg, '', ''), headerFields: [], auxiliaryFields: [] },
    {
      preferredStyleSchemes: ['semanticBoardingPass', 'boardingPass'],
      relevantDates: [{ startDate: iso(leg.dep), endDate: iso(leg.arr) }],
      semantics: {
        airlineCode: leg.carrier,
        flightNumber: Number(leg.digits),
        departureAirportCode: leg.from,
        departureAirportName: 'International Airport',
        departureLocationDescription: 'City',
        destinationAirportCode: leg.to,
        originalDepartureDate: iso(leg.dep),
        originalArrivalDate: iso(leg.arr),
        currentDepartureDate: delayed[0],
        currentArrivalDate: delayed[1],
        currentBoardingDate: delayed[2],
        passengerName: { familyName: family, givenName: given },
        seats: [{ seatRow: row, seatIdentifier: letter, seatNumber: `${row}${letter}` }],
        transitProvider: airline,
        boardingGroup: '4',
        membershipProgramName: 'Club 500',
        membershipProgramNumber: '8804127',
      },
    },
  )

export const wallet: Sample[] = [
  {
    name: 'Semantic tags at the root, half an hour late',
    half: 'a',
    filename: 'BoardingPass.pkpass',
    options: others,
    content: packed(tagged),
    truth: `2025-03-14 CPH EWR number=SK909 airline=SAS dep=12:55 arr=15:35 depS=12:20 arrS=${newark.arr.time} seat=24A`,
  },
  {
    name: 'Semantic tags inside the fields, another number on the back',
    half: 'b',
    filename: 'pass.pkpass',
    options: others,
    content: packed(taggedInFields),
    truth: truthOf(nairobi, 'number airline dep arr seat'),
  },
  {
    name: 'Bar code without a year, the relevant date has the offset of winter',
    half: 'a',
    filename: 'LH1652.pkpass',
    options: others,
    content: packed(barredA),
    truth: `${truthOf(bucharest, 'number airline dep seat')} class=economy`,
  },
  {
    name: 'Bar code without a year, the relevant date calls the local clock UTC and is the boarding',
    half: 'b',
    filename: 'tarjeta de embarque.pkpass',
    options: others,
    content: packed(barredB),
    truth: `${truthOf(tenerife, 'number airline seat')} class=economy`,
  },
  {
    name: 'Labels by key, German in UTF-16',
    half: 'a',
    filename: 'bordkarte.pkpass',
    options: others,
    content: packed(keyed(helsinki, 'Finnair', 'bp', '18.09.2024', 'TILL BRANDT', 'eco'), {
      de: utf16(germanWords),
    }),
    truth: `${truthOf(helsinki, 'number airline dep seat')} class=economy`,
  },
  {
    name: 'Labels by key, French in UTF-8',
    half: 'b',
    filename: 'carte.pkpass',
    options: others,
    content: packed(keyed(ajaccio, 'Air Corsica', 'xk', '09/08/2025', 'JULIEN MOREAU', 'eco'), {
      fr: strToU8(frenchWords),
    }),
    truth: `${truthOf(ajaccio, 'number airline dep seat')} class=economy`,
  },
  {
    name: "The airline's name is the label of the flight number",
    half: 'a',
    filename: 'tk.pkpass',
    options: others,
    content: packed(named(sofia, 'Turkish Airlines', 'TK 1027', '11 Feb 2026', 'Elias Nyström')),
    truth: truthOf(sofia, 'number airline dep seat'),
  },
  {
    name: "The airline's name is the label of the flight number, with zeros in front",
    half: 'b',
    filename: 'download.pkpass',
    options: others,
    content: packed(named(sydney, 'Emirates', 'EK 0412', '30OCT25', 'Noor Janssens')),
    truth: truthOf(sydney, 'number airline dep seat'),
  },
  {
    name: 'Four passes and a train in one bundle',
    half: 'a',
    filename: 'passes.pkpasses',
    options: others,
    content: bundled(bundleA, 'HUBER/JOHANNA MAG', 'YKLK', ['rail.pkpass', trainPass]),
    truth: lines(`${bundleA.map((leg) => `${truthOf(leg, 'number airline seat')} class=economy`).join('\n')}
      - train`),
  },
  {
    name: 'Four passes and a concert in one bundle',
    half: 'b',
    filename: 'all.pkpasses',
    options: others,
    content: bundled(bundleB, 'ASHWORTH/GEMMA', 'LTJU', ['concert.pkpass', concert]),
    truth: lines(`${bundleB
      .map((leg, at) => `${truthOf(leg, 'number airline seat')} class=${at === 2 ? 'business' : 'economy'}`)
      .join('\n')}
      - concert`),
  },
  {
    name: 'A train whose stations look like airports',
    half: 'a',
    filename: 'ticket.pkpass',
    content: packed(trainPass),
    truth: '- train',
  },
  {
    name: 'A concert with a gate and a seat',
    half: 'b',
    filename: 'ticket.pkpass',
    content: packed(concert),
    truth: '- concert',
  },
  {
    name: 'Fields alone, the departure as a date with its style',
    half: 'a',
    filename: 'wf591.pkpass',
    content: packed(fieldsA),
    truth: truthOf(bergen, 'number airline dep seat'),
  },
  {
    name: 'Fields alone in Spanish, keys of the airline',
    half: 'b',
    filename: 'pase.pkpass',
    content: packed(fieldsB),
    truth: truthOf(cusco, 'number airline dep seat'),
  },
  {
    name: 'The style of iOS 26, on time',
    half: 'a',
    filename: 'ke902.pkpass',
    options: others,
    content: packed(
      newStyle(
        seoul,
        'Korean Air',
        [iso(seoul.dep), iso(seoul.arr), '2026-10-14T20:05+02:00'],
        'Kjær',
        'Magnus',
        '41',
        'D',
      ),
    ),
    truth: truthOf(seoul, 'number airline dep arr seat'),
  },
  {
    name: 'The style of iOS 26, the new times in UTC',
    half: 'b',
    filename: 'ac857.pkpass',
    options: others,
    content: packed(
      newStyle(
        toronto,
        'Air Canada',
        ['2026-09-28T14:40Z', '2026-09-28T22:35Z', '2026-09-28T13:55Z'],
        'Dufour',
        'Élodie',
        '7',
        'K',
      ),
    ),
    truth: `2026-09-28 LHR YYZ number=AC857 airline=ACA dep=15:40 arr=18:35 depS=13:05 arrS=${toronto.arr.time} seat=7K`,
  },
]

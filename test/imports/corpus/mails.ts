// Mails with data for machines in them: schema.org, calendars, passes, forwarded messages.
import { pkpassOf } from '../wallet.ts'
import {
  calendar,
  event,
  html,
  type Leg,
  legOf,
  legsOf,
  lines,
  mail,
  passText,
  plain,
  truthOf,
  truthsOf,
  utcTime,
} from './printers.ts'
import type { Sample } from './sample.ts'

const others = { includeOthers: true }

type Json = Record<string, unknown>

/** How one sender writes its reservations. */
export interface Sender {
  airline: string
  locator: string
  /** The clock at the airport, with its offset, without, or with a `Z` that is wrong. */
  clock?: 'offset' | 'bare' | 'false Z' | 'dashes'
  /** `SK909` instead of `909`. */
  whole?: boolean
  status?: string
  more?: (leg: Leg) => Json
}

const clockOf = (at: Leg['dep'], kind: Sender['clock'] = 'offset'): string => {
  const [year, month, day] = at.date.split('-')
  if (kind === 'dashes') return `${day}-${month}-${year} ${at.time}`
  return `${at.date}T${at.time}:00${{ offset: at.offset, bare: '', 'false Z': 'Z' }[kind]}`
}

export const reserved = (leg: Leg, sender: Sender, name: string, more: Json = {}): Json => ({
  '@context': 'http://schema.org',
  '@type': 'FlightReservation',
  reservationNumber: sender.locator,
  reservationStatus: sender.status ?? 'http://schema.org/ReservationConfirmed',
  underName: { '@type': 'Person', name },
  ...(leg.seat ? { airplaneSeat: leg.seat } : {}),
  reservationFor: {
    '@type': 'Flight',
    flightNumber: sender.whole ? leg.number : leg.digits,
    airline: { '@type': 'Airline', name: sender.airline, iataCode: leg.carrier },
    departureAirport: { '@type': 'Airport', iataCode: leg.from },
    departureTime: clockOf(leg.dep, sender.clock),
    arrivalAirport: { '@type': 'Airport', iataCode: leg.to },
    arrivalTime: clockOf(leg.arr, sender.clock),
    ...sender.more?.(leg),
  },
  ...more,
})

export const script = (data: unknown, indent = 2): string =>
  `<script type="application/ld+json">\n${typeof data === 'string' ? data : JSON.stringify(data, null, indent)}\n</script>`

export const headers = (
  from: string,
  to: string,
  subject: string,
  date: string,
  id: string,
): Record<string, string> => ({
  'Return-Path': `<bounce-${id}@mail.example.com>`,
  Received: `from mx7.example.com (mx7.example.com [192.0.2.17]) by mail.example.net with ESMTPS id ${id}; ${date}`,
  Date: date,
  From: from,
  To: to,
  'Message-ID': `<${id}@mail.example.com>`,
  Subject: subject,
})

const seen = 'number airline dep arr seat'

// One reservation

const athens = legOf('A3831 AEE BRU 2024-05-17T12:20+02:00 ATH 2024-05-17T16:30+03:00 16A')
const calgary = legOf('WS6 WJA LGW 2023-09-04T11:40+01:00 YYC 2023-09-04T13:50-06:00 24J')

// Many legs, several passengers

const manyA = legsOf(`
  QR160 QTR CPH 2025-02-07T15:35+01:00 DOH 2025-02-07T23:45+03:00
  QR832 QTR DOH 2025-02-08T02:00+03:00 BKK 2025-02-08T13:00+07:00
  PG111 BKP BKK 2025-02-08T14:30+07:00 USM 2025-02-08T15:40+07:00
  PG166 BKP USM 2025-02-21T19:40+07:00 BKK 2025-02-21T20:50+07:00
  QR833 QTR BKK 2025-02-22T02:20+07:00 DOH 2025-02-22T05:20+03:00
  QR161 QTR DOH 2025-02-22T07:45+03:00 CPH 2025-02-22T11:55+01:00`)

const manyB = legsOf(`
  AF982 AFR CDG 2024-07-19T23:20+02:00 JNB 2024-07-20T10:30+02:00
  4Z841 LNK JNB 2024-07-20T11:30+02:00 WDH 2024-07-20T13:30+02:00
  4Z327 LNK WDH 2024-08-02T06:30+02:00 CPT 2024-08-02T08:40+02:00
  KL598 KLM CPT 2024-08-05T23:15+02:00 AMS 2024-08-06T11:35+02:00
  AF1341 AFR AMS 2024-08-06T12:25+02:00 CDG 2024-08-06T13:30+02:00`)

const operators: Record<string, string> = {
  QR: 'Qatar Airways',
  PG: 'Bangkok Airways',
  AF: 'Air France',
  '4Z': 'Airlink',
  KL: 'KLM',
}

const each = (legs: Leg[], names: string[], locator: string, sender: Partial<Sender> = {}): Json[] =>
  legs.flatMap((leg) =>
    names.map((name) => reserved(leg, { airline: operators[leg.carrier] ?? '', locator, ...sender }, name)),
  )

// Cancelled

const offA = legsOf(`
  EW8460 EWG LHR 2020-04-03T20:05+01:00 STR 2020-04-03T22:40+02:00
  EW8463 EWG STR 2020-04-01T07:10+02:00 LHR 2020-04-01T07:45+01:00`)

const offB = legsOf(`
  SN3175 BEL BRU 2021-06-11T09:55+02:00 PRG 2021-06-11T11:25+02:00
  SN3176 BEL PRG 2021-06-14T17:40+02:00 BRU 2021-06-14T19:10+02:00`)

// Microdata

const itemA = legsOf(`
  AZ1786 AZA PMO 2019-10-11T18:50+02:00 FCO 2019-10-11T20:00+02:00 12F
  AZ610 AZA FCO 2019-10-12T15:05+02:00 JFK 2019-10-12T18:00-04:00 34A`)

const itemB = legsOf(`
  HV5136 TRA BCN 2022-05-08T22:00+02:00 AMS 2022-05-09T00:10+02:00 7C
  HV5133 TRA AMS 2022-05-05T17:30+02:00 BCN 2022-05-05T19:40+02:00 7D`)

const metaItem = (
  leg: Leg,
  name: string,
): string => `<div itemscope itemtype="http://schema.org/FlightReservation">
  <meta itemprop="reservationNumber" content="U8W4RX"/>
  <link itemprop="reservationStatus" href="http://schema.org/Confirmed"/>
  <div itemprop="underName" itemscope itemtype="http://schema.org/Person"><meta itemprop="name" content="${name}"/></div>
  <meta itemprop="airplaneSeat" content="${leg.seat}"/>
  <div itemprop="reservationFor" itemscope itemtype="http://schema.org/Flight">
    <meta itemprop="flightNumber" content="${leg.digits}"/>
    <div itemprop="airline" itemscope itemtype="http://schema.org/Airline"><meta itemprop="name" content="Alitalia"/><meta itemprop="iataCode" content="${leg.carrier}"/></div>
    <div itemprop="departureAirport" itemscope itemtype="http://schema.org/Airport"><meta itemprop="iataCode" content="${leg.from}"/></div>
    <meta itemprop="departureTime" content="${leg.dep.date}T${leg.dep.time}:00${leg.dep.offset}"/>
    <div itemprop="arrivalAirport" itemscope itemtype="http://schema.org/Airport"><meta itemprop="iataCode" content="${leg.to}"/></div>
    <meta itemprop="arrivalTime" content="${leg.arr.date}T${leg.arr.time}:00${leg.arr.offset}"/>
  </div>
</div>`

const spanItem = (
  leg: Leg,
  name: string,
): string => `<table itemscope itemtype="https://schema.org/FlightReservation"><tr>
  <td>Booking <b itemprop="reservationId">K3ZP8N</b></td>
  <td itemprop="underName" itemscope itemtype="https://schema.org/Person"><span itemprop="name">${name}</span></td>
  <td>Seat <span itemprop="airplaneSeat">${leg.seat}</span></td></tr>
  <tr itemprop="reservationFor" itemscope itemtype="https://schema.org/Flight">
  <td itemprop="airline" itemscope itemtype="https://schema.org/Airline"><span itemprop="name">Transavia</span></td>
  <td itemprop="flightNumber">${leg.carrier} ${leg.digits}</td>
  <td itemprop="departureAirport" itemscope itemtype="https://schema.org/Airport"><i itemprop="name">Airport</i> <span itemprop="iataCode">${leg.from}</span></td>
  <td><time itemprop="departureTime" datetime="${leg.dep.date}T${leg.dep.time}">${leg.dep.time}</time></td>
  <td itemprop="arrivalAirport" itemscope itemtype="https://schema.org/Airport"><span itemprop="iataCode">${leg.to}</span></td>
  <td><time itemprop="arrivalTime" datetime="${leg.arr.date}T${leg.arr.time}">${leg.arr.time}</time></td></tr></table>`

// Broken

const brokenA = legsOf(`
  FR9876 RYR STN 2019-03-14T06:30+00:00 MAD 2019-03-14T09:40+01:00
  FR5995 RYR MAD 2019-03-18T21:55+01:00 STN 2019-03-18T23:05+00:00`)

const brokenB = legsOf(`
  W62312 WZZ BUD 2022-09-28T06:40+02:00 LCA 2022-09-28T10:30+03:00
  W62313 WZZ LCA 2022-10-02T21:15+03:00 BUD 2022-10-02T23:05+02:00`)

const noComma = (legs: Leg[], sender: Sender, name: string): string =>
  `[${legs.map((leg) => JSON.stringify(reserved(leg, sender, name))).join('\n')}]`

const trailing = (legs: Leg[], sender: Sender, name: string): string =>
  JSON.stringify(
    legs.map((leg) => reserved(leg, sender, name)),
    null,
    1,
  )
    .replaceAll(/\n( *)([}\]])/g, ',\n$1$2')
    .replaceAll('"reservationNumber"', '&quot;reservationNumber&quot;')

// Forwarded

const forwardedA = legsOf(`
  TP535 TAP TXL 2019-12-27T06:10+01:00 LIS 2019-12-27T08:35+00:00
  TP538 TAP LIS 2020-01-03T18:55+00:00 TXL 2020-01-03T23:20+01:00`)

const forwardedB = legsOf(`
  LX8 SWR ZRH 2022-12-30T12:50+01:00 ORD 2022-12-30T15:05-06:00 28A
  LX9 SWR ORD 2023-01-08T16:40-06:00 ZRH 2023-01-09T08:55+01:00 31D`)

// Mailboxes

const boxA = legsOf(`
  DL49 DAL AMS 2025-05-13T14:15+02:00 DTW 2025-05-13T16:30-04:00 30B
  DL3713 DAL DTW 2025-05-13T19:20-04:00 GRR 2025-05-13T20:10-04:00 12A
  AA3402 AAL GRR 2025-05-17T11:45-04:00 ORD 2025-05-17T11:40-05:00
  AY10 FIN ORD 2025-05-17T17:30-05:00 HEL 2025-05-18T10:45+03:00`)

const boxB = legsOf(`
  ME206 MEA FRA 2024-04-05T14:45+02:00 BEY 2024-04-05T19:50+03:00 18F
  RJ404 RJA BEY 2024-04-12T18:30+03:00 AMM 2024-04-12T19:25+03:00 6A
  MS720 MSR AMM 2024-04-18T09:40+03:00 CAI 2024-04-18T09:50+02:00
  OS864 AUA CAI 2024-04-22T04:15+02:00 VIE 2024-04-22T07:45+02:00`)

const lodging = (name: string, start: string, end: string): Json => ({
  '@context': 'http://schema.org',
  '@type': 'LodgingReservation',
  reservationNumber: '99200147',
  reservationStatus: 'http://schema.org/Confirmed',
  underName: { '@type': 'Person', name },
  reservationFor: { '@type': 'LodgingBusiness', name: 'Hotel Terminal 2', address: 'Airport Road 1, CPH' },
  checkinDate: start,
  checkoutDate: end,
})

const railway = (name: string): Json => ({
  '@context': 'http://schema.org',
  '@type': 'TrainReservation',
  reservationNumber: 'TR7788',
  underName: { '@type': 'Person', name },
  reservationFor: {
    '@type': 'TrainTrip',
    trainNumber: 'TGV 9580',
    departureStation: { '@type': 'TrainStation', name: 'Frankfurt (Main) Hbf' },
    arrivalStation: { '@type': 'TrainStation', name: 'Marseille Saint-Charles' },
    departureTime: '2024-06-02T13:58:00+02:00',
    arrivalTime: '2024-06-02T21:46:00+02:00',
  },
})

const mbox = (messages: string[]): string =>
  messages
    .map((message, at) => `From bounce-${at}@mail.example.com Thu Nov 19 06:00:00 2026\n${message}\n`)
    .join('\n')

const advert = (date: string): string =>
  mail(
    headers(
      'Fare Club <deals@example.com>',
      'me@example.net',
      'Fly BA 213 to Boston from 299',
      date,
      'promo77',
    ),
    html(
      '<h1>Boston from London in spring</h1><p>Fly LHR - BOS with BA 213 from GBP 299 return, every day until 31 May. Book by Friday!</p>',
    ),
  )

const simple = (leg: Leg, airline: string, name: string, locator: string, date: string, id: string): string =>
  mail(
    headers(`${airline} <noreply@example.com>`, `${name} <me@example.net>`, `Booking ${locator}`, date, id),
    html(
      `${script(reserved(leg, { airline, locator }, name))}\n<p>Thank you for your booking.</p>`,
      id.length % 2 ? 'base64' : '8bit',
    ),
  )

// Attached

const attachedA = legsOf(`
  SK1829 SAS CPH 2026-01-30T14:10+01:00 CDG 2026-01-30T16:00+01:00
  SK560 SAS CDG 2026-02-01T20:35+01:00 CPH 2026-02-01T22:25+01:00`)

const attachedB = legsOf(`
  OU411 CTN FRA 2025-06-27T20:50+02:00 ZAG 2025-06-27T22:20+02:00 9F
  OU664 CTN ZAG 2025-06-28T10:15+02:00 DBV 2025-06-28T11:20+02:00 4A`)

const invitation = (legs: Leg[]): string =>
  calendar(
    ['PRODID:-//Travel desk//EN', 'METHOD:REQUEST'],
    legs.map((leg, at) =>
      event({
        UID: `desk-${at}-${leg.digits}@example.com`,
        DTSTAMP: '20260110T090000Z',
        ORGANIZER: 'mailto:travel@example.com',
        DTSTART: utcTime(leg.dep),
        DTEND: utcTime(leg.arr),
        SUMMARY: `Flight ${leg.carrier} ${leg.digits} ${leg.from}-${leg.to}`,
      }),
    ),
  )

const passOf = (leg: Leg, name: string): Uint8Array =>
  pkpassOf({
    formatVersion: 1,
    passTypeIdentifier: 'pass.com.example.ou',
    serialNumber: `${leg.digits}-${leg.seat}`,
    organizationName: 'Croatia Airlines',
    description: 'Boarding pass',
    relevantDate: `${leg.dep.date}T${leg.dep.time}:00${leg.dep.offset}`,
    boardingPass: {
      transitType: 'PKTransitTypeAir',
      primaryFields: [
        { key: 'from', label: 'FROM', value: leg.from },
        { key: 'to', label: 'TO', value: leg.to },
      ],
      headerFields: [{ key: 'flight', label: 'FLIGHT', value: leg.number }],
    },
    barcodes: [
      {
        format: 'PKBarcodeFormatPDF417',
        messageEncoding: 'iso-8859-1',
        message: passText(
          name,
          `${leg.dep.date} ${leg.from} ${leg.to} OU ${leg.digits} CTN Y ${leg.seat} 31 MN4KQ2`,
        ),
      },
    ],
  })

// Z for local times; days without times

const falseA = legsOf(
  'VS45 VIR LHR 2023-05-12T14:00+01:00 JFK 2023-05-12T16:20-04:00 51A\n VS46 VIR JFK 2023-05-19T19:30-04:00 LHR 2023-05-20T07:50+01:00 52K',
)
const falseB = legsOf(
  'JL42 JAL LHR 2024-10-03T09:30+01:00 HND 2024-10-04T05:40+09:00 29C\n JL41 JAL HND 2024-10-17T11:35+09:00 LHR 2024-10-17T15:45+01:00 30A',
)

const daysA: Json[] = [
  reserved(
    legOf('TK1986 THY LHR 2021-09-07T22:35+01:00 IST 2021-09-08T04:15+03:00'),
    { airline: 'Turkish Airlines', locator: 'R5TYU1' },
    'Gemma Ashworth',
  ),
].map((one) => {
  const flight = one['reservationFor'] as Json
  return { ...one, reservationFor: { ...flight, departureTime: '2021-09-07', arrivalTime: undefined } }
})

const daysB: Json[] = [
  reserved(
    legOf('EN8285 DLA FRA 2022-02-25T21:40+01:00 TRN 2022-02-25T22:55+01:00'),
    { airline: 'Air Dolomiti', locator: 'DLM3K8', whole: true },
    'Till Brandt',
  ),
].map((one) => {
  const flight = one['reservationFor'] as Json
  return { ...one, reservationFor: { ...flight, departureTime: '2022-02-25', arrivalTime: '2022-02-25' } }
})

// Links that add a pass to Google Wallet: a JWT whose payload is the pass

const savedA = legOf('AC848 ACA YYZ 2026-08-12T22:00-04:00 LHR 2026-08-13T10:30+01:00 42D')
const savedB = legOf('QF1 QFA SIN 2026-07-03T23:55+08:00 LHR 2026-07-04T06:40+01:00 60A')

const base64url = (data: unknown): string => Buffer.from(JSON.stringify(data)).toString('base64url')

const saveLink = (leg: Leg, name: string, locator: string, code?: string): string => {
  const flightClass = {
    id: `3388.${leg.number}`,
    issuerName: 'Airline',
    localScheduledDepartureDateTime: `${leg.dep.date}T${leg.dep.time}:00`,
    localScheduledArrivalDateTime: `${leg.arr.date}T${leg.arr.time}:00`,
    flightHeader: { carrier: { carrierIataCode: leg.carrier }, flightNumber: leg.digits },
    origin: { airportIataCode: leg.from, terminal: '1' },
    destination: { airportIataCode: leg.to },
  }
  const flightObject = {
    id: `3388.${leg.number}.${leg.seat}`,
    classId: flightClass.id,
    state: 'ACTIVE',
    passengerName: name,
    reservationInfo: { confirmationCode: locator },
    boardingAndSeatingInfo: { seatNumber: leg.seat, seatClass: 'Economy' },
    ...(code ? { barcode: { type: 'AZTEC', value: code } } : {}),
  }
  const payload = {
    iss: 'wallet@example.iam.gserviceaccount.com',
    aud: 'google',
    typ: 'savetowallet',
    iat: 1780000000,
    payload: { flightClasses: [flightClass], flightObjects: [flightObject] },
  }
  return `https://pay.google.com/gp/v/save/${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(payload)}.c2lnbmF0dXJl`
}

const greeting = '<p>Dear customer,</p><p>thank you for your booking. Please have your documents at hand.</p>'

export const mails: Sample[] = [
  {
    name: 'One reservation in quoted-printable, local clocks without offset',
    half: 'a',
    filename: 'Your booking confirmation.eml',
    options: others,
    content: mail(
      headers(
        'Aegean <noreply@example.com>',
        'Lotte Peeters <lotte@example.net>',
        '=?utf-8?Q?Your_booking_=E2=9C=88_K7WPQ2?=',
        'Tue, 12 Mar 2024 19:04:11 +0100',
        'a1',
      ),
      plain('Thank you for your booking K7WPQ2.'),
      html(
        `${script(reserved(athens, { airline: 'Aegean Airlines', locator: 'K7WPQ2', clock: 'bare' }, 'Lotte Peeters'))}${greeting}`,
      ),
    ),
    truth: truthOf(athens, seen),
  },
  {
    name: 'One reservation in base64, offsets, the number with its designator',
    half: 'b',
    filename: 'msg-0091.eml',
    options: others,
    content: mail(
      headers(
        '"WestJet" <guest@example.com>',
        'cwhelan@example.net',
        'Your WestJet reservation BXJQPL',
        'Sun, 16 Jul 2023 08:41:00 -0600',
        'b1',
      ),
      html(
        `${greeting}${script(
          reserved(
            calgary,
            {
              airline: 'WestJet',
              locator: 'BXJQPL',
              whole: true,
              more: () => ({ aircraft: 'Boeing 787-9', departureTerminal: 'N' }),
            },
            'Ciarán Whelan',
          ),
          0,
        )}`,
        'base64',
      ),
    ),
    truth: `${truthOf(calgary, seen)} type=B789`,
  },
  {
    name: 'Two passengers on six legs, in one list',
    half: 'a',
    filename: 'e-ticket.eml',
    options: others,
    content: mail(
      headers(
        'Booking <tickets@example.com>',
        'freja.holm@example.net',
        'E-ticket 157-2210447751',
        'Fri, 03 Jan 2025 22:15:49 +0000',
        'a2',
      ),
      html(`${script(each(manyA, ['Freja Holm', 'Magnus Holm'], '7QWLD3'))}${greeting}`),
    ),
    truth: truthsOf(manyA),
  },
  {
    name: 'Three passengers on five legs, in a graph, over midnight',
    half: 'b',
    filename: 'confirmation-af.eml',
    options: others,
    content: mail(
      headers(
        'Air France <reservation@example.com>',
        'jmoreau@example.fr',
        '=?iso-8859-1?Q?Votre_r=E9servation?=',
        'Mon, 15 Apr 2024 10:00:02 +0200',
        'b2',
      ),
      html(
        `${greeting}${script({
          '@context': 'https://schema.org',
          '@graph': [
            { '@type': 'Organization', name: 'Air France' },
            ...each(manyB, ['MOREAU JULIEN MR', 'MOREAU CLAIRE MRS', 'MOREAU HUGO'], 'NVB8QX', {
              clock: 'bare',
              whole: true,
            }),
          ],
        })}`,
        '8bit',
      ),
    ),
    truth: truthsOf(manyB),
  },
  {
    name: 'Both flights cancelled, status as an address',
    half: 'a',
    filename: 'Flugstreichung.eml',
    options: others,
    content: mail(
      headers(
        'Eurowings <info@example.com>',
        'till@example.de',
        '=?utf-8?B?SWhyZSBGbMO8Z2Ugd3VyZGVuIGdlc3RyaWNoZW4=?=',
        'Tue, 24 Mar 2020 12:12:12 +0100',
        'a3',
      ),
      html(
        script(
          offA.map((leg) =>
            reserved(
              leg,
              { airline: 'Eurowings', locator: 'EWX2L1', status: 'https://schema.org/ReservationCancelled' },
              'Till Brandt',
            ),
          ),
        ),
      ),
    ),
    truth: '- cancelled 2020-04-03 LHR STR\n- cancelled 2020-04-01 STR LHR',
  },
  {
    name: 'One of two flights cancelled, status as a word',
    half: 'b',
    filename: 'schedule change.eml',
    options: others,
    content: mail(
      headers(
        'Brussels Airlines <b@example.com>',
        'noor@example.be',
        'Change to your booking',
        'Wed, 02 Jun 2021 16:20:00 +0200',
        'b3',
      ),
      html(
        offB
          .map((leg, at) =>
            script(
              reserved(
                leg,
                { airline: 'Brussels Airlines', locator: 'SNB4T7', status: at ? 'Cancelled' : 'Confirmed' },
                'Noor Janssens',
              ),
            ),
          )
          .join('\n'),
        'base64',
      ),
    ),
    truth: `${truthOf(offB[0]!)}\n- cancelled 2021-06-14 PRG BRU`,
  },
  {
    name: 'Microdata in meta elements, an airline that has gone since',
    half: 'a',
    filename: 'alitalia.eml',
    options: others,
    content: mail(
      headers(
        'Alitalia <ticket@example.it>',
        'me@example.it',
        'Conferma U8W4RX',
        'Sat, 31 Aug 2019 09:30:00 +0200',
        'a4',
      ),
      html(itemA.map((leg) => metaItem(leg, 'Chiara Conti')).join('\n')),
    ),
    truth: truthsOf(itemA, seen),
  },
  {
    name: 'Microdata in visible text, the return first',
    half: 'b',
    filename: 'transavia.eml',
    options: others,
    content: mail(
      headers(
        'Transavia <service@example.nl>',
        'w.claes@example.be',
        'Boeking K3ZP8N',
        'Thu, 03 Feb 2022 20:07:51 +0100',
        'b4',
      ),
      {
        type: 'text/html; charset=windows-1252',
        body: `<html><body><p>Beste reiziger, bedankt!</p>${itemB.map((leg) => spanItem(leg, 'Wout Claes')).join('\n')}</body></html>`,
        coding: 'quoted-printable',
      },
    ),
    truth: truthsOf(itemB, seen),
  },
  {
    name: 'A list without its comma, days before months with dashes',
    half: 'a',
    filename: 'ryan.eml',
    options: others,
    content: mail(
      headers(
        'Trips <itinerary@example.com>',
        'g@example.co.uk',
        'Travel itinerary GK8W2T',
        'Thu, 21 Feb 2019 11:11:11 +0000',
        'a5',
      ),
      html(
        script(
          noComma(brokenA, { airline: 'Ryanair', locator: 'GK8W2T', clock: 'dashes' }, 'Gemma Ashworth'),
        ),
      ),
    ),
    truth: truthsOf(brokenA),
  },
  {
    name: 'Commas at the end and HTML entities in the JSON, days before months with dashes',
    half: 'b',
    filename: 'wizz.eml',
    options: others,
    content: mail(
      headers(
        'Wizz Air <no-reply@example.com>',
        'iva@example.hr',
        'Your travel itinerary',
        'Mon, 15 Aug 2022 18:00:30 +0200',
        'b5',
      ),
      html(
        script(
          trailing(
            brokenB,
            { airline: 'Wizz Air', locator: 'WZ7PLQ', clock: 'dashes', whole: true },
            'Iva Kovačević',
          ),
        ),
        '8bit',
      ),
    ),
    truth: truthsOf(brokenB),
  },
  {
    name: 'Forwarded as an attachment, years later',
    half: 'a',
    filename: 'Fwd tickets.eml',
    options: others,
    content: mail(
      headers(
        'Beatriz Alves <b@example.pt>',
        'import@example.net',
        'Fwd: Your tickets',
        'Sat, 14 Nov 2026 21:00:00 +0000',
        'a6',
      ),
      plain('for the log'),
      {
        type: 'message/rfc822',
        filename: 'Your tickets.eml',
        body: mail(
          headers(
            'TAP <tickets@example.com>',
            'b@example.pt',
            'Your tickets',
            'Wed, 30 Oct 2019 07:45:00 +0000',
            'a6i',
          ),
          html(
            script(
              forwardedA.map((leg) =>
                reserved(
                  leg,
                  { airline: 'TAP Air Portugal', locator: 'TPK5V9', clock: 'bare' },
                  'Beatriz Alves',
                ),
              ),
            ),
          ),
        ),
      },
    ),
    truth: truthsOf(forwardedA),
  },
  {
    name: 'Forwarded as an attachment with bar codes only, the inner date gives the year',
    half: 'b',
    filename: 'old passes.eml',
    options: others,
    content: mail(
      headers(
        'Magnus Kjaer <m@example.dk>',
        'import@example.net',
        'Fwd: Boarding passes',
        'Tue, 10 Nov 2026 06:30:00 +0100',
        'b6',
      ),
      plain('See attachment.'),
      {
        type: 'message/rfc822',
        filename: 'Boarding passes.eml',
        body: mail(
          headers(
            'SWISS <checkin@example.com>',
            'm@example.dk',
            'Boarding passes',
            'Thu, 29 Dec 2022 12:55:00 +0100',
            'b6i',
          ),
          {
            type: 'text/plain; charset=us-ascii',
            filename: 'boarding-passes.txt',
            body: forwardedB
              .map((leg) =>
                passText(
                  'KJAER/MAGNUS MR',
                  `${leg.dep.date} ${leg.from} ${leg.to} LX ${leg.digits} SWR L ${leg.seat} 77 LXQ8M2`,
                ),
              )
              .join('\n'),
          },
        ),
      },
    ),
    truth: truthsOf(forwardedB, 'number airline seat').replaceAll(/$/gm, ' class=economy'),
  },
  {
    name: 'A mailbox: bookings, a stay, an advertisement',
    half: 'a',
    filename: 'Travel.mbox',
    options: others,
    content: mbox([
      simple(boxA[0]!, 'Delta Air Lines', 'Elias Nyström', 'GHT5KM', 'Mon, 03 Mar 2025 10:00:00 +0100', 'm1'),
      simple(
        boxA[1]!,
        'Delta Air Lines',
        'Elias Nyström',
        'GHT5KM',
        'Mon, 03 Mar 2025 10:00:01 +0100',
        'm20',
      ),
      advert('Tue, 04 Mar 2025 09:00:00 +0000'),
      mail(
        headers(
          'Hotel <h@example.com>',
          'elias@example.se',
          'Your stay',
          'Wed, 05 Mar 2025 10:00:00 +0100',
          'm3',
        ),
        html(script(lodging('Elias Nyström', '2025-05-13', '2025-05-17'))),
      ),
      simple(
        boxA[2]!,
        'American Airlines',
        'Elias Nyström',
        'AAQ2PL',
        'Thu, 06 Mar 2025 10:00:00 +0100',
        'm4',
      ),
      simple(boxA[3]!, 'Finnair', 'Elias Nyström', 'AAQ2PL', 'Thu, 06 Mar 2025 10:00:02 +0100', 'm5'),
    ]),
    truth: lines(`${truthsOf(boxA.slice(0, 2), seen)}
      - an advertisement
      - hotel
      ${truthsOf(boxA.slice(2), seen)}`),
  },
  {
    name: 'A mailbox: bookings, a train, the same booking twice',
    half: 'b',
    filename: 'Takeout All mail.mbox',
    options: others,
    content: mbox([
      mail(
        headers(
          'Bahn <b@example.com>',
          'till@example.de',
          'Buchung',
          'Sun, 03 Mar 2024 10:00:00 +0100',
          'n0',
        ),
        html(script(railway('Till Brandt'))),
      ),
      simple(
        boxB[0]!,
        'Middle East Airlines',
        'Till Brandt',
        'MEA9TX',
        'Mon, 04 Mar 2024 10:00:00 +0100',
        'n1',
      ),
      simple(
        boxB[0]!,
        'Middle East Airlines',
        'Till Brandt',
        'MEA9TX',
        'Thu, 04 Apr 2024 06:00:00 +0200',
        'n11',
      ),
      simple(boxB[1]!, 'Royal Jordanian', 'Till Brandt', 'RJK2W5', 'Tue, 05 Mar 2024 10:00:00 +0100', 'n2'),
      simple(boxB[2]!, 'Egyptair', 'Till Brandt', 'MSV3R8', 'Wed, 06 Mar 2024 10:00:00 +0100', 'n31'),
      simple(boxB[3]!, 'Austrian Airlines', 'Till Brandt', 'OSL6N4', 'Thu, 07 Mar 2024 10:00:00 +0100', 'n4'),
    ]),
    truth: `- train\n${truthOf(boxB[0]!, seen)}\n- the same booking again\n${truthsOf(boxB.slice(1), seen)}`,
  },
  {
    name: 'An invitation of the travel desk attached, in base64',
    half: 'a',
    filename: 'Travel plan January.eml',
    content: mail(
      headers(
        'Travel desk <travel@example.com>',
        'astrid@example.dk',
        'Travel plan',
        'Mon, 12 Jan 2026 08:00:00 +0100',
        'a8',
      ),
      plain('Please find your flights attached.'),
      {
        type: 'text/calendar; charset=utf-8; method=REQUEST',
        filename: 'invite.ics',
        body: invitation(attachedA),
        coding: 'base64',
      },
    ),
    truth: truthsOf(attachedA),
  },
  {
    name: 'Two wallet passes attached',
    half: 'b',
    filename: 'Your boarding passes.eml',
    options: others,
    content: mail(
      headers(
        'Croatia Airlines <web@example.hr>',
        'iva@example.hr',
        'Your boarding passes',
        'Thu, 26 Jun 2025 20:51:00 +0200',
        'b8',
      ),
      html('<p>Your passes for Wallet are attached.</p>'),
      ...attachedB.map((leg) => ({
        type: 'application/vnd.apple.pkpass',
        filename: `${leg.number}.pkpass`,
        body: passOf(leg, 'KOVACEVIC/IVA MRS'),
        coding: 'base64' as const,
      })),
    ),
    truth: truthsOf(attachedB, 'number airline seat').replaceAll(/$/gm, ' class=economy'),
  },
  {
    name: 'Local clocks that are called UTC, over the Atlantic',
    half: 'a',
    filename: 'vs.eml',
    options: others,
    content: mail(
      headers(
        'Virgin Atlantic <v@example.com>',
        'gemma@example.co.uk',
        'You are booked',
        'Wed, 01 Feb 2023 13:00:00 +0000',
        'a9',
      ),
      html(
        script(
          falseA.map((leg) =>
            reserved(
              leg,
              { airline: 'Virgin Atlantic', locator: 'VSX1Z2', clock: 'false Z' },
              'Gemma Ashworth',
            ),
          ),
        ),
      ),
    ),
    truth: truthsOf(falseA, seen),
  },
  {
    name: 'Local clocks that are called UTC, to Japan',
    half: 'b',
    filename: 'jal.eml',
    options: others,
    content: mail(
      headers(
        'JAL <j@example.com>',
        'rhys@example.co.uk',
        'Reservation',
        'Fri, 05 Jul 2024 13:00:00 +0100',
        'b9',
      ),
      html(
        script(
          falseB.map((leg) =>
            reserved(
              leg,
              { airline: 'Japan Airlines', locator: 'JLM4X7', clock: 'false Z', whole: true },
              'Rhys Morgan',
            ),
          ),
        ),
        'base64',
      ),
    ),
    truth: truthsOf(falseB, seen),
  },
  {
    name: 'A departure by day only',
    half: 'a',
    filename: 'tk-reservation.eml',
    options: others,
    content: mail(
      headers(
        'Turkish Airlines <t@example.com>',
        'gemma@example.co.uk',
        'Reservation',
        'Sun, 01 Aug 2021 13:00:00 +0300',
        'a10',
      ),
      html(script(daysA)),
    ),
    truth: '2021-09-07 LHR IST number=TK1986 airline=THY',
  },
  {
    name: 'Departure and arrival by day only',
    half: 'b',
    filename: 'dolomiti.eml',
    options: others,
    content: mail(
      headers(
        'Air Dolomiti <d@example.com>',
        'till@example.de',
        'Ihre Buchung',
        'Tue, 11 Jan 2022 13:00:00 +0100',
        'b10',
      ),
      html(script(daysB), '8bit'),
    ),
    truth: '2022-02-25 FRA TRN number=EN8285 airline=DLA',
  },
  {
    name: 'A stay at an airport hotel, with markup',
    half: 'a',
    filename: 'hotel.eml',
    options: others,
    content: mail(
      headers(
        'Hotel <h@example.com>',
        'astrid@example.dk',
        'Booking confirmed',
        'Tue, 11 Mar 2025 13:00:00 +0100',
        'a11',
      ),
      html(
        `${script(lodging('Astrid Lindgren', '2025-03-13', '2025-03-14'))}<p>Five minutes from gate C37, before your flight SK909.</p>`,
      ),
    ),
    truth: '- hotel',
  },
  {
    name: 'A train, with markup',
    half: 'b',
    filename: 'zug.eml',
    options: others,
    content: mail(
      headers(
        'Bahn <b@example.com>',
        'till@example.de',
        'Ihre Fahrkarte',
        'Wed, 22 May 2024 13:00:00 +0200',
        'b11',
      ),
      html(script(railway('Till Brandt'))),
    ),
    truth: '- train',
  },
  {
    name: 'A link to Google Wallet, without a bar code',
    half: 'a',
    filename: 'Check-in complete.eml',
    options: others,
    content: mail(
      headers(
        'Air Canada <ac@example.com>',
        'noor@example.be',
        'Check-in complete',
        'Tue, 11 Aug 2026 22:05:00 -0400',
        'a12',
      ),
      html(
        `<p>You are checked in.</p><p><a href="${saveLink(savedA, 'Noor Janssens', 'ACK2W9')}">Add to Google Wallet</a></p>`,
      ),
    ),
    truth: `${truthOf(savedA, seen)} class=economy`,
  },
  {
    name: 'A link to Google Wallet, with a bar code',
    half: 'b',
    filename: 'Your boarding pass is ready.eml',
    options: others,
    content: mail(
      headers(
        'Qantas <qf@example.com>',
        'rhys@example.co.uk',
        'Your boarding pass',
        'Fri, 03 Jul 2026 08:00:00 +0800',
        'b12',
      ),
      html(
        `<p>Your boarding pass is ready.</p><p><a href="${saveLink(
          savedB,
          'Rhys Morgan',
          'QFM8Z4',
          passText('MORGAN/RHYS MR', '2026-07-03 SIN LHR QF 1 QFA Y 60A 211 QFM8Z4'),
        )}"><img alt="Add to Google Wallet"></a></p>`,
        'base64',
      ),
    ),
    truth: `${truthOf(savedB, seen)} class=economy`,
  },
]

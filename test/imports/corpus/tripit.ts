// TripIt: the calendar feed, one trip as a calendar, the JSON of its web app and the XML of its API.
import { calendar, escaped, event, type Leg, legsOf, lines, truthOf, truthsOf, utcTime } from './printers.ts'
import type { Sample } from './sample.ts'

const uuid = (leg: Leg, at: number): string =>
  `${leg.digits.padStart(8, '5')}-0a1b-4c2d-8e3f-${String(at).padStart(12, '9')}`

export const published = [
  'PRODID:-//TripIt//NONSGML TripIt 1.0//EN',
  'X-PUBLISHED-TTL:PT15M',
  'METHOD:PUBLISH',
  'CALSCALE:GREGORIAN',
]

const stamp = { DTSTAMP: '20261118T201500Z' }

const american = (text: string): string => {
  const hour = Number(text.slice(0, 2))
  return `${hour % 12 || 12}:${text.slice(3)} ${hour < 12 ? 'am' : 'pm'}`
}

export const flight = (leg: Leg, at: number, between = ''): string[] =>
  event({
    UID: `item-${uuid(leg, at)}@tripit.com`,
    ...stamp,
    SUMMARY: `${leg.carrier}${between}${leg.digits} ${leg.from} to ${leg.to}`,
    LOCATION: leg.from,
    DTSTART: utcTime(leg.dep),
    DTEND: utcTime(leg.arr),
    DESCRIPTION: escaped(
      `View and/or edit details in TripIt : https://www.tripit.com/app/trips/4410${at}\n \n[Flight] ${american(leg.dep.time)} GMT${leg.dep.offset} Depart ${leg.from}, Terminal 1\n${american(leg.arr.time)} GMT${leg.arr.offset} Arrive ${leg.to}\n${leg.carrier} ${leg.digits}, nonstop`,
    ),
    TRANSP: 'OPAQUE',
  })

export const trip = (name: string, from: string, to: string, names: string): string[] =>
  event({
    UID: `trip-${from}@tripit.com`,
    ...stamp,
    'DTSTART;VALUE=DATE': from,
    'DTEND;VALUE=DATE': to,
    SUMMARY: escaped(name),
    DESCRIPTION: escaped(`${names} is in ${name} from ${from} to ${to}\nView this trip in TripIt`),
    TRANSP: 'TRANSPARENT',
  })

export const stay = (title: string, start: string, end: string): string[] =>
  event({
    UID: `item-stay-${start}@tripit.com`,
    ...stamp,
    SUMMARY: escaped(title),
    DTSTART: start,
    DTEND: end,
    DESCRIPTION: '[Lodging]',
  })

const rail = (title: string, start: string, end: string): string[] =>
  event({
    UID: `item-rail-${start}@tripit.com`,
    ...stamp,
    SUMMARY: escaped(title),
    DTSTART: start,
    DTEND: end,
    DESCRIPTION: '[Rail]',
  })

const feedA = legsOf(`
  AS123 ASA SEA 2026-08-24T08:10-07:00 LAX 2026-08-24T10:40-07:00
  AS1124 ASA LAX 2026-08-27T18:45-07:00 SEA 2026-08-27T21:15-07:00
  AS8 ASA SEA 2026-09-08T21:55-07:00 EWR 2026-09-09T06:10-04:00
  B6616 JBU JFK 2026-09-12T09:30-04:00 BOS 2026-09-12T10:30-04:00
  DL1420 DAL BOS 2026-09-13T14:00-04:00 DTW 2026-09-13T15:50-04:00
  DL2301 DAL DTW 2026-09-13T17:20-04:00 SEA 2026-09-13T18:40-07:00
  HA21 HAL SEA 2026-10-03T09:05-07:00 HNL 2026-10-03T11:55-10:00
  HA160 HAL HNL 2026-10-05T13:10-10:00 KOA 2026-10-05T14:05-10:00
  WN2763 SWA KOA 2026-10-09T12:35-10:00 HNL 2026-10-09T13:30-10:00
  AS898 ASA HNL 2026-10-11T22:40-10:00 SEA 2026-10-12T07:30-07:00
  AC8105 ACA SEA 2026-11-02T11:00-08:00 YVR 2026-11-02T11:55-07:00
  NZ23 ANZ YVR 2026-11-28T20:00-07:00 AKL 2026-11-30T07:20+13:00
  NZ5 ANZ AKL 2026-12-13T16:30+13:00 LAX 2026-12-13T08:45-08:00
  F9404 FFT LAX 2026-12-13T14:50-08:00 DEN 2026-12-13T18:10-07:00
  UA2210 UAL DEN 2026-12-20T23:20-07:00 SEA 2026-12-21T00:55-08:00`)

const feedB = legsOf(`
  U28642 EZY LGW 2026-08-29T06:20+01:00 FCO 2026-08-29T09:40+02:00
  U28643 EZY FCO 2026-09-02T20:55+02:00 LGW 2026-09-02T22:15+01:00
  BA227 BAW LHR 2026-09-15T15:20+01:00 BWI 2026-09-15T18:00-04:00
  AA2045 AAL BWI 2026-09-18T07:15-04:00 CLT 2026-09-18T08:35-04:00
  BA224 BAW ATL 2026-09-20T22:15-04:00 LHR 2026-09-21T12:00+01:00
  FR8166 RYR STN 2026-09-26T06:05+01:00 FAO 2026-09-26T08:50+01:00
  FR8167 RYR FAO 2026-09-30T23:30+01:00 STN 2026-10-01T02:15+01:00
  EI3665 EIN BHX 2026-10-06T12:15+01:00 BHD 2026-10-06T13:20+01:00
  BA1417 BAW BHD 2026-10-07T21:10+01:00 LHR 2026-10-07T22:25+01:00
  VS400 VIR LHR 2026-10-24T21:30+01:00 DXB 2026-10-25T07:45+04:00
  G9405 ABY SHJ 2026-10-29T22:00+04:00 BOM 2026-10-30T02:25+05:30
  6E5321 IGO BOM 2026-11-01T06:45+05:30 GOI 2026-11-01T07:55+05:30
  VS359 VIR BOM 2026-11-08T13:25+05:30 LHR 2026-11-08T17:15+00:00
  A3603 AEE LHR 2026-12-18T21:45+00:00 ATH 2026-12-19T03:20+02:00`)

const tripA = legsOf(`
  LO380 LOT WAW 2016-04-29T07:30+02:00 FRA 2016-04-29T09:15+02:00
  LH722 DLH FRA 2016-04-29T17:25+02:00 PEK 2016-04-30T09:25+08:00
  CA1831 CCA PEK 2016-05-03T07:30+08:00 SHA 2016-05-03T09:25+08:00
  MU5101 CES SHA 2016-05-07T08:00+08:00 PEK 2016-05-07T09:55+08:00
  LH723 DLH PEK 2016-05-08T11:15+08:00 MUC 2016-05-08T15:10+02:00
  LO352 LOT MUC 2016-05-08T19:10+02:00 WAW 2016-05-08T20:45+02:00`)

const tripB = legsOf(`
  KM102 AMC MLA 2014-02-11T07:05+01:00 LHR 2014-02-11T09:15+00:00
  BA273 BAW LHR 2014-02-11T15:00+00:00 SAN 2014-02-11T18:15-08:00
  US490 USA SAN 2014-02-15T12:40-08:00 PHX 2014-02-15T14:55-07:00
  US700 USA PHX 2014-02-18T10:10-07:00 PHL 2014-02-18T16:50-05:00
  US728 USA PHL 2014-02-20T18:25-05:00 LHR 2014-02-21T06:55+00:00
  KM103 AMC LHR 2014-02-21T11:30+00:00 MLA 2014-02-21T15:40+01:00`)

// JSON and XML

export interface Booked {
  legs: Leg[]
  /** IATA types, one for each flight. */
  types: string[]
  seats: string[]
  service: string
}

type Values = { [name: string]: string | Values | Values[] }

export const ZONES: Record<string, string> = {
  VIE: 'Europe/Vienna',
  LHR: 'Europe/London',
  SFO: 'America/Los_Angeles',
  DEN: 'America/Denver',
  FRA: 'Europe/Berlin',
  NCE: 'Europe/Paris',
  CDG: 'Europe/Paris',
  AMS: 'Europe/Amsterdam',
  JNB: 'Africa/Johannesburg',
  CPT: 'Africa/Johannesburg',
}

const dateTime = (at: Leg['dep'], zone: string | undefined): Values => ({
  date: at.date,
  time: `${at.time}:00`,
  ...(zone ? { timezone: zone, utc_offset: at.offset } : {}),
})

const segment = (booked: Booked, at: number, zoned: boolean): Values => {
  const leg = booked.legs[at]!
  return {
    [zoned ? 'uuid' : 'id']: uuid(leg, at),
    is_hidden: 'false',
    StartDateTime: dateTime(leg.dep, zoned ? ZONES[leg.from] : undefined),
    EndDateTime: dateTime(leg.arr, zoned ? ZONES[leg.to] : undefined),
    start_airport_code: leg.from,
    start_terminal: '2',
    end_airport_code: leg.to,
    marketing_airline: leg.carrier,
    marketing_airline_code: leg.carrier,
    marketing_flight_number: leg.digits,
    aircraft: booked.types[at]!,
    seats: booked.seats[at]!,
    service_class: booked.service,
  }
}

const air = (booked: Booked, mine: string, zoned: boolean, given = 'Johanna'): Values => {
  const segments = booked.legs.map((_, at) => segment(booked, at, zoned))
  return {
    is_client_traveler: mine,
    supplier_conf_num: 'HJ2M9T',
    total_cost: '1.204,50 EUR',
    Traveler: { first_name: given, last_name: 'Huber', ticket_num: '2572401122334' },
    Segment: segments.length === 1 ? segments[0]! : segments,
  }
}

const xmlOf = (values: Values, indent = '  '): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const))
    .map(([name, value]) =>
      typeof value === 'string'
        ? `${indent}<${name}>${value}</${name}>\n`
        : `${indent}<${name}>\n${xmlOf(value, `${indent}  `)}${indent}</${name}>\n`,
    )
    .join('')

const webA: Booked = {
  legs: legsOf(`
    OS451 AUA VIE 2024-06-21T07:05+02:00 LHR 2024-06-21T08:15+01:00
    BA285 BAW LHR 2024-06-21T11:20+01:00 SFO 2024-06-21T14:20-07:00
    UA2090 UAL SFO 2024-06-28T08:00-07:00 DEN 2024-06-28T11:30-06:00
    LH447 DLH DEN 2024-07-05T17:25-06:00 FRA 2024-07-06T11:50+02:00
    OS132 AUA FRA 2024-07-06T13:00+02:00 VIE 2024-07-06T14:25+02:00`),
  types: ['320', '388', '739', '744', 'E95'],
  seats: ['11C', '71A', '22F', '38D, 38E', '9A'],
  service: 'Economy',
}

const webB: Booked = {
  legs: legsOf(`
    KL1234 KLM NCE 2023-03-18T06:20+01:00 AMS 2023-03-18T08:10+01:00
    KL591 KLM AMS 2023-03-18T10:15+01:00 JNB 2023-03-18T22:45+02:00
    FA209 SFR CPT 2023-03-29T17:00+02:00 JNB 2023-03-29T19:10+02:00
    KL592 KLM JNB 2023-03-30T23:15+02:00 AMS 2023-03-31T10:45+02:00
    KL1261 KLM AMS 2023-03-31T12:00+02:00 NCE 2023-03-31T13:50+02:00`),
  types: ['E90', '77W', '738', '77W', '73W'],
  seats: ['3A', '20G', '14D', '21H', '4F'],
  service: 'Business',
}

export const designators: Record<string, string> = {
  '320': 'A320',
  '321': 'A321',
  '32Q': 'A21N',
  '388': 'A388',
  '738': 'B738',
  '739': 'B739',
  '73W': 'B737',
  '744': 'B744',
  '763': 'B763',
  '77W': 'B77W',
  AT7: '?',
  E90: 'E190',
  E95: 'E195',
}

export const bookedTruth = (booked: Booked, cabin: string): string =>
  booked.legs
    .map((leg, at) => {
      const seat = /^\w+$/.test(booked.seats[at]!) ? booked.seats[at] : '?'
      return `${truthOf(leg)} type=${designators[booked.types[at]!]} seat=${seat} class=${cabin}`
    })
    .join('\n')

const brother: Booked = {
  legs: legsOf('EW8461 EWG VIE 2024-06-20T18:10+02:00 LHR 2024-06-20T19:20+01:00'),
  types: ['319'],
  seats: ['5A'],
  service: 'Economy',
}

const colleague: Booked = {
  legs: legsOf('AF1706 AFR NCE 2023-03-18T07:00+01:00 CDG 2023-03-18T08:30+01:00'),
  types: ['321'],
  seats: ['12B'],
  service: 'Economy',
}

const xmlA: Booked = {
  legs: legsOf(`
    UA1093 UAL ORD 2022-12-17T09:40-06:00 IAH 2022-12-17T12:05-06:00
    UA1746 UAL PVR 2022-12-27T13:30-06:00 ORD 2022-12-27T17:35-06:00
    PD2604 POE YTZ 2023-01-11T08:30-05:00 MDW 2023-01-11T09:00-06:00`),
  types: ['739', '763', 'AT7'],
  seats: ['21A', '30K', '6D'],
  service: 'Economy',
}

const xmlB: Booked = {
  legs: legsOf(`
    AV43 AVA MIA 2021-08-07T14:25-04:00 MDE 2021-08-07T16:45-05:00
    CM155 CMP PTY 2021-08-16T09:20-05:00 SCL 2021-08-16T16:45-04:00
    H2226 SKU SCL 2021-08-18T08:05-04:00 ANF 2021-08-18T10:05-04:00`),
  types: ['321', '738', '32Q'],
  seats: ['9C', '7F', '28A'],
  service: 'Economy',
}

/** An afternoon's arrival typed as two in the morning. */
const mistyped = (
  booked: Booked,
  code: string,
  to: string,
  day: string,
  start: string,
  end: string,
): Values => {
  const first = segment(booked, 0, false)
  return {
    ...first,
    id: '77001122',
    StartDateTime: { date: day, time: start },
    EndDateTime: { date: day, time: end },
    start_airport_code: booked.legs[0]!.to,
    end_airport_code: to,
    marketing_flight_number: code,
  }
}

const xml = (booked: Booked, name: string, wrong: Values): string => {
  const booking = air(booked, 'true', false)
  const [first, ...rest] = booking['Segment'] as Values[]
  const whole = { ...booking, Segment: [first!, wrong, ...rest] }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Response>\n  <timestamp>1731000000</timestamp>\n${xmlOf({
    Trip: { id: '990011', display_name: name, is_private: 'false' },
    AirObject: whole,
  })}</Response>\n`
}

export const json = (booked: Booked, other: Booked, name: string): string =>
  JSON.stringify({
    timestamp: '1731000000',
    num_bytes: '18211',
    Trip: { uuid: 'aa10-77', display_name: name, start_date: booked.legs[0]!.dep.date },
    AirObject: [air(booked, 'true', true), air(other, 'false', true, 'Florian')],
    LodgingObject: {
      uuid: 'bb20-78',
      supplier_name: 'Harbour Inn',
      StartDateTime: { date: booked.legs[1]!.arr.date, time: '15:00:00' },
    },
  })

const withMistake = (truth: string, mistake: string): string => {
  const [first, ...rest] = truth.split('\n')
  return [first, mistake, ...rest].join('\n')
}

export const tripit: Sample[] = [
  {
    name: 'TripIt feed of an American, trips and stays in between, over the date line',
    half: 'a',
    filename: 'tripit.ics',
    content: calendar(
      [...published, 'X-WR-CALNAME:TripIt - Dana Whitfield'],
      [
        trip('Los Angeles, CA, August 2026', '20260824', '20260828', 'Dana'),
        ...feedA.slice(0, 2).map((leg, at) => flight(leg, at)),
        stay('Check-in: Hotel Figueroa', '20260824T220000Z', '20260824T230000Z'),
        stay('Check-out: Hotel Figueroa', '20260827T180000Z', '20260827T190000Z'),
        rail('Amtrak NER 164 - Newark to New York Penn', '20260909T140000Z', '20260909T142500Z'),
        ...feedA.slice(2).map((leg, at) => flight(leg, at + 2)),
        trip('New Zealand', '20261128', '20261214', 'Dana'),
      ],
      '\n',
    ),
    truth: lines(`- a trip
      ${truthsOf(feedA.slice(0, 2))}
      - hotel
      - hotel
      - train
      ${truthsOf(feedA.slice(2))}
      - a trip`),
  },
  {
    name: 'TripIt feed of a Briton, designators with digits and blanks',
    half: 'b',
    filename: 'tripit (1).ics',
    content: calendar(
      [...published, 'X-WR-CALNAME:TripIt - Rhys Morgan'],
      [
        ...feedB.slice(0, 5).map((leg, at) => flight(leg, at, at % 2 ? '' : ' ')),
        trip('Baltimore & Atlanta', '20260915', '20260921', 'Rhys'),
        stay('Check-in: The Ivy Hotel', '20260915T230000Z', '20260916T000000Z'),
        ...feedB.slice(5).map((leg, at) => flight(leg, at + 5, ' ')),
        event({
          UID: 'item-car-1@tripit.com',
          ...stamp,
          SUMMARY: 'Pick-up: Hertz, Faro (FAO)',
          DTSTART: '20260926T100000Z',
          DTEND: '20260926T103000Z',
        }),
        rail('Eurostar 9031 LON to PAR', '20261112T103100Z', '20261112T124700Z'),
      ],
      '\n',
    ),
    truth: lines(`${truthsOf(feedB.slice(0, 5))}
      - a trip
      - hotel
      ${truthsOf(feedB.slice(5))}
      - car
      - train`),
  },
  {
    name: 'One old trip, exported as a calendar',
    half: 'a',
    filename: 'China 2016.ics',
    content: calendar(
      published,
      [trip('Beijing, China', '20160429', '20160509', 'Anna'), ...tripA.map((leg, at) => flight(leg, at))],
      '\n',
    ),
    truth: `- a trip\n${truthsOf(tripA)}`,
  },
  {
    name: 'One old trip, with airlines that are gone',
    half: 'b',
    filename: 'usa-feb-2014.ics',
    content: calendar(
      published,
      tripB.map((leg, at) => flight(leg, at)),
      '\n',
    ),
    truth: truthsOf(tripB),
  },
  {
    name: "TripIt's JSON: one booking of mine, one of my brother's, two seats in one field",
    half: 'a',
    filename: 'trip-uuid-aa10.json',
    content: json(webA, brother, 'Colorado'),
    truth: `${bookedTruth(webA, 'economy')}\n- not mine 2024-06-20 VIE LHR\n- hotel`,
  },
  {
    name: "TripIt's JSON: one booking of mine, one of a colleague's",
    half: 'b',
    filename: 'trip.json',
    content: json(webB, colleague, 'Cape Town'),
    truth: `${bookedTruth(webB, 'business')}\n- not mine 2023-03-18 NCE CDG\n- hotel`,
  },
  {
    name: "TripIt's XML without zones; an arrival at 2 in the morning instead of the afternoon",
    half: 'a',
    filename: 'list-trip.xml',
    content: xml(
      xmlA,
      'Puerto Vallarta',
      mistyped(xmlA, '1032', 'PVR', '2022-12-17', '14:35:00', '05:10:00'),
    ),
    truth: withMistake(
      bookedTruth(xmlA, 'economy'),
      '2022-12-17 IAH PVR number=UA1032 airline=UAL dep=14:35 arr=? type=B739 seat=21A class=economy',
    ),
  },
  {
    name: "TripIt's XML without zones; an arrival before the departure",
    half: 'b',
    filename: 'tripit-export.xml',
    content: xml(xmlB, 'América', mistyped(xmlB, '9520', 'BOG', '2021-08-09', '12:30:00', '01:25:00')),
    truth: withMistake(
      bookedTruth(xmlB, 'economy'),
      '2021-08-09 MDE BOG number=AV9520 airline=AVA dep=12:30 arr=? type=A321 seat=9C class=economy',
    ),
  },
]

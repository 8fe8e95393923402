// Calendars, as their programs export or publish them.
import {
  type Clock,
  calendar,
  escaped,
  event,
  type Leg,
  legOf,
  legsOf,
  lines,
  localTime,
  timeAt,
  truthOf,
  truthsOf,
  utcTime,
} from './printers.ts'
import type { Sample } from './sample.ts'

const CITIES: Record<string, string> = {
  CPH: 'Copenhagen',
  BGO: 'Bergen',
  TRD: 'Trondheim',
  GDN: 'Gdansk',
  RIX: 'Riga',
  VNO: 'Vilnius',
  KRK: 'Krakow',
  ZRH: 'Zurich',
  EDI: 'Edinburgh',
  MAD: 'Madrid',
  BIO: 'Bilbao',
  LIS: 'Lisbon',
  OPO: 'Porto',
  PMI: 'Palma de Mallorca',
  AGP: 'Malaga',
  SVQ: 'Seville',
  MRS: 'Marseille',
  TLS: 'Toulouse',
  LYS: 'Lyon',
  MUC: 'Munich',
  FRA: 'Frankfurt',
  HAM: 'Hamburg',
  VIE: 'Vienna',
  BUD: 'Budapest',
  PRG: 'Prague',
  ATH: 'Athens',
  HEL: 'Helsinki',
  OUL: 'Oulu',
  DUB: 'Dublin',
  GVA: 'Geneva',
  NCE: 'Nice',
  BOS: 'Boston',
  DEN: 'Denver',
  SEA: 'Seattle',
  PHX: 'Phoenix',
}

const city = (code: string): string => CITIES[code] ?? code

/** An event as Google exports it: UTC, and a stamp of its own. */
export const googled = (leg: Leg, at: number, title: string, more: Record<string, string> = {}): string[] =>
  event({
    DTSTART: utcTime(leg.dep),
    DTEND: utcTime(leg.arr),
    DTSTAMP: '20261101T081530Z',
    UID: `${at}k3v9${leg.digits}q@google.com`,
    CREATED: '20250102T101112Z',
    'LAST-MODIFIED': '20250102T101112Z',
    SEQUENCE: '0',
    STATUS: 'CONFIRMED',
    SUMMARY: escaped(title),
    ...more,
    TRANSP: 'OPAQUE',
  })

const titles: ((leg: Leg) => [string, Record<string, string>?])[] = [
  (leg) => [`${leg.carrier} ${leg.digits} ${leg.from}-${leg.to}`],
  (leg) => [`✈ ${leg.from}→${leg.to} ${leg.number}`, { LOCATION: 'Airport\\, Terminal 2' }],
  (leg) => [`Flight ${leg.carrier} ${leg.digits} ${city(leg.from)} - ${city(leg.to)}`],
  (leg) => [
    `${leg.number} ${leg.from} to ${leg.to}`,
    { DESCRIPTION: 'Window seat\\, please check in online' },
  ],
  (leg) => [
    `${leg.number}`,
    { LOCATION: `${city(leg.from)} (${leg.from})`, DESCRIPTION: `From ${leg.from} to ${leg.to}` },
  ],
]

const everyday = (legs: Leg[]): string[][] =>
  legs.map((leg, at) => {
    const [title, more] = titles[at % titles.length]!(leg)
    return googled(leg, at, title, more)
  })

export const allDay = (title: string, from: string, to: string): string[] =>
  event({
    'DTSTART;VALUE=DATE': from,
    'DTEND;VALUE=DATE': to,
    DTSTAMP: '20261101T081530Z',
    UID: `${from}-${title.length}@google.com`,
    SUMMARY: escaped(title),
  })

export const hour = (
  title: string,
  start: string,
  end: string,
  more: Record<string, string> = {},
): string[] =>
  event({
    DTSTART: start,
    DTEND: end,
    DTSTAMP: '20261101T081530Z',
    UID: `${start}-${title.length}@google.com`,
    ...more,
    SUMMARY: escaped(title),
  })

export const google = [
  'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
  'CALSCALE:GREGORIAN',
  'METHOD:PUBLISH',
]

const everydayA = legsOf(`
  SK2862 SAS CPH 2025-01-14T07:40+01:00 BGO 2025-01-14T09:05+01:00
  SK2867 SAS BGO 2025-01-15T18:25+01:00 CPH 2025-01-15T19:50+01:00
  LO462 LOT CPH 2025-03-06T15:05+01:00 GDN 2025-03-06T16:10+01:00
  SK759 SAS GDN 2025-03-09T10:20+01:00 CPH 2025-03-09T11:25+01:00
  BT132 BTI CPH 2025-05-22T12:35+02:00 RIX 2025-05-22T15:05+03:00
  BT347 BTI RIX 2025-05-23T21:50+03:00 VNO 2025-05-23T22:45+03:00
  LX1273 SWR CPH 2025-09-04T17:10+02:00 ZRH 2025-09-04T18:55+02:00
  LX1264 SWR ZRH 2025-09-06T07:05+02:00 CPH 2025-09-06T08:50+02:00
  SK1525 SAS CPH 2026-02-17T19:50+01:00 EDI 2026-02-17T20:40+00:00
  SK1526 SAS EDI 2026-02-20T22:10+00:00 CPH 2026-02-21T01:00+01:00`)

const everydayB = legsOf(`
  IB432 IBE MAD 2025-02-03T06:55+01:00 BIO 2025-02-03T07:55+01:00
  IB447 IBE BIO 2025-02-04T21:10+01:00 MAD 2025-02-04T22:10+01:00
  TP1019 TAP MAD 2025-04-10T13:00+02:00 OPO 2025-04-10T13:10+01:00
  TP1012 TAP OPO 2025-04-13T17:55+01:00 MAD 2025-04-13T20:05+02:00
  UX6097 AEA MAD 2025-06-20T20:30+02:00 PMI 2025-06-20T21:50+02:00
  VY3912 VLG PMI 2025-06-29T23:15+02:00 SVQ 2025-06-30T00:50+02:00
  AF1301 AFR MAD 2025-11-05T09:35+01:00 MRS 2025-11-05T11:10+01:00
  AF1300 AFR MRS 2025-11-07T18:40+01:00 MAD 2025-11-07T20:15+01:00
  IB3550 IBE MAD 2026-03-28T23:55+01:00 MUC 2026-03-29T03:20+02:00
  LH1802 DLH MUC 2026-03-29T16:20+02:00 MAD 2026-03-29T18:45+02:00`)

// Outlook

const windows = (zone: string, offset: string): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${zone}`,
  'BEGIN:STANDARD',
  'DTSTART:16010101T000000',
  `TZOFFSETFROM:${offset}`,
  `TZOFFSETTO:${offset}`,
  'END:STANDARD',
  'END:VTIMEZONE',
]

export const westEurope = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16011028T030000',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010325T020000',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

/** Outlook writes both ends in the zone of the person's desk, wherever the flight goes. */
export const desk =
  (zone: string, offset: string) =>
  (leg: Leg, at: number, title: string, language: string, more = {}) =>
    event({
      CLASS: 'PUBLIC',
      CREATED: '20260401T063011Z',
      [`DTEND;TZID="${zone}"`]: timeAt(leg.arr, offset),
      DTSTAMP: '20260401T063011Z',
      [`DTSTART;TZID="${zone}"`]: timeAt(leg.dep, offset),
      PRIORITY: '5',
      SEQUENCE: '0',
      [`SUMMARY;LANGUAGE=${language}`]: escaped(title),
      TRANSP: 'OPAQUE',
      UID: `040000008200E00074C5B7101A82E0080000000${at}${leg.digits}`,
      'X-MICROSOFT-CDO-BUSYSTATUS': 'OOF',
      ...more,
    })

export const outlook = [
  'PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN',
  'METHOD:PUBLISH',
  'X-MS-OLK-FORCEINSPECTOROPEN:TRUE',
]

const deskA = legsOf(`
  LH2218 DLH MUC 2026-05-05T09:15+02:00 TLS 2026-05-05T11:00+02:00
  LH2223 DLH TLS 2026-05-06T18:35+02:00 MUC 2026-05-06T20:20+02:00
  LH2478 DLH MUC 2026-06-09T08:00+02:00 EDI 2026-06-09T09:15+01:00
  LH2479 DLH EDI 2026-06-11T12:20+01:00 MUC 2026-06-11T15:35+02:00
  OS225 AUA HAM 2026-07-02T06:40+02:00 VIE 2026-07-02T08:15+02:00
  LH1336 DLH FRA 2026-07-13T11:55+02:00 BUD 2026-07-13T13:35+02:00
  LH1343 DLH BUD 2026-07-14T19:05+02:00 FRA 2026-07-14T20:45+02:00
  LH1692 DLH MUC 2026-09-08T15:30+02:00 PRG 2026-09-08T16:25+02:00
  AF1723 AFR MUC 2026-09-21T10:00+02:00 CDG 2026-09-21T11:25+02:00
  LH1758 DLH MUC 2026-10-01T10:50+02:00 ATH 2026-10-01T14:20+03:00`)

const deskB = legsOf(`
  SQ185 SIA SIN 2026-01-12T09:50+08:00 SGN 2026-01-12T10:45+07:00
  SQ186 SIA SGN 2026-01-13T21:05+07:00 SIN 2026-01-14T00:00+08:00
  SQ346 SIA SIN 2026-02-23T01:35+08:00 ZRH 2026-02-23T07:40+01:00
  LX176 SWR ZRH 2026-02-27T22:40+01:00 SIN 2026-02-28T18:45+08:00
  GA825 GIA SIN 2026-04-09T08:15+08:00 CGK 2026-04-09T08:55+07:00
  SQ967 SIA CGK 2026-04-10T20:30+07:00 SIN 2026-04-10T23:10+08:00
  NH842 ANA SIN 2026-06-15T22:10+08:00 HND 2026-06-16T06:10+09:00
  SQ637 SIA NRT 2026-06-19T11:10+09:00 SIN 2026-06-19T17:15+08:00
  TR452 TGW SIN 2026-08-03T07:05+08:00 KUL 2026-08-03T08:05+08:00
  QF36 QFA SIN 2026-09-14T20:15+08:00 MEL 2026-09-15T06:10+10:00`)

const deskTitlesA: [string, string][] = [
  ['LH 2218 MUC-TLS', 'de'],
  ['Flug LH 2223 TLS-MUC', 'de'],
  ['LH2478 MUC - EDI', 'en-gb'],
  ['Storniert: LH2479 EDI - MUC', 'de'],
  ['OS225 HAM > VIE', 'de'],
  ['LH 1336 FRA to BUD', 'en-us'],
  ['Abgesagt: LH 1343 BUD to FRA', 'de'],
  ['Canceled: LH1692 MUC-PRG', 'en-us'],
  ['Annulé : AF1723 MUC-CDG', 'fr'],
  ['LH1758 MUC-ATH (Team)', 'de'],
]

const deskTitlesB: [string, string][] = [
  ['SQ185 SIN-SGN', 'en-sg'],
  ['SQ186 SGN-SIN', 'en-sg'],
  ['Flight SQ 346 SIN-ZRH overnight', 'en-sg'],
  ['LX 176 ZRH to SIN', 'en-sg'],
  ['Annullato: GA825 SIN-CGK', 'it'],
  ['CANCELED: SQ967 CGK-SIN', 'en-us'],
  ['NH842 SIN → HND', 'en-sg'],
  ['SQ637 NRT-SIN', 'en-sg'],
  ['Cancelado: TR452 SIN-KUL', 'es'],
  ['QF36 SIN-MEL', 'en-au'],
]

const outTitle = /^(Storniert|Abgesagt|Cancel+ed|CANCELED|Annulé|Cancelado|Annullato)/

const deskTruth = (legs: Leg[], said: [string, string][]): string =>
  legs
    .map((leg, at) =>
      outTitle.test(said[at]![0]) ? `- cancelled ${leg.dep.date} ${leg.from} ${leg.to}` : truthOf(leg),
    )
    .join('\n')

// Apple

export const apple = (name: string): string[] => [
  'PRODID:-//Apple Inc.//macOS 14.5//EN',
  `X-WR-CALNAME:${name}`,
  'CALSCALE:GREGORIAN',
  'X-APPLE-CALENDAR-COLOR:#1BADF8',
]

export const zoned =
  (zones: Record<string, string>) => (leg: Leg, at: number, title: string, more: Record<string, string>) =>
    event({
      CREATED: '20240811T190000Z',
      UID: `5E0C1B7A-${1000 + at}-4D2A-9F00-0A1B2C3D4E${at}F`,
      [`DTEND;TZID=${zones[leg.to]}`]: localTime(leg.arr),
      TRANSP: 'OPAQUE',
      'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR': 'AUTOMATIC',
      SUMMARY: escaped(title),
      'LAST-MODIFIED': '20240811T190500Z',
      DTSTAMP: '20240811T190501Z',
      [`DTSTART;TZID=${zones[leg.from]}`]: localTime(leg.dep),
      SEQUENCE: '1',
      ...more,
    })

const americas = {
  BOS: 'America/New_York',
  DEN: 'America/Denver',
  PHX: 'America/Phoenix',
  SEA: 'America/Los_Angeles',
  LHR: 'Europe/London',
  DUB: 'Europe/Dublin',
}

const pacific = {
  AKL: 'Pacific/Auckland',
  RAR: 'Pacific/Rarotonga',
  SYD: 'Australia/Sydney',
  ADL: 'Australia/Adelaide',
  PPT: 'Pacific/Tahiti',
  LAX: 'America/Los_Angeles',
  DUB: 'Europe/Dublin',
}

const appleA = legsOf(`
  EI139 EIN DUB 2024-08-20T14:40+01:00 BOS 2024-08-20T16:05-04:00
  B6487 JBU BOS 2024-08-24T08:15-04:00 DEN 2024-08-24T10:15-06:00
  WN1522 SWA DEN 2024-08-28T11:30-06:00 PHX 2024-08-28T12:20-07:00
  AS749 ASA PHX 2024-09-01T17:05-07:00 SEA 2024-09-01T19:50-07:00
  BA48 BAW SEA 2024-09-05T19:25-07:00 LHR 2024-09-06T13:20+01:00
  EI165 EIN LHR 2024-09-06T17:55+01:00 DUB 2024-09-06T19:05+01:00`)

const appleB = legsOf(`
  NZ746 ANZ AKL 2025-04-12T08:50+12:00 RAR 2025-04-11T15:05-10:00
  NZ747 ANZ RAR 2025-04-19T15:55-10:00 AKL 2025-04-20T18:10+12:00
  QF146 QFA AKL 2025-05-03T18:40+12:00 SYD 2025-05-03T19:55+10:00
  QF739 QFA SYD 2025-05-04T11:05+10:00 ADL 2025-05-04T12:35+09:30
  TN101 THT AKL 2025-10-06T16:00+13:00 PPT 2025-10-05T22:35-10:00
  TN8 THT PPT 2025-10-09T21:30-10:00 LAX 2025-10-10T09:05-07:00`)

const notes = (leg: Leg, text: string): Record<string, string> => ({
  LOCATION: escaped(`${leg.from} Airport, Terminal 1; Departures`),
  DESCRIPTION: escaped(text),
})

const longNote =
  'Booked with the family, two suitcases; ask for the seats behind the wing.\nTaxi at the other end: Müller & Söhne, it knows the way.\nBring the papers of the hire car, the letter of the bank, and the charger.'

const appleEvents = (legs: Leg[], zones: Record<string, string>, title: (leg: Leg) => string): string[][] =>
  legs.map((leg, at) => zoned(zones)(leg, at, title(leg), notes(leg, longNote)))

// Files of airlines themselves

const ownA = legsOf(`
  LH2218 DLH MUC 2026-12-03T09:05+01:00 TLS 2026-12-03T10:50+01:00
  LH2219 DLH TLS 2026-12-05T12:00+01:00 MUC 2026-12-05T13:45+01:00`)

const ownB = legsOf(`
  AY1331 FIN HEL 2026-12-11T07:50+02:00 LHR 2026-12-11T08:40+00:00
  AY1338 FIN LHR 2026-12-14T18:10+00:00 HEL 2026-12-14T23:00+02:00`)

const germanOwn = (leg: Leg, at: number, [from, to]: [string, string]): string[] =>
  event({
    UID: `lh-${leg.digits}-${leg.dep.date}-${at}@example.net`,
    DTSTAMP: '20261102T090000Z',
    DTSTART: utcTime(leg.dep),
    DTEND: utcTime(leg.arr),
    SUMMARY: escaped(`Ihr Flug nach ${to.split(' ')[0]}`),
    LOCATION: from,
    DESCRIPTION: escaped(
      `Flugnr.: ${leg.carrier} ${leg.digits}\nVon: ${from}\nAbflug: ${leg.dep.time}\nNach: ${to}\nAnkunft: ${leg.arr.time}\nBuchungsklasse: Economy (S)`,
    ),
  })

const finnishOwn = (leg: Leg, at: number, [from, to]: [string, string]): string[] =>
  event({
    UID: `booking-W7QK2M-${at}`,
    DTSTAMP: '20261103T071500Z',
    DTSTART: utcTime(leg.dep),
    DTEND: utcTime(leg.arr),
    SUMMARY: `${leg.carrier} ${leg.digits} ${from} to ${to}`,
    DESCRIPTION: escaped(
      `Departure: ${from}, ${leg.dep.time}\nArrival: ${to}, ${leg.arr.time}\nBooking reference W7QK2M`,
    ),
  })

// Floating times and whole days

const floatA = legsOf(`
  A3652 AEE ATH 2023-07-08T20:15+03:00 FCO 2023-07-08T21:10+02:00
  AZ1675 ITY FCO 2023-07-12T09:40+02:00 BRI 2023-07-12T10:45+02:00
  FR8732 RYR BRI 2023-07-19T22:05+02:00 BGY 2023-07-19T23:40+02:00
  TG945 THA MXP 2023-12-22T14:05+01:00 BKK 2023-12-23T07:40+07:00`)

const floatB = legsOf(`
  WS3287 WJA YYC 2024-01-19T06:30-07:00 YVR 2024-01-19T07:00-08:00
  AC34 ACA SYD 2024-02-09T10:20+11:00 YVR 2024-02-09T07:00-08:00
  PD2352 POE YVR 2024-05-17T08:00-07:00 YTZ 2024-05-17T15:40-04:00
  AM695 AMX YVR 2024-10-25T12:45-07:00 MEX 2024-10-25T19:10-06:00`)

const floating = (leg: Leg, at: number, title: string): string[] =>
  event({
    UID: `trip-${at}-${leg.number.toLowerCase()}`,
    DTSTAMP: '20230601T000000Z',
    DTSTART: localTime(leg.dep),
    DTEND: localTime(leg.arr),
    SUMMARY: title,
  })

// Google's automatic events

const autoA = legsOf(`
  AF1735 AFR HAM 2026-09-10T13:20+02:00 CDG 2026-09-10T14:50+02:00
  NH110 ANA HND 2026-09-24T10:45+09:00 JFK 2026-09-24T11:30-04:00
  SK910 SAS EWR 2026-10-03T23:00-04:00 CPH 2026-10-04T13:05+02:00`)

const autoB = legsOf(`
  LA8070 LAN GRU 2025-12-04T23:30-03:00 MXP 2025-12-05T15:35+01:00
  AV216 AVA BOG 2026-01-16T08:40-05:00 MIA 2026-01-16T12:15-05:00
  CM318 CMP PTY 2026-02-02T12:10-05:00 MEX 2026-02-02T14:40-06:00`)

const automatic = (leg: Leg, at: number, goal: string, start: string): string[] =>
  googled(leg, at, `Flight to ${goal} (${leg.carrier} ${leg.digits})`, {
    LOCATION: start,
    DESCRIPTION: escaped(
      'To see detailed information for automatically created events like this one, use the official Google Calendar app. https://g.co/calendar\n\nThis event was created from an email you received in Gmail.',
    ),
  })

// Changes: cancelled by status, moved occurrences

const changedA = legsOf(`
  KL1166 KLM HEL 2026-01-19T13:50+02:00 AMS 2026-01-19T15:20+01:00
  KL1169 KLM AMS 2026-01-21T20:55+01:00 HEL 2026-01-22T00:25+02:00
  AY431 FIN HEL 2026-02-05T08:35+02:00 OUL 2026-02-05T09:50+02:00
  AY440 FIN OUL 2026-02-05T19:20+02:00 HEL 2026-02-05T20:35+02:00`)

const changedB = legsOf(`
  EI602 EIN DUB 2026-03-11T06:50+00:00 AMS 2026-03-11T09:20+01:00
  EI609 EIN AMS 2026-03-13T15:20+01:00 DUB 2026-03-13T15:50+00:00
  EI548 EIN DUB 2026-04-16T10:00+01:00 NCE 2026-04-16T13:25+02:00
  EI549 EIN NCE 2026-04-20T14:25+02:00 DUB 2026-04-20T15:50+01:00`)

const withStatus = (leg: Leg, at: number, status: string): string[] =>
  event({
    UID: `${at}f0e1-${leg.digits}@calendar.example.org`,
    DTSTAMP: '20260101T000000Z',
    DTSTART: utcTime(leg.dep),
    DTEND: utcTime(leg.arr),
    STATUS: status,
    SUMMARY: `${leg.number} ${leg.from}-${leg.to}`,
  })

const commuteA = legsOf(`
  SK2 SAS LLA 2026-03-02T06:15+01:00 ARN 2026-03-02T07:45+01:00
  SK2 SAS LLA 2026-03-16T06:15+01:00 ARN 2026-03-16T07:45+01:00
  SK2 SAS LLA 2026-03-24T09:40+01:00 ARN 2026-03-24T11:10+01:00
  SK2 SAS LLA 2026-03-30T06:15+02:00 ARN 2026-03-30T07:45+02:00`)

const commuteB = legsOf(`
  LX2801 SWR GVA 2025-10-16T07:10+02:00 ZRH 2025-10-16T08:05+02:00
  LX2801 SWR GVA 2025-10-23T07:10+02:00 ZRH 2025-10-23T08:05+02:00
  LX2801 SWR GVA 2025-10-30T07:10+01:00 ZRH 2025-10-30T08:05+01:00
  LX2801 SWR GVA 2025-11-14T12:25+01:00 ZRH 2025-11-14T13:20+01:00`)

const inZone = (zone: string, at: Clock): string => `TZID=${zone}:${localTime(at)}`

/** Weekly: one week is left out, one moved. */
const weekly = (
  legs: Leg[],
  zone: string,
  count: number,
  left: string,
  moved: string,
  other: Leg,
): string[][] => {
  const [first] = legs as [Leg]
  const base = {
    DTSTAMP: '20251001T000000Z',
    UID: `commute-${first.digits}@example.com`,
    SUMMARY: `${first.number} ${first.from}-${first.to}`,
  }
  const timed = (leg: Leg): string[] => [`DTSTART;${inZone(zone, leg.dep)}`, `DTEND;${inZone(zone, leg.arr)}`]
  const pairs = (lines: string[]): Record<string, string> =>
    Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
    )
  const left_ = `EXDATE;TZID=${zone}:${left}`
  return [
    event({ ...base, ...pairs([...timed(first), `RRULE:FREQ=WEEKLY;COUNT=${count}`, left_]) }),
    event({ ...base, ...pairs([...timed(other), `RECURRENCE-ID;TZID=${zone}:${moved}`]) }),
  ]
}

// A year of a frequent flyer

const yearA = legsOf(`
  BA1442 BAW LHR 2025-01-08T11:15+00:00 EDI 2025-01-08T12:30+00:00
  BA1449 BAW EDI 2025-01-09T16:40+00:00 LHR 2025-01-09T17:55+00:00
  VS3 VIR LHR 2025-01-27T10:35+00:00 JFK 2025-01-27T12:55-05:00
  DL1266 DAL JFK 2025-01-30T13:20-05:00 ATL 2025-01-30T15:25-05:00
  VS104 VIR ATL 2025-02-01T18:05-05:00 LHR 2025-02-02T07:50+00:00
  U28021 EZY LGW 2025-02-18T07:05+00:00 TLL 2025-02-18T11:55+02:00
  EK2 UAE LHR 2025-03-05T14:20+00:00 DXB 2025-03-06T01:35+04:00
  EK500 UAE DXB 2025-03-06T03:40+04:00 BOM 2025-03-06T08:05+05:30
  AI131 AIC BOM 2025-03-12T05:15+05:30 LHR 2025-03-12T09:05+00:00
  BA560 BAW LHR 2025-04-02T14:50+01:00 FCO 2025-04-02T18:10+02:00
  BA553 BAW FCO 2025-04-04T12:10+02:00 LHR 2025-04-04T13:30+01:00
  LX317 SWR LHR 2025-05-19T07:00+01:00 ZRH 2025-05-19T09:35+02:00
  LX332 SWR ZRH 2025-05-20T17:35+02:00 LHR 2025-05-20T18:10+01:00
  BA15 BAW LHR 2025-07-21T21:05+01:00 SIN 2025-07-22T17:50+08:00
  JQ8 JST SIN 2025-07-24T20:10+08:00 MEL 2025-07-25T06:05+10:00
  QF93 QFA MEL 2025-08-02T09:15+10:00 LAX 2025-08-02T08:15-07:00
  AA136 AAL LAX 2025-08-05T17:40-07:00 LHR 2025-08-06T12:50+01:00
  KL1008 KLM LHR 2025-09-30T09:10+01:00 AMS 2025-09-30T11:15+02:00
  KL1031 KLM AMS 2025-10-01T20:45+02:00 LHR 2025-10-01T20:50+01:00
  FI455 ICE LHR 2025-11-14T21:10+00:00 KEF 2025-11-15T00:05+00:00
  FI450 ICE KEF 2025-11-17T07:40+00:00 LHR 2025-11-17T10:35+00:00`)

const yearB = legsOf(`
  LO3 LOT WAW 2024-01-22T16:45+01:00 ORD 2024-01-22T19:25-06:00
  UA707 UAL ORD 2024-01-25T09:10-06:00 SFO 2024-01-25T11:20-08:00
  UA863 UAL SFO 2024-01-28T22:45-08:00 SYD 2024-01-30T08:45+11:00
  QF401 QFA SYD 2024-02-01T06:00+11:00 MEL 2024-02-01T07:30+11:00
  SQ228 SIA MEL 2024-02-05T16:00+11:00 SIN 2024-02-05T20:55+08:00
  LO68 LOT SIN 2024-02-07T20:25+08:00 WAW 2024-02-08T01:25+01:00
  W61301 WZZ WAW 2024-03-11T12:05+01:00 LTN 2024-03-11T13:30+00:00
  LO282 LOT LHR 2024-03-14T11:20+00:00 WAW 2024-03-14T14:45+01:00
  OK765 CSA WAW 2024-04-03T15:55+02:00 PRG 2024-04-03T17:10+02:00
  LO528 LOT PRG 2024-04-04T18:10+02:00 WAW 2024-04-04T19:25+02:00
  AY1144 FIN WAW 2024-05-27T19:10+02:00 HEL 2024-05-27T21:55+03:00
  AY61 FIN HEL 2024-05-28T00:45+03:00 KIX 2024-05-28T16:40+09:00
  JL6 JAL HND 2024-06-05T11:05+09:00 JFK 2024-06-05T11:50-04:00
  LO27 LOT JFK 2024-06-09T22:40-04:00 WAW 2024-06-10T13:35+02:00
  TK1766 THY WAW 2024-09-02T14:25+02:00 IST 2024-09-02T17:40+03:00
  TK12 THY IST 2024-09-03T01:45+03:00 CPT 2024-09-03T11:30+02:00
  SA337 SAA CPT 2024-09-10T15:00+02:00 JNB 2024-09-10T17:10+02:00
  ET808 ETH JNB 2024-09-12T14:05+02:00 ADD 2024-09-12T20:35+03:00
  ET728 ETH ADD 2024-09-13T00:30+03:00 VIE 2024-09-13T05:55+02:00
  OS627 AUA VIE 2024-09-13T10:10+02:00 WAW 2024-09-13T11:30+02:00
  LO457 LOT WAW 2024-11-25T20:00+01:00 ZAG 2024-11-25T21:35+01:00`)

/** A travel program's export: one block of text for each flight, airports by code, clocks of the place. */
const itinerary = (leg: Leg, at: number, title: string, words: [string, string, string]): string[] =>
  event({
    UID: `${leg.dep.date}-${leg.number}-${at}@itineraries.example.com`,
    DTSTAMP: '20260110T120000Z',
    DTSTART: utcTime(leg.dep),
    DTEND: utcTime(leg.arr),
    SUMMARY: title,
    LOCATION: leg.from,
    DESCRIPTION: escaped(
      `${words[0]}: ${leg.carrier} ${leg.digits}\n${words[1]}: ${leg.from} ${leg.dep.time}\n${words[2]}: ${leg.to} ${leg.arr.time}`,
    ),
  })

// Titles in the words of the country

type Titled = [row: string, title: string, more?: Record<string, string>]

const wordsA: Titled[] = [
  ['OS569 AUA VIE 2025-01-20T07:05+01:00 GVA 2025-01-20T08:40+01:00', 'Flug OS 569 von Wien nach Genf'],
  ['OS578 AUA GVA 2025-01-21T20:05+01:00 VIE 2025-01-21T21:40+01:00', 'Flug OS578 Genf – Wien'],
  ['OS413 AUA VIE 2025-02-12T10:10+01:00 CDG 2025-02-12T12:05+01:00', 'Flug OS 413 Wien (VIE) – Paris (CDG)'],
  ['OS305 AUA VIE 2025-03-03T20:20+01:00 CPH 2025-03-03T22:00+01:00', 'OS305: Wien – Kopenhagen'],
  ['LX1287 SWR CPH 2025-03-05T19:00+01:00 ZRH 2025-03-05T20:45+01:00', 'LX 1287 Kopenhagen nach Zürich'],
  ['LX950 SWR GVA 2025-04-09T12:15+02:00 PRG 2025-04-09T13:45+02:00', 'Vol LX 950 Genève → Prague'],
  ['LX2094 SWR GVA 2025-05-14T17:30+02:00 LIS 2025-05-14T18:55+01:00', 'Vol LX2094 de Genève à Lisbonne'],
  [
    'A3855 AEE GVA 2025-06-19T15:45+02:00 ATH 2025-06-19T19:30+03:00',
    'Départ Genève (GVA) – Athènes (ATH), vol A3 855',
  ],
  ['AF1143 AFR GVA 2025-07-01T18:30+02:00 CDG 2025-07-01T19:35+02:00', 'Vol AF1143 GVA-CDG'],
  [
    'OS417 AUA VIE 2025-08-21T17:10+02:00 NCE 2025-08-21T18:50+02:00',
    'Flug nach Nizza (OS 417)',
    { LOCATION: 'Wien VIE' },
  ],
  [
    'LO226 LOT VIE 2025-09-17T18:55+02:00 WAW 2025-09-17T20:15+02:00 12A',
    'Flug LO226 VIE - WAW',
    { DESCRIPTION: 'Sitz 12A\\, Gepäck 23 kg' },
  ],
  ['OS661 AUA VIE 2025-10-06T10:05+02:00 RMO 2025-10-06T12:50+03:00', 'Flug OS661 VIE→RMO'],
  ['OS865 AUA VIE 2025-11-24T10:30+01:00 LCA 2025-11-24T14:35+02:00', 'Flug OS 865 Wien nach Larnaka (LCA)'],
]

const wordsB: Titled[] = [
  ['UX4123 AEA MAD 2024-01-29T11:20+01:00 LCG 2024-01-29T12:35+01:00', 'Vuelo UX 4123 Madrid - La Coruña'],
  ['UX4126 AEA LCG 2024-01-31T19:10+01:00 MAD 2024-01-31T20:25+01:00', 'Vuelo UX4126 de La Coruña a Madrid'],
  [
    'IB1801 IBE MAD 2024-02-15T16:10+01:00 LHR 2024-02-15T17:20+00:00',
    'Vuelo IB1801 Madrid (MAD) – Londres (LHR)',
  ],
  ['VY2220 VLG BCN 2024-03-11T06:50+01:00 SVQ 2024-03-11T08:25+01:00', 'VY2220: Barcelona – Sevilla'],
  ['I23812 IBS MAD 2024-04-19T15:35+02:00 LPA 2024-04-19T17:20+01:00', 'I2 3812 MAD-LPA'],
  [
    'AZ1291 ITY FCO 2024-05-07T18:50+02:00 NAP 2024-05-07T19:40+02:00',
    'Volo AZ 1291 Roma Fiumicino (FCO) → Napoli (NAP)',
  ],
  [
    'EN8208 DLA FLR 2024-06-04T06:40+02:00 MUC 2024-06-04T07:55+02:00',
    'Volo EN8208 da Firenze a Monaco di Baviera',
  ],
  ['V71723 VOE NAP 2024-07-15T21:15+02:00 CTA 2024-07-15T22:20+02:00', 'Volo V7 1723 Napoli – Catania'],
  ['AZ1570 ITY CAG 2024-08-30T11:00+02:00 FCO 2024-08-30T12:05+02:00', 'Volo AZ1570 CAG-FCO'],
  [
    'LH305 DLH TRN 2024-09-20T18:35+02:00 FRA 2024-09-20T19:50+02:00',
    'Volo per Francoforte (LH 305)',
    { LOCATION: 'Torino TRN' },
  ],
  [
    'W62341 WZZ BUD 2024-10-11T12:10+02:00 CTA 2024-10-11T14:10+02:00',
    'Volo W6 2341 BUD - CTA',
    { DESCRIPTION: 'Posto 7F\\, solo bagaglio a mano' },
  ],
  ['QR114 QTR FCO 2024-11-02T22:40+01:00 DOH 2024-11-03T06:10+03:00', 'Volo QR114 FCO→DOH'],
  [
    'JU403 ASL FCO 2024-12-12T14:20+01:00 BEG 2024-12-12T15:50+01:00',
    'Volo JU 403 Roma Fiumicino (FCO) a Belgrado',
  ],
]

const worded = (all: Titled[]): string[][] =>
  all.map(([row, title, more], at) => googled(legOf(row), at + 40, title, more))

const wordedTruth = (all: Titled[]): string =>
  all.map(([row]) => truthOf(legOf(row), 'number airline dep arr seat')).join('\n')

// Zones that only the file explains

const customA = legsOf(`
  AI864 AIC DEL 2024-03-04T10:00+05:30 BOM 2024-03-04T12:00+05:30
  6E5301 IGO BOM 2024-03-06T21:15+05:30 BLR 2024-03-06T22:55+05:30
  AI507 AIC BLR 2024-03-08T06:10+05:30 DEL 2024-03-08T08:50+05:30`)

const customB = legsOf(`
  LA3358 LAN GRU 2025-09-02T07:25-03:00 SSA 2025-09-02T09:50-03:00
  G31623 GLO SSA 2025-09-04T18:50-03:00 GIG 2025-09-04T20:55-03:00
  AD4044 AZU SDU 2025-09-05T20:10-03:00 VCP 2025-09-05T21:15-03:00`)

const ownZone =
  (zone: string, offset: string) =>
  (leg: Leg, at: number): string[] =>
    event({
      UID: `custom-${at}-${leg.digits}@exchange.example.com`,
      DTSTAMP: '20240201T000000Z',
      [`DTSTART;TZID="${zone}"`]: timeAt(leg.dep, offset),
      [`DTEND;TZID="${zone}"`]: timeAt(leg.arr, offset),
      SUMMARY: `${leg.number} ${leg.from}-${leg.to}`,
    })

// Reservations inside events

const insideA = legsOf(`
  IB3456 IBE MAD 2025-01-16T08:30+01:00 BRU 2025-01-16T10:45+01:00
  IB3457 IBE BRU 2025-01-17T19:20+01:00 MAD 2025-01-17T21:35+01:00
  SN3731 BEL BRU 2025-02-20T18:45+01:00 MAD 2025-02-20T21:00+01:00`)

const insideB = legsOf(`
  NZ419 ANZ AKL 2026-05-11T09:00+12:00 WLG 2026-05-11T10:15+12:00
  NZ5357 ANZ WLG 2026-05-12T16:15+12:00 CHC 2026-05-12T17:15+12:00
  NZ568 ANZ CHC 2026-05-13T20:05+12:00 AKL 2026-05-13T21:35+12:00`)

const inside = (leg: Leg, at: number, status: string): string[] =>
  googled(leg, at + 70, `Flight ${leg.carrier} ${leg.digits} ${leg.from}-${leg.to}`, {
    STATUS: 'CONFIRMED',
    DESCRIPTION: escaped(
      `<script type="application/ld+json">${JSON.stringify({
        '@context': 'http://schema.org',
        '@type': 'FlightReservation',
        reservationNumber: 'N2VQ8T',
        reservationStatus: status,
        reservationFor: {
          '@type': 'Flight',
          flightNumber: leg.digits,
          airline: { '@type': 'Airline', iataCode: leg.carrier },
          departureAirport: { '@type': 'Airport', iataCode: leg.from },
          arrivalAirport: { '@type': 'Airport', iataCode: leg.to },
          departureTime: `${leg.dep.date}T${leg.dep.time}:00${leg.dep.offset}`,
          arrivalTime: `${leg.arr.date}T${leg.arr.time}:00${leg.arr.offset}`,
        },
      })}</script>`,
    ),
  })

const confirmed = 'http://schema.org/ReservationConfirmed'

export const calendars: Sample[] = [
  {
    name: "Google's export of a whole life, flights among it",
    half: 'a',
    filename: 'basic.ics',
    content: calendar(
      [...google, 'X-WR-CALNAME:freja@example.com', 'X-WR-TIMEZONE:Europe/Copenhagen'],
      [
        ...everyday(everydayA.slice(0, 4)),
        allDay('Mormor 80 år', '20250118', '20250119'),
        hour('Standup SK', '20250106T080000Z', '20250106T081500Z', {
          RRULE: 'FREQ=WEEKLY;BYDAY=MO;COUNT=20',
        }),
        ...everyday(everydayA.slice(4)),
        hour('Hotel: Grand Palace, Riga, check-in 15:00', '20250522T150000Z', '20250522T160000Z'),
        hour('Train IC 1071 Copenhagen - Malmö', '20250611T061200Z', '20250611T065500Z'),
        hour('Room AB 123: from idea to product', '20250612T120000Z', '20250612T130000Z'),
      ],
    ),
    truth: lines(`${truthsOf(everydayA.slice(0, 4))}
      - a birthday
      - a meeting
      ${truthsOf(everydayA.slice(4))}
      - hotel
      - train
      - a talk`),
  },
  {
    name: "Google's export of a whole life in Madrid, flights over the change of clocks",
    half: 'b',
    filename: 'agenda@example.es.ics',
    content: calendar(
      [...google, 'X-WR-CALNAME:Agenda', 'X-WR-TIMEZONE:Europe/Madrid'],
      [
        hour('Clase de inglés', '20250107T170000Z', '20250107T180000Z', {
          RRULE: 'FREQ=WEEKLY;UNTIL=20250630T000000Z',
        }),
        ...everyday(everydayB.slice(0, 5)),
        allDay('Vacaciones en Mallorca', '20250620', '20250630'),
        hour('Hotel Son Vida, entrada 14:00', '20250620T190000Z', '20250620T200000Z'),
        ...everyday(everydayB.slice(5)),
        hour('AVE 3182 Madrid - Sevilla', '20251002T063000Z', '20251002T090000Z'),
        hour('Vuelta en bici 40 km', '20251004T080000Z', '20251004T100000Z'),
      ],
      '\n',
    ),
    truth: lines(`- a course
      ${truthsOf(everydayB.slice(0, 5))}
      - holidays
      - hotel
      ${truthsOf(everydayB.slice(5))}
      - train
      - a bicycle ride`),
  },
  {
    name: 'Outlook, all in the zone of a desk in Munich; cancelled by title in four languages',
    half: 'a',
    filename: 'Kalender Dienstreisen.ics',
    content: calendar(
      [...outlook, ...westEurope],
      deskA.map((leg, at) => desk('W. Europe Standard Time', '+02:00')(leg, at, ...deskTitlesA[at]!)),
    ),
    truth: deskTruth(deskA, deskTitlesA),
  },
  {
    name: 'Outlook, all in the zone of a desk in Singapore; cancelled by title',
    half: 'b',
    filename: 'Travel.ics',
    content: calendar(
      [...outlook, ...windows('Singapore Standard Time', '+0800')],
      deskB.map((leg, at) => desk('Singapore Standard Time', '+08:00')(leg, at, ...deskTitlesB[at]!)),
    ),
    truth: deskTruth(deskB, deskTitlesB),
  },
  {
    name: 'Apple Calendar, each end in its own zone, long folded notes',
    half: 'a',
    filename: 'Travel.ics',
    content: calendar(
      apple('Travel'),
      appleEvents(appleA, americas, (leg) => `${leg.number} ${leg.from} to ${leg.to}`),
    ),
    truth: truthsOf(appleA),
  },
  {
    name: 'Apple Calendar, over the date line both ways',
    half: 'b',
    filename: 'Reisen & Ferien.ics',
    content: calendar(
      apple('Reisen & Ferien'),
      appleEvents(appleB, pacific, (leg) => `✈ ${leg.from} → ${leg.to}, ${leg.carrier} ${leg.digits}`),
    ),
    truth: truthsOf(appleB),
  },
  {
    name: "An airline's own file in German, places by name only",
    half: 'a',
    filename: 'Flug_LH.ics',
    content: calendar(
      ['PRODID:-//Lufthansa//Booking//DE'],
      [
        germanOwn(ownA[0]!, 0, ['MUNICH DE', 'TOULOUSE FR']),
        germanOwn(ownA[1]!, 1, ['TOULOUSE FR', 'MUNICH DE']),
      ],
    ),
    truth: truthsOf(ownA),
  },
  {
    name: "An airline's own file in English, places by name only, London is six airports",
    half: 'b',
    filename: 'finnair-booking.ics',
    content: calendar(
      ['PRODID:-//Finnair Oyj//Manage booking//EN', 'METHOD:PUBLISH'],
      [finnishOwn(ownB[0]!, 0, ['Helsinki', 'London']), finnishOwn(ownB[1]!, 1, ['London', 'Helsinki'])],
    ),
    truth: truthsOf(ownB).replaceAll('LHR', '?'),
  },
  {
    name: 'Times without a zone, and flights known by day only',
    half: 'a',
    filename: 'sommer.ics',
    content: calendar(
      ['PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN'],
      [
        ...floatA.map((leg, at) => floating(leg, at, `${leg.number} ${leg.from}-${leg.to}`)),
        allDay('Flight TG 940 BKK to MXP', '20240104', '20240105'),
        allDay('London!', '20240210', '20240213'),
      ],
    ),
    truth: lines(`${truthsOf(floatA)}
      2024-01-04 BKK MXP number=TG940 airline=THA
      - a weekend`),
  },
  {
    name: 'Times without a zone, flown over the date line, and flights known by day only',
    half: 'b',
    filename: 'home.ics',
    content: calendar(
      ['PRODID:-//Nextcloud calendar v4.6.4'],
      [
        allDay('AC 33 YVR-SYD', '20240125', '20240126'),
        ...floatB.map((leg, at) => floating(leg, at, `✈ ${leg.from}→${leg.to} ${leg.number}`)),
        allDay('Conference (hall A3 200)', '20241026', '20241030'),
      ],
      '\n',
    ),
    truth: lines(`2024-01-25 YVR SYD number=AC33 airline=ACA
      ${truthsOf(floatB)}
      - a conference`),
  },
  {
    name: 'Events that Google makes from mails: the goal is only a city',
    half: 'a',
    filename: 'events-from-gmail.ics',
    content: calendar(google, [
      automatic(autoA[0]!, 0, 'Paris', 'Hamburg HAM'),
      automatic(autoA[1]!, 1, 'New York', 'Tokyo HND'),
      automatic(autoA[2]!, 2, 'Copenhagen', 'Newark EWR'),
      hour('Stay at Radisson Collection Royal', '20261004T130000Z', '20261005T100000Z', {
        LOCATION: 'Copenhagen',
      }),
    ]),
    truth: lines(`2026-09-10 HAM ? number=AF1735 airline=AFR dep=13:20
      2026-09-24 HND ? number=NH110 airline=ANA dep=10:45
      ${truthOf(autoA[2]!)}
      - hotel`),
  },
  {
    name: 'Events that Google makes from mails, in the Americas',
    half: 'b',
    filename: 'gmail.ics',
    content: calendar(google, [
      automatic(autoB[0]!, 0, 'Milan', 'São Paulo GRU'),
      automatic(autoB[1]!, 1, 'Miami', 'Bogotá BOG'),
      hour('Reservation at Casa Bosque', '20260117T233000Z', '20260118T010000Z', { LOCATION: 'Miami' }),
      automatic(autoB[2]!, 2, 'Mexico City', 'Panama City PTY'),
    ]),
    truth: lines(`2025-12-04 GRU ? number=LA8070 airline=LAN dep=23:30
      ${truthOf(autoB[1]!)}
      - restaurant
      ${truthOf(autoB[2]!)}`),
  },
  {
    name: 'Cancelled by status among confirmed and tentative ones',
    half: 'a',
    filename: 'flyg.ics',
    content: calendar(
      ['PRODID:-//SabreDAV//SabreDAV 4.4.0//EN'],
      changedA.map((leg, at) =>
        withStatus(leg, at, ['CONFIRMED', 'CANCELLED', 'TENTATIVE', 'CONFIRMED'][at]!),
      ),
    ),
    truth: lines(`${truthOf(changedA[0]!)}
      - cancelled 2026-01-21 AMS HEL
      ${truthsOf(changedA.slice(2))}`),
  },
  {
    name: 'A message that cancels: METHOD is CANCEL',
    half: 'b',
    filename: 'cancel.ics',
    content: calendar(
      ['PRODID:-//Zimbra-Calendar-Provider', 'METHOD:CANCEL'],
      changedB.slice(0, 2).map((leg, at) => withStatus(leg, at, 'CONFIRMED')),
    ),
    truth: lines(`- cancelled 2026-03-11 DUB AMS
      - cancelled 2026-03-13 AMS DUB`),
  },
  {
    name: 'Cancelled by status, written in small letters, in a file with blank lines',
    half: 'b',
    filename: 'export (3).ics',
    content: calendar(
      ['PRODID:-//Fastmail/2020.5/EN'],
      changedB.map((leg, at) => [
        '',
        ...withStatus(leg, at, ['confirmed', 'confirmed', 'cancelled', 'Cancelled'][at]!),
        '',
      ]),
      '\n',
    ),
    truth: lines(`${truthsOf(changedB.slice(0, 2))}
      - cancelled 2026-04-16 DUB NCE
      - cancelled 2026-04-20 NCE DUB`),
  },
  {
    name: 'A weekly commute: one week left out, one moved to Tuesday',
    half: 'a',
    filename: 'pendling.ics',
    content: calendar(
      ['PRODID:-//Apple Inc.//iOS 18.2//EN'],
      weekly(commuteA, 'Europe/Stockholm', 5, '20260309T061500', '20260323T061500', commuteA[2]!),
    ),
    truth: truthsOf(commuteA),
  },
  {
    name: 'A weekly commute over the change of clocks: one week left out, one moved to Friday',
    half: 'b',
    filename: 'pendeln.ics',
    content: calendar(
      ['PRODID:-//Apple Inc.//iOS 18.2//EN'],
      weekly(commuteB, 'Europe/Zurich', 5, '20251106T071000', '20251113T071000', commuteB[3]!),
    ),
    truth: truthsOf(commuteB),
  },
  {
    name: 'A year of a Londoner, from a travel program',
    half: 'a',
    filename: 'itineraries.ics',
    content: calendar(
      ['PRODID:-//Itineraries//EN', 'X-WR-CALNAME:My flights'],
      yearA.map((leg, at) =>
        itinerary(leg, at, `Flight ${leg.from} to ${leg.to} (${leg.carrier} ${leg.digits})`, [
          'Flight',
          'Departs',
          'Arrives',
        ]),
      ),
    ),
    truth: truthsOf(yearA),
  },
  {
    name: 'A year of a Varsovian, from a travel program in Polish and German',
    half: 'b',
    filename: 'podróże.ics',
    content: calendar(
      ['PRODID:-//Reiseplan//DE', 'X-WR-CALNAME:Podróże służbowe'],
      yearB.map((leg, at) =>
        itinerary(leg, at, `${leg.carrier}${leg.digits} ${leg.from}–${leg.to}`, [
          'Flug',
          'Abflug',
          'Ankunft',
        ]),
      ),
      '\n',
    ),
    truth: truthsOf(yearB),
  },
  {
    name: 'Titles in German and French, some with names only, beside trains',
    half: 'a',
    filename: 'Termine.ics',
    content: calendar(
      [...google, 'X-WR-CALNAME:Termine'],
      [
        ...worded(wordsA),
        hour('Railjet RJ 162 Wien - Zürich', '20250711T052800Z', '20250711T132000Z'),
        hour('Séance OS 2030: budget', '20250902T080000Z', '20250902T093000Z'),
      ],
    ),
    truth: `${wordedTruth(wordsA)}\n- train\n- a meeting`,
  },
  {
    name: 'Titles in Spanish and Italian, some with names only, beside a ferry',
    half: 'b',
    filename: 'calendario.ics',
    content: calendar(
      [...google, 'X-WR-CALNAME:Calendario'],
      [
        hour('Ferry Barcelona - Palma (Baleària)', '20240320T213000Z', '20240321T053000Z'),
        ...worded(wordsB),
        hour('Frecciarossa FR 9521 Milano - Roma', '20241010T080000Z', '20241010T111000Z'),
      ],
      '\n',
    ),
    truth: `- ferry\n${wordedTruth(wordsB)}\n- train`,
  },
  {
    name: 'A zone of no known name, which the file defines, in India',
    half: 'a',
    filename: 'Customized.ics',
    content: calendar(
      [
        'PRODID:Microsoft Exchange Server 2010',
        'METHOD:PUBLISH',
        ...windows('Customized Time Zone', '+0530'),
      ],
      customA.map(ownZone('Customized Time Zone', '+05:30')),
    ),
    truth: truthsOf(customA),
  },
  {
    name: 'A zone of no known name, which the file defines, in Brazil',
    half: 'b',
    filename: 'viagens.ics',
    content: calendar(
      ['PRODID:Microsoft Exchange Server 2010', ...windows('tzone://Microsoft/Custom', '-0300')],
      customB.map(ownZone('tzone://Microsoft/Custom', '-03:00')),
      '\n',
    ),
    truth: truthsOf(customB),
  },
  {
    name: 'Events that carry a reservation, one of them cancelled only there',
    half: 'a',
    filename: 'reservas.ics',
    content: calendar(
      google,
      insideA.map((leg, at) =>
        inside(leg, at, at === 1 ? 'http://schema.org/ReservationCancelled' : confirmed),
      ),
    ),
    truth: `${truthOf(insideA[0]!)}\n- cancelled 2025-01-17 BRU MAD\n${truthOf(insideA[2]!)}`,
  },
  {
    name: 'Events that carry a reservation, the last two cancelled only there',
    half: 'b',
    filename: 'trips.ics',
    content: calendar(
      google,
      insideB.map((leg, at) =>
        inside(leg, at, at === 0 ? confirmed : 'https://schema.org/ReservationCancelled'),
      ),
      '\n',
    ),
    truth: `${truthOf(insideB[0]!)}\n- cancelled 2026-05-12 WLG CHC\n- cancelled 2026-05-13 CHC AKL`,
  },
]

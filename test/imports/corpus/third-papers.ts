// Half c, what people keep or receive: tables by hand, calendars, mails, passes and TripIt. See third-logs.ts.
import * as cal from './calendars.ts'
import { type Leg as Life, sample, utcOf, windows1252 } from './life.ts'
import { headers, reserved, script } from './mails.ts'
import { bare, full, short, stack } from './passes.ts'
import {
  type Conditional,
  calendar,
  escaped,
  event,
  html,
  type Leg,
  legsOf,
  lines,
  mail,
  passText,
  passTruth,
  truthOf,
  truthsOf,
  utcTime,
} from './printers.ts'
import type { Sample } from './sample.ts'
import * as tab from './tables.ts'
import { page, text } from './texts.ts'
import { bookedTruth, designators, flight, json, published, stay, trip, ZONES } from './tripit.ts'
import { airPass, ends, iso, packed } from './wallet.ts'

const anyone = { includeOthers: true }

// Tables

const utcAt = (leg: Life, name: 'dep' | 'arr'): string =>
  utcOf(leg.date, leg.value[name]!, name === 'dep' ? leg.from : leg.to)

/** `2022-01-07 21:50`. */
const utcStamp = (name: 'dep' | 'arr') => (leg: Life) => utcAt(leg, name).slice(0, 16).replace('T', ' ')
const utcClock = (name: 'dep' | 'arr') => (leg: Life) => utcAt(leg, name).slice(11, 16).replace(':', '')

/** `12 de marzo de 2016`. */
const SPANISH =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')
const spanishDay = (leg: Life): string => {
  const [year = '', month, day] = leg.date.split('-')
  return leg.date.length < 10 ? leg.date : `${Number(day)} de ${SPANISH[Number(month) - 1]} de ${year}`
}

const inGerman = tab.named({
  HAM: 'Hamburg',
  TXL: 'Berlin-Tegel',
  SXF: 'Schönefeld',
  BGY: 'Mailand Bergamo',
  LPA: 'Gran Canaria',
  ZRH: 'Zürich',
  TBS: 'Tiflis',
  BEG: 'Belgrad',
  GDN: 'Danzig',
  LWO: 'Lemberg',
  RHO: 'Rhodos',
})
const inFrench = tab.named({
  DKR: 'Dakar (DKR)',
  DSS: 'Dakar (DSS)',
  ABJ: 'Abidjan',
  CDG: 'Paris CDG',
  ORY: 'Paris-Orly',
  CMN: 'Casablanca',
  ALG: 'Alger',
  RAK: 'Marrakech',
  LIS: 'Lisbonne',
  GVA: 'Genève',
})
const inSpanish = tab.named({
  EZE: 'Ezeiza',
  AEP: 'Aeroparque',
  SCL: 'Santiago de Chile',
  LPB: 'La Paz (LPB)',
  VVI: 'Santa Cruz (VVI)',
  CUZ: 'Cusco',
  LIM: 'Lima',
  MVD: 'Montevideo',
  BOG: 'Bogotá',
  ASU: 'Asunción',
  GYE: 'Guayaquil',
})
const inItalian = tab.named({
  LIN: 'Milano Linate',
  MXP: 'Milano Malpensa',
  FCO: 'Roma Fiumicino',
  TRS: 'Trieste',
  PSA: 'Pisa',
  NAP: 'Napoli',
  CAG: 'Cagliari',
  TIA: 'Tirana',
  MUC: 'Monaco di Baviera',
  ADD: 'Addis Abeba',
})
const inIndia = tab.named({
  BOM: 'Bombay',
  DEL: 'Delhi',
  CCU: 'Calcutta',
  MAA: 'Madras',
  COK: 'Cochin',
  VOBG: 'BLR',
  KTM: 'Kathmandu',
  CMB: 'Colombo',
})
const inAsia = tab.named({
  RGN: 'Rangoon',
  SGN: 'Saigon',
  PNH: 'Phnom Penh',
  DMK: 'Bangkok Don Mueang',
  BKK: 'Bangkok Suvarnabhumi',
  PEN: 'Penang',
  KUL: 'KLIA',
  SIN: 'Singapore Changi',
  VTE: 'Vientiane',
  CNX: 'Chiang Mai',
  REP: 'Siem Reap',
  USM: 'Koh Samui',
})

const tables: Sample[] = [
  sample(
    'c',
    'English table of Addis Ababa, both moments in UTC, the local day often another',
    'my_flights_utc.csv',
    tab.table({
      Flight: tab.value('number'),
      From: tab.codes.from,
      To: tab.codes.to,
      'Departure (UTC)': utcStamp('dep'),
      'Arrival (UTC)': utcStamp('arr'),
      Type: tab.value('type'),
      Registration: tab.value('reg'),
      Remarks: tab.free,
    }),
    `
2022-01-08 ADD LHR number=ET700 airline=ETH dep=00:50 arr=05:45 type=B788 reg=ET-AOQ
2022-01-15 LHR ADD number=ET701 airline=ETH dep=21:00 arr=07:30+1 type=B788 reg=ET-AOR
2022-03-04 ADD JNB number=ET809 airline=ETH dep=08:30 arr=12:45 type=B789 reg=ET-AUQ
2022-03-09 JNB ADD number=ET808 airline=ETH dep=14:05 arr=20:35 type=B789 reg=ET-AUP
2022-06-18 ADD BKK number=ET628 airline=ETH dep=00:10 arr=13:20 type=A359 reg=ET-AVB
2022-11-05 ADD IAD number=ET500 airline=ETH dep=22:40 arr=05:30+1 type=B77L | Remarks=clocks went back over there
2023-02-12 ADD LOS number=ET901 airline=ETH dep=09:30 arr=12:40 type=B77W reg=ET-ASK
2023-02-14 LOS ADD number=ET900 airline=ETH dep=13:45 arr=20:40 type=B77W reg=ET-ASL
2023-08-25 ADD SEZ number=ET879 airline=ETH dep=10:15 arr=14:35 type=B38M
2023-09-01 SEZ ADD number=ET878 airline=ETH dep=15:30 arr=17:50 type=B38M
`,
  ),
  sample(
    'c',
    'German table of Hamburg, two-digit years, cities with several airports, a column for the kind',
    'Reisen seit 1987.csv',
    tab.table(
      {
        Datum: tab.date('DD.MM.YY'),
        Art: tab.kind({ flight: 'Flug', train: 'Bahn', cancelled: 'Flug' }),
        Von: inGerman.from,
        Nach: inGerman.to,
        Flugnummer: tab.value('number'),
        Airline: tab.airline,
        Muster: tab.type,
        Sitzplatz: tab.value('seat'),
        Status: tab.kind({ flight: 'geflogen', cancelled: 'storniert', train: 'gefahren' }),
      },
      { delimiter: ';', end: '\r\n', encode: windows1252 },
    ),
    `
1987-03-07 HAM LPA airline=LTU type=L101 | Airline=LTU ; Muster=Lockheed L-1011 TriStar
1989-12-22 HAM ? number=SU256 airline=AFL | Nach=Moskau
1992-07-11 HAM RHO number=DE3472 airline=CFG type=? seat=22F | Muster=Boeing 757
1994-10-08 HAM ? number=LH2310 airline=DLH type=B733 | Nach=Berlin
1998-05-21 HAM ZRH number=SR533 type=MD81 seat=11A | Airline=Swissair ; Muster=MD-81
2001-06-15 HAM ? number=BA965 airline=BAW type=A319 | Nach=London
2003-07-05 HAM TXL number=LH2350 airline=DLH type=A320
2005-09-10 SXF BEG number=JU357 | Airline=JAT
2007-10-27 HAM BGY number=FR8375 airline=RYR type=B738
- cancelled 2010-04-17 HAM GDN number=LO396 airline=LOT type=E170
2010-05-01 HAM GDN number=LO396 airline=LOT type=E170 seat=9D
2012-06-08 HAM ? number=PS412 airline=AUI type=B735 | Nach=Kiew
- train 2013-03-29 HAM TXL number=ICE1611 | Von=Hamburg Hbf ; Nach=Berlin Hbf
2016-09-17 HAM TBS number=TK1662 airline=THY type=A321 seat=28C
2019-08-03 HAM ? number=TK1664 airline=THY type=A321 | Nach=Istanbul
2021-07-24 BER LWO number=W66092 airline=WZZ type=A320 | Flugnummer=W6 6092
`,
  ),
  sample(
    'c',
    'French table of Dakar, days first with slashes, Air Afrique',
    'vols_famille.csv',
    tab.table(
      {
        Date: tab.date('DD/MM/Y'),
        Vol: tab.value('number'),
        De: inFrench.from,
        Vers: inFrench.to,
        'Heure de départ': tab.time('dep', (clock) => clock.replace(':', 'h')),
        "Heure d'arrivée": tab.time('arr', (clock) => clock.replace(':', 'h')),
        Compagnie: tab.airline,
        "Type d'avion": tab.type,
        Siège: tab.value('seat'),
        Statut: tab.kind({ flight: 'effectué', cancelled: 'annulé' }),
      },
      { delimiter: ';', encode: tab.bom },
    ),
    `
1988-07-20 DKR CDG number=RK20 airline=RKA dep=23:30 arr=06:50+1 type=DC10
1996-08-27 DKR ABJ number=RK31 airline=RKA dep=09:15 arr=11:50 type=A310
2001-03-18 CMN DKR number=AT501 airline=RAM dep=22:40 arr=01:55+1 type=B734 seat=14C
2006-05-26 DKR ORY number=SS967 airline=CRL dep=23:55 arr=07:30+1 type=B744 | Compagnie=Corsair
2012-10-13 ORY ALG number=AH1007 airline=DAH dep=12:00 arr=13:10 type=B738 seat=8A
2015-02-19 DKR ? number=AF719 airline=AFR dep=23:05 type=A332 seat=31K | Vers=Paris
2016-11-23 DKR LIS number=TP1486 airline=TAP dep=00:55 arr=04:45 type=A319
2018-01-14 DSS CDG number=AF719 airline=AFR dep=23:15 arr=05:40+1 type=B77W seat=22D
- cancelled 2019-07-30 DSS CMN number=AT502 airline=RAM dep=03:30 arr=07:50 type=B738
2022-04-16 RAK ? number=BA2667 airline=BAW dep=12:05 type=A320 | Vers=Londres
2024-06-28 ABJ DSS number=HC308 airline=SZN dep=18:20 arr=20:55 type=A319 | Compagnie=Air Sénégal
`,
  ),
  sample(
    'c',
    'Spanish table of the Andes, days in words, airlines that are gone, cancelled rows',
    'Viajes en avión.csv',
    tab.table(
      {
        Fecha: spanishDay,
        Origen: inSpanish.from,
        Destino: inSpanish.to,
        'Nº de vuelo': tab.value('number'),
        Aerolínea: tab.airline,
        'Hora de salida': tab.time('dep'),
        'Hora de llegada': tab.time('arr'),
        Matrícula: tab.value('reg'),
        Estado: tab.kind({ flight: 'volado', cancelled: 'cancelado' }),
      },
      { delimiter: ';' },
    ),
    `
1995-08 LIM CUZ number=CF311 | Aerolínea=Faucett
2002-11-16 VVI LPB number=LB912 airline=LLB dep=08:20 arr=09:25 | Aerolínea=Lloyd Aéreo Boliviano
2005-04-23 AEP MVD number=PU164 airline=PUA dep=10:10 arr=11:00
2008-07-02 SCL ? number=LA441 airline=LAN dep=07:10 | Destino=Buenos Aires ; Aerolínea=
2009-05-17 BOG LIM number=TA139 airline=TAI dep=21:15 arr=00:10+1 | Aerolínea=TACA
- cancelled 2011-06-14 EZE SCL number=AR1280 airline=ARG dep=09:05 arr=11:15
2012-02-29 LPB LIM number=TA35 airline=TAI dep=05:50 arr=06:40 | Aerolínea=TACA
2014-12-06 LIM GYE number=LA2427 airline=LAN dep=18:40 arr=20:45 reg=CC-BFO | Aerolínea=
2016-03-12 AEP ASU number=AR1262 airline=ARG dep=18:25 arr=20:15 reg=LV-CHO
2018-09-01 VVI EZE number=OB708 airline=BOV dep=02:25 arr=06:20 reg=CP-2921
2023-05-25 MVD ? number=LA604 airline=LAN dep=05:05 | Destino=San Pablo ; Aerolínea=
`,
  ),
  sample(
    'c',
    'Italian table of Trieste, airlines of the nineties, trains and cancelled rows',
    'voli e treni.csv',
    tab.table(
      {
        Data: tab.date('D/M/Y'),
        Mezzo: tab.kind({ flight: 'aereo', train: 'treno', cancelled: 'aereo' }),
        Partenza: inItalian.from,
        Destinazione: inItalian.to,
        Volo: tab.value('number'),
        'Ora partenza': tab.time('dep', (clock) => clock.replace(':', '.')),
        Compagnia: tab.airline,
        Aeromobile: tab.type,
        Posto: tab.value('seat'),
        Stato: tab.kind({ flight: 'effettuato', cancelled: 'annullato', train: 'effettuato' }),
      },
      { delimiter: ',' },
    ),
    `
1991-05-18 TRS FCO number=AZ1361 airline=AZA dep=07:00 type=DC93 | Aeromobile=DC-9-30
1996-09-21 LIN ? number=AZ2048 airline=AZA dep=08:00 type=MD82 | Destinazione=Roma
1999-07-31 TRS MUC number=EN1982 airline=DLA dep=06:40 type=AT43 seat=5A
2003-06-28 TRS CAG number=IG4521 airline=ISS dep=14:55 | Compagnia=Meridiana
- train 2004-10-30 TRS LIN | Partenza=Trieste Centrale ; Destinazione=Milano Centrale
2006-01-14 TRS FCO number=AP5721 airline=ADH dep=18:30 type=B733 seat=12C | Compagnia=Air One
- cancelled 2010-04-18 TRS MUC number=EN1986 airline=DLA dep=12:20
2012-03-25 PSA ? number=FR587 airline=RYR dep=06:25 type=B738 | Destinazione=Londra
2015-08-22 MXP ADD number=ET703 airline=ETH dep=21:15 type=B788 seat=29L
2017-06-17 NAP ? number=U24213 airline=EZY dep=20:05 type=A319 | Destinazione=Milano ; Compagnia=easyJet
2019-11-30 TRS FCO number=AZ1362 airline=AZA dep=06:25 type=E190 seat=3D
2022-05-14 TRS FCO number=AZ1362 airline=ITY dep=06:25 type=A319 seat=8F
2024-09-07 MXP TIA number=W45018 airline=WMT dep=15:30 type=A21N | Compagnia=Wizz Air Malta
`,
  ),
  sample(
    'c',
    'Indian table, old names of cities, airlines that merged, trains between',
    'travel-log.csv',
    tab.table({
      Date: tab.date('DD-MMM-YY', tab.ENGLISH_MONTHS),
      Mode: tab.kind({ flight: 'Air', train: 'Rail', cancelled: 'Air' }),
      From: inIndia.from,
      To: inIndia.to,
      'Flight No.': tab.value('number'),
      Airline: tab.airline,
      STD: tab.time('dep'),
      STA: tab.time('arr'),
      'A/c type': tab.type,
      'Seat no': tab.value('seat'),
      Remarks: tab.free,
    }),
    `
1986-11-30 BOM DEL number=IC167 airline=IAC dep=06:45 arr=08:40 type=? | A/c type=Airbus A300
1992-02-15 CCU MAA number=IC766 airline=IAC dep=11:05 arr=13:10 type=B732
- train 1995-05-19 BOM DEL | From=Bombay Central ; To=New Delhi ; Remarks=Rajdhani Express
1999-10-29 DEL KTM number=RA218 airline=RNA dep=15:30 arr=17:15 type=B752
2002-08-17 BOM COK number=9W405 airline=JAI dep=09:35 arr=11:25 type=B738 seat=12A
2005-03-25 MAA CMB number=UL122 airline=ALK dep=18:40 arr=20:30 type=A320 seat=9C
2007-12-31 VOBG DEL number=IT202 airline=KFR dep=20:15 arr=22:50 type=A320 seat=3F
2008-06-21 BLR DEL number=9W812 airline=JAI dep=13:00 arr=15:35 type=B738 seat=22D
2012-09-28 BOM DEL number=IT306 airline=KFR dep=08:00 arr=10:05
2013-04-12 DEL GOI number=6E333 airline=IGO dep=12:40 arr=15:15 type=A320
2019-04-14 BOM DEL number=9W332 airline=JAI dep=14:00 arr=16:10 type=? seat=5A | A/c type=Boeing 737
2024-11-03 CCU BLR number=6E6508 airline=IGO dep=19:10 arr=21:55 type=A21N seat=18F
`,
  ),
  sample(
    'c',
    'American table of a salesman, month first, am and pm, airlines that merged',
    'Trips (Carl).csv',
    tab.table(
      {
        'Travel date': tab.date('MM/DD/Y'),
        Type: tab.kind({ flight: 'Air', train: 'Train', cancelled: 'Air' }),
        Airline: tab.airline,
        'Flight number': tab.digits,
        Origin: tab.codes.from,
        Destination: tab.codes.to,
        Depart: tab.time('dep', tab.ampm),
        Arrive: tab.time('arr', tab.ampm),
        Cabin: tab.classes({ economy: 'Coach', first: 'First', business: 'Business' }),
        Status: tab.kind({ flight: 'Flown', cancelled: 'Cancelled', train: 'Done' }),
        Comments: tab.free,
      },
      { before: '\n' },
    ),
    `
1996-02-29 MKE ATL number=DL310 airline=DAL dep=07:15 arr=10:05 class=economy
1998-11-13 PIT LGA number=US410 airline=USA dep=12:05 arr=13:20 class=economy | Airline=US Airways
2001-08-31 ORD STL number=TW515 airline=TWA dep=17:40 arr=18:50 class=economy
- train 2002-10-07 MKE ORD | Airline=Amtrak ; Flight number=332 ; Origin=Milwaukee ; Destination=Chicago Union Station
2005-06-20 MSP ANC number=NW847 airline=NWA dep=12:20 arr=15:25 class=first
2008-01-17 MKE PHX number=FL217 airline=TRS dep=06:00 arr=08:45 class=economy
2009-12-12 EWR ? number=CO112 airline=COA dep=09:10 class=economy | Destination=London
2011-03-13 ATL DEN number=DL1471 airline=DAL dep=00:15 arr=01:35 class=economy | Comments=clocks forward after landing
- cancelled 2012-10-29 LGA ORD number=AA313 airline=AAL dep=08:15 arr=09:50 class=economy | Comments=Sandy
2014-07-22 ORD ? number=US787 airline=USA dep=14:30 class=economy | Destination=Washington
2017-09-26 LAX HNL number=VX1123 airline=VRD dep=16:15 arr=19:05 class=first
2023-11-05 MKE LAS number=WN1882 airline=SWA dep=21:50 arr=23:25
`,
  ),
  sample(
    'c',
    'English table of Indochina, the day and the clocks in UTC, old names of cities',
    'seasia.tsv',
    tab.table(
      {
        'Date (UTC)': (leg) => utcAt(leg, 'dep').slice(0, 10).replaceAll('-', '/'),
        Carrier: tab.iata,
        'Flight no': tab.digits,
        From: inAsia.from,
        To: inAsia.to,
        'STD (UTC)': utcClock('dep'),
        'STA (UTC)': utcClock('arr'),
        Reg: tab.value('reg'),
        Notes: tab.free,
      },
      { delimiter: '\t', end: '\r\n' },
    ),
    `
2011-02-19 SIN RGN number=MI512 airline=SLK dep=07:40 arr=09:05 reg=9V-SBD
2012-11-03 RGN DMK number=FD2752 airline=AIQ dep=08:30 arr=10:15 reg=HS-ABB | Notes=monsoon over
2014-05-03 BKK PNH number=PG931 airline=BKP dep=07:50 arr=09:05 reg=HS-PGU
2014-05-11 PNH SGN number=VN920 airline=HVN dep=15:45 arr=16:35
2015-11-21 VTE CNX number=QV645 airline=LAO dep=14:20 arr=15:25
2017-01-28 BKK USM number=PG105 airline=BKP dep=06:20 arr=07:25 | Notes=early
2018-03-10 REP SIN number=MI633 airline=SLK dep=10:20 arr=13:35 reg=9V-MGA
2019-06-08 SGN BKK number=VN601 airline=HVN dep=05:40 arr=07:10 reg=VN-A354
2023-12-16 SIN KUL number=TR452 airline=TGW dep=06:30 arr=07:35
2024-02-09 PEN SIN number=SQ143 airline=SIA dep=06:05 arr=07:35 reg=9V-MBA
`,
  ),
]

// Calendars

type Titled = [row: string, title: string, more?: Record<string, string>]

const titled = (all: Titled[]): string[][] =>
  all.map(([row, title, more], at) => cal.googled(legOf(row), at + 300, title, more))

/** `!` in front of a row: cancelled. */
const legOf = (row: string): Leg => legsOf(row.replace('!', ''))[0]!

const titledTruth = (all: Titled[]): string =>
  all
    .map(([row]) => {
      const leg = legOf(row)
      return row.startsWith('!') ? `- cancelled ${leg.dep.date} ${leg.from} ${leg.to}` : truthOf(leg)
    })
    .join('\n')

const inGermanWords: Titled[] = [
  [
    'EW582 EWG CGN 2025-03-07T06:20+01:00 PMI 2025-03-07T08:40+01:00',
    'Flug EW 582 von Köln/Bonn nach Palma de Mallorca',
  ],
  ['EW583 EWG PMI 2025-03-14T09:25+01:00 CGN 2025-03-14T11:50+01:00', 'Flug EW583 PMI - CGN'],
  [
    'LH1408 DLH FRA 2025-04-28T22:05+02:00 BEG 2025-04-28T23:50+02:00',
    'LH 1408 Frankfurt (FRA) nach Belgrad (BEG)',
  ],
  ['LH1405 DLH BEG 2025-04-30T14:35+02:00 FRA 2025-04-30T16:35+02:00', 'Rückflug LH1405 BEG→FRA'],
  ['!LH1362 DLH FRA 2025-06-03T18:20+02:00 KTW 2025-06-03T19:55+02:00', 'Abgesagt: Flug LH 1362 FRA - KTW'],
  [
    'TK1676 THY CGN 2025-07-19T11:30+02:00 IST 2025-07-19T15:55+03:00',
    'Flug nach Istanbul IST (TK 1676)',
    { LOCATION: 'Köln CGN' },
  ],
  ['OU413 CTN FRA 2025-09-12T09:50+02:00 SPU 2025-09-12T11:30+02:00', '✈ OU 413 FRA–SPU'],
  [
    'FR2815 RYR CGN 2025-10-26T07:00+01:00 DUB 2025-10-26T07:55+00:00',
    'Flug FR 2815 von Köln (CGN) nach Dublin (DUB)',
  ],
]

const inSpanishWords: Titled[] = [
  [
    'LA2025 LAN LIM 2024-03-11T05:10-05:00 CUZ 2024-03-11T06:35-05:00',
    'Vuelo LA 2025 Lima (LIM) – Cusco (CUZ)',
  ],
  ['LA2026 LAN CUZ 2024-03-15T18:20-05:00 LIM 2024-03-15T19:50-05:00', 'Vuelo LA2026 de Cusco a Lima'],
  ['AV134 AVA LIM 2024-05-02T23:40-05:00 BOG 2024-05-03T02:45-05:00', 'AV 134 LIM-BOG'],
  ['!AV9765 AVA BOG 2024-05-06T10:05-05:00 CTG 2024-05-06T11:35-05:00', 'Cancelado: Vuelo AV9765 BOG - CTG'],
  [
    'CM263 CMP CTG 2024-05-10T07:50-05:00 PTY 2024-05-10T09:05-05:00',
    'Vuelo CM 263 CTG → PTY',
    { LOCATION: 'Aeropuerto Rafael Núñez' },
  ],
  [
    'AR1375 ARG LIM 2024-08-18T01:15-05:00 EZE 2024-08-18T07:45-03:00',
    'Vuelo AR 1375 Lima (LIM) a Buenos Aires (EZE)',
  ],
]

const italianZones = {
  VCE: 'Europe/Rome',
  FCO: 'Europe/Rome',
  TUN: 'Africa/Tunis',
  OTP: 'Europe/Bucharest',
  JFK: 'America/New_York',
  GRU: 'America/Sao_Paulo',
}

const italianLegs = legsOf(`
  TU757 TAR VCE 2023-05-19T16:10+02:00 TUN 2023-05-19T16:50+01:00
  TU752 TAR TUN 2023-05-26T10:25+01:00 FCO 2023-05-26T12:40+02:00
  RO402 ROT FCO 2023-07-03T19:35+02:00 OTP 2023-07-03T22:50+03:00
  AZ608 ITY FCO 2023-10-27T09:40+02:00 JFK 2023-10-27T13:25-04:00
  AZ609 ITY JFK 2023-11-04T17:05-04:00 FCO 2023-11-05T07:10+01:00
  AZ674 ITY FCO 2024-01-12T22:05+01:00 GRU 2024-01-13T06:05-03:00`)

const italianTitles = [
  'Volo TU 757 VCE-TUN',
  'Volo TU752 da Tunisi (TUN) a Roma Fiumicino (FCO)',
  'Volo RO 402 FCO → OTP',
  'AZ608 FCO JFK',
  'Volo di ritorno AZ 609 JFK-FCO',
  'Volo AZ674 Roma Fiumicino (FCO) – San Paolo (GRU)',
]

const frenchLegs = legsOf(`
  AF1064 AFR CDG 2026-04-13T07:25+02:00 TLN 2026-04-13T08:50+02:00
  AT1743 RAM LYS 2026-05-04T12:10+02:00 CMN 2026-05-04T14:05+01:00
  AH1035 DAH LYS 2026-05-18T17:30+02:00 ALG 2026-05-18T18:20+01:00
  SN3596 BEL LYS 2026-06-08T18:35+02:00 BRU 2026-06-08T20:05+02:00
  TK1808 THY LYS 2026-07-06T18:55+02:00 IST 2026-07-06T23:05+03:00
  EK82 UAE LYS 2026-09-02T14:35+02:00 DXB 2026-09-02T22:50+04:00`)

const frenchTitles = [
  'Vol AF 1064 CDG-TLN',
  'Vol AT1743 LYS > CMN',
  'Annulé : Vol AH 1035 LYS-ALG',
  'SN 3596 LYS - BRU',
  'Vol TK 1808 de Lyon (LYS) à Istanbul (IST)',
  'Vol EK82 LYS→DXB',
]

const frenchTruth = frenchLegs
  .map((leg, at) => (at === 2 ? `- cancelled ${leg.dep.date} ${leg.from} ${leg.to}` : truthOf(leg)))
  .join('\n')

const kigali = legsOf(`
  WB300 RWD KGL 2026-12-10T01:40+02:00 LHR 2026-12-10T09:30+00:00
  WB301 RWD LHR 2026-12-17T20:30+00:00 KGL 2026-12-18T06:50+02:00
  WB464 RWD KGL 2026-12-20T17:05+02:00 NBO 2026-12-20T19:35+03:00`)

/** An airline's own file: the number in the title, places with their codes, clocks of the place in the text. */
const rwandan = (leg: Leg, at: number): string[] =>
  event({
    UID: `K9PQ2W-${at}@booking.example.rw`,
    DTSTAMP: '20261101T100000Z',
    DTSTART: utcTime(leg.dep),
    DTEND: utcTime(leg.arr),
    SUMMARY: `Flight ${leg.carrier} ${leg.digits}`,
    LOCATION: `Airport (${leg.from})`,
    DESCRIPTION: escaped(
      `Booking reference: K9PQ2W\nFrom ${leg.from} to ${leg.to}\nDeparture: ${leg.dep.time}\nArrival: ${leg.arr.time}`,
    ),
  })

const calendars: Sample[] = [
  {
    name: 'Google Calendar with German titles, one called off, a train',
    half: 'c',
    filename: 'privat.ics',
    content: calendar(
      [...cal.google, 'X-WR-CALNAME:Privat', 'X-WR-TIMEZONE:Europe/Berlin'],
      [
        ...titled(inGermanWords.slice(0, 4)),
        cal.allDay('Urlaub Mallorca', '20250307', '20250315'),
        ...titled(inGermanWords.slice(4)),
        cal.hour('ICE 1027 Köln Hbf - Hamburg Hbf', '20251102T090000Z', '20251102T130000Z'),
        cal.hour('Zahnarzt, Raum EW 12', '20251103T080000Z', '20251103T083000Z'),
      ],
    ),
    truth: lines(`${titledTruth(inGermanWords.slice(0, 4))}
      - holidays
      ${titledTruth(inGermanWords.slice(4))}
      - train
      - a dentist`),
  },
  {
    name: 'Google Calendar with Spanish titles, Peru and Colombia, one cancelled',
    half: 'c',
    filename: 'mi agenda.ics',
    content: calendar(
      [...cal.google, 'X-WR-TIMEZONE:America/Lima'],
      [
        ...titled(inSpanishWords),
        cal.hour('Bus Cruz del Sur Lima - Paracas', '20240601T130000Z', '20240601T170000Z'),
      ],
      '\n',
    ),
    truth: `${titledTruth(inSpanishWords)}\n- bus`,
  },
  {
    name: 'Apple Calendar with Italian titles, over both changes of the clocks',
    half: 'c',
    filename: 'Viaggi.ics',
    content: calendar(
      cal.apple('Viaggi'),
      italianLegs.map((leg, at) =>
        cal.zoned(italianZones)(leg, at, italianTitles[at]!, { LOCATION: escaped('Partenze, piano 2') }),
      ),
    ),
    truth: truthsOf(italianLegs),
  },
  {
    name: 'Outlook in French, all in the zone of a desk in Lyon, one cancelled by title',
    half: 'c',
    filename: 'Déplacements.ics',
    content: calendar(
      [...cal.outlook, ...cal.westEurope],
      frenchLegs.map((leg, at) =>
        cal.desk('W. Europe Standard Time', '+02:00')(leg, at, frenchTitles[at]!, 'fr'),
      ),
    ),
    truth: frenchTruth,
  },
  {
    name: "An airline's own file, the number in the title and the codes in the text",
    half: 'c',
    filename: 'rwandair-K9PQ2W.ics',
    content: calendar(['PRODID:-//RwandAir//Booking//EN', 'METHOD:PUBLISH'], kigali.map(rwandan)),
    truth: truthsOf(kigali),
  },
]

// Mails

const luanda = legsOf(`
  DT652 DTA LIS 2025-02-14T22:55+00:00 LAD 2025-02-15T07:30+01:00
  DT581 DTA LAD 2025-02-20T09:00+01:00 JNB 2025-02-20T13:35+02:00
  TP282 TAP JNB 2025-02-28T20:10+02:00 LIS 2025-03-01T05:10+00:00`)

const AIRLINES: Record<string, string> = { DT: 'TAAG Angola Airlines', TP: 'TAP Air Portugal' }

const manila = legsOf(`
  PR731 PAL BKK 2024-10-11T13:25+07:00 MNL 2024-10-11T17:45+08:00 54C
  PR2039 PAL MNL 2024-10-12T05:30+08:00 KLO 2024-10-12T06:45+08:00 7A`)

const item = (leg: Leg): string => `<div itemscope itemtype="https://schema.org/FlightReservation">
<span itemprop="reservationNumber">PAL7Q2</span>
<link itemprop="reservationStatus" href="https://schema.org/ReservationConfirmed">
<p itemprop="underName" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Arnel Dela Cruz</b></p>
<div itemprop="reservationFor" itemscope itemtype="https://schema.org/Flight">
<p itemprop="airline" itemscope itemtype="https://schema.org/Airline"><span itemprop="name">Philippine Airlines</span><meta itemprop="iataCode" content="${leg.carrier}"></p>
<p>Flight <span itemprop="flightNumber">${leg.digits}</span></p>
<p itemprop="departureAirport" itemscope itemtype="https://schema.org/Airport"><span itemprop="iataCode">${leg.from}</span></p>
<time itemprop="departureTime" datetime="${leg.dep.date}T${leg.dep.time}:00${leg.dep.offset}">${leg.dep.time}</time>
<p itemprop="arrivalAirport" itemscope itemtype="https://schema.org/Airport"><span itemprop="iataCode">${leg.to}</span></p>
<time itemprop="arrivalTime" datetime="${leg.arr.date}T${leg.arr.time}:00${leg.arr.offset}">${leg.arr.time}</time>
</div>
<div itemprop="reservedTicket" itemscope itemtype="https://schema.org/Ticket"><div itemprop="ticketedSeat" itemscope itemtype="https://schema.org/Seat">Seat <span itemprop="seatNumber">${leg.seat}</span></div></div>
</div>`

const mails: Sample[] = [
  {
    name: 'Three legs by two airlines in one list, local clocks without offset',
    half: 'c',
    filename: 'Confirmação de reserva.eml',
    options: anyone,
    content: mail(
      headers(
        'TAAG <reservas@example.ao>',
        'nelson@example.ao',
        '=?utf-8?Q?Confirma=C3=A7=C3=A3o?=',
        'Fri, 10 Jan 2025 11:20:00 +0100',
        'c1',
      ),
      html(
        script(
          luanda.map((leg) =>
            reserved(
              leg,
              { airline: AIRLINES[leg.carrier]!, locator: 'LADQ7X', clock: 'bare', whole: true },
              'Nelson Domingos',
            ),
          ),
        ),
      ),
    ),
    truth: truthsOf(luanda),
  },
  {
    name: 'Microdata, the seat in the ticket, times with offsets',
    half: 'c',
    filename: 'itinerary-receipt.eml',
    options: anyone,
    content: mail(
      headers(
        'Philippine Airlines <pr@example.ph>',
        'arnel@example.ph',
        'Itinerary receipt',
        'Mon, 16 Sep 2024 09:00:00 +0800',
        'c2',
      ),
      html(manila.map(item).join('\n'), 'base64'),
    ),
    truth: truthsOf(manila, 'number airline dep arr seat'),
  },
  text(
    'English text of an agency, times with am and pm',
    'c',
    'Itinerary Nairobi.eml',
    'Safari Travel <desk@example.co.ke>',
    'Wed, 04 Feb 2026 08:15:00 +0300',
    `Dear Joan,

please find your flights below. Airline reference: Z6QK2T

Flight KQ 606 on 14 March 2026
Departs Nairobi (NBO) 10:00 am
Arrives Mombasa (MBA) 11:05 am

Flight KQ 613 on 18 March 2026
Departs Mombasa (MBA) 8:20 pm
Arrives Nairobi (NBO) 9:25 pm

Your driver waits at the exit.`,
    `2026-03-14 NBO MBA number=KQ606 airline=KQA dep=10:00 arr=11:05
2026-03-18 MBA NBO number=KQ613 airline=KQA dep=20:20 arr=21:25`,
  ),
  text(
    'German text, a changed flight, days with weekday and dots',
    'c',
    'Änderung Ihres Fluges.eml',
    'Eurowings <ew@example.com>',
    'Mon, 18 May 2026 14:00:00 +0200',
    `Sehr geehrter Herr Aydin,

die Zeiten Ihrer Reise haben sich geändert. Buchungscode: EW8T5K

Flug EW 9540 am Samstag, 04.07.2026
Abflug: 05:45 Uhr Düsseldorf (DUS)
Ankunft: 10:20 Uhr Antalya (AYT)

Flug EW 9541 am Samstag, 18.07.2026
Abflug: 11:15 Uhr Antalya (AYT)
Ankunft: 14:10 Uhr Düsseldorf (DUS)`,
    `2026-07-04 DUS AYT number=EW9540 airline=EWG dep=05:45 arr=10:20
2026-07-18 AYT DUS number=EW9541 airline=EWG dep=11:15 arr=14:10`,
  ),
  page(
    'French page, a list of legs with arrows',
    'c',
    'Votre billet électronique.eml',
    'Air Austral <uu@example.re>',
    'Sat, 11 Apr 2026 19:40:00 +0400',
    `<p>Bonjour Marie Payet,</p><ul>
<li>Vol UU 975 du 3 juin 2026 : Saint-Denis de La Réunion (RUN) 21h00 → Paris (CDG) 06h10 (4 juin 2026)</li>
<li>Vol UU 974 du 24 juin 2026 : Paris (CDG) 18h50 → Saint-Denis de La Réunion (RUN) 07h50 (25 juin 2026)</li></ul>`,
    `2026-06-03 RUN CDG number=UU975 airline=REU dep=21:00 arr=06:10+1
2026-06-24 CDG RUN number=UU974 airline=REU dep=18:50 arr=07:50+1`,
  ),
  text(
    'Italian text of a low-cost airline, going and coming back',
    'c',
    'Itinerario di viaggio.eml',
    'Volotea <v7@example.com>',
    'Tue, 14 Jul 2026 22:31:00 +0200',
    `Ciao Giulia,

la tua prenotazione VLT3R9 è confermata.

Andata: volo V7 1606, venerdì 28 agosto 2026
Partenza ore 09:40 da Napoli (NAP)
Arrivo ore 10:45 a Palermo (PMO)

Ritorno: volo V7 1607, lunedì 31 agosto 2026
Partenza ore 20:15 da Palermo (PMO)
Arrivo ore 21:20 a Napoli (NAP)`,
    `2026-08-28 NAP PMO number=V71606 airline=VOE dep=09:40 arr=10:45
2026-08-31 PMO NAP number=V71607 airline=VOE dep=20:15 arr=21:20`,
  ),
  page(
    'Spanish page of South America, a table of flights',
    'c',
    'Tu itinerario.eml',
    'SKY <sky@example.cl>',
    'Fri, 02 Jan 2026 13:13:00 -0300',
    `<p>Hola Camila, tu compra está lista. Código de reserva: SKQ8WZ</p><table>
<tr><th>Vuelo</th><th>Fecha</th><th>Salida</th><th>Llegada</th></tr>
<tr><td>H2 521</td><td>20/02/2026</td><td>Santiago (SCL) 08:15</td><td>Puerto Montt (PMC) 09:55</td></tr>
<tr><td>H2 528</td><td>27/02/2026</td><td>Puerto Montt (PMC) 21:30</td><td>Santiago (SCL) 23:05</td></tr></table>`,
    `2026-02-20 SCL PMC number=H2521 airline=SKU dep=08:15 arr=09:55
2026-02-27 PMC SCL number=H2528 airline=SKU dep=21:30 arr=23:05`,
  ),
]

// Passes

const issued: [string, Conditional][] = [
  ['2016-12-10 LIM CUZ LA 2043 LAN Y 14C 33 QW8RTA', { ...short, issued: '2016-12-09', issuer: 'LA' }],
  ['2018-02-11 NBO KGL WB 465 RWD L 9A 20 KGL4T2', { ...short, issued: '2018-02-10', issuer: 'WB' }],
  ['2019-06-30 JNB CPT FA 211 SFR Y 21D 77 FA3K9Z', { ...short, issued: '2019-06-29' }],
  ['2020-02-29 KUL SIN AK 713 AXM Y 4A 15 AK8WPQ', { ...short, issued: '2020-02-28', issuer: 'AK' }],
  ['2021-12-31 DXB KHI EK 606 UAE K 33H 140 EKH2Y7', { ...full, issued: '2021-12-30', issuer: 'EK' }],
  ['2022-07-03 NAN SUV FJ 5 FJI Y 7C 18 FJN5UV', { ...short, issued: '2022-07-03', issuer: 'FJ' }],
  ['2023-10-29 HAN SGN VN 243 HVN T 28E 166 VNX1L8', { ...full, issued: '2023-10-28', issuer: 'VN' }],
  ['2024-08-04 EVN TBS A9 724 TGZ M 3D 12 TGZ7EV', { ...short, issued: '2024-08-03', issuer: 'A9' }],
  ['2025-03-16 EZE SCL H2 506 SKU Y 19F 88 SKY5CL', { ...short, issued: '2025-03-15', issuer: 'H2' }],
  ['2026-09-21 BEG ZRH JU 370 ASL C 2A 4 JUB4ZH', { ...short, issued: '2026-09-20', issuer: 'JU' }],
]

const scanned = `2024-04-20 KRK WAW LO 3910 LOT V 11A 40 LOQ2WE
2024-05-03 WAW TBS LO 723 LOT V 12C 41 LOQ2WE
2023-08-10 MSQ TBS B2 735 BRU Y 6F 22 BRU9X4
2024-06-30 TBS ALA KC 140 KZR J 1A 2 KZR3T6`

const calgary = legsOf('WS18 WJA YYC 2026-05-22T17:35-06:00 LHR 2026-05-23T09:40+01:00 4A')[0]!
const funchal = legsOf('TP1687 TAP LIS 2025-11-08T07:40+00:00 FNC 2025-11-08T09:30+00:00 18D')[0]!

const wings = airPass(
  'West Wings',
  'ws18-20260522',
  {
    headerFields: [{ key: 'gate', label: 'GATE', value: 'D75' }],
    primaryFields: ends(calgary, 'CALGARY', 'LONDON HEATHROW'),
    auxiliaryFields: [{ key: 'boarding', label: 'BOARDING', value: '16:50' }],
  },
  {
    relevantDate: '2026-05-22T16:50-06:00',
    semantics: {
      airlineCode: 'WS',
      flightNumber: 18,
      departureAirportCode: 'YYC',
      destinationAirportCode: 'LHR',
      originalDepartureDate: iso(calgary.dep),
      originalArrivalDate: iso(calgary.arr),
      currentDepartureDate: '2026-05-23T00:20Z',
      seats: [{ seatNumber: '4A' }],
      passengerName: { givenName: 'Dale', familyName: 'Kowalchuk' },
    },
  },
)

const madeira = airPass(
  'TAP Air Portugal',
  'TP1687-18D',
  {
    headerFields: [{ key: 'flight', label: 'VOO', value: 'TP 1687' }],
    primaryFields: ends(funchal, 'LISBOA', 'FUNCHAL'),
    auxiliaryFields: [
      { key: 'boarding', label: 'EMBARQUE', value: '07:00' },
      { key: 'departure', label: 'PARTIDA', value: '07:40' },
      { key: 'seat', label: 'LUGAR', value: '18D' },
    ],
  },
  {
    relevantDate: '2025-11-08T07:00:00+00:00',
    barcodes: [
      {
        format: 'PKBarcodeFormatQR',
        messageEncoding: 'iso-8859-1',
        message: passText('ABREU/RUI MR', '2025-11-08 LIS FNC TP 1687 TAP O 18D 61 TPF8NC', {
          ...short,
          issued: '2025-11-07',
          issuer: 'TP',
        }),
      },
    ],
  },
)

const passes: Sample[] = [
  {
    name: 'Ten passes of ten airlines in three continents, days of issue, ten years',
    half: 'c',
    filename: 'cards.txt',
    options: anyone,
    ...stack('CONDE/MARTA MRS', issued),
  },
  {
    name: 'No day of issue, the name of the file dates the scan',
    half: 'c',
    filename: 'scan_2024-05-02.txt',
    options: anyone,
    content: bare('BERIDZE/NINO', scanned),
    truth: passTruth(scanned),
  },
  {
    name: 'Semantic tags, the new departure in UTC, no new arrival',
    half: 'c',
    filename: 'ws18.pkpass',
    options: anyone,
    content: packed(wings),
    truth: '2026-05-22 YYC LHR number=WS18 airline=WJA dep=18:20 depS=17:35 arrS=09:40+1 seat=4A',
  },
  {
    name: 'Bar code with its day of issue, labels in Portuguese',
    half: 'c',
    filename: 'cartao de embarque.pkpass',
    options: anyone,
    content: packed(madeira),
    truth: `${truthOf(funchal, 'number airline dep seat')} class=economy`,
  },
]

// TripIt

const feed = legsOf(`
  GA410 GIA CGK 2026-09-05T15:10+07:00 DPS 2026-09-05T18:05+08:00
  QZ508 AWQ DPS 2026-09-12T11:50+08:00 SIN 2026-09-12T14:35+08:00
  3K687 JSA SIN 2026-09-15T09:10+08:00 KUL 2026-09-15T10:15+08:00
  D7214 XAX KUL 2026-09-15T22:20+08:00 SYD 2026-09-16T08:20+10:00
  FJ910 FJI SYD 2026-10-09T12:35+11:00 NAN 2026-10-09T17:40+12:00
  FJ810 FJI NAN 2026-10-16T21:55+12:00 LAX 2026-10-16T12:45-07:00
  UA2 UAL SFO 2026-10-30T10:25-07:00 SIN 2026-10-31T18:15+08:00
  GA837 GIA SIN 2026-11-25T18:55+08:00 CGK 2026-11-25T19:45+07:00`)

const booked = {
  legs: legsOf(`
    AD8750 AZU VCP 2025-07-11T17:40-03:00 LIS 2025-07-12T07:15+01:00
    TP442 TAP LIS 2025-07-12T10:05+01:00 ORY 2025-07-12T13:35+02:00
    AF454 AFR CDG 2025-07-27T23:20+02:00 GRU 2025-07-28T05:55-03:00
    G31512 GLO CGH 2025-07-28T12:10-03:00 REC 2025-07-28T15:20-03:00`),
  types: ['339', '32N', '77W', '738'],
  seats: ['9A', '12C', '34E', '21F'],
  service: 'Economy',
}

const friend = {
  legs: legsOf('AF460 AFR CDG 2025-07-27T13:30+02:00 GRU 2025-07-27T20:10-03:00'),
  types: ['359'],
  seats: ['40A'],
  service: 'Economy',
}

Object.assign(ZONES, {
  VCP: 'America/Sao_Paulo',
  GRU: 'America/Sao_Paulo',
  CGH: 'America/Sao_Paulo',
  REC: 'America/Recife',
  LIS: 'Europe/Lisbon',
  ORY: 'Europe/Paris',
})
Object.assign(designators, { '339': 'A339', '32N': 'A20N' })

const tripit: Sample[] = [
  {
    name: 'TripIt feed of an Indonesian, designators with digits, over the date line',
    half: 'c',
    filename: 'tripit_feed.ics',
    content: calendar(
      [...published, 'X-WR-CALNAME:TripIt - Putri Wulandari'],
      [
        trip('Bali, Indonesia, September 2026', '20260905', '20260913', 'Putri'),
        ...feed.slice(0, 4).map((leg, at) => flight(leg, at + 50, at % 2 ? ' ' : '')),
        stay('Check-in: Harbour View, Sydney', '20260916T040000Z', '20260916T050000Z'),
        ...feed.slice(4).map((leg, at) => flight(leg, at + 54, ' ')),
      ],
      '\n',
    ),
    truth: lines(`- a trip
      ${truthsOf(feed.slice(0, 4))}
      - hotel
      ${truthsOf(feed.slice(4))}`),
  },
  {
    name: "TripIt's JSON of a Brazilian, a friend's booking beside her own",
    half: 'c',
    filename: 'trip-europa.json',
    content: json(booked, friend, 'Europa'),
    truth: `${bookedTruth(booked, 'economy')}\n- not mine 2025-07-27 CDG GRU\n- hotel`,
  },
]

export const thirdPapers: Sample[] = [...tables, ...calendars, ...mails, ...passes, ...tripit]

// Tables that people keep themselves: spreadsheets saved as CSV, TSV or with semicolons, in five languages.
import {
  airlineOf,
  clockOf,
  csvRow,
  digitsOf,
  type Leg,
  minutesOf,
  placeOf,
  sample,
  typeOf,
  utf16,
  windows1252,
} from './life.ts'
import type { Sample } from './sample.ts'

type Column = (leg: Leg) => string

interface Form {
  delimiter?: string
  end?: string
  /** Lines before the heading. */
  before?: string
  encode?: (text: string) => string | Buffer
}

/** The columns by heading; a line of the life may name a cell by its heading. */
export function table(columns: Record<string, Column>, form: Form = {}) {
  const headings = Object.keys(columns)
  const delimiter = form.delimiter ?? ','
  return (legs: Leg[]): string | Buffer => {
    const rows = legs.map((leg) => {
      if (leg.raw !== undefined) return leg.raw
      for (const name of Object.keys(leg.cells))
        if (!headings.includes(name)) throw new Error(`No such column: ${name} (${leg.line})`)
      return csvRow(
        headings.map((name) => leg.cells[name] ?? columns[name]!(leg)),
        delimiter,
      )
    })
    const text = `${form.before ?? ''}${[csvRow(headings, delimiter), ...rows].join('\n')}\n`
    return (form.encode ?? String)(form.end ? text.replaceAll('\n', form.end) : text)
  }
}

export const bom = (text: string) => `\uFEFF${text}`

/** A date in the order and with the signs of a pattern: `D.M.Y`; two letters pad, `YY` has two digits, `MMM` is a month's name. */
export function date(pattern: string, months = ''): Column {
  const names = months.split(' ')
  return (leg) => {
    const [year = '', month, day] = leg.date.split('-')
    if (day === undefined || month === undefined) return leg.date
    return pattern.replace(/YY|Y|MMM|MM|M|DD|D/g, (part) => {
      if (part.startsWith('Y')) return part === 'Y' ? year : year.slice(2)
      if (part === 'MMM') return names[Number(month) - 1]!
      const digits = part.startsWith('M') ? month : day
      return part.length === 2 ? digits : String(Number(digits))
    })
  }
}

/** A value of the truth; nothing where the file does not decide, which is for the cells. */
export const value =
  (name: string): Column =>
  (leg) =>
    leg.value[name] === '?' ? '' : leg.value[name]!

/** A clock, without the shift of the day, as `shape` writes it. */
export function time(name: string, shape: (clock: string) => string = (clock) => clock): Column {
  return (leg) => (/^\d/.test(leg.value[name]!) ? shape(leg.value[name]!.slice(0, 5)) : '')
}

export function ampm(clock: string): string {
  const hour = Number(clock.slice(0, 2))
  return `${hour % 12 || 12}${clock.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** The places under names of the table's own; others by their codes. */
export function named(names: Record<string, string>): { from: Column; to: Column } {
  const nameOf = (code: string) => (code === '?' ? '' : (names[code] ?? code))
  return { from: (leg) => nameOf(leg.from), to: (leg) => nameOf(leg.to) }
}

export const codes = named({})
const city = (code: string) => placeOf(code).city
export const airline: Column = (leg) => airlineOf(leg.value.airline!.replace('?', '')).name
export const iata: Column = (leg) => airlineOf(leg.value.airline!.replace('?', '')).iata
export const digits: Column = (leg) => digitsOf(leg.value.number!.replace('?', ''))
export const type: Column = (leg) => typeOf(leg.value.type!.replace('?', '')).name
const duration: Column = (leg) => {
  const minutes = minutesOf(leg)
  return minutes === undefined ? '' : clockOf(minutes)
}
/** A word for each kind of record. */
export const kind =
  (words: Record<string, string>): Column =>
  (leg) =>
    words[leg.kind] ?? ''
export const classes =
  (words: Record<string, string>): Column =>
  (leg) =>
    words[leg.value.class!] ?? ''
/** A column that only cells fill. */
export const free: Column = () => ''

export const GERMAN_MONTHS =
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'
export const ENGLISH_MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'
const SPANISH_MONTHS = 'ene feb mar abr may jun jul ago sep oct nov dic'

const german = named({
  TXL: 'Tegel',
  SXF: 'Berlin-Schönefeld',
  MUC: 'München',
  CGN: 'Köln/Bonn',
  LIN: 'Mailand Linate',
  MXP: 'Mailand-Malpensa',
  TFS: 'Teneriffa Süd',
  PMI: 'Palma de Mallorca',
  VIE: 'Wien',
  ZRH: 'Zürich',
  GVA: 'Genf',
  CPH: 'Kopenhagen',
  PRG: 'Prag',
  NCE: 'Nizza',
  LIS: 'Lissabon',
  VCE: 'Venedig',
  KRK: 'Krakau',
  LUX: 'Luxemburg',
  GRZ: 'Graz',
  HER: 'Heraklion',
  DUS: 'Düsseldorf',
  NUE: 'Nürnberg',
})
const french = named({
  ORY: 'Paris Orly',
  CDG: 'Roissy CDG',
  NCE: 'Nice',
  GVA: 'Genève',
  MRS: 'Marseille',
  LIS: 'Lisbonne',
  BRU: 'Bruxelles',
  CMN: 'Casablanca',
  TUN: 'Tunis',
  RUN: 'La Réunion',
  AJA: 'Ajaccio',
  LGW: 'Londres Gatwick',
  FCO: 'Rome Fiumicino',
})
const italian = named({
  LIN: 'Milano Linate',
  MXP: 'Milano Malpensa',
  FCO: 'Roma Fiumicino',
  CIA: 'Roma Ciampino',
  CTA: 'Catania',
  CAG: 'Cagliari',
  NAP: 'Napoli',
  VCE: 'Venezia',
  PMO: 'Palermo',
  LGW: 'Londra Gatwick',
  CDG: 'Parigi Charles de Gaulle',
  MUC: 'Monaco di Baviera',
  BCN: 'Barcellona',
  BRI: 'Bari',
  ATH: 'Atene',
  LIS: 'Lisbona',
})
const english = named({
  EDI: 'Edinburgh',
  LCY: 'London City',
  LHR: 'London Heathrow',
  LGW: 'Gatwick',
  SOU: 'Southampton',
  GLA: 'Glasgow',
  SYY: 'Stornoway',
  KEF: 'Keflavik',
  TFS: 'Tenerife South',
  DUB: 'Dublin',
  IST: 'Istanbul Airport',
})
const spoken = named({
  LIN: 'Milan Linate',
  LHR: 'London Heathrow',
  LGW: 'London Gatwick',
  ORD: "Chicago O'Hare",
  MDW: 'Chicago Midway',
  HOU: 'Houston Hobby',
  DAL: 'Dallas Love Field',
  DCA: 'Washington National',
  LGA: 'New York LaGuardia',
  JFK: 'New York JFK',
  SVO: 'Moscow Sheremetyevo',
  NRT: 'Tokyo Narita',
  HHN: 'Frankfurt Hahn',
  STN: 'Stansted',
  LTBA: 'Istanbul Atatürk',
  WMSA: 'Kuala Lumpur Subang',
  TFS: 'Tenerife South',
  THF: 'Berlin Tempelhof',
  BRU: 'Brussels Zaventem',
  CRL: 'Brussels Charleroi',
  GRO: 'Girona',
  BGY: 'Milan Bergamo',
  GMP: 'Seoul Gimpo',
  HND: 'Tokyo Haneda',
  TSA: 'Taipei Songshan',
  KNH: 'Kinmen',
  CGH: 'São Paulo Congonhas',
  SDU: 'Rio Santos Dumont',
  AEP: 'Buenos Aires Aeroparque',
  SCL: 'Santiago de Chile',
  DMK: 'Bangkok Don Mueang',
  HKT: 'Phuket',
  BMA: 'Stockholm Bromma',
  GOT: 'Gothenburg',
  YTZ: 'Toronto Island',
  EWR: 'Newark',
  TRF: 'Oslo Torp',
  SHA: 'Shanghai Hongqiao',
  PEK: 'Beijing Capital',
  LCY: 'London City',
})

export const tables: Sample[] = [
  sample(
    'a',
    'German spreadsheet, Windows-1252, day first with dots, place names',
    'Fluege Vater.csv',
    table(
      {
        Datum: date('DD.MM.Y'),
        Von: german.from,
        Nach: german.to,
        Flug: value('number'),
        Abflug: time('dep'),
        Ankunft: time('arr'),
        Fluggesellschaft: airline,
        Flugzeug: type,
        Kennzeichen: value('reg'),
        Sitz: value('seat'),
        Klasse: classes({ economy: 'Eco', business: 'Business' }),
        Bemerkung: free,
      },
      { delimiter: ';', end: '\r\n', encode: windows1252 },
    ),
    `
2009-04-03 SXF GVA number=U24571 airline=EZY dep=07:05 arr=08:35 type=A319 reg=HB-JZK class=economy | Fluggesellschaft=easyJet ; Bemerkung=Ski – „Portes du Soleil“
2010-06-12 SXF ? airline=GMI dep=06:10 | Nach=Sardinien ; Fluggesellschaft=Germania
2011-08-05 TXL TFS number=AB2464 airline=BER dep=05:25 arr=09:15 type=B738 reg=D-ABKJ seat=22F class=economy | Fluggesellschaft=Air Berlin
2012-08-18 TXL ? number=AB2866 airline=BER dep=05:10 type=B738 class=economy | Nach=Kreta
2013-09-08 TXL MUC number=LH2033 airline=DLH dep=08:45 arr=09:50 type=A321 reg=D-AIST seat=22C class=economy
2013-09-09 MUC TXL number=LH2038 airline=DLH dep=17:45 arr=18:50 type=A321 reg=D-AIRA seat=15A class=economy
2013-10-27 TXL LIN number=AB8432 airline=BER dep=18:05 arr=20:10 type=DH8D reg=D-ABQA seat=4C class=economy | Flugzeug=Dash 8 Q400
2014-05-01 TXL MUC number=LH2033 airline=DLH dep=08:45 arr=09:50 type=A321 reg=D-AIST seat=24B class=economy
2014-05-03 MUC TXL number=LH2038 airline=DLH dep=17:45 arr=18:50 type=A321 reg=D-AIST seat=18D class=economy
2015-08-16 TXL CGN number=EW8051 airline=EWG dep=08:30 arr=09:35 type=A319 reg=D-AKNN seat=8F class=economy
2015-08-19 CGN TXL number=EW8058 airline=EWG dep=19:40 arr=20:45 type=A319 reg=D-AKNN seat=7F class=economy
2015-12-06 MUC LIN number=LH278 airline=DLH dep=21:10 arr=22:05 type=CRJ9 reg=D-ACKB seat=11A class=economy | Flugzeug=CRJ-900
2016-02-29 TXL VIE number=OS228 airline=AUA dep=20:30 arr=21:40 type=A320 reg=OE-LBT seat=5D class=business
2017-03-27 TXL MUC number=LH2033 airline=DLH dep=08:45 arr=09:50 type=A321 reg=D-AIST seat=25C class=economy
2017-04-02 MUC TXL number=LH2038 airline=DLH dep=17:45 arr=18:50 type=A321 reg=D-AIRA seat=8D class=economy
2017-07-08 DUS PMI number=DE1530 airline=CFG dep=03:55 arr=06:00 type=A321 reg=D-AIAH seat=31A class=economy
2017-09-30 ZRH TXL number=LX962 airline=OAW dep=06:55 arr=08:10 type=E190 reg=HB-JVO seat=12D class=economy | Fluggesellschaft=Helvetic Airways
2018-05-09 TXL ? number=AZ421 airline=AZA dep=11:35 type=A319 reg=EI-IMD seat=9C class=economy | Nach=Mailand
2019-03-14 TXL CGN number=EW8051 airline=EWG dep=08:30 arr=09:35 type=A319 reg=D-AKNN seat=21D class=economy
2019-03-16 CGN TXL number=EW8058 airline=EWG dep=19:40 arr=20:45 type=A319 reg=D-AKNN seat=21D class=economy
2019-04-03 TXL ZRH number=LX977 airline=SWR dep=11:20 arr=12:35 type=BCS3 reg=HB-JCH seat=7A class=economy
2019-07-02 SXF NCE number=EJU4573 airline=EJU dep=17:20 arr=19:05 type=A320 seat=6A class=economy | Fluggesellschaft=easyJet Europe
- total | Datum=Summe ; Bemerkung=22 Flüge
`,
  ),
  sample(
    'a',
    'English table of an American, month first, am and pm, a column for the mode',
    'travel log.csv',
    table({
      Date: date('M/D/Y'),
      Mode: kind({ flight: 'Flight', train: 'Train', bus: 'Bus', ferry: 'Ferry', cancelled: 'Flight' }),
      Carrier: airline,
      'Flight #': value('number'),
      From: codes.from,
      To: codes.to,
      Departs: time('dep', ampm),
      Arrives: time('arr', ampm),
      Aircraft: type,
      Seat: value('seat'),
      Notes: free,
    }),
    `
2016-07-31 BOS DCA number=B61753 airline=JBU dep=07:00 arr=08:15 type=E190
2016-08-06 DCA BOS number=B61954 airline=JBU dep=18:30 arr=19:45 type=E190
- train 2017-02-03 | From=Boston South Station ; To=New York Penn ; Departs=9:15 AM ; Arrives=12:55 PM ; Carrier=Amtrak
2017-03-31 BOS ORD number=UA517 airline=UAL dep=06:05 arr=07:15 type=A319
2017-04-02 ORD BOS number=UA768 airline=UAL dep=19:15 arr=22:25 type=A319
2017-04-12 JFK LHR number=VS4 airline=VIR dep=19:00 arr=07:00+1 type=A346 seat=61A | Aircraft=A340-600
- bus 2017-04-15 | From=London ; To=Oxford ; Carrier=Oxford Tube
2017-11-17 BOS DCA number=B61753 airline=JBU dep=07:00 arr=08:15 type=E190
2017-11-21 DCA BOS number=B61954 airline=JBU dep=18:30 arr=19:45 type=E190
2018-03-11 BOS SFO number=AS1377 airline=ASA dep=00:40 arr=04:15 type=A320 seat=3C | Notes=spring forward
2018-06-30 ? DCA number=B61755 airline=JBU dep=09:00 type=E190 | From=Bostn
2018-07-01 DCA BOS number=? airline=JBU type=A320 | Flight #=see calendar
2018-11-04 LAX BOS number=B6688 airline=JBU dep=23:55 arr=08:20+1 type=A321 seat=14F
2019-03-13 BOS DCA number=B61753 airline=JBU dep=07:00 arr=08:15 type=E190
2019-03-18 DCA BOS number=B61954 airline=JBU dep=18:30 arr=19:45 type=E190
2019-04-13 BOS MVY airline=KAP type=C402 | Carrier=Cape Air ; Aircraft=Cessna 402
- ferry 2019-04-14 | From=Vineyard Haven ; To=Woods Hole ; Carrier=Steamship Authority
2019-06-05 BOS ORD number=UA517 airline=UAL dep=06:05 arr=07:15 type=A319
2019-06-11 ORD BOS number=UA768 airline=UAL dep=19:15 arr=22:25 type=A319
2019-08-02 BOS PHX number=AA2123 airline=AAL dep=12:25 arr=14:15 type=A321 seat=10A | Departs=12:25 PM
2019-12-30 PHX BOS number=AA694 airline=AAL dep=00:35 arr=07:25 type=A321 | Flight #=AA 0694
`,
  ),
  sample(
    'a',
    'French table, UTF-16 with tabs, day first with slashes',
    'Mes vols.txt',
    table(
      {
        Date: date('DD/MM/Y'),
        'N° de vol': value('number'),
        Compagnie: airline,
        Départ: french.from,
        Arrivée: french.to,
        'Heure départ': time('dep'),
        'Heure arrivée': time('arr'),
        Avion: type,
        Siège: value('seat'),
        Classe: classes({ economy: 'Éco', business: 'Affaires', first: 'Première' }),
        Remarques: free,
      },
      { delimiter: '\t', end: '\r\n', encode: utf16 },
    ),
    `
2010-07-14 CDG CMN number=AT751 airline=RAM dep=21:55 arr=23:40 type=B738 seat=8A class=economy
2012-02-05 MRS ORY number=AF6009 airline=AFR dep=06:30 arr=07:45 type=A321 class=business | Remarques=grève "annoncée"
2013-03-10 ORY AJA number=XK251 airline=CCM dep=15:45 arr=17:20 type=A320 seat=14C class=economy
2013-09-10 ORY NCE number=AF6200 airline=AFR dep=07:15 arr=08:35 type=A320 seat=11A class=economy
2013-09-14 NCE ORY number=AF6219 airline=AFR dep=21:10 arr=22:30 type=A320 seat=26C class=economy
2015-03-22 ORY NCE number=AF6200 airline=AFR dep=07:15 arr=08:35 type=A320 seat=21D class=economy
2015-03-27 NCE ORY number=AF6219 airline=AFR dep=21:10 arr=22:30 type=A320 seat=7B class=economy
2015-05-24 NCE GVA number=U21361 airline=EZY dep=09:05 arr=09:55 type=A319 seat=28C class=economy
2015-05-28 GVA NCE number=U21362 airline=EZY dep=10:40 arr=11:30 type=A319 seat=22B class=economy
2015-12-08 CDG LIS number=TP433 airline=TAP dep=12:10 arr=13:25 type=A319 seat=21F class=economy
2016-07-16 NCE CDG number=AF7701 airline=AFR dep=09:50 type=A320 class=economy | Départ=Côte d’Azur
2016-11-05 CDG RUN number=AF652 airline=AFR dep=18:45 arr=09:15+1 type=B77W seat=36K class=economy
2017-03-28 ORY NCE number=AF6200 airline=AFR dep=07:15 arr=08:35 type=A320 seat=14D class=economy
2017-03-31 NCE ORY number=AF6219 airline=AFR dep=21:10 arr=22:30 type=A320 seat=23D class=economy
2017-06-12 ? BRU number=BA388 airline=BAW dep=10:00 | Départ=Londres
2017-12-29 NCE GVA number=U21361 airline=EZY dep=09:05 arr=09:55 type=A319 seat=15A class=economy
2018-01-04 GVA NCE number=U21362 airline=EZY dep=10:40 arr=11:30 type=A319 seat=22A class=economy
2018-10-11 ORY TUN number=TU717 airline=TAR dep=17:40 arr=18:55 type=A320 seat=3A class=economy | Compagnie=Tunisair
`,
  ),
  sample(
    'a',
    'Spanish table, nothing proves the order of day and month',
    'vuelos.csv',
    table(
      {
        Fecha: free,
        Vuelo: value('number'),
        Origen: codes.from,
        Destino: codes.to,
        Aerolínea: airline,
        Avión: type,
      },
      { delimiter: ';', encode: bom },
    ),
    `
2015-12-12 PMI BCN number=VY3923 airline=VLG type=A320 | Fecha=12/12/2015
2016-04-04 BCN PMI number=VY3902 airline=VLG type=A320 | Fecha=04/04/2016
? MAD BCN number=IB2102 airline=IBE type=A320 | Fecha=03/04/2016
? BCN MAD number=IB2127 airline=IBE type=A319 | Fecha=05/04/2016
? MAD LIS number=TP1013 airline=TAP type=E195 | Fecha=11/02/2015
? LIS MAD number=TP1012 airline=TAP type=AT76 | Fecha=12/02/2015
? MAD LPA number=UX9118 airline=AEA type=B738 | Fecha=07/01/2017
? LPA MAD number=UX9117 airline=AEA type=B788 | Fecha=10/01/2017
? MAD ORY number=VY8022 airline=VLG type=A320 | Fecha=02/09/2014
? ORY MAD number=VY8023 airline=VLG type=A320 | Fecha=06/09/2014
`,
  ),
  sample(
    'a',
    'Italian table, semicolons, names in Italian, cancelled rows',
    'voli.csv',
    table(
      {
        Data: date('D/M/Y'),
        Da: italian.from,
        A: italian.to,
        Volo: value('number'),
        Compagnia: airline,
        Partenza: time('dep', (clock) => clock.replace(':', '.')),
        Arrivo: time('arr', (clock) => clock.replace(':', '.')),
        Aereo: type,
        Posto: value('seat'),
        Stato: kind({ flight: 'volato', cancelled: 'cancellato' }),
        Note: free,
      },
      { delimiter: ';' },
    ),
    `
2009-05-30 MXP CAG number=IG1121 airline=ISS dep=21:45 arr=23:05 type=MD82 seat=12A | Compagnia=Meridiana
2012-01-06 LIN LGW number=U22802 airline=EZY dep=20:30 arr=21:05 type=A319 | Compagnia=easyJet
2014-01-30 LIN FCO number=AZ2039 airline=AZA dep=09:00 arr=10:05 type=A320
2014-02-04 FCO LIN number=AZ2112 airline=AZA dep=19:00 arr=20:05 type=A320
- cancelled 2014-11-13 LIN CDG number=AZ312 airline=AZA dep=08:05 arr=09:20 type=A320
2015-05-28 LIN CTA number=AZ1721 airline=AZA dep=07:35 arr=09:15 type=A319
2015-06-02 CTA LIN number=AZ1732 airline=AZA dep=21:20 arr=23:00 type=A319
2015-06-21 VCE MUC number=EN8207 airline=DLA dep=11:30 arr=12:25 type=E195 seat=7D | Compagnia=Air Dolomiti ; Aereo=Embraer 195
2015-07-30 LIN FCO number=AZ2039 airline=AZA dep=09:00 arr=10:05 type=A320
2015-08-03 FCO LIN number=AZ2112 airline=AZA dep=19:00 arr=20:05 type=A320
2016-05-02 LIN CTA number=AZ1721 airline=AZA dep=07:35 type=A319 | A=Catannia
2017-03-26 MXP ATH number=A3661 airline=AEE dep=10:35 arr=13:50 type=A320 seat=4F
2017-08-23 LIN CTA number=AZ1721 airline=AZA dep=07:35 arr=09:15 type=A319
2017-08-26 CTA LIN number=AZ1732 airline=AZA dep=21:20 arr=23:00 type=A319
2018-08-11 LIN ? number=IG1121 airline=ISS dep=10:15 type=B738 | A=Sardegna ; Compagnia=Meridiana
2019-07-01 LIN FCO number=AZ2039 airline=AZA dep=09:00 arr=10:05 type=A320
2019-07-03 FCO LIN number=AZ2112 airline=AZA dep=19:00 arr=20:05 type=A320
2019-10-27 FCO LIS number=TP837 airline=TAP dep=06:05 arr=07:45 type=A21N seat=19A | Aereo=A321neo
2021-10-20 LIN PMO number=AZ1771 airline=ITY dep=13:30 arr=15:00 type=A320 seat=9C | Compagnia=ITA
`,
  ),
  sample(
    'a',
    'English log, airlines by ICAO, years and months, status column',
    'Flights (old).csv',
    table(
      {
        When: date('Y-MM-DD'),
        Airline: value('airline'),
        'Flight No': value('number'),
        Origin: codes.from,
        Destination: codes.to,
        'Aircraft type': value('type'),
        Registration: value('reg'),
        Status: kind({ flight: 'Flown', cancelled: 'CANCELLED' }),
        Comments: free,
      },
      { before: 'My flights since 1988\n\n' },
    ),
    `
1988 LGW MLA airline=AMC
1991-08 LHR VHHX airline=CPA type=B742 | Destination=HKG
1996 SAL LAX airline=TAI
1999-05-22 LHR MAN airline=BMA type=B733 reg=G-OBMP
1999-05-25 MAN LHR airline=BMA type=B733 reg=G-ECAS
2003-02-20 LHR MAN airline=BMA type=B733 reg=G-ECAS
2003-02-24 MAN LHR airline=BMA type=B733 reg=G-ECAS
2003-10-24 JFK LHR number=BA2 airline=BAW type=CONC reg=G-BOAG | Comments=the last one
2005-06 LHR CAI airline=MSR
2005-09-06 LHR MAN airline=BMA type=B733 reg=G-ECAS
2005-09-10 MAN LHR airline=BMA type=B733 reg=G-OBMP
2007-08-21 TPE OKA number=CI120 airline=CAL type=B738 reg=B-18610
2008-10-07 LHR YYZ airline=ACA type=B763 reg=C-FCAB
2008-10-10 YYZ LHR airline=ACA type=B763 reg=C-FCAB
- cancelled 2010-04-16 LHR JFK number=BA117 airline=BAW type=B744
2011-09-09 LGW TUN number=TU791 airline=TAR type=A320 reg=TS-IMM | Airline=TAR
2012-09-27 LHR YYZ airline=ACA type=B763 reg=C-FCAE
2012-09-28 YYZ LHR airline=ACA type=B763 reg=C-FCAB
2013-05-05 LHR PEK number=CA938 airline=CCA type=A333 reg=B-6512
2014-02-08 SEA GEG airline=ASA | Comments=number lost
2015-01-21 LHR YYZ airline=ACA type=B763 reg=C-FCAE
2015-01-24 YYZ LHR airline=ACA type=B763 reg=C-FCAB
`,
  ),
  sample(
    'a',
    'Carrier and number in two columns, zeros, city and code in one cell',
    'flights_export_final.csv',
    table(
      {
        No: (leg) => String(leg.index + 1),
        'Flight Date': date('Y/MM/DD'),
        Carrier: iata,
        Number: (leg) => digits(leg).padStart(4, '0'),
        Origin: (leg) => `${leg.from} - ${city(leg.from)}`,
        Destination: (leg) => `${leg.to} - ${city(leg.to)}`,
        STD: time('dep', (clock) => clock.replace(':', '')),
        STA: time('arr', (clock) => clock.replace(':', '')),
        Block: duration,
        Equipment: (leg) => typeOf(leg.value.type!).iata,
        Cabin: classes({ economy: 'Y', business: 'J' }),
      },
      { delimiter: '|' },
    ),
    `
2016-12-31 SIN LHR number=SQ322 airline=SIA dep=23:45 arr=05:05+1 type=A388 class=business | STA=0505+1
2017-04-22 ICN SIN number=OZ751 airline=AAR dep=16:20 arr=21:15 type=A359 class=economy
2018-06-08 SIN CMB number=UL309 airline=ALK dep=20:05 arr=21:20 type=A320 class=economy
2018-07-13 SIN KUL number=SQ108 airline=SIA dep=10:35 arr=11:25 type=A333 class=economy
2018-07-19 KUL SIN number=SQ117 airline=SIA dep=18:10 arr=19:00 type=A333 class=economy
2019-01-11 SIN PER number=TR14 airline=TGW dep=09:30 arr=14:35 type=B788
2019-02-01 SIN HKG number=CX734 airline=CPA dep=08:00 arr=11:30 type=A333 class=economy
2019-02-02 HKG SIN number=CX735 airline=CPA dep=13:10 arr=16:40 type=A333 class=economy
2019-05-06 SIN KUL number=SQ106 airline=SIA dep=08:10 arr=09:00 type=A333 class=economy
2019-05-06 KUL SIN number=SQ107 airline=SIA dep=10:00 arr=10:50 type=A333 class=economy
2019-05-06 SIN KUL number=SQ126 airline=SIA dep=20:25 arr=21:15 type=A333 class=economy
2019-11-02 SIN SYD number=QF82 airline=QFA dep=19:30 arr=06:25+1 type=A388 class=economy | Number=82
2020-01-01 SYD SIN number=SQ212 airline=SIA dep=00:45 arr=05:40 type=B77W class=business
2020-09-20 SIN KUL number=SQ108 airline=SIA dep=10:35 arr=11:25 type=A333 class=economy
2020-09-25 KUL SIN number=SQ117 airline=SIA dep=18:10 arr=19:00 type=A333 class=economy
2021-03-25 SIN HKG number=CX734 airline=CPA dep=08:00 arr=11:30 type=A333 class=economy
2021-03-28 HKG SIN number=CX735 airline=CPA dep=13:10 arr=16:40 type=A333 class=economy
2022-04-17 SIN KUL number=SQ108 airline=SIA dep=10:35 arr=11:25 type=A333 class=economy
2022-04-18 KUL SIN number=SQ117 airline=SIA dep=18:10 arr=19:00 type=A333 class=economy
2022-11-27 HND SIN number=SQ635 airline=SIA dep=09:15 arr=15:00 type=B78X class=economy
`,
  ),
  sample(
    'b',
    'German table with tabs, month names, trains and ferries between',
    'Reisen.tsv',
    table(
      {
        Tag: date('D. MMM Y', GERMAN_MONTHS),
        Verkehrsmittel: kind({
          flight: 'Flugzeug',
          train: 'Bahn',
          bus: 'Fernbus',
          ferry: 'Fähre',
          car: 'Mietwagen',
        }),
        von: german.from,
        nach: german.to,
        Linie: value('number'),
        ab: time('dep'),
        an: time('arr'),
        Notiz: free,
      },
      { delimiter: '\t', encode: bom },
    ),
    `
2014-12-06 NUE DUS number=EW9385 airline=EWG dep=06:30 arr=07:25
2014-12-08 DUS NUE number=EW9382 airline=EWG dep=21:05 arr=22:00
2015-04-17 MUC KRK number=LH1624 airline=DLH dep=19:50 arr=21:05
2015-04-18 KRK MUC number=LH1625 airline=DLH dep=06:35 arr=07:50
- train 2015-06-03 | von=Nürnberg Hbf ; nach=München Hbf ; Linie=ICE 783
2015-06-03 MUC LUX number=LG9738 airline=LGL dep=17:50 arr=18:50
2016-07-21 NUE DUS number=EW9385 airline=EWG dep=06:30 arr=07:25
2016-07-26 DUS NUE number=EW9382 airline=EWG dep=21:05 arr=22:00
2016-09-17 MUC VCE number=EN8204 airline=DLA dep=07:10 arr=08:05
- ferry 2016-09-19 | von=Venedig ; nach=Patras ; Linie=Anek
2016-10-02 HER NUE number=DE1651 airline=CFG dep=22:40 arr=00:25+1 | Notiz=Ankunft nach Mitternacht
- bus 2017-03-01 | von=Prag ; nach=Nürnberg ; Linie=N70
2017-08-12 MUC ? number=LH1894 airline=DLH dep=09:15 | nach=Toskana
2017-08-26 MUC KRK number=LH1624 airline=DLH dep=19:50 arr=21:05
2017-08-28 KRK MUC number=LH1625 airline=DLH dep=06:35 arr=07:50
2018-02-17 MUC KRK number=? airline=? | Linie=siehe Kalender
2018-06-03 MUC SIN number=SQ327 airline=SIA dep=11:50 arr=06:10+1
- car 2018-07-21 | von=Graz ; nach=Wien
2019-03-31 GRZ MUC number=LH2239 airline=DLH dep=05:50 arr=06:40
2019-04-02 NUE DUS number=EW9385 airline=EWG dep=06:30 arr=07:25
2019-04-07 DUS NUE number=EW9382 airline=EWG dep=21:05 arr=22:00
2020-10-31 MUC ? number=LH1952 airline=DLH dep=18:05 | nach=Berlin
`,
  ),
  sample(
    'b',
    'American table, two-digit years, dashes, p for pm',
    'flights-dad.csv',
    table({
      'Dep Date': date('MM-DD-YY'),
      Airline: airline,
      Flt: digits,
      Dep: codes.from,
      Arr: codes.to,
      'Dep Time': time('dep', (clock) => ampm(clock).replace(' AM', 'a').replace(' PM', 'p')),
      'Arr Time': time('arr', (clock) => ampm(clock).replace(' AM', 'a').replace(' PM', 'p')),
      Equip: type,
      Tail: value('reg'),
      Class: classes({
        economy: 'Main Cabin',
        'economy+': 'Comfort+',
        business: 'Delta One',
        first: 'First',
      }),
    }),
    `
1998-07-21 ATL DFW number=DL1137 airline=DAL dep=09:10 arr=10:05 type=MD11 reg=N805DE class=economy
2001-08-13 ATL JAX number=DL697 airline=DAL dep=18:25 arr=19:25 type=B732 reg=N310DA class=economy
2006-04-13 ATL SLC number=DL1179 airline=DAL dep=12:05 arr=13:35 type=B764 reg=N825MH class=first
2011-02-14 SLC BOI number=DL4618 airline=DAL dep=22:20 arr=23:25 type=CRJ7 reg=N603SK class=economy | Equip=CRJ-700
2012-04-26 ATL BNA number=WN1187 airline=SWA dep=06:00 arr=05:55 type=B737 reg=N231WN
2012-04-29 BNA ATL number=WN2203 airline=SWA dep=21:55 arr=23:50 type=B737 reg=N8602F
2012-09-30 ATL MKE number=FL771 airline=TRS type=B712 | Airline=AirTran Airways
2013-02-15 ATL MCO number=DL1023 airline=DAL dep=08:40 arr=09:55 type=B752 reg=N6712B class=economy
2013-02-20 MCO ATL number=DL2150 airline=DAL dep=20:15 arr=21:30 type=B752 reg=N649DL class=economy
2013-06-01 ATL ? number=DL2511 airline=DAL dep=10:05 type=MD88 class=economy | Arr=XQZ
2014-11-27 ATL DTW number=DL1582 airline=DAL dep=23:30 arr=01:10+1 type=MD88 reg=N906DL class=economy
2015-02-20 ATL MCO number=DL1023 airline=DAL dep=08:40 arr=09:55 type=B752 reg=N649DL class=economy
2015-02-24 MCO ATL number=DL2150 airline=DAL dep=20:15 arr=21:30 type=B752 reg=N6712B class=economy
2016-04-30 ATL MCO number=DL1023 airline=DAL dep=08:40 arr=09:55 type=B752 reg=N6712B class=economy
2016-05-01 MCO ATL number=DL2150 airline=DAL dep=20:15 arr=21:30 type=B752 reg=N649DL class=economy
2016-07-15 ATL AMS number=DL74 airline=DAL dep=17:39 arr=08:29+1 type=A333 reg=N801NW class=economy+
2016-08-31 ATL BNA number=WN1187 airline=SWA dep=06:00 arr=05:55 type=B737 reg=N231WN
2016-09-01 BNA ATL number=WN2203 airline=SWA dep=21:55 arr=23:50 type=B737 reg=N8602F
2017-06-19 ATL BNA number=WN1187 airline=SWA dep=06:00 arr=05:55 type=B737 reg=N231WN
2017-06-24 BNA ATL number=WN2203 airline=SWA dep=21:55 arr=23:50 type=B737 reg=N8602F
2018-09-03 ATL JFK number=? airline=DAL type=B739 | Flt=ask Ann
2019-01-05 ATL CHA number=DL5403 airline=DAL dep=21:40 arr=22:20 type=CRJ9 reg=N181PQ class=economy | Equip=CRJ 900
- total | Dep Date=TOTAL ; Equip=21 flights
`,
  ),
  sample(
    'b',
    'French semicolons in Windows-1252, hours with dots, two airports of a city',
    'vols 2012-2019.csv',
    table(
      {
        Jour: date('D/M/Y'),
        De: french.from,
        À: french.to,
        Vol: value('number'),
        Décollage: time('dep', (clock) => clock.replace(':', '.')),
        Atterrissage: time('arr', (clock) => clock.replace(':', '.')),
        Appareil: type,
        Immatriculation: value('reg'),
        Statut: kind({ flight: 'effectué', cancelled: 'annulé' }),
        Observations: free,
      },
      { delimiter: ';', encode: windows1252 },
    ),
    `
2012-05-20 GVA LIS number=TP941 airline=TAP dep=13:10 arr=14:25 type=A320 reg=CS-TNP
2012-10-08 LYS BRU number=SN3588 airline=BEL dep=06:45 arr=07:55 type=RJ1H reg=OO-DWD
2012-10-12 BRU LYS number=SN3585 airline=BEL dep=18:05 arr=19:15 type=RJ1H reg=OO-DWJ
- cancelled 2013-06-12 LYS ORY number=AF7411 airline=AFR dep=06:50 arr=07:50 type=E170 reg=F-HBXC | Observations=grève des contrôleurs
2014-02-16 CDG RUN number=UU974 airline=REU type=B77W
2014-09-02 LYS BRU number=SN3588 airline=BEL dep=06:45 arr=07:55 type=RJ1H reg=OO-DWD
2014-09-08 BRU LYS number=SN3585 airline=BEL dep=18:05 arr=19:15 type=RJ1H reg=OO-DWJ
2015-03-29 LYS ? number=FR8346 airline=RYR dep=20:25 type=B738 reg=EI-EVT | À=Rome
2015-07-07 CDG MRS number=AF7660 airline=AFR dep=07:30 arr=08:45 type=A321 reg=F-GTAE
2015-07-09 MRS CDG number=AF7667 airline=AFR dep=20:40 arr=21:55 type=A321 reg=F-GTAE
2015-08-22 CDG FCO number=AZ319 airline=AZA dep=09:40 arr=11:30 type=A321 reg=EI-IXJ
2016-10-30 MRS AJA number=XK154 airline=CCM type=AT75
2017-08-05 LYS ? number=XK771 airline=CCM dep=11:40 type=A320 | À=Corse
2018-03-16 CDG MRS number=AF7660 airline=AFR dep=07:30 arr=08:45 type=A321 reg=F-GTAE
2018-03-22 MRS CDG number=AF7667 airline=AFR dep=20:40 arr=21:55 type=A321 reg=F-GTAE
2018-04-29 LYS BRU number=SN3588 airline=BEL dep=06:45 arr=07:55 type=RJ1H reg=OO-DWJ
2018-05-05 BRU LYS number=SN3585 airline=BEL dep=18:05 arr=19:15 type=RJ1H reg=OO-DWJ
2018-07-21 GVA NCE number=EZS1363 airline=EZS dep=10:40 arr=11:30 type=A319
2018-12-24 CMN CDG number=AT760 airline=RAM dep=07:15 arr=10:00 type=B738 reg=CN-ROS | Appareil=737-800
2019-07-13 LGW NCE number=U28341 airline=EZY dep=05:50 arr=08:30 type=A20N reg=G-UZHA | Appareil=A320neo
`,
  ),
  sample(
    'b',
    'Spanish, month names, hand-made with typos and unknown codes',
    'VUELOS familia.csv',
    table(
      {
        Fecha: date('DD-MMM-Y', SPANISH_MONTHS),
        Salida: codes.from,
        Llegada: codes.to,
        'Nº vuelo': value('number'),
        'Hora salida': time('dep'),
        'Hora llegada': time('arr'),
        Compañía: airline,
        Asiento: value('seat'),
        Pasajeros: free,
      },
      { delimiter: ';', end: '\r\n' },
    ),
    `
2009-04-13 MAD HAV number=IB6621 airline=IBE dep=17:25 arr=20:40 seat=33K
2010-06-16 SCQ MAD number=IB516 airline=IBE dep=07:20 arr=08:25
2010-06-18 MAD SCQ number=IB519 airline=IBE dep=21:40 arr=22:45
2010-12-03 VLC MAD number=YW8445 airline=ANE dep=15:50 arr=16:40 | Compañía=Air Nostrum ; Pasajeros=2
2011-07-31 BIO SVQ number=VY2511 airline=VLG dep=22:35 arr=23:55 seat=3A
2012-05-05 MAD ? number=AV11 airline=AVA dep=23:50 | Llegada=BOGO
2013-05-18 ? MAD number=IB6740 airline=IBE dep=20:10 | Salida=QQX
2013-11-14 SCQ MAD number=IB516 airline=IBE dep=07:20 arr=08:25
2013-11-19 MAD SCQ number=IB519 airline=IBE dep=21:40 arr=22:45
2014-05-18 MAD AGP number=UX5037 airline=AEA dep=08:05 arr=09:05
2014-05-21 AGP MAD number=UX5052 airline=AEA dep=23:00 arr=00:00+1
2014-09-09 MAD CUN number=EB997 airline=PLM dep=15:00 arr=17:50
2016-12-24 MAD CCS number=IB6673 airline=IBE dep=11:30 arr=15:15 seat=28A
2017-02-19 SCQ MAD number=IB516 airline=IBE dep=07:20 arr=08:25
2017-02-23 MAD SCQ number=IB519 airline=IBE dep=21:40 arr=22:45
2017-12-16 MAD AGP number=UX5037 airline=AEA dep=08:05 arr=09:05
2017-12-20 AGP MAD number=UX5052 airline=AEA dep=23:00 arr=00:00+1
2018-05-01 LIM MAD number=IB6650 airline=IBE dep=20:05 arr=14:45+1 seat=20D
`,
  ),
  sample(
    'b',
    'Italian, UTF-16, years of two digits',
    'Voli nonno.csv',
    table(
      {
        Giorno: date('DD.MM.YY'),
        Partenza: italian.from,
        Arrivo: italian.to,
        Vettore: airline,
        'Numero volo': value('number'),
        Aeromobile: type,
        Durata: free,
        Annotazioni: free,
      },
      { delimiter: ';', encode: utf16 },
    ),
    `
1989-05-13 FCO LGW number=DA2415 airline=DAN type=B462 | Vettore=Dan-Air
1993-06-06 FCO BRI number=AZ1603 airline=AZA type=A306 | Aeromobile=Airbus A300-600
1994-05-27 FCO CAG number=AZ1561 airline=AZA type=MD82
1994-06-02 CAG FCO number=AZ1568 airline=AZA type=MD82
1996-01-15 NAP MXP number=AZ1281 airline=AZA type=MD82
1996-01-18 MXP NAP number=AZ1286 airline=AZA type=MD82
1996-08-10 FCO ? number=AZ1779 airline=AZA type=MD82 | Arrivo=Sicilia
1998-12-20 MXP MUC number=LH3939 airline=DLH type=RJ85 | Aeromobile=Avro RJ85
1999-03-11 FCO CAG number=AZ1561 airline=AZA type=MD82
1999-03-13 CAG FCO number=AZ1568 airline=AZA type=MD82
2001-01-07 CIA STN number=FR3005 airline=RYR type=B738 | Vettore=Ryanair
2002-09-18 FCO CAG number=AZ1561 airline=AZA type=MD82
2002-09-21 CAG FCO number=AZ1568 airline=AZA type=MD82
2003-08-18 NAP MXP number=AZ1281 airline=AZA type=MD82
2003-08-20 MXP NAP number=AZ1286 airline=AZA type=MD82
2003-11-11 LIN PMO number=IG1173 airline=ISS type=MD82 | Vettore=Meridiana ; Aeromobile=MD-82
2004-08-08 BCN ? number=VY6102 airline=VLG type=A320 | Arrivo=Roma
2006-03-04 VCE PMO number=IV633 airline=JET type=A320 | Vettore=Wind Jet ; Aeromobile=A320
`,
  ),
  sample(
    'b',
    'English with a sep line, the order proved by one day, two records a day',
    'my flights 2019.csv',
    table(
      {
        Date: date('D/M/Y'),
        Flight: value('number'),
        From: english.from,
        To: english.to,
        'Off block': time('dep'),
        'On block': time('arr'),
        Operator: free,
        Type: type,
        Reg: value('reg'),
      },
      { delimiter: ';', before: 'sep=;\n' },
    ),
    `
2019-01-02 EDI LCY number=BA8701 airline=BAW dep=06:45 arr=07:55 type=E190 reg=G-LCYX
2019-01-02 LCY EDI number=BA8714 airline=BAW dep=19:20 arr=20:30 type=E190 reg=G-LCYS
2019-02-05 EDI LHR number=BA1431 airline=BAW dep=06:25 arr=07:35 type=A319 reg=G-EUPM
2019-02-05 LHR EDI number=BA1462 airline=BAW dep=20:40 arr=21:50 type=A320 reg=G-EUUB
2019-03-04 EDI SOU number=BE3045 airline=BEE dep=07:00 arr=08:35 type=DH8D reg=G-JECY | Type=Dash 8 Q400
2019-03-04 SOU EDI number=BE3050 airline=BEE dep=18:30 arr=20:05 type=DH8D reg=G-ECOE | Type=Dash-8 Q400
2019-04-06 EDI LGW number=U2804 airline=EZY dep=06:20 arr=07:30 type=A320 reg=G-EZUL
2019-04-08 LGW EDI number=U2811 airline=EZY dep=20:50 arr=22:00 type=A320 reg=G-EZOA
2019-05-07 GLA SYY number=LM439 airline=LOG dep=13:55 arr=14:55 type=SF34 reg=G-LGNC
2019-05-10 SYY GLA number=LM446 airline=LOG dep=15:25 arr=16:25 type=SF34 reg=G-LGNH
2019-06-03 EDI KEF number=U26945 airline=EZY dep=07:30 arr=08:40 type=A319 reg=G-EZBI
2019-07-09 EDI ? number=LS727 airline=EXS dep=07:00 type=B738 reg=G-JZBD | To=Tenerife
2019-07-23 TFS EDI number=LS728 airline=EXS dep=13:10 arr=17:30 type=B738 reg=G-JZHV
2019-08-24 EDI ? number=BE6831 airline=BEE dep=12:30 type=DH8D | To=Cotswolds
2019-09-12 EDI DUB number=EI3251 airline=EIN dep=07:15 arr=08:25 type=AT76 reg=EI-FAX | Operator=Stobart Air
2019-10-04 DUB EDI number=EI3256 airline=EIN dep=17:45 arr=18:55 type=AT76 reg=EI-GEV | Operator=Stobart Air
2019-12-03 EDI IST number=TK1344 airline=THY dep=17:05 arr=23:55 type=B738 reg=TC-JVL
`,
  ),
  sample(
    'b',
    'English, wet leases and dates like 17MAY24',
    'log.csv',
    table(
      {
        DATE: date('DDMMMYY', ENGLISH_MONTHS.toUpperCase()),
        FLT: value('number'),
        DEP: codes.from,
        ARR: codes.to,
        STD: time('dep', (clock) => clock.replace(':', '')),
        STA: time('arr', (clock) => clock.replace(':', '')),
        AIRLINE: airline,
        TYPE: value('type'),
        REG: value('reg'),
        SEAT: value('seat'),
        REMARKS: free,
      },
      { delimiter: '\t', end: '\r\n' },
    ),
    `
2021-08-14 AMS GOT number=KL1153 airline=KLM dep=07:05 arr=08:30 type=E190 reg=PH-EZL
2021-08-15 GOT AMS number=KL1156 airline=KLM dep=17:20 arr=18:45 type=E190 reg=PH-EZW
2022-06-10 AMS BUD number=KL1973 airline=KLM dep=09:30 arr=11:25 type=B738 reg=PH-BXA
2022-06-13 BUD AMS number=KL1978 airline=KLM dep=19:05 arr=21:00 type=B738 reg=PH-HSG
2022-07-02 AMS DUB number=KL935 airline=CFE dep=08:55 arr=09:20 type=E190 reg=G-LCAA seat=3A | AIRLINE=BA CityFlyer ; REMARKS=wet lease
- train 2023-01-14 | DEP=AMS ; ARR=ZWE ; FLT=KL9421 ; TYPE=Train ; AIRLINE=KLM
2023-02-21 AMS GOT number=KL1153 airline=KLM dep=07:05 arr=08:30 type=E190 reg=PH-EZL
2023-02-26 GOT AMS number=KL1156 airline=KLM dep=17:20 arr=18:45 type=E190 reg=PH-EZL
2023-06-18 AMS SPU number=HV5581 airline=TRA dep=06:50 arr=08:50 type=B738 seat=12F
2023-10-29 RTM AGP number=HV6043 airline=TRA dep=06:15 arr=08:55 type=B738 reg=PH-HZG seat=22F
2024-02-28 AMS GOT number=KL1153 airline=KLM dep=07:05 arr=08:30 type=E190 reg=PH-EZW
2024-02-29 AMS JRO number=KL569 airline=KLM dep=10:15 arr=20:50 type=B78X reg=PH-BKC seat=31A
2024-03-03 GOT AMS number=KL1156 airline=KLM dep=17:20 arr=18:45 type=E190 reg=PH-EZW
2024-05-17 AMS JNB number=KL591 airline=KLM dep=10:25 arr=21:30 type=B77W reg=PH-BVA seat=12C
2024-11-08 AMS BUD number=KL1973 airline=KLM dep=09:30 arr=11:25 type=B738 reg=PH-BXA
2024-11-11 BUD AMS number=KL1978 airline=KLM dep=19:05 arr=21:00 type=B738 reg=PH-HSG
2024-12-31 BKK AMS number=KL844 airline=KLM dep=22:20 arr=03:40+1 type=B77W reg=PH-BVK seat=50H | STA=0340+1
2025-08-30 AMS SVG number=KL1197 airline=KLM dep=09:30 arr=10:50 type=E290
2026-12-27 AMS CPT number=KL597 airline=KLM dep=10:05 arr=23:00 type=B77W
`,
  ),
  sample(
    'a',
    'English table, small days and months, am and pm alone prove the order',
    'Mileage run.csv',
    table({
      Date: date('M/D/Y'),
      Airline: iata,
      Flight: digits,
      From: codes.from,
      To: codes.to,
      Dep: time('dep', ampm),
      Arr: time('arr', ampm),
      Miles: free,
    }),
    `
2017-01-05 SFO ORD number=UA1541 airline=UAL dep=06:15 arr=12:15
2017-01-05 ORD MIA number=UA367 airline=UAL dep=13:40 arr=17:25
2017-01-06 MIA ORD number=UA1089 airline=UAL dep=07:00 arr=08:45
2017-01-06 ORD SFO number=UA681 airline=UAL dep=18:25 arr=20:25
2017-02-03 SFO BOS number=UA1175 airline=UAL dep=22:55 arr=07:30+1
2017-02-05 BOS SFO number=UA477 airline=UAL dep=17:10 arr=19:45
2017-06-04 SFO HNL number=UA1175 airline=UAL dep=09:25 arr=11:25 | Miles=2,398
2017-07-06 HNL GUM number=UA201 airline=UAL dep=14:40 arr=18:20+1
2017-07-12 GUM HNL number=UA200 airline=UAL dep=07:35 arr=19:15-1
2017-09-08 SFO SIN number=UA1 airline=UAL dep=22:55 arr=06:25+2
2017-10-11 SIN SFO number=UA2 airline=UAL dep=09:25 arr=10:55
2017-12-07 OAK SEA number=AS347 airline=ASA dep=18:05 arr=19:50
`,
  ),
  sample(
    'a',
    'English table, airports by their everyday names',
    'Where we have been.csv',
    table(
      {
        Year: free,
        Date: date('Y-MM-DD'),
        From: spoken.from,
        To: spoken.to,
        Flight: value('number'),
        Plane: type,
        Notes: free,
      },
      { encode: bom },
    ),
    `
1997-04-11 LHR WMSA number=MH1 airline=MAS type=B744
2002-05-18 LIN LHR number=BA563 airline=BAW type=A319
2003-09-02 LHR ORD number=BA295 airline=BAW type=B744
2003-09-09 HOU DAL number=WN30 airline=SWA type=B733
2004-10-15 DCA LGA number=US2168 airline=USA type=A319
2005-08-20 SVO LHR number=SU241 airline=AFL type=A321
2006-03-25 NRT LHR number=VS901 airline=VIR type=A346
2007-06-30 HHN STN number=FR757 airline=RYR type=B738
2009-10-10 LTBA LHR number=TK1991 airline=THY type=A321
2013-02-14 TFS LGW number=BA2703 airline=BAW type=B734
2014-08-30 LHR ? number=BA682 airline=BAW type=A319 | To=Turkish Riviera
2016-01-16 LGW ? number=U28871 airline=EZY type=A320 | To=Positano
2018-07-07 MDW LGA number=WN1515 airline=SWA type=B737
2018-07-14 JFK ? number=B661 airline=JBU type=A320 | To=Hamptons
`,
  ),
  sample(
    'b',
    'English table whose days prove both orders, the European one more often',
    'flightlist-merged.csv',
    table({
      date: date('D/M/Y'),
      flightno: value('number'),
      origin: codes.from,
      destination: codes.to,
      aircraft: type,
      seat: value('seat'),
    }),
    `
2016-01-09 AMS CPH number=KL1125 airline=KLM type=B738 seat=8A
2016-01-21 CPH AMS number=KL1128 airline=KLM type=B737 seat=12C
2016-05-14 AMS NCE number=KL1261 airline=KLM type=B738 seat=22F
2016-05-19 NCE AMS number=KL1264 airline=KLM type=B739 seat=7A
2016-10-03 AMS LIS number=TP675 airline=TAP type=A320 seat=19D
2016-10-27 LIS AMS number=TP674 airline=TAP type=A319 seat=4A
2017-02-11 AMS INN number=HV6421 airline=TRA type=B738 seat=3C
2017-02-18 INN AMS number=HV6422 airline=TRA type=B738 seat=3D
2017-07-30 AMS DPS number=KL835 airline=KLM type=B77W seat=40H
2017-08-22 DPS AMS number=KL836 airline=KLM type=B77W seat=41A
? AMS JFK number=KL641 airline=KLM type=B744 seat=31A | date=4/25/2017
`,
  ),
  sample(
    'b',
    'English table, the second airport of a city by its everyday name',
    'cities_we_flew.csv',
    table(
      {
        Day: date('D MMM Y', ENGLISH_MONTHS),
        Departure: spoken.from,
        Destination: spoken.to,
        'Flight number': value('number'),
        'Aircraft type': type,
        Remarks: free,
      },
      { delimiter: ';' },
    ),
    `
1999-05-07 THF BRU number=SN2585 airline=SAB type=RJ85
2004-03-19 CRL GRO number=FR6042 airline=RYR type=B738
2005-09-16 BGY STN number=FR3411 airline=RYR type=B738
2008-02-08 GMP HND number=KE2707 airline=KAL type=B744
2009-11-20 TSA KNH number=B78817 airline=UIA type=DH8C | Aircraft type=DHC-8-300
2011-03-04 CGH SDU number=JJ3920 airline=TAM type=A319
2012-10-26 AEP SCL number=AR1270 airline=ARG type=B738
2013-12-13 DMK HKT number=FD3029 airline=AIQ type=A320
2014-06-06 BMA GOT number=TF201 airline=SCW type=RJ1H
2016-09-30 YTZ EWR number=PD131 airline=POE type=DH8D
2017-05-12 TRF STN number=FR9817 airline=RYR type=B738
2018-03-23 SHA PEK number=MU5101 airline=CES type=A333
2019-10-18 LCY ? number=BA8763 airline=BAW type=E190 | Destination=Tuscany
2019-11-01 ? LCY number=BA8764 airline=BAW type=E190 | Departure=Marbella
`,
  ),
]

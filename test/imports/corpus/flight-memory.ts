// FlightMemory's page "FlightData" as browsers save it: one table, several lines in a cell, windows-1252.
import {
  airlineOf,
  clockOf,
  digitsOf,
  kmOf,
  type Leg,
  minutesOf,
  placeOf,
  sample,
  typeOf,
  windows1252,
} from './life.ts'
import type { Sample } from './sample.ts'

interface Form {
  /** German heading texts, or English ones. */
  german?: boolean
  /** `MM-DD-YYYY` instead of `DD.MM.YYYY`. */
  american?: boolean
  /** am and pm. */
  twelve?: boolean
  miles?: boolean
  /** Upper-case tags without quotes, as old browsers saved them. */
  shout?: boolean
}

const ENGLISH = ['No', 'Date', 'Departure', 'Arrival', 'Distance', 'Airline', 'Aircraft', 'Seat', 'Options']
const GERMAN = [
  'Nr',
  'Datum',
  'Abflug',
  'Ankunft',
  'Distanz',
  'Fluggesellschaft',
  'Flugzeug',
  'Sitz',
  'Optionen',
]
const CLASSES: Record<string, string> = {
  economy: 'Economy',
  'economy+': 'EconomyPlus',
  business: 'Business',
  first: 'First',
}
/** Cells that a line may name. */
const CELLS = [
  'date',
  'dep',
  'arr',
  'from',
  'to',
  'distance',
  'airline',
  'aircraft',
  'seat',
  'comment',
  'class',
]

function dateText(date: string, form: Form): string {
  const [year, month, day] = date.split('-')
  if (day === undefined) return month === undefined ? year! : `${month}.${year}`
  return form.american ? `${month}-${day}-${year}` : `${day}.${month}.${year}`
}

function timeText(time: string, form: Form): string {
  if (!/^\d/.test(time)) return ''
  const [clock = '', shift = ''] = time.split(/(?=[+-]\d$)/)
  const hour = Number(clock.slice(0, 2))
  const twelve = `${hour % 12 || 12}${clock.slice(2, 5)} ${hour < 12 ? 'am' : 'pm'}`
  return `${form.twelve ? twelve : clock}${shift ? ` ${shift}` : ''}`
}

function placeText(code: string): [string, string] {
  const { iata, icao, city, country, name } = placeOf(code)
  return [iata || icao, [city, country, name].filter(Boolean).join('<br>')]
}

function cellsOf(leg: Leg, form: Form): string[] {
  const { value, cells } = leg
  for (const name of Object.keys(cells)) if (!CELLS.includes(name)) throw new Error(`No such cell: ${name}`)
  const minutes = minutesOf(leg)
  const length = form.miles ? Math.round(kmOf(leg) / 1.609344) : kmOf(leg)
  const unit = form.miles ? 'mi' : 'km'
  const thousands = length.toLocaleString('en-US')
  const dates = [
    cells.date ?? dateText(leg.date, form),
    cells.dep ?? timeText(value.dep!, form),
    cells.arr ?? timeText(value.arr!, form),
  ]
  const from = placeText(leg.from)
  const to = placeText(leg.to)
  const airline = [value.airline ? airlineOf(value.airline).name : '', digitsOf(value.number!)]
  const plane = [value.type ? typeOf(value.type).name.replace('Airbus A3', 'Airbus 3') : '', value.reg!]
  const seat = value.seat ? `${value.seat}/${/[AFK]$/.test(value.seat) ? 'Window' : 'Aisle'}` : ''
  const role = [CLASSES[value.class!] ?? '', 'Passenger', leg.index % 2 ? 'Personal' : 'Business'].filter(
    Boolean,
  )
  return [
    String(leg.index + 1),
    dates.filter(Boolean).join('<br>'),
    cells.from ?? `<b>${from[0]}</b>`,
    from[1],
    cells.to ?? `<b>${to[0]}</b>`,
    to[1],
    cells.distance ??
      `<table><tr><td>${thousands}</td><td>${unit}</td></tr><tr><td>${minutes === undefined ? '' : clockOf(minutes)}</td><td>h</td></tr></table>`,
    cells.airline ?? airline.filter(Boolean).join('<br>'),
    cells.aircraft ?? plane.filter(Boolean).join('<br>'),
    [cells.seat ?? seat, cells.class ?? role.join('<br>')].filter(Boolean).join('<br>'),
    cells.comment ? `<img src="i/note.gif" title="Comment: ${cells.comment}">` : '&nbsp;',
  ]
}

function rowOf(leg: Leg, form: Form): string {
  if (leg.raw !== undefined) return leg.raw
  const future = leg.date > '2026-11-19' ? ' class="liste_gruen"' : ' class="liste"'
  const cells = cellsOf(leg, form).map((cell) => `<td${future}>${cell}</td>`)
  return `<tr valign="top">${cells.join('')}</tr>`
}

export const page = (form: Form) => (legs: Leg[]) => {
  const headings = form.german ? GERMAN : ENGLISH
  const spans = headings.map((text, at) => `<th${at === 2 || at === 3 ? ' colspan="2"' : ''}>${text}</th>`)
  const html = `<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><title>FlightMemory - FlightData</title></head>
<body><table border="0"><tr><td><a href="/index.php">FlightMemory</a></td></tr></table>
<table border="0" cellspacing="2">
<tr>${spans.join('')}</tr>
${legs.map((leg) => rowOf(leg, form)).join('\n')}
</table></body></html>
`
  return windows1252(form.shout ? shouted(html) : html)
}

function shouted(html: string): string {
  return html
    .replace(/<(\/?)(\w+)/g, (_, slash: string, tag: string) => `<${slash}${tag.toUpperCase()}`)
    .replace(/(colspan|class|valign|cellspacing|border)="(\w+)"/g, '$1=$2')
    .replaceAll('</TD>', '')
}

export const flightMemory: Sample[] = [
  sample(
    'a',
    'FlightMemory, German page, dots, years only',
    'FlightMemory - FlightData.html',
    page({ german: true }),
    `
2027-01-09 MUC BKK number=LH772 airline=DLH dep=21:55 arr=14:45+1 type=A359 seat=30A class=economy+
2015-02-20 TXL STR number=4U2093 airline=GWI dep=18:55 arr=20:00 type=A319 reg=D-AKNP seat=10E class=economy
2015-02-17 STR TXL number=4U2082 airline=GWI dep=06:40 arr=07:45 type=A319 reg=D-AKNP seat=24D class=economy
2013-02-08 HAM MUC number=LH2085 airline=DLH dep=20:15 arr=21:25 type=A319 reg=D-AILA seat=3C class=business
2013-02-07 MUC HAM number=LH2062 airline=DLH dep=07:30 arr=08:40 type=A319 reg=D-AILA seat=3D class=business
2012-03-25 MUC DBV number=LH1716 airline=DLH dep=09:10 arr=10:40 type=CRJ9 reg=D-ACKL seat=14A class=economy | aircraft=Canadair CRJ-900<br>D-ACKL ; comment=Sommerzeit begann
2012-03-02 TXL STR number=4U2093 airline=GWI dep=18:55 arr=20:00 type=A319 reg=D-AKNP seat=21F class=economy
2012-02-27 STR TXL number=4U2082 airline=GWI dep=06:40 arr=07:45 type=A319 reg=D-AKNP seat=9A class=economy
2010-12-19 TXL STR number=4U2093 airline=GWI dep=18:55 arr=20:00 type=A319 reg=D-AKNP seat=14D class=economy
2010-12-13 STR TXL number=4U2082 airline=GWI dep=06:40 arr=07:45 type=A319 reg=D-AKNP seat=15E class=economy
2009-12-12 MUC PRG number=OK527 airline=CSA dep=20:20 arr=21:20 type=AT45 reg=OK-KFO seat=5C class=economy
2009-02-01 HAM MUC number=LH2085 airline=DLH dep=20:15 arr=21:25 type=A319 reg=D-AILB seat=3A class=business
2009-01-29 MUC HAM number=LH2062 airline=DLH dep=07:30 arr=08:40 type=A319 reg=D-AILB seat=1F class=business
2008-08-24 MUC LUKK number=9U824 airline=MLD type=F70 | to=<b>KIV</b> ; airline=Air Moldova<br>9U 824
2006-03-02 HAM MUC number=LH2085 airline=DLH dep=20:15 arr=21:25 type=A319 reg=D-AILB seat=4C class=business
2006-03-01 MUC HAM number=LH2062 airline=DLH dep=07:30 arr=08:40 type=A319 reg=D-AILB seat=2A class=business
2005-11-11 EWR MUC number=LH411 airline=DLH dep=22:00 arr=12:10+1 type=A343 reg=D-AIGC seat=3A class=first
2004-05-05 MUC EWR number=LH410 airline=DLH dep=12:05 arr=14:15 type=A343 reg=D-AIGB seat=2K class=first | aircraft=Airbus 340-300<br>D-AIGB<br>Recklinghausen ; comment=Erster Flug in First
2001 LIS MUC airline=TAP
2001 MUC LIS airline=TAP
2001 MUC LIS airline=TAP
1998 MUC LGAT airline=OAL | airline=Olympic Airways ; to=<b>ATH</b>
`,
  ),
  sample(
    'a',
    'FlightMemory, American page with dashes, miles, am and pm',
    'flightdata.htm',
    page({ american: true, twelve: true, miles: true }),
    `
1989 ORD LHR airline=TWA type=B742
1994-06-07 STL DFW number=TW303 airline=TWA dep=00:10 arr=01:40 type=B732 reg=N505TW seat=9A class=economy
1999-05-06 DEN ORD number=UA234 airline=UAL dep=12:30 arr=15:40 type=B752 reg=N505UA seat=10F class=economy
2003-11-12 ORD CMH number=UA7705 airline=SKW dep=21:40 arr=23:45 type=CRJ7 reg=N501MJ class=economy | airline=SkyWest Airlines<br>UA 7705 ; aircraft=Canadair CRJ-700<br>N501MJ
2005-07-08 ORD NRT number=NH11 airline=ANA dep=12:00 arr=14:20+1 type=B77W reg=JA731A seat=20A class=economy | airline=ANA All Nippon Airways<br>11
2006-01-02 NRT HNL number=JL74 airline=JAL dep=20:45 arr=09:30 type=B742 seat=3A class=business
2007-01-11 ORD LGA number=AA320 airline=AAL dep=07:00 arr=09:55 type=MD82 reg=N7531A seat=19A class=economy
2007-01-15 LGA ORD number=AA341 airline=AAL dep=17:30 arr=18:25 type=MD82 reg=N7531A seat=13B class=economy
2009-02-21 ORD MKE number=UA5904 airline=UAL dep=12:05 arr=12:45 type=CRJ2 reg=N903SW
2009-02-22 MKE ORD number=UA5911 airline=UAL dep=12:55 arr=13:35 type=CRJ2 reg=N903SW
2009-03-08 ORD PHX number=WN410 airline=SWA dep=01:00 arr=03:15 type=B733 reg=N391SW
2010-04-13 ORD LGA number=AA320 airline=AAL dep=07:00 arr=09:55 type=MD82 reg=N7531A seat=15B class=economy
2010-04-17 LGA ORD number=AA341 airline=AAL dep=17:30 arr=18:25 type=MD82 reg=N7522A seat=16D class=economy
2010-11-21 ORD MKE number=UA5904 airline=UAL dep=12:05 arr=12:45 type=CRJ2 reg=N903SW
2010-11-24 MKE ORD number=UA5911 airline=UAL dep=12:55 arr=13:35 type=CRJ2 reg=N903SW
2011-02-10 MSP ORD number=DL1612 airline=DAL dep=16:20 arr=17:30 type=MD80 reg=N912DE seat=14D class=economy | aircraft=MD-80<br>N912DE
2012-11-07 ORD LGA number=AA320 airline=AAL dep=07:00 arr=09:55 type=MD82 reg=N7531A seat=24E class=economy
2012-11-13 LGA ORD number=AA341 airline=AAL dep=17:30 arr=18:25 type=MD82 reg=N7531A seat=22F class=economy
2013-12-31 ORD MIA number=AA1543 airline=AAL dep=23:15 arr=03:00+1 type=B738 reg=N823NN seat=21F class=economy
`,
  ),
  sample(
    'a',
    'FlightMemory, shouting tags, umlauts, cockpit and crew',
    'FlightData.html',
    page({ shout: true, german: true }),
    `
1996-09-01 ZRH JFK number=SR100 airline=SWR type=MD11 reg=HB-IWA | airline=Swissair<br>100
2003-06-08 ZRH MUC number=LX1100 airline=SWR dep=07:05 arr=07:55 type=E145 reg=HB-JAN seat=4A class=economy
2005-05-05 ZRH KEF number=LX4512 airline=SWR dep=22:50 arr=00:25+1 type=A320 reg=HB-IJI seat=30F class=economy | comment=Mitternachtssonne &amp; Geysir – schön
2007-10-28 ZRH LIS number=TP925 airline=TAP dep=11:05 arr=12:35 type=A319 reg=CS-TTB seat=12C class=economy
2008-09-22 ZRH GVA number=LX2802 airline=SWR dep=07:10 arr=07:55 type=A320 reg=HB-IJL seat=26F class=economy
2008-09-23 GVA ZRH number=LX2817 airline=SWR dep=21:30 arr=22:15 type=A320 reg=HB-IJL seat=7D class=economy
2010-04-20 GVA LUG number=F71523 airline=DWT type=SB20 | airline=Darwin Airline<br>1523
2011-11-17 ZRH DUS number=LX1024 airline=SWR dep=17:15 arr=18:15 type=RJ1H reg=HB-IXN seat=11C class=economy
2011-11-21 DUS ZRH number=LX1025 airline=SWR dep=19:35 arr=20:35 type=RJ1H reg=HB-IXN seat=21C class=economy
2012-01-18 ZRH GVA number=LX2802 airline=SWR dep=07:10 arr=07:55 type=A320 reg=HB-IJL seat=11E class=economy
2012-01-23 GVA ZRH number=LX2817 airline=SWR dep=21:30 arr=22:15 type=A320 reg=HB-IJB seat=29C class=economy
2012-09-02 BRN MUC number=LH2249 airline=DLH dep=06:30 arr=07:40 type=D328 reg=HB-AES seat=3A class=economy | aircraft=Dornier 328<br>HB-AES
2013-03-28 ZRH GVA number=LX2802 airline=SWR dep=07:10 arr=07:55 type=A320 reg=HB-IJL seat=22D class=economy
2013-03-30 GVA ZRH number=LX2817 airline=SWR dep=21:30 arr=22:15 type=A320 reg=HB-IJL seat=17E class=economy
2013-12-26 ZRH DUS number=LX1024 airline=SWR dep=17:15 arr=18:15 type=RJ1H reg=HB-IYS seat=19F class=economy
2014-01-01 DUS ZRH number=LX1025 airline=SWR dep=19:35 arr=20:35 type=RJ1H reg=HB-IYS seat=25C class=economy
2014-02-28 ZRH ZRH dep=14:00 arr=15:10 type=P28A reg=HB-PPX | airline= ; class=Cockpit<br>Personal
2015-01-02 ZRH TXL number=AB8201 airline=BER dep=07:25 arr=08:40 type=A320 reg=D-ABDQ seat=2F class=economy
2015-07-25 ZRH DUS number=LX1024 airline=SWR dep=17:15 arr=18:15 type=RJ1H reg=HB-IYS seat=25E class=economy
2015-07-31 DUS ZRH number=LX1025 airline=SWR dep=19:35 arr=20:35 type=RJ1H reg=HB-IYS seat=24B class=economy
`,
  ),
  sample(
    'b',
    'FlightMemory, English page of a Brit, day shift, shuttles',
    'FlightMemory - FlightData.html',
    page({}),
    `
2014-08-07 LTN PRN number=W64515 airline=WZZ type=A320 | airline=Wizz Air<br>W6 4515
2014-03-09 AGP LGW number=U28604 airline=EZY dep=11:10 arr=12:35 type=A319 reg=G-EZIS seat=17C class=economy
2014-03-06 LGW AGP number=U28601 airline=EZY dep=06:20 arr=09:45 type=A319 reg=G-EZBA seat=9D class=economy
2013-09-09 LHR DUB number=EI153 airline=EIN dep=08:40 arr=09:40 type=A320 reg=EI-DVM seat=8C class=economy | airline=Aer Lingus<br>EI 153
2011-08-06 AGP LGW number=U28604 airline=EZY dep=11:10 arr=12:35 type=A319 reg=G-EZIS seat=20B class=economy
2011-08-02 LGW AGP number=U28601 airline=EZY dep=06:20 arr=09:45 type=A319 reg=G-EZIS seat=13A class=economy
2011-06-09 INV LGW number=BE1852 airline=BEE dep=06:45 arr=08:40 type=DH8D reg=G-JEDM seat=14A class=economy | aircraft=De Havilland Canada Dash 8 Q400<br>G-JEDM
2010-06-12 EDI LHR number=BA1465 airline=BAW dep=20:40 arr=21:50 type=A319 reg=G-EUPA seat=15B class=economy
2010-06-11 LHR EDI number=BA1432 airline=BAW dep=07:25 arr=08:35 type=A319 reg=G-EUOA seat=16C class=economy
2010-06-01 LHR LAX number=NZ1 airline=ANZ dep=16:15 arr=19:05 type=B744 reg=ZK-NBT seat=55K class=economy
2010-05-21 AGP LGW number=U28604 airline=EZY dep=11:10 arr=12:35 type=A319 reg=G-EZBA seat=15A class=economy
2010-05-20 LGW AGP number=U28601 airline=EZY dep=06:20 arr=09:45 type=A319 reg=G-EZBA seat=10E class=economy
2009-07-22 EDI LHR number=BA1465 airline=BAW dep=20:40 arr=21:50 type=A319 reg=G-EUPA seat=19D class=economy
2009-07-17 LHR EDI number=BA1432 airline=BAW dep=07:25 arr=08:35 type=A319 reg=G-EUOA seat=26D class=economy
2006-08-26 EDI LHR number=BA1465 airline=BAW dep=20:40 arr=21:50 type=A319 reg=G-EUPA seat=19A class=economy
2006-08-22 LHR EDI number=BA1432 airline=BAW dep=07:25 arr=08:35 type=A319 reg=G-EUOA seat=21F class=economy
2006-02-14 ANR LCY number=VG228 airline=VLM dep=18:45 arr=18:50 type=F50 reg=OO-VLO seat=3C class=business
2006-02-14 LCY ANR number=VG221 airline=VLM dep=08:10 arr=10:15 type=F50 reg=OO-VLJ seat=2A class=business
2004-10-31 LHR SYD number=BA15 airline=BAW dep=22:15 arr=05:45+2 type=B744 reg=G-BNLO seat=35H class=economy+
1999-01-04 HKG LHR number=CX255 airline=CPA dep=23:30 arr=03:20+1 type=B744 reg=B-HOS seat=48A class=economy
1996-12-30 LHR VHHX number=CX250 airline=CPA dep=21:40 arr=17:30+1 type=B744 reg=VR-HOR seat=61K class=economy | from=<b>LHR</b> ; to=<b>HKG</b>
1991 LHR PEK airline=BAW type=B742
`,
  ),
  sample(
    'b',
    'FlightMemory, American page, thousands of miles, no seat',
    'flightmemory3.html',
    page({ american: true, miles: true }),
    `
1992 SEA NRT airline=NWA type=DC10
1999-07-04 SEA YKM airline=SKW type=E120 | airline=SkyWest Airlines ; aircraft=Embraer 120
2000-02-29 SEA LHR number=BA48 airline=BAW dep=18:25 arr=12:00+1 type=B744 reg=G-CIVB
2001-12-11 SEA KEF number=FI680 airline=ICE dep=16:30 arr=07:50+1 type=B752 reg=TF-FII seat=21A class=economy
2003-05-03 SEA PDX number=QX2217 airline=QXE dep=12:10 arr=13:05 type=DH8B reg=N358PH seat=4C class=economy | aircraft=Bombardier Dash 8 Q200<br>N358PH
2004-04-05 SFO AKL number=NZ7 airline=ANZ dep=19:15 arr=03:05+2 type=B744 reg=ZK-SUI seat=51A class=economy
2004-04-30 AKL SFO number=NZ8 airline=ANZ dep=19:30 arr=13:20 type=B744 reg=ZK-SUI seat=51K class=economy
2005-03-25 SEA OAK number=AS342 airline=ASA dep=06:00 arr=07:45 type=B734 reg=N784AS seat=8D class=economy
2005-03-26 OAK SEA number=AS349 airline=ASA dep=21:10 arr=22:55 type=B734 reg=N760AS seat=7E class=economy
2006-06-07 SEA BFI type=BE36 reg=N36WA | from=<b>SEA</b> ; aircraft=Beechcraft Bonanza 36<br>N36WA ; airline=
2006-09-26 PDX LAX number=AS574 airline=ASA dep=08:30 arr=10:35 type=MD83 reg=N976AS seat=8F class=economy
2006-09-27 LAX PDX number=AS551 airline=ASA dep=19:00 arr=21:05 type=MD83 reg=N976AS seat=20E class=economy
2007-11-20 SEA OAK number=AS342 airline=ASA dep=06:00 arr=07:45 type=B734 reg=N784AS seat=8C class=economy
2007-11-25 OAK SEA number=AS349 airline=ASA dep=21:10 arr=22:55 type=B734 reg=N760AS seat=26C class=economy
2008-11-02 SEA ANC number=AS95 airline=ASA dep=22:30 arr=00:45+1 type=B738 reg=N525AS seat=3C class=first
2009-09-06 SEA OAK number=AS342 airline=ASA dep=06:00 arr=07:45 type=B734 reg=N784AS seat=14E class=economy
2009-09-09 OAK SEA number=AS349 airline=ASA dep=21:10 arr=22:55 type=B734 reg=N784AS seat=20E class=economy
2009-09-12 GEG SEA number=QX2370 airline=QXE dep=06:30 arr=07:40 type=DH8D | aircraft=Bombardier Dash 8 Q400 ; comment=the one with the &quot;hula&quot; paint
2012-04-23 PDX LAX number=AS574 airline=ASA dep=08:30 arr=10:35 type=MD83 reg=N976AS seat=25D class=economy
2012-04-24 LAX PDX number=AS551 airline=ASA dep=19:00 arr=21:05 type=MD83 reg=N976AS seat=29D class=economy
2012-10-11 SEA FAI number=AS187 airline=ASA dep=20:45 arr=23:10 type=B739 reg=N305AS seat=9A class=economy
`,
  ),
  sample(
    'b',
    'FlightMemory, German page, saved by an old browser, odd aircraft names',
    'Flugdaten.htm',
    page({ german: true, shout: true }),
    `
2019 CGN ? airline=THY | to=<b>IST</b>
2014-07-06 LEJ AYT number=XQ141 airline=SXS dep=12:55 arr=17:00 type=B738 reg=TC-SNY seat=17B class=economy
2013-08-30 FRA TRN number=LH302 airline=DLH dep=21:50 arr=23:00 type=CRJ9 reg=D-ACNE seat=4A class=economy | aircraft=Bombardier CRJ-900<br>D-ACNE
2012-12-18 FRA DRS number=LH216 airline=DLH dep=21:40 arr=22:35 type=E190 reg=D-AEBB seat=10E class=economy
2012-12-13 DRS FRA number=LH209 airline=DLH dep=06:15 arr=07:10 type=E190 reg=D-AECA seat=29F class=economy
2011-03-26 FRA ADD number=LH598 airline=DLH dep=22:05 arr=06:55+1 type=A332 seat=33H class=economy
2011-03-22 FRA DRS number=LH216 airline=DLH dep=21:40 arr=22:35 type=E190 reg=D-AEBB seat=21D class=economy
2011-03-18 DRS FRA number=LH209 airline=DLH dep=06:15 arr=07:10 type=E190 reg=D-AEBB seat=22D class=economy
2010-11-14 HAM CPH number=SK656 airline=SAS dep=17:35 arr=18:25 type=CRJ9 reg=OY-KFA seat=9D class=economy | aircraft=Bombardier CRJ-900 NG<br>OY-KFA
2010-08-13 VIE CGN number=4U755 airline=GWI dep=12:45 arr=14:10 type=A319 reg=D-AGWA seat=19B class=economy
2010-08-10 CGN VIE number=4U754 airline=GWI dep=10:20 arr=11:45 type=A319 reg=D-AGWA seat=9D class=economy
2009-08-08 FRA DRS number=LH216 airline=DLH dep=21:40 arr=22:35 type=E190 reg=D-AECA seat=17B class=economy
2009-08-03 DRS FRA number=LH209 airline=DLH dep=06:15 arr=07:10 type=E190 reg=D-AEBB seat=21E class=economy
2009-01-18 FRA OSR number=OK925 airline=CSA | airline=CSA Czech Airlines<br>OK 925
2007-05-17 CGN SPU number=4U966 airline=GWI dep=05:50 arr=07:35 type=A319 reg=D-AKNI seat=25A class=economy
2007-04-11 VIE CGN number=4U755 airline=GWI dep=12:45 arr=14:10 type=A319 reg=D-AGWA seat=15C class=economy
2007-04-08 CGN VIE number=4U754 airline=GWI dep=10:20 arr=11:45 type=A319 reg=D-AGWA seat=17C class=economy
2005-12-24 DUS FMO | aircraft= ; airline=
2004-02-24 VIE CGN number=4U755 airline=GWI dep=12:45 arr=14:10 type=A319 reg=D-AGWA seat=15B class=economy
2004-02-21 CGN VIE number=4U754 airline=GWI dep=10:20 arr=11:45 type=A319 reg=D-AGWA seat=23C class=economy
2002-07-20 THF BRU number=2668 airline=? type=SF34 | airline=DAT<br>2668 ; aircraft=Saab 340
1995 SXF SVO airline=AFL type=T154
`,
  ),
]

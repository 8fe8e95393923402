// JetLovers' CSV: no times, names of airlines and aircraft, letters for class, reason and seat.
import { airlineOf, cellsIn, csvRow, kmOf, type Leg, sample, typeOf } from './life.ts'
import type { Sample } from './sample.ts'

const COLUMNS =
  'id,date,from,to,miles,airline,flightnum,aircraft,aircraft_reg,class,reason,seat_type,seat'.split(',')
const CLASSES: Record<string, string> = { economy: 'Y', 'economy+': 'P', business: 'C', first: 'F' }

function row(leg: Leg): Record<string, string> {
  const { value } = leg
  return {
    id: String(5021 + leg.index * 3),
    date: leg.date,
    from: leg.from,
    to: leg.to,
    miles: String(Math.round(kmOf(leg) / 1.609344)),
    airline: value.airline ? airlineOf(value.airline).name : '',
    flightnum: value.number!,
    aircraft: value.type ? typeOf(value.type).name : '',
    aircraft_reg: value.reg!,
    class: CLASSES[value.class!] ?? '',
    reason: 'BLCO'.charAt(leg.index % 4),
    seat_type: value.seat ? (/[AFK]$/.test(value.seat) ? 'W' : 'A') : '',
    seat: value.seat!,
  }
}

export const file =
  (end = '\n', bom = '') =>
  (legs: Leg[]) => {
    const rows = legs.map((leg) => leg.raw ?? csvRow(cellsIn(COLUMNS, row(leg), leg)))
    return `${bom}${[COLUMNS.join(','), ...rows].join(end)}${end}`
  }

export const jetLovers: Sample[] = [
  sample(
    'a',
    'JetLovers, a Pole, airlines that ended, B is business',
    'jetlovers.csv',
    file(),
    `
2005-02-12 WAW ZRH number=LX1343 airline=SWR type=RJ85 reg=HB-IXN seat=4A class=business | class=B ; aircraft=Avro RJ85
2007-09-08 KRK DUB number=FR2361 airline=RYR type=B738 reg=EI-DAC class=economy
2009-06-02 WAW GDN number=LO3831 airline=LOT type=E170 reg=SP-LDA seat=17D class=economy
2009-06-07 GDN WAW number=LO3836 airline=LOT type=E170 reg=SP-LDK seat=8C class=economy
2009-06-20 WAW LIS number=TP563 airline=TAP type=A319 reg=CS-TTE seat=12A class=economy | airline=TAP Portugal
2010-05-03 WAW BUD number=MA550 airline=MAH type=F70 reg=HA-LMB seat=7F class=economy | airline=Malév
2011-01-26 WAW GDN number=LO3831 airline=LOT type=E170 reg=SP-LDA seat=24D class=economy
2011-01-27 GDN WAW number=LO3836 airline=LOT type=E170 reg=SP-LDA seat=25F class=economy
2012-01-14 WAW YYZ number=LO41 airline=LOT type=B763 reg=SP-LPB seat=5K class=economy+ | airline=LOT - Polish Airlines
2012-08-04 GDN CPH number=SK754 airline=SAS type=CRJ9 reg=OY-KFF seat=2A class=economy | aircraft=Bombardier CRJ-900
2012-10-21 WAW GDN number=LO3831 airline=LOT type=E170 reg=SP-LDK seat=11A class=economy
2012-10-27 GDN WAW number=LO3836 airline=LOT type=E170 reg=SP-LDK seat=29A class=economy
2013-01-16 WAW ORD number=LO3 airline=LOT type=B788 reg=SP-LRA seat=1A class=first | aircraft=Boeing 787-8 Dreamliner
2015-04-02 WAW GDN number=LO3831 airline=LOT type=E170 reg=SP-LDA seat=10B class=economy
2015-04-04 GDN WAW number=LO3836 airline=LOT type=E170 reg=SP-LDA seat=17D class=economy
2015-06-06 WMI STN number=FR2284 airline=RYR type=? | aircraft=Boeing 737
`,
  ),
  sample(
    'a',
    'JetLovers, Windows line ends, Latin America',
    'my_flights.csv',
    file('\r\n', '\uFEFF'),
    `
2008-06-01 MEX GDL number=MX128 airline=MXA type=A320 reg=F-OHME seat=11D class=economy
2009-05-01 MEX MTY number=AM902 airline=AMX type=E190 reg=XA-GAB seat=22D class=economy
2009-05-06 MTY MEX number=AM931 airline=AMX type=E190 reg=XA-GAC seat=19C class=economy
2009-12-20 CUN HAV number=CU153 airline=CUB class=economy | airline=Cubana
2010-10-10 MEX LIM number=TA111 airline=TAI type=A320 reg=N490TA seat=4F class=economy | airline=TACA
2011-04-02 BOG MDE number=AV9304 airline=AVA type=F50 reg=HK-4467X seat=6A class=economy
2011-05-28 MEX MTY number=AM902 airline=AMX type=E190 reg=XA-GAB seat=7C class=economy
2011-06-01 MTY MEX number=AM931 airline=AMX type=E190 reg=XA-GAC seat=13E class=economy
2012-07-15 PTY SEQU number=CM211 airline=CMP type=B738 reg=HP-1533CMP seat=16A class=economy | to=UIO
2013-02-10 SEQU GPS number=XL1411 airline=LNE type=A319 reg=HC-CLB seat=21A | from=UIO ; airline=LAN Ecuador
2013-03-02 UIO MIA number=XL516 airline=LNE type=B763 class=business | airline=LAN Ecuador
2015-03-19 MEX MTY number=AM902 airline=AMX type=E190 reg=XA-GAB seat=13E class=economy
2015-03-25 MTY MEX number=AM931 airline=AMX type=E190 reg=XA-GAC seat=11E class=economy
2016-03-03 MEX CDG number=AF173 airline=AFR type=A388 reg=F-HPJC seat=82K class=economy+
2016-12-23 MEX MTY number=AM902 airline=AMX type=E190 reg=XA-GAC seat=24C class=economy
2016-12-26 MTY MEX number=AM931 airline=AMX type=E190 reg=XA-GAC seat=21B class=economy
`,
  ),
  sample(
    'b',
    'JetLovers, Oceania, the same day twice on one route',
    'flights-jl.csv',
    file(),
    `
2018-10-21 MEL LST number=JQ739 airline=JST type=A320 reg=VH-VFX class=economy | aircraft=A320-200
2018-04-22 SYD BNE number=QF548 airline=QFA type=B738 reg=VH-VZE seat=9D class=economy
2018-04-21 BNE SYD number=QF517 airline=QFA type=B738 reg=VH-VYA seat=12D class=economy
2017-04-05 SYD BNE number=QF548 airline=QFA type=B738 reg=VH-VYA seat=29F class=economy
2017-03-30 BNE SYD number=QF517 airline=QFA type=B738 reg=VH-VZE seat=22E class=economy
2016-02-20 CNS GOV number=QF1835 airline=? type=B712 | airline=QantasLink
2015-05-13 SYD BNE number=QF548 airline=QFA type=B738 reg=VH-VZE seat=17E class=economy
2015-05-11 BNE SYD number=QF517 airline=QFA type=B738 reg=VH-VZE seat=9D class=economy
2014-12-31 SYD LHR number=QF1 airline=QFA type=A388 reg=VH-OQA seat=4A class=first | aircraft=Airbus A380-800
2014-04-25 WLG SYD number=QF172 airline=QFA type=B738 reg=ZK-ZQC seat=7F class=economy
2014-04-25 SYD WLG number=QF171 airline=QFA type=B738 reg=ZK-ZQC seat=7F class=economy
2013-08-01 NOU SYD number=SB140 airline=ACI type=A320 reg=F-OZNC seat=9A class=economy | airline=Aircalin
2013-05-12 SYD BNE number=QF548 airline=QFA type=B738 reg=VH-VZE seat=8C class=economy
2013-05-06 BNE SYD number=QF517 airline=QFA type=B738 reg=VH-VZE seat=24B class=economy
2012-11-11 BNE POM number=PX4 airline=ANG type=B763 reg=P2-PXV seat=20A class=economy
2011-05-05 SYD BNE number=DJ935 airline=VOZ type=B738 reg=VH-VUA seat=4C class=economy | airline=Virgin Blue
`,
  ),
  sample(
    'b',
    'JetLovers, Central Europe, typos and codes in the airline',
    'export (2).csv',
    file('\r\n'),
    `
2006-07-07 PRG TLV number=LY2522 airline=ELY type=B738 reg=4X-EKB class=economy | airline=El Al Israel Airlines
2008-03-15 PRG SVO number=SU894 airline=AFL type=A319 reg=VP-BDO seat=8A class=business
2009-11-09 PRG TXL number=OK534 airline=CSA type=AT45 reg=OK-KFN seat=2A class=economy | aircraft=ATR 42-500
2011-04-13 PRG CDG number=OK762 airline=CSA type=A319 reg=OK-NEM seat=17E class=economy
2011-04-17 CDG PRG number=AF1383 airline=AFR type=A319 reg=OK-MEK seat=7D class=economy
2012-04-01 VIE TSR number=VO7061 airline=TYR type=DH8D reg=OE-LGN | airline=Tyrolean Airways ; aircraft=Dash 8 Q400
2013-01-15 PRG CDG number=OK762 airline=CSA type=A319 reg=OK-MEK seat=28E class=economy
2013-01-19 CDG PRG number=AF1383 airline=AFR type=A319 reg=OK-NEM seat=11B class=economy
2013-09-29 BTS STN number=FR8387 airline=RYR type=B738 reg=EI-EBV seat=27A class=economy
2014-02-14 PRG ICN number=KE936 airline=KAL type=A333 reg=HL7710 seat=34B class=economy | airline=KE
2015-01-31 PRG CDG number=OK762 airline=CSA type=A319 reg=OK-MEK seat=24B class=economy
2015-02-04 CDG PRG number=AF1383 airline=AFR type=A319 reg=OK-NEM seat=20E class=economy
2015-07-05 PRG KEF number=W62857 airline=WZZ type=A320 | airline=Wizzair
2017-06-25 OSR STN number=FR1017 airline=RYR type=B738 | airline=Ryanair ; aircraft=737-800
2018-06-14 PRG CDG number=OK762 airline=CSA type=A319 reg=OK-MEK seat=14B class=economy
2018-06-15 CDG PRG number=AF1383 airline=AFR type=A319 reg=OK-NEM seat=17A class=economy
`,
  ),
]

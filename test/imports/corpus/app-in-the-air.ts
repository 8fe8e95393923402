// App in the Air's data.txt: trips with their flights, 17 fields by semicolon, times in UTC and at the place.
import { airlineOf, dayAndClock, digitsOf, type Leg, sample, typeOf, utcOf } from './life.ts'
import type { Sample } from './sample.ts'

const CLASSES: Record<string, string> = { 'economy+': 'PLUS', '': 'None' }
const FIELDS = 'class,seat,pnr,ticket,x,y,how,carrier,number,type,from,to,depUtc,arrUtc,dep,arr,added'.split(
  ',',
)
/** Cells of the trip, not of the flight. */
const OF_TRIP = ['trip', 'owner', 'hotel']

function local(date: string, time: string): string {
  const { date: day, clock } = dayAndClock(date, time)
  return `${day}T${clock}:00`
}

function fields(leg: Leg): Record<string, string> {
  const { value, date } = leg
  return {
    class: CLASSES[value.class!] ?? value.class!.toUpperCase(),
    seat: value.seat || 'None',
    pnr: leg.index % 3 === 0 ? `QW${leg.index}RTX`.slice(0, 6) : 'None',
    how: leg.index % 4 === 0 ? 'manual' : 'search',
    carrier: airlineOf(value.airline!).iata || value.airline!,
    number: digitsOf(value.number!),
    type: value.type === '?' ? 'AT7' : value.type ? typeOf(value.type).iata : 'None',
    from: leg.from,
    to: leg.to,
    depUtc: utcOf(date, value.dep!, leg.from),
    arrUtc: utcOf(date, value.arr!, leg.to),
    dep: local(date, value.dep!),
    arr: local(date, value.arr!),
    added: `${date}T06:00:00.00000${leg.index % 10}`,
  }
}

function line(leg: Leg): string {
  if (leg.raw !== undefined) return leg.raw
  const made = { ...fields(leg), ...leg.cells }
  for (const name of Object.keys(made))
    if (![...FIELDS, ...OF_TRIP].includes(name)) throw new Error(`No such field: ${name}`)
  return FIELDS.map((name) => made[name as keyof typeof made] ?? 'None').join(';')
}

function trip(legs: Leg[]): string {
  const [first] = legs
  const last = legs.at(-1)!
  const owner = first!.cells.owner ?? 'MINE'
  const made = `${first!.date}T00:00:00`
  const head = `Ownership.${owner};${first!.date}T00:00:00;${last.date}T23:00:00;${first!.from};${last.to};${made};${made}.123456;None`
  const hotel = first!.cells.hotel ? [first!.cells.hotel] : []
  return [
    head,
    'flights:',
    ...legs.map(line),
    '',
    'hotels:',
    ...hotel,
    '',
    'rental cars:',
    '',
    'expenses:',
    '',
  ].join('\n')
}

/** Two flights are one trip unless a line says `trip=new` or `trip=same`. */
function tripsOf(legs: Leg[]): Leg[][] {
  const trips: Leg[][] = []
  for (const leg of legs) {
    const open = trips.at(-1)
    const same = leg.cells.trip ?? (open?.length === 1 && !leg.cells.owner ? 'same' : 'new')
    if (same === 'same' && open) open.push(leg)
    else trips.push([leg])
  }
  return trips
}

export const dataOf =
  (user: string, end = '\n') =>
  (legs: Leg[]) =>
    ['user:', user, '', 'devices:', 'iPhone12,1;16.4;en_GB', '', 'trips:', ...tripsOf(legs).map(trip)]
      .join('\n')
      .replaceAll('\n', end)

export const appInTheAir: Sample[] = [
  sample(
    'a',
    'App in the Air, a Dane with one-digit numbers',
    'data.txt',
    dataOf('Mette Skov;mette@example.org;DK'),
    `
2014-05-09 LHR JFK number=VS3 airline=VIR dep=09:30 arr=11:30 type=A346 seat=54K class=economy
2014-05-20 JFK LHR number=VS4 airline=VIR dep=18:30 arr=06:30+1 type=A333 seat=22A class=economy+ | class=PLUS(Premium)
2015-03-19 CPH ARN number=SK1416 airline=SAS dep=08:10 arr=09:20 type=A320
2015-03-25 ARN CPH number=SK1429 airline=SAS dep=19:45 arr=20:55 type=A320
2016-10-30 LIS CPH number=TP754 airline=TAP dep=07:05 arr=11:30 type=A320 seat=4A class=economy
2016-12-07 CPH LHR number=SK501 airline=SAS dep=08:05 arr=08:45 type=A319 seat=16C class=economy
2016-12-12 LHR CPH number=SK1506 airline=SAS dep=18:35 arr=21:15 type=A319 seat=18D class=economy
2017-04-30 CPH ARN number=SK1416 airline=SAS dep=08:10 arr=09:20 type=A320
2017-05-01 ARN CPH number=SK1429 airline=SAS dep=19:45 arr=20:55 type=A320
2017-07-01 BLL RIX number=BT146 airline=BTI dep=12:15 arr=15:30 type=DH8D seat=9C class=economy | class=ECOLIGHT
2018-01-19 CPH LHR number=SK501 airline=SAS dep=08:05 arr=08:45 type=A319 seat=27D class=economy
2018-01-21 LHR CPH number=SK1506 airline=SAS dep=18:35 arr=21:15 type=A319 seat=24F class=economy
2018-04-22 CPH LTBA number=TK1784 airline=THY dep=11:40 arr=15:30 type=A321 | to=IST
2018-04-29 LTBA CPH number=TK1783 airline=THY dep=08:00 arr=09:50 type=B738 seat=11A class=economy | from=IST
2018-08-03 CPH KEF number=WW903 airline=WOW dep=12:00 arr=13:00 seat=25F | added=2018-08-03T06:00:00.000001
2019-02-21 CPH ARN number=SK1416 airline=SAS dep=08:10 arr=09:20 type=A320
2019-02-26 ARN CPH number=SK1429 airline=SAS dep=19:45 arr=20:55 type=A320
2019-04-20 CPH LHR number=SK501 airline=SAS dep=08:05 arr=08:45 type=A319 seat=22F class=economy
2019-04-20 CPH IST number=TK1784 airline=THY dep=11:40 arr=15:30 type=A333 seat=3A class=business | hotel=Pera;2019-04-20T15:00:00;2019-04-24T11:00:00;None
2019-04-25 LHR CPH number=SK1506 airline=SAS dep=18:35 arr=21:15 type=A319 seat=25B class=economy
2020-02-29 CPH OSL number=SK1458 airline=SAS dep=13:55 arr=15:00
`,
  ),
  sample(
    'a',
    'App in the Air, over the date line, carriers with digits',
    'data.txt',
    dataOf('Tane Rua;tane@example.org;NZ', '\r\n'),
    `
2012-02-04 AKL SFO number=NZ8 airline=ANZ dep=19:30 arr=11:20 type=B772 seat=33A class=economy
2012-02-18 SFO AKL number=NZ7 airline=ANZ dep=21:00 arr=06:50+2 type=B772 seat=33K class=economy
2013-09-29 AKL PPT number=NZ40 airline=ANZ dep=16:05 arr=22:25-1 type=B763 seat=19A class=economy
2013-10-07 PPT AKL number=TN101 airline=THT dep=07:30 arr=11:50+1 type=A343 seat=19A class=economy
2014-07-06 WLG CHC number=NZ5335 airline=ANZ dep=07:10 arr=08:00 type=?
2014-07-10 CHC WLG number=NZ5358 airline=ANZ dep=20:25 arr=21:15 type=?
2014-08-01 AKL WLG number=NZ411 airline=ANZ dep=08:00 arr=09:05 type=A320 seat=17A class=economy
2014-08-03 WLG AKL number=NZ456 airline=ANZ dep=18:00 arr=19:05 type=A320 seat=25F class=economy
2014-12-28 AKL APW number=NZ62 airline=ANZ dep=09:15 arr=14:10 type=A320 seat=12F class=economy
2015-01-05 SIN KUL number=3K685 airline=JSA dep=10:10 arr=11:00 type=A320
2015-01-09 KUL DPS number=AK376 airline=AXM dep=15:50 arr=18:40 type=A320 seat=7A class=economy
2016-06-18 MNL CEB number=5J553 airline=CEB dep=04:25 arr=05:35 type=A320 seat=1A class=economy
2016-06-19 AKL WLG number=NZ411 airline=ANZ dep=08:00 arr=09:05 type=A320 seat=26F class=economy
2016-06-23 WLG AKL number=NZ456 airline=ANZ dep=18:00 arr=19:05 type=A320 seat=22F class=economy
2017-04-15 WLG CHC number=NZ5335 airline=ANZ dep=07:10 arr=08:00 type=?
2017-04-21 CHC WLG number=NZ5358 airline=ANZ dep=20:25 arr=21:15 type=?
2017-10-19 AKL WLG number=NZ411 airline=ANZ dep=08:00 arr=09:05 type=A320 seat=19A class=economy
2017-10-25 WLG AKL number=NZ456 airline=ANZ dep=18:00 arr=19:05 type=A320 seat=10C class=economy
2017-11-11 AKL BNE number=IE6 airline=SOL dep=18:10 arr=18:55 type=A320 class=economy |= ECONOMY;None;None;None;None;None;manual;IE;6;320;AKL;BNE;2017-11-11T05:10:00;2017-11-11T08:55:00;2017-11-11T18:10:00;2017-11-11T18:55:00;2017-10-02T08:08:08.000001
`,
  ),
  sample(
    'a',
    "App in the Air, friends' trips and codes that were handed on",
    'data.txt',
    dataOf('Jakub Nowy;jakub@example.org;PL'),
    `
2008-05-04 WAW BUD number=MA551 airline=MAH dep=13:50 arr=15:00 class=economy
2009-03-29 PRG WAW number=OK784 airline=CSA dep=06:30 arr=08:00 type=AT45 seat=8A class=economy
2010-05-01 WAW LHR number=LO281 airline=LOT dep=07:35 arr=08:50 type=B738 seat=14B class=economy
2010-05-07 LHR WAW number=LO286 airline=LOT dep=19:00 arr=22:15 type=B738 seat=28C class=economy
2012-05-15 KTW DTM number=W61091 airline=WZZ dep=06:00 arr=07:25 type=A320
2012-05-16 DTM KTW number=W61092 airline=WZZ dep=09:15 arr=10:40 type=A320
- not_mine 2012-08-01 WAW HER number=LO6019 airline=LOT dep=05:00 arr=08:45 | owner=NOT_MINE
- not_mine 2012-08-15 HER WAW number=LO6020 airline=LOT dep=10:30 arr=12:15 | trip=same
2013-01-26 KRK MUC number=LH1625 airline=DLH dep=06:35 arr=07:50 type=CRJ9 seat=12D class=economy
2013-01-27 MUC KRK number=LH1626 airline=DLH dep=21:40 arr=22:55 type=CRJ9 seat=11A class=economy
2013-10-25 WAW LHR number=LO281 airline=LOT dep=07:35 arr=08:50 type=B738 seat=24C class=economy
2013-10-28 LHR WAW number=LO286 airline=LOT dep=19:00 arr=22:15 type=B738 seat=25E class=economy
2013-12-19 KTW DTM number=W61091 airline=WZZ dep=06:00 arr=07:25 type=A320
2013-12-25 DTM KTW number=W61092 airline=WZZ dep=09:15 arr=10:40 type=A320
2014-10-26 WAW SVO number=SU2001 airline=AFL dep=01:25 arr=04:15 type=A320 seat=9F class=economy
2014-11-24 WAW LHR number=LO281 airline=LOT dep=07:35 arr=08:50 type=B738 seat=15D class=economy
2014-11-27 LHR WAW number=LO286 airline=LOT dep=19:00 arr=22:15 type=B738 seat=10A class=economy
2015-04-30 FCO WAW number=AZ492 airline=AZA dep=08:55 arr=11:00 type=A319 seat=15C class=economy
2022-05-14 FCO WAW number=AZ482 airline=ITY dep=08:40 arr=10:45 type=A320 seat=2A class=business
2023-06-11 WAW ICN number=LO97 airline=LOT dep=22:55 arr=15:30+1 type=B788 seat=3A class=business | type=788
`,
  ),
  sample(
    'b',
    'App in the Air, the Gulf and the subcontinent, half hours',
    'data.txt',
    dataOf('Nisha Rao;nisha@example.org;IN'),
    `
2013-12-03 DEL KTM number=9W260 airline=JAI dep=10:35 arr=12:20 type=B738 seat=5A class=business
2014-05-01 OTBD BOM number=QR550 airline=QTR dep=01:35 arr=07:15 type=A320 seat=11A class=economy | from=DOH
2014-06-10 DOH BOM number=QR556 airline=QTR dep=19:45 arr=01:25+1 type=A320 seat=2A class=business
2015-08-01 MLE CMB number=UL102 airline=ALK dep=11:15 arr=13:10 type=A320 class=economy
2015-09-17 BOM DEL number=9W301 airline=JAI dep=07:00 arr=08:50 type=B738 seat=2F class=business
2015-09-19 DEL BOM number=9W354 airline=JAI dep=20:00 arr=21:50 type=B738 seat=4D class=business
2015-11-12 DXB DEL number=EK510 airline=UAE dep=03:55 arr=08:30 type=B77W seat=19E class=economy
2015-11-18 DEL DXB number=EK513 airline=UAE dep=10:35 arr=12:10 type=B77W seat=13F class=economy
2016-03-09 DXB IKA number=EK971 airline=UAE dep=07:45 arr=09:10 type=B772 seat=40A class=economy
2017-01-15 BLR MAA number=6E6 airline=IGO dep=22:50 arr=23:40 type=A320 seat=14F class=economy | number=6
2017-08-24 DXB DEL number=EK510 airline=UAE dep=03:55 arr=08:30 type=B77W seat=18C class=economy
2017-08-28 DEL DXB number=EK513 airline=UAE dep=10:35 arr=12:10 type=B77W seat=21A class=economy
2018-02-28 SIN PER number=QF72 airline=QFA dep=18:30 arr=23:35 type=A333 class=economy
2018-05-02 BOM DEL number=9W301 airline=JAI dep=07:00 arr=08:50 type=B738 seat=1D class=business
2018-05-06 DEL BOM number=9W354 airline=JAI dep=20:00 arr=21:50 type=B738 seat=1F class=business
2018-07-07 BAH LHR number=GF1 airline=GFA dep=01:40 arr=06:10 type=B789 seat=7K class=business
2019-04-30 DXB DEL number=EK510 airline=UAE dep=03:55 arr=08:30 type=B77W seat=22E class=economy
2019-05-06 DEL DXB number=EK513 airline=UAE dep=10:35 arr=12:10 type=B77W seat=18F class=economy
2019-10-27 DEL HEL number=AY122 airline=FIN dep=10:30 arr=13:40 type=A333 seat=31A class=economy+
2024-05-05 DEL AUH number=EY217 airline=ETD dep=04:35 arr=06:15 type=B78X seat=22A class=economy
`,
  ),
  sample(
    'b',
    'App in the Air, a Texan between American carriers that merged',
    'data.txt',
    dataOf('Sam Hollis;sam@example.org;US', '\r\n'),
    `
2009-03-13 IAH MSY number=CO1640 airline=COA dep=08:30 arr=09:35 type=B735
2009-03-17 MSY IAH number=CO1549 airline=COA dep=18:15 arr=19:20 type=B735
2009-12-19 IAH NRT number=CO7 airline=COA dep=10:50 arr=14:55+1 type=B772 seat=24A class=economy
2010-01-02 NRT IAH number=CO6 airline=COA dep=16:55 arr=15:00 type=B772 seat=24K class=economy
2010-01-20 MSP SEA number=NW153 airline=NWA dep=09:05 arr=10:15 type=A320 seat=8D class=economy
2010-03-05 DFW PHX number=AA1157 airline=AAL dep=09:25 arr=10:35 type=MD82 seat=9C class=economy
2010-03-08 PHX DFW number=US428 airline=USA dep=15:40 arr=18:50 type=MD82 seat=9F class=economy
2010-07-05 IAH MSY number=CO1640 airline=COA dep=08:30 arr=09:35 type=B735
2010-07-09 MSY IAH number=CO1549 airline=COA dep=18:15 arr=19:20 type=B735
2011-03-13 DFW DEN number=F9102 airline=FFT dep=01:15 arr=03:00 type=A319 seat=3A
2011-09-02 DFW PHX number=AA1157 airline=AAL dep=09:25 arr=09:35 type=MD82 seat=13C class=economy
2011-09-05 PHX DFW number=US428 airline=USA dep=15:40 arr=19:50 type=MD82 seat=25B class=economy
2012-11-22 HOU DAL number=WN6 airline=SWA dep=08:00 arr=08:55 type=B737
2014-04-12 DFW PHX number=AA1157 airline=AAL dep=09:25 arr=09:35 type=MD82 seat=28B class=economy
2014-04-15 PHX DFW number=US428 airline=USA dep=15:40 arr=19:50 type=MD82 seat=18E class=economy
2014-08-08 DFW SAT number=AA2245 airline=AAL dep=22:20 arr=23:20 type=MD83 seat=5A class=first
2017-09-09 SFO JFK number=VX24 airline=VRD dep=08:00 arr=16:25 type=A320 seat=3C class=first
2018-05-27 AUS BOS number=B61038 airline=JBU dep=13:20 arr=18:05 type=A320 seat=14C class=economy | class=ECONOMY(Blue)
2019-11-30 DFW HKG number=AA125 airline=AAL dep=11:05 arr=16:55+1 type=B77W seat=12J class=business
2021-06-06 DFW ABI number=MQ3518 airline=ENY dep=12:10 arr=13:05 type=E145 |= None;None;None;None;None;None;gmail_parsing_aa_v2.yaml;MQ;3518;ER4;DFW;ABI;2021-06-06T17:10:00;2021-06-06T18:05:00;2021-06-06T12:10:00;2021-06-06T13:05:00;2021-05-01T01:02:03.000004
`,
  ),
  sample(
    'b',
    'App in the Air, South America, zones that changed their law',
    'data.txt',
    dataOf('Inés Paz;ines@example.org;AR'),
    `
2009-01-05 AEP MVD number=PU154 airline=PUA dep=08:25 arr=09:10 type=B733 class=economy
2010-03-13 SCL EZE number=LA447 airline=LAN dep=23:30 arr=01:20+1 type=A320 seat=11C class=economy
2012-05-14 EZE GRU number=AR1240 airline=ARG dep=07:50 arr=10:20 type=B738 seat=18D class=economy
2012-05-20 GRU EZE number=AR1247 airline=ARG dep=19:35 arr=22:05 type=B738 seat=21D class=economy
2012-10-19 GIG GRU number=G31913 airline=GLO dep=22:55 arr=23:50 type=B738 seat=30F class=economy
2013-02-16 GRU MAO number=JJ3750 airline=TAM dep=22:10 arr=23:50 type=A320 seat=4A class=economy
2014-05-18 SCL LIM number=LA530 airline=LAN dep=09:10 arr=11:35 type=A320
2014-05-21 LIM SCL number=LA531 airline=LAN dep=17:55 arr=22:20 type=A320
2015-08-29 EZE GRU number=AR1240 airline=ARG dep=07:50 arr=10:20 type=B738 seat=28C class=economy
2015-08-30 GRU EZE number=AR1247 airline=ARG dep=19:35 arr=22:05 type=B738 seat=7C class=economy
2015-12-05 BOG CCS number=AV70 airline=AVA dep=12:00 arr=14:10 type=A319 seat=9A class=economy
2016-06-05 BOG CCS number=AV70 airline=AVA dep=12:00 arr=14:40 type=A319 seat=9A class=economy
2016-09-28 EZE GRU number=AR1240 airline=ARG dep=07:50 arr=10:20 type=B738 seat=15F class=economy
2016-10-01 GRU EZE number=AR1247 airline=ARG dep=19:35 arr=22:05 type=B738 seat=19D class=economy
2017-01-29 SCL LIM number=LA530 airline=LAN dep=09:10 arr=10:35 type=A320
2017-02-02 LIM SCL number=LA531 airline=LAN dep=17:55 arr=23:20 type=A320
2018-11-04 VCP CNF number=AD2466 airline=AZU dep=06:30 arr=07:35 type=E195 seat=7C class=economy | type=E95
2019-11-03 GRU EZE number=G37682 airline=GLO dep=09:15 arr=11:45 type=B738 seat=8B class=economy
2022-09-10 EZE SCL number=H2503 airline=SKU dep=14:10 arr=15:00 type=A20N seat=1A
2023-04-02 PUQ SCL number=LA82 airline=LAN dep=02:55 arr=05:00 type=A320 seat=10F class=economy
`,
  ),
]

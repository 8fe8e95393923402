// Miles & More's JSON: values padded with blanks, instants in UTC, IATA codes throughout.
import {
  airlineOf,
  dayAndClock,
  digitsOf,
  type Leg,
  minutesOf,
  placeOf,
  sample,
  typeOf,
  utcOf,
} from './life.ts'
import type { Sample } from './sample.ts'

const LETTERS: Record<string, string> = { economy: 'YHKMQ', 'economy+': 'EGN', business: 'CJDZ', first: 'FA' }

function instant(date: string, time: string, place: string): string | null {
  return /^\d/.test(time) ? `${utcOf(date, time, place)}+0000` : null
}

function segment(leg: Leg): Record<string, unknown> {
  const { value } = leg
  const letters = LETTERS[value.class!] ?? ''
  const miles = 125 * (1 + (leg.index % 4))
  const made: Record<string, unknown> = {
    DepartureDate: leg.date,
    ArrivalDate: value.arr ? dayAndClock(leg.date, value.arr).date : leg.date,
    OriginAirportCode: `${placeOf(leg.from).iata}  `,
    DestinationAirportCode: `${placeOf(leg.to).iata}  `,
    AirlineDesignatorCode: `${airlineOf(value.airline!).iata} `,
    FlightNumber: Number(digitsOf(value.number!)),
    CompartmentClass: letters ? letters.charAt(leg.index % letters.length) : ' ',
    AircraftCode: value.type ? `${typeOf(value.type).iata}  ` : null,
    TimeOnPlane: (minutesOf(leg) ?? 0) * 60,
    DepartureTime: instant(leg.date, value.dep!, leg.from),
    ArrivalTime: instant(leg.date, value.arr!, leg.to),
    PnrrecordLocator: leg.index % 2 ? '' : `Z${leg.index}QRTV`.slice(0, 6),
    StatusMiles: miles,
    StatusPoints: 0,
    GupPoints: 0,
    HonPoints: 0,
    Honmiles: 0,
    AwardMiles: miles * 2,
  }
  for (const [name, json] of Object.entries(leg.cells)) {
    if (!(name in made)) throw new Error(`No such key: ${name}`)
    made[name] = JSON.parse(json)
  }
  return made
}

export const wrapped = (legs: Leg[]) => JSON.stringify({ SegmentListResponses: legs.map(segment) })
export const bare = (legs: Leg[]) => `${JSON.stringify(legs.map(segment), null, 2)}\n`

export const milesAndMore: Sample[] = [
  sample(
    'a',
    'Miles & More, a consultant from Düsseldorf',
    'segmentList.json',
    wrapped,
    `
2022-06-24 BRU DUS number=SN2701 airline=BEL dep=06:40 arr=07:20 class=business | AircraftCode="   "
2022-06-08 ZRH DUS number=LX1024 airline=SWR dep=17:15 arr=18:15 type=A320 class=economy
2022-06-02 DUS ZRH number=LX1017 airline=SWR dep=09:50 arr=10:50 type=A320 class=economy
2019-12-31 FRA PVG number=CA936 airline=CCA dep=20:05 arr=14:00+1 type=B748
2018-12-24 MUC DUS number=LH2018 airline=DLH dep=19:00 arr=20:05 type=A321 class=business
2018-12-18 DUS MUC number=LH2013 airline=DLH dep=06:45 arr=07:50 type=A321 class=business
2018-08-18 WAW DUS number=LO407 airline=LOT dep=16:50 arr=18:30 type=? | AircraftCode="AT7"
2018-05-27 ZRH DUS number=LX1024 airline=SWR dep=17:15 arr=18:15 type=A320 class=economy
2018-05-24 DUS ZRH number=LX1017 airline=SWR dep=09:50 arr=10:50 type=A320 class=economy
2017-11-13 MUC DUS number=LH2018 airline=DLH dep=19:00 arr=20:05 type=A321 class=business
2017-11-10 DUS MUC number=LH2013 airline=DLH dep=06:45 arr=07:50 type=A321 class=business
2017-02-11 MUC SFO number=LH458 airline=DLH dep=15:35 arr=18:10 type=A388 class=first
2016-04-03 MUC DUS number=LH2018 airline=DLH dep=19:00 arr=20:05 type=A321 class=business
2016-03-28 DUS MUC number=LH2013 airline=DLH dep=06:45 arr=07:50 type=A321 class=business
2015-06-23 ZRH DUS number=LX1024 airline=SWR dep=17:15 arr=18:15 type=A320 class=economy
2015-06-19 DUS ZRH number=LX1017 airline=SWR dep=09:50 arr=10:50 type=A320 class=economy
2014-10-26 DUS TXL number=4U9042 airline=GWI dep=06:35 arr=07:40 class=economy
2014-04-02 MUC DUS number=LH2018 airline=DLH dep=19:00 arr=20:05 type=A321 class=business
2014-03-31 DUS MUC number=LH2013 airline=DLH dep=06:45 arr=07:50 type=A321 class=business
2012-11-02 FRA SIN number=SQ325 airline=SIA dep=22:00 arr=17:35+1 type=A388 class=economy | CompartmentClass="L"
2008-07-07 MUC IAD number=UA903 airline=UAL dep=12:30 arr=15:05 type=B763 class=economy
2005-03-10 FRA JFK number=LH400 airline=DLH class=business
`,
  ),
  sample(
    'a',
    'Miles & More, bare list, arrival before departure',
    'miles-and-more.json',
    bare,
    `
2010-04-17 VIE CDG number=OS411 airline=AUA class=economy | TimeOnPlane=0
2012-06-04 VIE OTP number=OS785 airline=AUA dep=10:20 arr=12:50 type=F100 class=economy
2012-06-06 OTP VIE number=OS792 airline=AUA dep=16:15 arr=16:45 type=F100 class=economy
2013-05-05 VIE ATH number=OS801 airline=AUA dep=11:05 arr=? type=A321 class=economy | DepartureTime="2013-05-05T09:05:00+0000" ; ArrivalTime="2013-05-05T06:20:00+0000"
2015-04-08 VIE OTP number=OS785 airline=AUA dep=10:20 arr=12:50 type=F100 class=economy
2015-04-09 OTP VIE number=OS792 airline=AUA dep=16:15 arr=16:45 type=F100 class=economy
2016-03-18 VIE ZAG number=OU443 airline=CTN dep=12:50 arr=13:50 type=DH8D class=economy
2016-03-22 ZAG VIE number=OS681 airline=AUA dep=07:00 arr=08:00 type=DH8D class=economy
2016-03-27 VIE LHR number=OS451 airline=AUA dep=07:00 arr=08:00 type=A320 class=business
2017-10-20 VIE OTP number=OS785 airline=AUA dep=10:20 arr=12:50 type=F100 class=economy
2017-10-22 OTP VIE number=OS792 airline=AUA dep=16:15 arr=16:45 type=F100 class=economy
2018-12-30 VIE CPT number=OS79 airline=AUA dep=22:45 arr=11:00+1 type=B772 class=economy+ | CompartmentClass="E"
2019-10-01 HAM VIE number=EW7750 airline=EWG dep=06:00 arr=07:25 type=A319 class=economy
2020-04-07 VIE ZAG number=OU443 airline=CTN dep=12:50 arr=13:50 type=DH8D class=economy
2020-04-13 ZAG VIE number=OS681 airline=AUA dep=07:00 arr=08:00 type=DH8D class=economy
2023-08-20 VIE NRT number=OS51 airline=AUA dep=13:00 arr=07:15+1 type=? class=business | AircraftCode="777"
`,
  ),
  sample(
    'b',
    'Miles & More, Scandinavian, partners with digits and old Egypt',
    'segments.json',
    wrapped,
    `
2007-01-30 CPH BKK number=TG951 airline=THA dep=14:25 arr=07:05+1 class=economy
2011-12-20 ARN EWR number=SK903 airline=SAS dep=10:20 arr=12:15 type=A333 class=business
2012-08-08 FRA CAI number=MS786 airline=MSR dep=14:50 arr=18:45 type=B738 class=economy
2013-05-22 GOT FRA number=LH817 airline=DLH dep=06:15 arr=07:45 type=A319 class=economy
2013-05-27 FRA GOT number=LH820 airline=DLH dep=21:40 arr=23:10 type=A319 class=economy
2014-07-12 ARN ADD number=ET715 airline=ETH dep=21:50 arr=06:15+1 type=B788 class=economy
2014-08-16 CPH ZRH number=LX1269 airline=SWR dep=06:50 arr=08:25 type=A320 class=business
2014-08-17 ZRH CPH number=LX1272 airline=SWR dep=17:30 arr=19:05 type=A320 class=business
2015-04-05 GOT FRA number=LH817 airline=DLH dep=06:15 arr=07:45 type=A319 class=economy
2015-04-06 FRA GOT number=LH820 airline=DLH dep=21:40 arr=23:10 type=A319 class=economy
2015-09-09 FRA JNB number=SA261 airline=SAA dep=20:45 arr=07:30+1 type=A346 class=economy
2017-07-05 CPH ZRH number=LX1269 airline=SWR dep=06:50 arr=08:25 type=A320 class=business
2017-07-08 ZRH CPH number=LX1272 airline=SWR dep=17:30 arr=19:05 type=A320 class=business
2018-05-26 GOT FRA number=LH817 airline=DLH dep=06:15 arr=07:45 type=A319 class=economy
2018-05-31 FRA GOT number=LH820 airline=DLH dep=21:40 arr=23:10 type=A319 class=economy
2019-02-25 ARN PEK number=CA912 airline=CCA dep=19:50 arr=11:10+1 type=A332 class=economy
2019-07-30 CPH IST number=TK1788 airline=THY dep=18:25 arr=22:15 type=A321
2019-11-01 GOT FRA number=LH817 airline=DLH dep=06:15 arr=07:45 type=A319 class=economy
2019-11-02 FRA GOT number=LH820 airline=DLH dep=21:40 arr=23:10 type=A319 class=economy
2020-01-28 CPH ZRH number=LX1269 airline=SWR dep=06:50 arr=08:25 type=A320 class=business
2020-01-30 ZRH CPH number=LX1272 airline=SWR dep=17:30 arr=19:05 type=A320 class=business
2024-04-18 CPH OSL number=SK1454 airline=SAS dep=10:10 arr=11:15 type=? | AircraftCode="32S"
`,
  ),
  sample(
    'b',
    'Miles & More, a banker between Geneva and the world, old rows without times',
    'mam_export.json',
    bare,
    `
2022-05-01 ZRH SIN number=LX176 airline=SWR dep=22:40 arr=17:15+1 type=B77W class=business
2018-03-22 LUX GVA number=LG8351 airline=LGL dep=06:30 arr=07:45 type=DH8D class=economy
2018-03-17 GVA LUX number=LG8352 airline=LGL dep=19:05 arr=20:20 type=DH8D class=economy
2018-03-10 FRA LAX number=LH456 airline=DLH dep=10:10 arr=12:40 type=B748 class=economy
2017-06-03 FRA GVA number=LH1222 airline=DLH dep=20:45 arr=21:45 type=A320 class=business
2017-05-29 GVA FRA number=LH1211 airline=DLH dep=07:10 arr=08:10 type=A320 class=business
2016-06-30 GVA BRU number=SN2714 airline=BEL dep=20:10 arr=21:20 type=RJ1H class=economy
2015-11-14 LUX GVA number=LG8351 airline=LGL dep=06:30 arr=07:45 type=DH8D class=economy
2015-11-10 GVA LUX number=LG8352 airline=LGL dep=19:05 arr=20:20 type=DH8D class=economy
2015-07-13 FRA GVA number=LH1222 airline=DLH dep=20:45 arr=21:45 type=A320 class=business
2015-07-11 GVA FRA number=LH1211 airline=DLH dep=07:10 arr=08:10 type=A320 class=business
2013-11-03 FRA IAH number=LH440 airline=DLH dep=10:00 arr=13:25 type=A388 class=first | CompartmentClass="A"
2012-10-01 FRA GVA number=LH1222 airline=DLH dep=20:45 arr=21:45 type=A320 class=business
2012-09-27 GVA FRA number=LH1211 airline=DLH dep=07:10 arr=08:10 type=A320 class=business
2011-10-30 ZRH YUL number=LX86 airline=SWR dep=12:55 arr=15:30 type=A333 class=business
2011-05-12 FRA GVA number=LH1222 airline=DLH dep=20:45 arr=21:45 type=A320 class=business
2011-05-09 GVA FRA number=LH1211 airline=DLH dep=07:10 arr=08:10 type=A320 class=business
2009-02-14 GVA LIS number=TP945 airline=TAP class=economy
2004-06-02 ZRH GRU number=LX92 airline=SWR class=first | CompartmentClass="F"
`,
  ),
]

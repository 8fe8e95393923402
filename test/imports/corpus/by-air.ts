// byAir's CSV: local clocks without dates of arrival, its own ids.
import { cellsIn, csvRow, type Leg, sample, uuidOf } from './life.ts'
import type { Sample } from './sample.ts'

const COLUMNS =
  'flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time,arrival_time,booking_code,seat_number,seat_type,seat_class,purpose,notes,ownership,byair_flight_id,byair_codeshare_id'.split(
    ',',
  )
const CLASSES: Record<string, string> = { 'economy+': 'premium_economy', first: 'first_class' }

function row(leg: Leg): Record<string, string> {
  const { value } = leg
  return {
    flight_date: leg.date,
    flight_code: value.number!,
    departure_airport_code: leg.from,
    arrival_airport_code: leg.to,
    departure_time: value.dep!,
    arrival_time: value.arr!.slice(0, 5),
    booking_code: leg.index % 3 ? '' : 'K4TZ9Q',
    seat_number: value.seat!,
    seat_type: value.seat ? (/[AFK]$/.test(value.seat) ? 'window' : 'aisle') : '',
    seat_class: CLASSES[value.class!] ?? value.class!,
    purpose: leg.index % 2 ? 'leisure' : 'business',
    ownership: leg.kind === 'not_mine' ? 'shared' : 'mine',
    byair_flight_id: uuidOf(`byair ${leg.line}`),
  }
}

export function byAirExport(legs: Leg[]): string {
  const rows = legs.map((leg) => leg.raw ?? csvRow(cellsIn(COLUMNS, row(leg), leg)))
  return `${[COLUMNS.join(','), ...rows].join('\n')}\n`
}

export const byAir: Sample[] = [
  sample(
    'a',
    'byAir, Iberia by night, codeshare marks',
    'byair_export.csv',
    byAirExport,
    `
2022-06-01 MAD BOG number=AV11 airline=AVA dep=23:55 arr=02:50+1 seat=22A class=economy
2022-06-12 BOG MAD number=AV46 airline=AVA dep=18:30 arr=11:25+1 seat=8C class=business
2022-09-28 MAD LHR number=IB3166 airline=IBE dep=08:40 arr=09:40 seat=21A class=economy
2022-10-04 LHR MAD number=IB3163 airline=IBE dep=19:55 arr=22:55 seat=14E class=economy
2023-03-26 MAD LPA number=I23828 airline=IBS dep=07:10 arr=08:45 seat=3F class=economy+ | seat_class=economy_plus
2023-08-18 MAD LHR number=IB3166 airline=IBE dep=08:40 arr=09:40 seat=14D class=economy
2023-08-19 MAD MIA number=AA69 airline=AAL dep=10:20 arr=13:10 seat=14D | flight_code=AA*69
2023-08-21 LHR MAD number=IB3163 airline=IBE dep=19:55 arr=22:55 seat=14E class=economy
2024-01-30 LHR MAD number=IB3167 airline=IBE dep=21:45 arr=00:45+1 class=first
- not_mine 2024-02-02 MAD FCO number=IB3230 airline=IBE dep=08:55 arr=11:00
2024-07-07 MAD EZE number=UX41 airline=AEA dep=23:55 arr=07:15+1 seat=30K class=economy
2024-09-07 MAD LHR number=IB3166 airline=IBE dep=08:40 arr=09:40 seat=16F class=economy
2024-09-13 LHR MAD number=IB3163 airline=IBE dep=19:55 arr=22:55 seat=25F class=economy
2025-09-01 MAD MEX number=IB6401 airline=IBE dep=13:05 arr=16:15 seat=2L class=business | notes=Día de la patria, "casi"
2025-09-29 MAD LHR number=IB3166 airline=IBE dep=08:40 arr=09:40 seat=15C class=economy
2025-10-05 LHR MAD number=IB3163 airline=IBE dep=19:55 arr=22:55 seat=17F class=economy
`,
  ),
  sample(
    'a',
    'byAir, date line westward and a cockpit',
    'byair-flights.csv',
    byAirExport,
    `
2024-08-15 GUM HNL number=UA200 airline=UAL dep=07:35 arr=19:15-1 seat=11K class=economy
2024-08-12 SFO LAX number=UA449 airline=UAL dep=21:30 arr=22:40 seat=9C class=economy
2024-08-11 LAX SFO number=UA1262 airline=UAL dep=08:00 arr=09:10 seat=27D class=economy
2024-06-01 LAX LAS dep=10:00 arr=10:55 class=private | flight_code=
2023-09-30 HND SFO number=UA876 airline=UAL dep=16:25 arr=10:40 seat=51L class=economy
2023-09-17 SFO NRT number=NH7 airline=ANA dep=11:10 arr=13:20+1 seat=2A class=business
2023-09-02 SFO LAX number=UA449 airline=UAL dep=21:30 arr=22:40 seat=29B class=economy
2023-08-30 LAX SFO number=UA1262 airline=UAL dep=08:00 arr=09:10 seat=24B class=economy
2023-03-03 PPT HNL number=HA482 airline=HAL dep=23:30 arr=05:10+1
2023-02-20 AKL PPT number=TN102 airline=THT dep=11:45 arr=18:05-1 seat=16A class=economy
2022-11-26 SYD LAX number=QF11 airline=QFA dep=10:10 arr=05:50 seat=7J class=economy+
2022-11-05 LAX SYD number=QF12 airline=QFA dep=22:30 arr=07:10+2 seat=43A class=economy
2022-04-13 SFO LAX number=UA449 airline=UAL dep=21:30 arr=22:40 seat=26D class=economy
2022-04-07 LAX SFO number=UA1262 airline=UAL dep=08:00 arr=09:10 seat=27D class=economy
`,
  ),
  sample(
    'b',
    'byAir, a Norwegian up north, clocks at midnight',
    'export-byair.csv',
    byAirExport,
    `
2021-12-01 OSL TOS number=SK4424 airline=SAS dep=18:50 arr=20:40 seat=11D class=economy
2021-12-04 TOS OSL number=SK4415 airline=SAS dep=06:20 arr=08:10 seat=21D class=economy
2022-06-24 TOS LYR number=SK4496 airline=SAS dep=23:50 arr=01:30+1 seat=12A class=economy
2022-07-01 LYR OSL number=SK4491 airline=SAS dep=02:35 arr=05:25 seat=12F class=economy
2022-09-26 OSL TOS number=SK4424 airline=SAS dep=18:50 arr=20:40 seat=8E class=economy
2022-09-28 TOS OSL number=SK4415 airline=SAS dep=06:20 arr=08:10 seat=29D class=economy
2022-10-30 OSL KEF number=FI319 airline=ICE dep=14:10 arr=15:45 class=economy+
2023-01-01 BOO LKN number=WF812 airline=WIF dep=06:50 arr=07:25
2023-06-17 EVE OSL number=DY377 airline=NAX dep=00:10 arr=01:50 seat=8A class=economy
- not_mine 2023-12-22 OSL ALC number=DY1788 airline=NAX dep=07:45 arr=11:15 seat=21A class=economy
2024-03-31 OSL TOS number=SK4424 airline=SAS dep=18:50 arr=20:40 seat=28D class=economy
2024-03-31 OSL LHR number=BA763 airline=BAW dep=07:20 arr=08:15 seat=2C class=business
2024-04-04 TOS OSL number=SK4415 airline=SAS dep=06:20 arr=08:10 seat=25F class=economy
2025-02-08 KKN VDS number=WF984 airline=WIF dep=13:05 arr=13:40
2025-08-23 OSL TOS number=SK4424 airline=SAS dep=18:50 arr=20:40 seat=12E class=economy
2025-08-27 TOS OSL number=SK4415 airline=SAS dep=06:20 arr=08:10 seat=25A class=economy
`,
  ),
  sample(
    'b',
    'byAir, India and the Gulf, digits first, a repeated id',
    'byair.csv',
    byAirExport,
    `
2021-02-19 BOM DEL number=6E2041 airline=IGO dep=06:30 arr=08:20
2021-02-22 DEL BOM number=6E2112 airline=IGO dep=22:15 arr=00:05+1
2021-12-12 BOM DXB number=EK507 airline=UAE dep=04:30 arr=05:45 seat=24A class=economy
2022-01-02 DXB COK number=EK530 airline=UAE dep=03:10 arr=08:25 class=economy
2022-05-20 DEL KTM number=AI215 airline=AIC dep=13:20 arr=15:05 seat=3A class=business
2022-12-24 BOM DEL number=6E2041 airline=IGO dep=06:30 arr=08:20
2022-12-27 DEL BOM number=6E2112 airline=IGO dep=22:15 arr=00:05+1
2023-04-14 CCU BKK number=SL241 airline=TLM dep=02:25 arr=06:20 seat=30A class=economy | flight_code=SL*241
2023-08-05 DEL IST number=TK717 airline=THY dep=06:55 arr=10:15 seat=9C class=economy
2024-01-04 BOM DEL number=6E2041 airline=IGO dep=06:30 arr=08:20
2024-01-07 DEL BOM number=6E2112 airline=IGO dep=22:15 arr=00:05+1
2024-02-29 BOM CMB number=UL144 airline=ALK dep=02:45 arr=05:05 seat=12J
2024-11-11 DEL KBL number=RQ928 airline=KMF
2025-01-08 BOM DEL number=6E2041 airline=IGO dep=06:30 arr=08:20
2025-01-14 DEL BOM number=6E2112 airline=IGO dep=22:15 arr=00:05+1
`,
  ),
]

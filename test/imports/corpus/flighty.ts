// Flighty's CSV: 33 columns, airlines by ICAO code, local times with their own dates.
import { cellsIn, csvRow, dayAndClock, digitsOf, type Leg, sample, typeOf, uuidOf } from './life.ts'
import type { Sample } from './sample.ts'

const COLUMNS =
  'Date,Airline,Flight,From,To,Dep Terminal,Dep Gate,Arr Terminal,Arr Gate,Canceled,Diverted To,Gate Departure (Scheduled),Gate Departure (Actual),Take off (Scheduled),Take off (Actual),Landing (Scheduled),Landing (Actual),Gate Arrival (Scheduled),Gate Arrival (Actual),Aircraft Type Name,Tail Number,PNR,Seat,Seat Type,Cabin Class,Flight Reason,Notes,Flight Flighty ID,Airline Flighty ID,Departure Airport Flighty ID,Arrival Airport Flighty ID,Diverted To Airport Flighty ID,Aircraft Type Flighty ID'.split(
    ',',
  )
const CABINS: Record<string, string> = { 'economy+': 'PREMIUM_ECONOMY' }
const SEATS: Record<string, string> = { A: 'WINDOW', F: 'WINDOW', B: 'MIDDLE', E: 'MIDDLE' }

function stamp(date: string, time = ''): string {
  if (!/^\d/.test(time)) return ''
  const { date: day, clock } = dayAndClock(date, time)
  return `${day}T${clock}`
}

/** One side: a lone time is the scheduled one; beside a scheduled one it is the actual one. */
function side(date: string, time = '', scheduled = ''): [string, string] {
  return scheduled ? [stamp(date, scheduled), stamp(date, time)] : [stamp(date, time), '']
}

function row(leg: Leg): Record<string, string> {
  const { value, date } = leg
  const departure = side(date, value.dep, value.depS)
  const arrival = side(date, value.arr, value.arrS)
  const cabin = CABINS[value.class!] ?? value.class!.toUpperCase()
  return {
    Date: date,
    Airline: value.airline!,
    Flight: digitsOf(value.number!),
    From: leg.from,
    To: leg.to,
    Canceled: String(leg.kind === 'cancelled'),
    'Gate Departure (Scheduled)': departure[0],
    'Gate Departure (Actual)': departure[1],
    'Gate Arrival (Scheduled)': arrival[0],
    'Gate Arrival (Actual)': arrival[1],
    'Aircraft Type Name': value.type ? typeOf(value.type).name : '',
    'Tail Number': value.reg!.replace('-', ''),
    Seat: value.seat!,
    'Seat Type': value.seat ? (SEATS[value.seat.slice(-1)] ?? 'AISLE') : '',
    'Cabin Class': cabin,
    'Flight Reason': leg.index % 3 === 0 ? 'LEISURE' : '',
    'Flight Flighty ID': uuidOf(`${leg.line}${leg.index}`),
    'Airline Flighty ID': uuidOf(value.airline!),
    'Departure Airport Flighty ID': uuidOf(leg.from),
    'Arrival Airport Flighty ID': uuidOf(leg.to),
  }
}

export function flightyExport(legs: Leg[]): string {
  const rows = legs.map((leg) => leg.raw ?? csvRow(cellsIn(COLUMNS, row(leg), leg)))
  return `${[COLUMNS.join(','), ...rows].join('\n')}\n`
}

export const flighty: Sample[] = [
  sample(
    'a',
    'Flighty, a Canadian, delayed with no arrival, cancelled',
    'FlightyExport-2026-03-02.csv',
    flightyExport,
    `
2026-05-17 YYZ YOW number=AC452 airline=ACA dep=11:00 arr=11:55 type=A320 seat=14A class=economy | Notes=rebooked, planned
2024-11-02 YYZ LAX number=AC793 airline=ACA dep=20:19 depS=17:10 arrS=19:35 type=B38M reg=C-GEHI seat=21A class=economy
2024-09-10 YYC YVR number=AC219 airline=ACA dep=20:30 arr=20:50 type=BCS3 reg=C-GVDP
2024-09-07 YVR YYC number=AC202 airline=ACA dep=07:00 arr=09:20 type=BCS3 reg=C-GROV
2024-06-30 YTZ YOW number=PD2261 airline=POE dep=10:10 arr=11:20 type=DH8D reg=C-GLQB seat=8A
2024-02-19 YVR YYZ number=AC122 airline=ACA arr=20:41 depS=13:00 arrS=20:25 type=B789 reg=C-FVLX seat=30D class=economy
2024-01-09 YVR SEA number=QX2305 airline=QXE dep=11:25 arr=12:10 type=? reg=N638QX seat=6F class=first | Aircraft Type Name=Embraer E175
2023-11-11 YYC YVR number=AC227 airline=ACA dep=23:12 depS=21:25 arrS=21:55 type=B38M reg=C-FSEQ seat=19C class=economy
2023-11-10 YUL YYZ number=AC425 airline=ACA dep=19:00 arr=20:05 type=A21N reg=C-FDQC seat=9E class=economy
2023-11-08 YYZ YUL number=AC404 airline=ACA dep=08:00 arr=09:05 type=A21N reg=BCS3 seat=18E class=economy
2023-05-18 TPE YVR number=CI32 airline=CAL dep=23:55 arr=20:40 type=A359 reg=B-18912 seat=11K class=business | Flight Reason=WORK
2023-05-06 TSA KNH number=B78851 airline=UIA dep=08:20 arr=09:25 type=AT76 reg=B-17013 seat=4A
2023-05-02 YVR TPE number=CI31 airline=CAL dep=02:00 arr=04:45+1 type=A359 reg=B-18908 seat=32A class=economy+
2022-12-24 YYZ YHZ number=AC602 airline=ACA dep=07:55 arr=11:05 depS=07:30 arrS=10:35 type=A321 reg=C-GIUB seat=20C class=economy
- cancelled 2022-12-23 YYZ YHZ number=AC612 airline=ACA dep=16:30 arr=19:30 type=A321 seat=20C class=economy
2022-12-10 YYC YVR number=AC219 airline=ACA dep=20:30 arr=20:50 type=BCS3 reg=C-GVDP
2022-12-09 YVR YYC number=AC202 airline=ACA dep=07:00 arr=09:20 type=BCS3 reg=C-GVDP
2022-08-17 YUL YYZ number=AC425 airline=ACA dep=19:00 arr=20:05 type=A21N reg=BCS3 seat=25E class=economy
2022-08-11 YYZ YUL number=AC404 airline=ACA dep=08:00 arr=09:05 type=A21N reg=C-FDQC seat=29B class=economy
2022-03-25 LHR YYZ number=AC855 airline=ACA dep=14:05 arr=16:11 depS=13:05 arrS=15:55 type=B789 reg=C-FRSA seat=23A class=economy | Gate Arrival (Actual)=2022-03-25T16:11 ; Dep Terminal=2 ; Dep Gate=B36
2021-08-13 YYZ LHR number=AC848 airline=ACA dep=22:41 depS=20:35 arrS=08:40+1 type=B77W reg=C-FITL seat=18K class=economy+
2021-05-09 YUL YYZ number=AC425 airline=ACA dep=19:00 arr=20:05 type=A21N reg=C-FDQC seat=11F class=economy
2021-05-06 YYZ YUL number=AC404 airline=ACA dep=08:00 arr=09:05 type=A21N reg=BCS3 seat=23C class=economy
`,
  ),
  sample(
    'a',
    'Flighty, island hopping, arrivals the day before',
    'FlightyExport-2025-07-11.csv',
    flightyExport,
    `
2019-08-07 HNL OGG number=HA146 airline=HAL dep=07:05 arr=07:45 type=B712 reg=N485HA seat=24C class=economy
2019-08-09 OGG HNL number=HA205 airline=HAL dep=17:40 arr=18:20 type=B712 reg=N476HA seat=25E class=economy
2019-11-26 NAN SFO number=FJ870 airline=FJI dep=21:40 arr=11:30 type=A332 reg=DQ-FJT seat=30K class=economy
2019-12-30 HNL AKL number=HA445 airline=HAL dep=13:55 arr=21:45+1 type=A332 reg=N395HA seat=20C class=economy
2020-01-13 AKL HNL number=HA446 airline=HAL dep=23:55 arr=09:45 type=A332 reg=N396HA seat=20D class=economy
2021-01-26 HNL OGG number=HA146 airline=HAL dep=07:05 arr=07:45 type=B712 reg=N476HA seat=9F class=economy
2021-01-30 OGG HNL number=HA205 airline=HAL dep=17:40 arr=18:20 type=B712 reg=N485HA seat=29E class=economy
2021-07-02 HNL LIH number=WN2204 airline=SWA type=B738 reg=N8565Z
2021-08-01 HNL LAX number=HA10 airline=HAL dep=13:30 arr=21:50 type=A332 reg=A21N seat=17C class=economy
2021-08-02 LAX HNL number=HA9 airline=HAL dep=08:30 arr=10:50 type=A332 reg=A21N seat=15B class=economy
2022-04-15 PPT BOB number=VT481 airline=VTA dep=07:20 arr=08:20 type=AT76 reg=F-ORVN
2022-04-20 BOB PPT number=VT488 airline=VTA dep=16:05 arr=17:05 type=AT76 reg=F-ORVS
2023-06-26 HNL OGG number=HA146 airline=HAL dep=07:05 arr=07:45 type=B712 reg=N476HA seat=7A class=economy
2023-06-29 OGG HNL number=HA205 airline=HAL dep=17:40 arr=18:20 type=B712 reg=N485HA seat=27E class=economy
2023-08-06 HNL LAX number=HA10 airline=HAL dep=13:30 arr=21:50 type=A332 reg=A21N seat=19B class=economy
2023-08-09 OGG HNL number=HA165 airline=HAL dep=13:05 depS=12:20 arrS=12:59 type=B712 reg=N487HA seat=22E class=economy
2023-08-12 LAX HNL number=HA9 airline=HAL dep=08:30 arr=10:50 type=A332 reg=A21N seat=14F class=economy
2024-09-30 PPT LAX number=TN2 airline=THT dep=23:30 arr=10:45+1 type=B789 reg=F-OTOA seat=2A class=business
2025-07-10 HNL HND number=HA457 airline=HAL dep=14:40 arr=17:25+1 type=A332 reg=N374HA seat=12G class=? | Cabin Class=SKYBED
`,
  ),
  sample(
    'a',
    'Flighty, a captain and a jump seat, charter',
    'FlightyExport-2024-11-30.csv',
    flightyExport,
    `
- cancelled 2024-11-22 DUB SNN number=EI3300 airline=EIN dep=12:00 arr=12:45 seat=3A
2024-10-21 LGW DUB number=EI233 airline=EIN dep=08:45 arr=09:50 type=A320 reg=EI-DVL seat=27E class=economy
2024-10-19 DUB LGW number=EI232 airline=EIN dep=06:40 arr=07:45 type=A320 reg=EI-DEI seat=29A class=economy
2024-08-04 CFN DUB reg=EI-SKY class=private
2024-05-20 SNN BOS number=EI135 airline=EIN dep=12:25 arr=14:02 depS=12:10 arrS=14:10 type=A21N reg=EI-LRE seat=5A class=business
2023-11-07 LGW DUB number=EI233 airline=EIN dep=08:45 arr=09:50 type=A320 reg=EI-DVL seat=25D class=economy
2023-11-02 DUB LGW number=EI232 airline=EIN dep=06:40 arr=07:45 type=A320 reg=EI-DEI seat=10F class=economy
2023-10-29 DUB AGP number=EI582 airline=EIN dep=06:10 arr=09:50 type=A320 reg=EI-DEK seat=11A class=economy
2023-04-01 LGW DUB number=EI233 airline=EIN dep=08:45 arr=09:50 type=A320 reg=EI-CVA seat=21A class=economy
2023-03-30 DUB LGW number=EI232 airline=EIN dep=06:40 arr=07:45 type=A320 reg=EI-DVL seat=29C class=economy
2023-03-26 LHR DUB number=EI151 airline=EIN dep=06:35 arr=07:49 depS=06:35 arrS=08:00 type=A21N reg=EI-LRA seat=7C class=business
2023-01-09 DUB EDI number=EI252 airline=EIN dep=07:05 arr=08:15 type=AT76 reg=EI-HJA | Seat Type=JUMPSEAT ; Flight Reason=CREW
2022-06-13 JFK DUB number=EI104 airline=EIN dep=17:30 arr=05:00+1 type=A333 reg=EI-EDY | Seat Type=PILOT ; Flight Reason=CREW
2022-06-11 DUB JFK number=EI105 airline=EIN dep=10:40 arr=12:10 type=A333 reg=EI-EAV | Seat Type=CAPTAIN ; Flight Reason=CREW
2022-04-07 LGW DUB number=EI233 airline=EIN dep=08:45 arr=09:50 type=A320 reg=EI-DVL seat=19F class=economy
2022-04-04 DUB LGW number=EI232 airline=EIN dep=06:40 arr=07:45 type=A320 reg=EI-DVL seat=13F class=economy
2022-02-18 DUB BHX number=EI276 airline=EIN dep=17:10 arr=18:15 type=AT76 reg=EI-HDH | Aircraft Type Name=ATR 72-600
`,
  ),
  sample(
    'b',
    'Flighty, a Californian, airlines by ICAO and regional jets',
    'FlightyExport-2026-01-31.csv',
    flightyExport,
    `
2026-04-01 SFO NRT number=NH7 airline=ANA dep=11:00 arr=13:10+1 type=B77W seat=12K class=business
2025-06-27 SEA SFO number=AS1104 airline=ASA dep=19:27 depS=16:05 arrS=18:15 type=B39M reg=N925AK seat=11D class=economy
- cancelled 2025-01-09 BUR SFO number=WN1650 airline=SWA dep=18:25 arr=19:30 type=B38M
2024-09-04 SEA SFO number=AS1210 airline=ASA dep=19:30 arr=21:15 type=B739 reg=N309AS seat=8E class=economy
2024-08-29 SFO SEA number=AS331 airline=ASA dep=07:10 arr=08:55 type=B739 reg=N309AS seat=26E class=economy
2024-08-23 SFO JFK number=B616 airline=JBU arr=06:38+1 depS=21:40 arrS=06:21+1 type=A321 reg=N967JT seat=3F class=business
2024-07-05 SEA YKM number=QX2380 airline=QXE dep=14:20 arr=15:10 type=DH8D reg=N437QX | Aircraft Type Name=De Havilland Canada DHC-8-400 Dash 8Q
2023-11-14 LAS LAX number=WN2871 airline=SWA dep=21:40 arr=22:35 type=B737 reg=N454WN
2023-11-11 LAX LAS number=WN1120 airline=SWA dep=08:15 arr=09:10 type=B737 reg=N7819A
2023-09-09 EWR FRA number=UA960 airline=UAL dep=18:05 arr=07:55+1 type=B764 reg=N66051 seat=14A class=economy
2023-07-08 SEA SFO number=AS1210 airline=ASA dep=19:30 arr=21:15 type=B739 reg=N309AS seat=15B class=economy
2023-07-03 SFO SEA number=AS331 airline=ASA dep=07:10 arr=08:55 type=B739 reg=N288AK seat=17E class=economy
2023-06-16 SFO LAX number=WN2711 airline=SWA dep=22:48 depS=20:55 arrS=22:25 type=B737 reg=N7734H
2023-04-04 BEG JFK number=JU500 airline=ASL dep=08:20 arr=11:20 type=A332 reg=YU-ARB seat=17A class=economy
2023-02-14 SFO ORD number=UA618 airline=UAL dep=23:59 arr=06:02+1 depS=22:50 arrS=05:10+1 type=A320 reg=N449UA seat=8C class=economy
2022-11-30 SEA SFO number=AS1210 airline=ASA dep=19:30 arr=21:15 type=B739 reg=N309AS seat=21E class=economy
2022-11-25 SFO SEA number=AS331 airline=ASA dep=07:10 arr=08:55 type=B739 reg=N288AK seat=9B class=economy
2022-11-06 LAX MIA number=AA2264 airline=AAL dep=00:15 arr=07:10 type=B77W reg=N729AN seat=9A class=business
2022-07-22 SFO DEN number=UA1720 airline=UAL dep=10:21 depS=08:45 arrS=12:20 type=B738 reg=N76519 seat=22F class=economy
2022-02-26 LAS LAX number=WN2871 airline=SWA dep=21:40 arr=22:35 type=B737 reg=N454WN
2022-02-22 LAX LAS number=WN1120 airline=SWA dep=08:15 arr=09:10 type=B737 reg=N454WN
2021-09-06 SAN SMF number=OO3415 airline=SKW dep=12:00 arr=13:25 type=? reg=N187SY seat=14A class=economy | Aircraft Type Name=Embraer E175
2021-05-30 PEK SFO number=CA985 airline=CCA dep=16:00 arr=12:40 type=B77W reg=B-2031 seat=41H class=economy
`,
  ),
  sample(
    'b',
    'Flighty, diverted, redirected, a row of the old days',
    'FlightyExport-2023-08-08.csv',
    flightyExport,
    `
2001-08-20 ATH MUC number=OA165 airline=OAL | Airline=OAL
2018-02-02 ATH SKG number=A3114 airline=AEE dep=16:05 arr=16:55 type=A320 seat=12A class=economy | Aircraft Type Name=Airbus A320-200
2018-05-04 ATH JTR number=A3350 airline=AEE dep=06:10 arr=06:55 type=A320 reg=SX-DGB seat=7C class=economy
2018-05-08 JTR ATH number=A3365 airline=AEE dep=22:25 arr=23:10 type=A320 reg=SX-DVV seat=20C class=economy
2019-01-12 ATH JMK number=OA352 airline=OAL dep=11:15 arr=12:00 type=DH8D reg=SX-OBC | Aircraft Type Name=Dash 8 Q400
2019-03-04 JTR ATH number=A3351 airline=AEE dep=07:35 arr=08:22 depS=07:30 arrS=08:20 type=A320 reg=SX-DGY seat=19F class=economy
2019-09-14 ATH TUN number=TU845 airline=TAR dep=13:30 arr=13:25 type=A320 reg=TS-IMR seat=14C
2020-01-14 ATH JTR number=A3350 airline=AEE dep=06:10 arr=06:55 type=A320 reg=SX-DVV seat=27F class=economy
2020-01-17 JTR ATH number=A3365 airline=AEE dep=22:25 arr=23:10 type=A320 reg=SX-DGB seat=25B class=economy
2020-05-20 ATH LCA number=A3902 airline=AEE dep=08:35 arr=10:10 type=A321 reg=SX-DNG seat=8B class=economy
2020-05-23 LCA ATH number=A3909 airline=AEE dep=20:05 arr=21:40 type=A321 reg=SX-DNG seat=28B class=economy
2020-08-14 ATH TIA number=A3970 airline=AEE dep=09:05 arr=09:35 type=DH8D reg=SX-OBB seat=3A class=economy | Aircraft Type Name=DHC-8-400 Dash 8Q
2020-11-27 ATH CHQ number=A3318 airline=AEE dep=17:22 arr=18:31 depS=17:15 arrS=18:10 type=A320 reg=SX-DGX seat=9C class=economy | To=HER ; Diverted To=CHQ ; Notes=storm on Crete
2021-07-06 ATH LCA number=A3902 airline=AEE dep=08:35 arr=10:10 type=A321 reg=SX-DNG seat=17C class=economy
2021-07-08 LCA ATH number=A3909 airline=AEE dep=20:05 arr=21:40 type=A321 reg=A20N seat=19A class=economy
2021-12-18 LHR SKG number=BA632 airline=BAW dep=13:20 arr=18:50 depS=13:10 arrS=18:40 type=A20N reg=G-TTNB seat=22F class=economy | Dep Terminal=3 ; Notes=fog came and went
2022-01-24 TLV ATH number=A3925 airline=AEE dep=05:31 arr=07:44 depS=05:25 arrS=08:10 type=A20N reg=SX-NED seat=12D class=economy | To=SKG ; Diverted To=ATH
2022-02-14 ATH JTR number=A3350 airline=AEE dep=06:10 arr=06:55 type=A320 reg=SX-DGB seat=10B class=economy
2022-02-18 JTR ATH number=A3365 airline=AEE dep=22:25 arr=23:10 type=A320 reg=SX-DGB seat=17E class=economy
2022-06-02 SKG DUS number=A3542 airline=AEE dep=10:00 arr=12:20 depS=10:00 arrS=12:05 type=A320 reg=SX-DGT seat=25C class=economy
2023-08-07 ATH TLV number=GQ720 airline=SEH
`,
  ),
  sample(
    'b',
    'Flighty, premium cabins, night of the clocks, a tail with letters',
    'FlightyExport-2024-05-05.csv',
    flightyExport,
    `
2024-06-16 CTS HND number=JL528 airline=JAL dep=20:00 arr=21:30 type=B789 reg=JA861J seat=23A class=economy
2024-06-10 HND CTS number=JL501 airline=JAL dep=08:00 arr=09:30 type=B789 reg=JA871J seat=25E class=economy
2024-05-01 HND SEA number=DL166 airline=DAL dep=17:35 arr=11:10 type=A339 reg=N407DX seat=30C class=economy+
- cancelled 2024-04-03 NRT OKA number=NU33 airline=JTA dep=14:10 arr=16:35
2024-02-08 CTS HKD number=JL2743 airline=JAL type=AT45 reg=JA12HC
2023-12-31 SIN HND number=SQ636 airline=SIA dep=22:55 arr=06:40+1 type=A359 reg=9V-SHA seat=11D class=business
2023-10-04 ITM HND number=NH40 airline=ANA dep=20:00 arr=21:00 type=B78X reg=JA981A seat=23C class=economy+
2023-10-02 HND LHR number=JL43 airline=JAL dep=10:15 arr=14:00 type=B77W reg=JA742J seat=1K class=first | Seat Type=WINDOW ; PNR=QX7L2M
2023-09-30 HND ITM number=NH15 airline=ANA dep=09:00 arr=10:00 type=B78X reg=JA981A seat=17F class=economy+
2023-09-28 CTS HND number=JL528 airline=JAL dep=20:00 arr=21:30 type=B789 reg=JA861J seat=28E class=economy
2023-09-25 HND CTS number=JL501 airline=JAL dep=08:00 arr=09:30 type=B789 reg=JA861J seat=25B class=economy
2023-07-17 FUK ICN number=LJ222 airline=JNA dep=12:20 arr=13:41 depS=12:05 arrS=13:40 type=B738 reg=HL7564 seat=20A class=economy
2023-06-19 NGO OKA number=BC551 airline=SKY dep=08:35 arr=10:35 type=B738 reg=JA73NX | Airline=SKY
2023-03-12 ITM HND number=NH40 airline=ANA dep=20:00 arr=21:00 type=B78X reg=B789 seat=20E class=economy+
2023-03-11 KIX TPE number=MM23 airline=APJ dep=11:20 arr=12:50 type=A20N reg=JA203P seat=3C class=? | Cabin Class=HAPPY
2023-03-10 HND ITM number=NH15 airline=ANA dep=09:00 arr=10:00 type=B78X reg=B789 seat=23C class=economy+
2022-11-05 NRT HEL number=AY74 airline=FIN dep=22:50 arr=06:45+1 type=A359 reg=OH-LWP seat=21L class=economy+
2022-10-29 HEL NRT number=AY73 airline=FIN dep=17:30 arr=09:15+1 type=A359 reg=OH-LWL seat=5A class=business
2022-05-07 CTS HND number=JL528 airline=JAL dep=20:00 arr=21:30 type=B789 reg=JA871J seat=25B class=economy
2022-05-06 HND CTS number=JL501 airline=JAL dep=08:00 arr=09:30 type=B789 reg=JA861J seat=23B class=economy
`,
  ),
]

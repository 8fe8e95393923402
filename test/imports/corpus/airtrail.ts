// AirTrail's own export: JSON with objects for airports, airlines and aircraft, and its CSV, which does not double quotes.
import {
  airlineOf,
  dayAndClock,
  instantOf,
  type Leg,
  minutesOf,
  placeOf,
  sample,
  typeOf,
  utcOf,
} from './life.ts'
import type { Sample } from './sample.ts'

const USER = { id: 'k3v9x1', displayName: 'Robin', username: 'robin' }

/** ISO with the offset of the place. */
export function withOffset(date: string, time: string, code: string): string {
  const { date: day, clock } = dayAndClock(date, time)
  const minutes = (Date.parse(`${day}T${clock}:00Z`) - instantOf(date, time, placeOf(code).zone)) / 60_000
  const size = Math.abs(minutes)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${day}T${clock}:00.000${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

const inUtc = (date: string, time: string, code: string) => `${utcOf(date, time, code)}.000+00:00`

type Stamp = typeof withOffset

function airport(code: string) {
  const { iata, icao, lat, lon, zone, name, city, country } = placeOf(code)
  return { icao, iata: iata || null, lat, lon, tz: zone, name, municipality: city, country, custom: false }
}

function day(date: string): string {
  return `${date}-01-01`.slice(0, 10)
}

function timesOf(leg: Leg, stamp: Stamp): Record<string, string | null> {
  const at = (name: string, place: string) =>
    /^\d/.test(leg.value[name]!) ? stamp(leg.date, leg.value[name]!, place) : null
  return {
    departure: at('dep', leg.from) ?? (leg.date.length < 10 ? `${day(leg.date)}T00:00:00.000+00:00` : null),
    arrival: at('arr', leg.to),
    departureScheduled: at('depS', leg.from),
    arrivalScheduled: at('arrS', leg.to),
  }
}

function base(leg: Leg, stamp: Stamp): Record<string, unknown> {
  const { value } = leg
  const minutes = minutesOf(leg)
  return {
    date: day(leg.date),
    ...timesOf(leg, stamp),
    duration: minutes === undefined ? null : minutes * 60,
    flightNumber: value.number || null,
    aircraftReg: value.reg || null,
    note: null,
    aircraftId: value.type ? 40 + leg.index : null,
    airlineId: value.airline ? 9 + leg.index : null,
    fromId: 3000 + leg.index,
    toId: 4000 + leg.index,
    takeoffScheduled: null,
    takeoffActual: null,
    landingScheduled: null,
    landingActual: null,
    arrivalGate: null,
    arrivalTerminal: null,
    departureGate: null,
    departureTerminal: null,
    datePrecision: leg.date.length === 4 ? 'year' : leg.date.length === 7 ? 'month' : 'day',
  }
}

function overridden(made: Record<string, unknown>, leg: Leg): Record<string, unknown> {
  for (const [name, text] of Object.entries(leg.cells)) {
    if (!(name in made)) throw new Error(`No such key: ${name}`)
    made[name] = JSON.parse(text)
  }
  return made
}

function seatOf(leg: Leg) {
  const { value } = leg
  return {
    seat: value.seat ? (/[AFK]$/.test(value.seat) ? 'window' : 'aisle') : null,
    seatNumber: value.seat || null,
    seatClass: value.class || null,
  }
}

/** Today's form: objects, passengers with their reasons. */
function flightOf(leg: Leg, stamp: Stamp): Record<string, unknown> {
  const { value } = leg
  const airline = airlineOf(value.airline!)
  const made = {
    ...base(leg, stamp),
    from: airport(leg.from),
    to: airport(leg.to),
    aircraft: value.type ? { icao: value.type, name: typeOf(value.type).name, sourceId: null } : null,
    airline: value.airline
      ? { name: airline.name, icao: airline.icao, iata: airline.iata || null, iconPath: null, sourceId: null }
      : null,
    passengers: [{ userId: USER.id, guestName: null, ...seatOf(leg), flightReason: 'leisure', user: USER }],
  }
  return overridden(made, leg)
}

/** Before version 3: codes, `seats`, no timetable. */
function oldFlightOf(leg: Leg): Record<string, unknown> {
  const { value } = leg
  const { departure, arrival } = timesOf(leg, inUtc)
  const minutes = minutesOf(leg)
  const made = {
    date: leg.date,
    from: { code: placeOf(leg.from).icao },
    to: { code: placeOf(leg.to).icao },
    departure,
    arrival,
    duration: minutes === undefined ? null : minutes * 60,
    flightNumber: value.number || null,
    flightReason: 'business',
    airline: value.airline || null,
    aircraft: value.type || null,
    aircraftReg: value.reg || null,
    note: null,
    seats: [{ userId: USER.id, guestName: null, ...seatOf(leg) }],
  }
  return overridden(made, leg)
}

function document(flights: unknown[]): string {
  return `${JSON.stringify({ users: [USER], flights }, null, 2)}\n`
}

export const json = (stamp: Stamp) => (legs: Leg[]) => document(legs.map((leg) => flightOf(leg, stamp)))
export const oldJson = (legs: Leg[]) => document(legs.map(oldFlightOf))

/** Its CSV: names instead of codes, every cell in quotes, quotes inside not doubled. */
function csv(legs: Leg[]): string {
  const rows = legs.map((leg) => {
    const { value } = leg
    const named = {
      from: placeOf(leg.from).name,
      to: placeOf(leg.to).name,
      aircraft: value.type ? typeOf(value.type).name : null,
      airline: value.airline ? airlineOf(value.airline).name : null,
    }
    const own = { ...base(leg, inUtc), ...named, ...seatOf(leg), flightReason: 'leisure' }
    return overridden(own, leg)
  })
  const lines = rows.map((row) =>
    Object.values(row)
      .map((cell) => `"${cell ?? ''}"`)
      .join(','),
  )
  const headings = Object.keys(rows[0]!).map((name) => `"${name}"`)
  return `${[headings.join(','), ...lines].join('\n')}\n`
}

export const airTrail: Sample[] = [
  sample(
    'a',
    'AirTrail JSON, evenings west of Greenwich, partial dates',
    'airtrail.json',
    json(withOffset),
    `
1997-05 DEN IAH airline=COA
1999 DEN ORD airline=UAL type=B752
2021-07-23 DEN SFO number=UA1497 airline=UAL dep=18:40 arr=20:00 type=A320 reg=N449UA seat=11A class=economy
2021-07-25 SFO DEN number=UA2381 airline=UAL dep=21:55 arr=01:15+1 type=A320 reg=N449UA seat=27C class=economy
2021-11-07 DEN OGG number=UA1723 airline=UAL type=B763 reg=N661UA
2022-06-13 DEN MSP number=DL1463 airline=DAL dep=06:30 arr=09:15 type=A321 reg=N301DN seat=26B class=economy
2022-06-15 MSP DEN number=DL1470 airline=DAL dep=22:15 arr=23:00 type=A321 reg=N301DN seat=17D class=economy
2022-08-09 SFO AKL number=NZ7 airline=ANZ dep=22:45 arr=06:35+2 type=B789 reg=ZK-NZM seat=40A class=economy+
2022-08-21 DEN SFO number=UA1497 airline=UAL dep=18:40 arr=20:00 type=A320 reg=N449UA seat=19F class=economy
2022-08-22 SFO DEN number=UA2381 airline=UAL dep=21:55 arr=01:15+1 type=A320 reg=N449UA seat=27B class=economy
2023-05-25 DEN SLC number=DL1106 airline=DAL dep=17:12 arr=18:41 depS=16:30 arrS=18:05 type=A321 reg=N117DX seat=9D class=economy
2023-10-06 DEN SFO number=UA1497 airline=UAL dep=18:40 arr=20:00 type=A320 reg=N449UA seat=15C class=economy
2023-10-07 SFO DEN number=UA2381 airline=UAL dep=21:55 arr=01:15+1 type=A320 reg=N449UA seat=17A class=economy
2024-03-22 DEN MSP number=DL1463 airline=DAL dep=06:30 arr=09:15 type=A321 reg=N301DN seat=25C class=economy
2024-03-26 MSP DEN number=DL1470 airline=DAL dep=22:15 arr=23:00 type=A321 reg=N301DN seat=21E class=economy
2024-12-31 SFO HND number=NH107 airline=ANA dep=23:55 arr=03:10+2 type=B77W reg=JA791A seat=8K class=business | note="New Year\\\\nsomewhere over the sea"
2025-03-09 DEN JFK number=B698 airline=JBU dep=00:50 arr=07:25 type=A320 reg=N779JB seat=4A class=economy
2026-12-20 DEN MUC number=LH481 airline=DLH dep=15:40 arr=10:00+1 type=A359
`,
  ),
  sample(
    'a',
    'AirTrail CSV, names for codes, quotes not doubled',
    'airtrail.csv',
    csv,
    `
2021-04-04 OSL CDG number=AF1275 airline=AFR dep=14:20 arr=16:25 type=A320 reg=F-HBNK seat=15A class=economy
2021-04-06 CDG OSL number=AF1274 airline=AFR dep=09:35 arr=11:40 type=A320 reg=F-HBNK seat=8C class=economy
2021-10-31 CDG SIN number=SQ335 airline=SIA dep=12:00 arr=08:05+1 type=A359 reg=9V-SMF seat=21A class=economy+ | note="the \\"long\\" one, with dinner"
2022-07 CDG NCE airline=AFR
2022-09-18 OSL CDG number=AF1275 airline=AFR dep=14:20 arr=16:25 type=A320 reg=F-HEPF seat=18E class=economy
2022-09-19 CDG OSL number=AF1274 airline=AFR dep=09:35 arr=11:40 type=A320 reg=F-HEPF seat=22B class=economy
2023-01-15 CDG RUN number=AF652 airline=AFR dep=18:50 arr=09:20+1 type=B77W reg=F-GSQV seat=30J class=economy
2023-06-01 NCE CDG number=AF6203 airline=AFR dep=10:05 arr=11:25 type=A320 reg=F-GKXO class=economy
2023-07-27 CDG LYS number=AF7640 airline=AFR dep=07:20 arr=08:20 type=A319 reg=F-GRXK seat=11D class=economy
2023-07-28 LYS CDG number=AF7655 airline=AFR dep=20:40 arr=21:40 type=A319 reg=F-GRXK seat=8D class=economy
2023-09-05 OSL CDG number=AF1275 airline=AFR dep=14:20 arr=16:25 type=A320 reg=F-HEPF seat=24C class=economy
2023-09-06 CDG OSL number=AF1274 airline=AFR dep=09:35 arr=11:40 type=A320 reg=F-HBNK seat=19B class=economy
2024-09-30 CDG IST number=TK1826 airline=THY dep=22:45 arr=02:50+1 type=B738 reg=TC-JVT seat=17F class=economy
2024-11-27 CDG LYS number=AF7640 airline=AFR dep=07:20 arr=08:20 type=A319 reg=F-GRXK seat=9F class=economy
2024-12-01 LYS CDG number=AF7655 airline=AFR dep=20:40 arr=21:40 type=A319 reg=F-GRXK seat=23E class=economy
`,
  ),
  sample(
    'b',
    'AirTrail JSON before version 3, Schönefeld and codes',
    'airtrail-backup.json',
    oldJson,
    `
2013-05-14 SXF LTN number=U22102 airline=EZY dep=07:00 arr=07:35 type=A319 reg=G-EZDA seat=8A class=economy
2017-10-29 SXF HEL number=DY8032 airline=NAX dep=10:20 arr=13:10 type=B738 reg=LN-NGU class=economy
2019-01-13 VKO LED number=UT381 airline=UTA dep=08:30 arr=09:45 type=B738 reg=VP-BVL seat=17B class=economy
2019-01-14 LED VKO number=UT388 airline=UTA dep=21:15 arr=22:30 type=B738 reg=VQ-BJF seat=8F class=economy
2019-07-07 LED OVB number=S75046 airline=SBI type=A320 reg=VQ-BDF
2020-02-10 SVO PKC number=SU1730 airline=AFL dep=20:25 arr=13:50+1 type=A332 reg=VQ-BCQ seat=33H class=economy
2020-04-22 VKO LED number=UT381 airline=UTA dep=08:30 arr=09:45 type=B738 reg=VP-BVL seat=7A class=economy
2020-04-27 LED VKO number=UT388 airline=UTA dep=21:15 arr=22:30 type=B738 reg=VQ-BJF seat=18D class=economy
2021-04-08 VKO LED number=UT381 airline=UTA dep=08:30 arr=09:45 type=B738 reg=VQ-BJF seat=21B class=economy
2021-04-11 LED VKO number=UT388 airline=UTA dep=21:15 arr=22:30 type=B738 reg=VQ-BJF seat=27D class=economy
2021-06-12 OVB GDX number=S75227 airline=SBI dep=09:05 arr=18:10 type=B738 reg=VQ-BVL seat=20A class=economy
2021-06-20 PKC SVO number=SU1731 airline=AFL dep=11:45 arr=11:10 type=B77W reg=VP-BGB seat=45K class=economy
2022-06-24 VKO LED number=UT381 airline=UTA dep=08:30 arr=09:45 type=B738 reg=VQ-BJF seat=15C class=economy
2022-06-30 LED VKO number=UT388 airline=UTA dep=21:15 arr=22:30 type=B738 reg=VQ-BJF seat=24B class=economy
`,
  ),
  sample(
    'b',
    'AirTrail JSON in UTC, the date line',
    'airtrail (2).json',
    json(inUtc),
    `
2022-02-02 NAN SYD number=FJ911 airline=FJI dep=09:00 arr=12:15 type=B38M reg=DQ-FAB seat=7D class=economy
2022-02-03 SYD NAN number=FJ910 airline=FJI dep=13:25 arr=18:40 type=B38M reg=DQ-FAB seat=14A class=economy
2022-08-15 NAN SUV number=FJ5 airline=FJI dep=07:30 arr=08:10
2022-08-21 SUV NAN number=FJ6 airline=FJI dep=18:15 arr=18:55
2022-12-01 NAN APW number=FJ251 airline=FJI dep=14:30 arr=17:25 type=B38M reg=DQ-FAE seat=6F class=economy
2023-02-08 APW NAN number=FJ252 airline=FJI dep=22:00 arr=22:55 type=B38M reg=DQ-FAE seat=6A class=economy
2023-06 SUV TBU airline=FJI
2023-07-15 NAN SUV number=FJ5 airline=FJI dep=07:30 arr=08:10
2023-07-21 SUV NAN number=FJ6 airline=FJI dep=18:15 arr=18:55
2023-12-24 NAN HNL number=FJ822 airline=FJI dep=23:10 arr=07:40 type=A332 reg=DQ-FJV seat=24A class=economy
2024-01-02 HNL NAN number=FJ823 airline=FJI dep=01:45 arr=06:15+1 type=A332 reg=DQ-FJV seat=24K class=business
2024-04-17 NAN SYD number=FJ911 airline=FJI dep=09:00 arr=11:15 type=B38M reg=DQ-FAD seat=23F class=economy
2024-04-19 SYD NAN number=FJ910 airline=FJI dep=13:25 arr=19:40 type=B38M reg=DQ-FAD seat=16D class=economy
2024-07-19 NAN CXI number=FJ230 airline=FJI dep=00:15 arr=06:55 type=B738
2025-01-27 NAN SUV number=FJ5 airline=FJI dep=07:30 arr=08:10
2025-02-02 SUV NAN number=FJ6 airline=FJI dep=18:15 arr=18:55
2025-04-05 SYD LDH number=QF2260 airline=QFA dep=10:25 arr=12:25 type=DH8C reg=VH-TQM seat=3A class=economy
`,
  ),
]

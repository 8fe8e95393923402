// A fictional log for trying the app: about eight years of a person in Copenhagen who travels for work and likes distant
// places. Always the same trips, dated so that the last ones are in the future.

import type { DatePrecision, FlightReason, Seat, SeatClass } from '../enums.ts'
import { utcDate } from '../time/calendar.ts'
import { DAY } from '../time/durations.ts'
import type { TripColour } from '../trips/trip.ts'

export interface DemoFlight {
  from: string
  to: string
  airline: string | null
  flightNumber: string | null
  aircraft: string | null
  aircraftReg: string | null
  /** Local date and time of departure; no time if only the month or year is known. */
  date: string
  time: string | null
  datePrecision: DatePrecision
  minutesLate: number
  gate: string | null
  seat: Seat
  seatNumber: string
  seatClass: SeatClass
  reason: FlightReason
  companion: string | null
  note: string | null
  /** The name of the trip that the flight belongs to. */
  trip: DemoTrip['name'] | null
}

interface DemoTrip {
  name: string
  note: string
  colour: TripColour
}

/** The two journeys that this person has saved as trips. */
export const demoTrips = [
  {
    name: 'Tokyo and Kyoto',
    note: 'Twelve days, by train from Tokyo over Hakone to Kyoto and back.',
    colour: 'pink',
  },
  {
    name: 'Australia',
    note: 'Sydney, the Blue Mountains and two days of rain.',
    colour: 'amber',
  },
] as const satisfies readonly DemoTrip[]

interface Trip {
  reason: FlightReason
  companion?: string
  note?: string
  /** Its last occurrence is the trip with this name. */
  isTrip?: (typeof demoTrips)[number]['name']
  /** Day of the trip, flight, from, to, departure, airline, aircraft. */
  legs: string[]
}

const trips: Record<string, Trip> = {
  london: { reason: 'business', legs: ['0 SK501 CPH LHR 07:55 SAS A20N', '1 SK1504 LHR CPH 17:45 SAS A20N'] },
  oslo: { reason: 'business', legs: ['0 SK1460 CPH OSL 08:10 SAS B738', '1 DY936 OSL CPH 19:15 NAX B738'] },
  zurich: {
    reason: 'business',
    legs: ['0 LX1273 CPH ZRH 09:35 SWR A320', '2 LX1268 ZRH CPH 17:35 SWR A320'],
  },
  aalborg: {
    reason: 'business',
    legs: ['0 SK1209 CPH AAL 08:10 SAS CRJ9', '0 SK1220 AAL CPH 18:40 SAS CRJ9'],
  },
  newYork: {
    reason: 'business',
    note: 'Upgraded at the gate',
    legs: ['0 SK909 CPH EWR 12:25 SAS A333', '6 SK910 EWR CPH 17:50 SAS A333'],
  },
  sanFrancisco: {
    reason: 'business',
    legs: ['0 SK935 CPH SFO 12:35 SAS A359', '9 SK936 SFO CPH 17:35 SAS A359'],
  },
  lisbon: {
    reason: 'leisure',
    companion: 'Grace',
    legs: ['0 TP753 CPH LIS 14:20 TAP A320', '6 TP752 LIS CPH 07:30 TAP A320'],
  },
  barcelona: {
    reason: 'leisure',
    companion: 'Grace',
    legs: ['0 DY3732 CPH BCN 06:40 NAX B738', '4 DY3733 BCN CPH 10:50 NAX B738'],
  },
  reykjavik: {
    reason: 'leisure',
    companion: 'Grace',
    note: 'Northern lights from the left side',
    legs: ['0 SK595 CPH KEF 08:15 SAS A20N', '5 FI204 KEF CPH 07:40 ICE B39M'],
  },
  edinburgh: {
    reason: 'leisure',
    legs: [
      '0 BA813 CPH LHR 10:35 BAW A320',
      '0 BA1446 LHR EDI 15:10 BAW A319',
      '4 U23270 EDI CPH 12:40 EZY A319',
    ],
  },
  tromso: {
    reason: 'leisure',
    companion: 'Grace',
    legs: [
      '0 SK1464 CPH OSL 09:00 SAS A20N',
      '0 SK4414 OSL TOS 12:30 SAS B738',
      '5 SK4423 TOS OSL 12:00 SAS B738',
      '5 SK1471 OSL CPH 16:30 SAS A20N',
    ],
  },
  tokyo: {
    reason: 'leisure',
    companion: 'Grace',
    note: 'Mount Fuji above the clouds',
    isTrip: 'Tokyo and Kyoto',
    legs: ['0 SK983 CPH HND 12:35 SAS A359', '12 SK984 HND CPH 10:50 SAS A359'],
  },
  singapore: {
    reason: 'business',
    legs: [
      '0 LH825 CPH FRA 17:05 DLH A321',
      '0 LH778 FRA SIN 21:55 DLH A359',
      '10 SQ326 SIN FRA 00:15 SIA B77W',
      '10 LH826 FRA CPH 10:10 DLH A321',
    ],
  },
  bangkok: {
    reason: 'leisure',
    companion: 'Grace',
    legs: [
      '0 AY952 CPH HEL 12:00 FIN A321',
      '0 AY141 HEL BKK 17:30 FIN A359',
      '14 AY142 BKK HEL 09:05 FIN A359',
      '14 AY955 HEL CPH 19:15 FIN A321',
    ],
  },
  sydney: {
    reason: 'leisure',
    companion: 'Grace',
    note: 'Across the whole outback by daylight',
    isTrip: 'Australia',
    legs: [
      '0 EK152 CPH DXB 15:35 UAE B77W',
      '1 EK414 DXB SYD 02:15 UAE A388',
      '20 EK415 SYD DXB 21:10 UAE A388',
      '21 EK151 DXB CPH 08:20 UAE B77W',
    ],
  },
}

/** Year by year, oldest first. */
const years = [
  ['london', 'lisbon', 'oslo', 'newYork', 'aalborg', 'barcelona', 'zurich'],
  ['oslo', 'tokyo', 'london', 'reykjavik', 'singapore', 'aalborg'],
  ['newYork', 'tromso', 'zurich', 'barcelona', 'london', 'oslo'],
  ['aalborg', 'oslo', 'lisbon'],
  ['london', 'edinburgh', 'sanFrancisco', 'zurich', 'aalborg', 'oslo'],
  ['sydney', 'london', 'barcelona', 'zurich', 'newYork', 'oslo'],
  ['bangkok', 'lisbon', 'london', 'tromso', 'oslo', 'edinburgh', 'zurich'],
  ['tokyo', 'london', 'sanFrancisco', 'oslo', 'reykjavik', 'aalborg', 'barcelona', 'zurich'],
] as const
const upcoming = [
  { trip: 'london', inDays: 18 },
  { trip: 'singapore', inDays: 55 },
] as const

const registrations: Record<string, string> = {
  SAS: 'SE-RO',
  NAX: 'LN-NG',
  SWR: 'HB-JB',
  TAP: 'CS-TN',
  ICE: 'TF-IC',
  BAW: 'G-EUY',
  EZY: 'G-EZU',
  DLH: 'D-AIX',
  SIA: '9V-SW',
  FIN: 'OH-LW',
  UAE: 'A6-EE',
}

const YEAR = 365.25 * DAY
/** Longer than the longest trip, so that all past trips have ended. */
const MARGIN = 25 * DAY
const LONG_HAUL = ['A333', 'A359', 'A388', 'B77W']

export function demoFlights(now: number): DemoFlight[] {
  const random = createRandom(20_250_601)
  const flights = oldFlights(now)
  for (const [i, names] of years.entries()) {
    const begins = now - (years.length - i) * YEAR
    for (const [k, name] of names.entries()) {
      const starts = begins + ((k + 0.5) / names.length) * (YEAR - MARGIN)
      const isLast = !years.slice(i + 1).some((later) => (later as readonly string[]).includes(name))
      flights.push(...tripFlights(trips[name]!, starts, random, isLast))
    }
  }
  for (const { trip, inDays } of upcoming)
    flights.push(...tripFlights(trips[trip]!, now + inDays * DAY, random))
  return flights
}

function tripFlights(trip: Trip, starts: number, random: () => number, isLast = false): DemoFlight[] {
  const companion = trip.companion ?? null
  return trip.legs.map((leg, i) => {
    const [day, flightNumber, from, to, time, airline, aircraft] = leg.split(' ') as string[]
    const isLong = LONG_HAUL.includes(aircraft!)
    const seat = pick(['window', 'window', 'aisle', 'middle'] as const, random)
    const letters = { window: 'AF', aisle: 'CD', middle: 'BE' }[seat]
    return {
      from: from!,
      to: to!,
      airline: airline!,
      flightNumber: flightNumber!,
      aircraft: aircraft!,
      aircraftReg: `${registrations[airline!]}${pick([...'ABCDEF'], random)}`,
      date: utcDate(starts + Number(day) * DAY),
      time: time!,
      datePrecision: 'day',
      minutesLate: pick([0, 0, -4, 3, 7, 12, 25, 48], random),
      gate: from === 'CPH' ? `${pick([...'ABC'], random)}${1 + Math.floor(random() * 28)}` : null,
      seat,
      seatNumber: `${(isLong ? 20 : 4) + Math.floor(random() * 22)}${pick([...letters], random)}`,
      seatClass:
        isLong && trip.reason === 'business' ? pick(['economy+', 'business'] as const, random) : 'economy',
      reason: trip.reason,
      companion,
      note: i === 0 ? (trip.note ?? null) : null,
      trip: isLast ? (trip.isTrip ?? null) : null,
    }
  })
}

/** Flights from long ago with only a month or year. */
function oldFlights(now: number): DemoFlight[] {
  const year = new Date(now).getUTCFullYear()
  const vague = (
    from: string,
    to: string,
    date: string,
    datePrecision: 'month' | 'year',
    note: string | null,
  ) =>
    ({
      from,
      to,
      date,
      datePrecision,
      note,
      airline: null,
      flightNumber: null,
      aircraft: null,
      aircraftReg: null,
      time: null,
      minutesLate: 0,
      gate: null,
      seat: 'window',
      seatNumber: '',
      seatClass: 'economy',
      reason: 'leisure',
      companion: null,
      trip: null,
    }) as const
  return [
    vague('CPH', 'LPA', `${year - 25}-01-01`, 'year', 'My first flight'),
    vague('LPA', 'CPH', `${year - 25}-01-01`, 'year', null),
    vague('CPH', 'PMI', `${year - 19}-07-01`, 'month', null),
    vague('PMI', 'CPH', `${year - 19}-07-01`, 'month', null),
  ]
}

const pick = <Item>(list: readonly Item[], random: () => number): Item =>
  list[Math.floor(random() * list.length)]!

/** Returns the same numbers every time, so that all demo logs are equal. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

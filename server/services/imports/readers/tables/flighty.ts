// Flighty. Each of its eight times has its own date, local to the airport.
import type { Seat } from '../../../../domain/enums.ts'
import type { Source, SourceFlight } from '../../reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed } from '../../values/named.ts'
import { readReason, readSeat, readSeatClass, type Words } from '../../values/words.ts'
import { dateIn, isTrue, joinedNumber, self, textIn, timeIn } from './cells.ts'
import { type Cells, tableReader } from './reader.ts'

/** Flighty's captain is our pilot, and its pilot our copilot. */
const seats: Words<Seat> = { CAPTAIN: 'pilot', PILOT: 'copilot' }

const columns = {
  date: 'Date',
  carrier: 'Airline',
  number: 'Flight',
  from: 'From',
  to: 'To',
  departureTerminal: 'Dep Terminal',
  departureGate: 'Dep Gate',
  arrivalTerminal: 'Arr Terminal',
  arrivalGate: 'Arr Gate',
  outcome: 'Canceled',
  divertedTo: 'Diverted To',
  departureScheduled: 'Gate Departure (Scheduled)',
  departure: 'Gate Departure (Actual)',
  takeoffScheduled: 'Take off (Scheduled)',
  takeoffActual: 'Take off (Actual)',
  landingScheduled: 'Landing (Scheduled)',
  landingActual: 'Landing (Actual)',
  arrivalScheduled: 'Gate Arrival (Scheduled)',
  arrival: 'Gate Arrival (Actual)',
  aircraft: 'Aircraft Type Name',
  aircraftReg: 'Tail Number',
  bookingReference: 'PNR',
  seatNumber: 'Seat',
  seat: 'Seat Type',
  seatClass: 'Cabin Class',
  reason: 'Flight Reason',
  note: 'Notes',
  externalId: 'Flight Flighty ID',
}
type Key = keyof typeof columns

const reader = tableReader({
  columns,
  proof: ['departureScheduled', 'arrivalScheduled', 'divertedTo'],
  read(cell, warnings) {
    const isCancelled = isTrue(cell('outcome'))
    const flight: SourceFlight = {
      date: dateIn(cell('date')),
      ...destinationIn(cell),
      from: airportNamed(cell('from')),
      airline: airlineNamed(cell('carrier')),
      flightNumber: joinedNumber(cell('carrier'), cell('number')),
      aircraft: aircraftNamed(cell('aircraft')),
      aircraftReg: textIn(cell('aircraftReg')),
      ...timesIn((key) => timeIn(key, cell(key), warnings), cell('divertedTo') !== ''),
      departureTerminal: textIn(cell('departureTerminal')),
      departureGate: textIn(cell('departureGate')),
      arrivalTerminal: textIn(cell('arrivalTerminal')),
      arrivalGate: textIn(cell('arrivalGate')),
      bookingReference: textIn(cell('bookingReference')),
      note: textIn(cell('note')),
      externalId: textIn(cell('externalId')),
      passengers: [
        self({
          seat: readSeat(cell('seat'), warnings, seats),
          seatNumber: textIn(cell('seatNumber')),
          seatClass: readSeatClass(cell('seatClass'), warnings),
          flightReason: readReason(cell('reason'), warnings),
        }),
      ],
    }
    if (!isCancelled) return { flight }
    return { flight: { ...flight, outcome: 'cancelled' }, skip: 'cancelled' }
  },
})

/** The destination of a diverted flight is where it landed. */
function destinationIn(cell: Cells<Key>): Pick<SourceFlight, 'to' | 'plannedTo' | 'outcome'> {
  const to = airportNamed(cell('to'))
  const landedAt = airportNamed(cell('divertedTo'))
  return landedAt ? { to: landedAt, plannedTo: to, outcome: 'diverted' } : { to }
}

const timeFields = [
  'departureScheduled',
  'takeoffScheduled',
  'takeoffActual',
  'landingScheduled',
  'landingActual',
  'arrivalScheduled',
] as const

/** The times at the gate, actual or scheduled. A diverted flight has no schedule for the airport where it landed. */
function timesIn(time: (key: Key) => SourceFlight['departure'], isDiverted: boolean): Partial<SourceFlight> {
  const times: Partial<SourceFlight> = {}
  for (const field of timeFields) times[field] = time(field) ?? null
  times.departure = time('departure') ?? times.departureScheduled ?? null
  times.arrival = time('arrival') ?? (isDiverted ? null : times.arrivalScheduled) ?? null
  return times
}

export const flighty: Source = {
  id: 'flighty',
  name: 'Flighty',
  extensions: ['csv'],
  howTo: {
    en: 'In Flighty, open your profile, then Settings, Account Data, Export Your Flights. Send the file FlightyExport to this device and drop it here.',
    de: 'Öffne in Flighty dein Profil, dann „Settings“, „Account Data“, „Export Your Flights“. Schicke die Datei FlightyExport auf dieses Gerät und lege sie hier ab.',
    fr: 'Dans Flighty, ouvrez votre profil, puis « Settings », « Account Data », « Export Your Flights ». Envoyez le fichier FlightyExport sur cet appareil et déposez-le ici.',
  },
  options: ['includeCancelled'],
  readers: [reader],
}

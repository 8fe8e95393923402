// Flighty. Each of its eight times has its own date, local to the airport.
import type { SourceFlight } from '../../reading/source.ts'
import { airportNamed } from '../../values/named.ts'
import { endsOfOneKind } from '../../values/times.ts'
import { isTrue } from './cells.ts'
import type { Row } from './flight.ts'
import { tableSource } from './reader.ts'

export const flighty = tableSource({
  id: 'flighty',
  name: 'Flighty',
  extensions: ['csv'],
  options: ['includeCancelled'],
  columns: {
    date: 'Date',
    to: 'To',
    divertedTo: 'Diverted To',
    from: 'From',
    carrier: 'Airline',
    number: 'Flight',
    aircraft: 'Aircraft Type Name',
    aircraftReg: 'Tail Number',
    departureScheduled: 'Gate Departure (Scheduled)',
    takeoffScheduled: 'Take off (Scheduled)',
    takeoffActual: 'Take off (Actual)',
    landingScheduled: 'Landing (Scheduled)',
    landingActual: 'Landing (Actual)',
    arrivalScheduled: 'Gate Arrival (Scheduled)',
    departure: 'Gate Departure (Actual)',
    arrival: 'Gate Arrival (Actual)',
    departureTerminal: 'Dep Terminal',
    departureGate: 'Dep Gate',
    arrivalTerminal: 'Arr Terminal',
    arrivalGate: 'Arr Gate',
    bookingReference: 'PNR',
    note: 'Notes',
    externalId: 'Flight Flighty ID',
    outcome: 'Canceled',
    seatNumber: 'Seat',
    seat: 'Seat Type',
    seatClass: 'Cabin Class',
    reason: 'Flight Reason',
  },
  proof: ['departureScheduled', 'arrivalScheduled', 'divertedTo'],
  // Its captain is our pilot, and its pilot our copilot.
  words: { seat: { CAPTAIN: 'pilot', PILOT: 'copilot' } },
  own: {
    divertedTo: (text, { cell }) => divertedTo(text, cell('to')),
  },
  more: timesAndOutcome,
  skip: (cell) => (isTrue(cell('outcome')) ? 'cancelled' : null),
})

/** The destination of a diverted flight is where it landed. */
function divertedTo(text: string, planned: string): Partial<SourceFlight> {
  const to = airportNamed(text)
  return to ? { to, plannedTo: airportNamed(planned), outcome: 'diverted' } : {}
}

/** Without actual times, the scheduled ones count. A diverted flight has no schedule for the airport where it landed. */
function timesAndOutcome(
  flight: SourceFlight,
  { cell }: Row<'divertedTo' | 'outcome'>,
): Partial<SourceFlight> {
  const { departure = null, arrival = null, departureScheduled = null, arrivalScheduled = null } = flight
  const scheduledArrival = cell('divertedTo') === '' ? arrivalScheduled : null
  return {
    ...endsOfOneKind({ departure, arrival }, { departure: departureScheduled, arrival: scheduledArrival }),
    ...(isTrue(cell('outcome')) && { outcome: 'cancelled' }),
  }
}

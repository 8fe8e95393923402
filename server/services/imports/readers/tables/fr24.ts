// myFlightradar24, formerly FlightDiary. Seats, classes and reasons are numbers; midnight may also mean that there is no time.
import type { SourceFlight, SourceTime } from '../../reading/source.ts'
import { tableSource } from './reader.ts'

export const fr24 = tableSource({
  id: 'fr24',
  name: 'myFlightradar24',
  extensions: ['csv'],
  columns: {
    date: 'Date',
    from: 'From',
    to: 'To',
    airline: 'Airline',
    flightNumber: 'Flight number',
    aircraft: 'Aircraft',
    aircraftReg: 'Registration',
    departureTime: 'Dep time',
    arrivalTime: 'Arr time',
    duration: 'Duration',
    note: 'Note',
    seatNumber: 'Seat number',
    seat: 'Seat type',
    seatClass: 'Flight class',
    reason: 'Flight reason',
  },
  proof: ['date', 'flightNumber', 'from', 'to', 'departureTime', 'arrivalTime', 'duration'],
  words: {
    seat: { 0: null, 1: 'window', 2: 'middle', 3: 'aisle' },
    seatClass: { 0: null, 1: 'economy', 2: 'business', 3: 'first', 4: 'economy+', 5: 'private' },
    reason: { 0: null, 1: 'leisure', 2: 'business', 3: 'crew', 4: 'other' },
  },
  more: withoutEmptyTimes,
})

/** Two midnights mean no times. Midnight at arrival is ignored, because the duration gives it; at departure it may be real. */
function withoutEmptyTimes({ departure, arrival: written = null }: SourceFlight): Partial<SourceFlight> {
  const arrival = isMidnight(written) ? null : written
  if (!departure || !isMidnight(departure)) return { arrival }
  return { departure: arrival ? { ...departure, doubtful: true } : null, arrival }
}

const isMidnight = (time: SourceTime | null): boolean => time?.clock === '00:00'

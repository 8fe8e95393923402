// byAir. A class may be a seat in the cockpit, and a star in a flight number marks a codeshare.
import type { Seat } from '../../../../domain/enums.ts'
import { textIn } from './cells.ts'
import { tableSource } from './reader.ts'

const seatsByClass: ReadonlyMap<string, Seat> = new Map([
  ['cockpit', 'pilot'],
  ['jumpseat', 'jumpseat'],
])

export const byair = tableSource({
  id: 'byair',
  name: 'byAir',
  extensions: ['csv'],
  options: ['includeOthers', 'dateOrder'],
  columns: {
    date: 'flight_date',
    from: 'departure_airport_code',
    to: 'arrival_airport_code',
    flightNumber: 'flight_code',
    departureTime: 'departure_time',
    arrivalTime: 'arrival_time',
    bookingReference: 'booking_code',
    note: 'notes',
    externalId: 'byair_flight_id',
    seatNumber: 'seat_number',
    seat: 'seat_type',
    seatClass: 'seat_class',
    reason: 'purpose',
    ownership: 'ownership',
  },
  proof: ['date', 'flightNumber', 'from', 'externalId'],
  own: { flightNumber: (text) => ({ flightNumber: textIn(text.replaceAll('*', '')) }) },
  words: { seatClass: { cockpit: null, jumpseat: null } },
  seat: (cell) => seatsByClass.get(cell('seatClass').toLowerCase()),
  skip: (cell) => (/^(?:mine)?$/i.test(cell('ownership')) ? null : 'not_mine'),
})

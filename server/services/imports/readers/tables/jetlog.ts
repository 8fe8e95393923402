// jetlog. It has ICAO codes and durations in minutes, and writes a line break in a note as \n.
import { textIn } from './cells.ts'
import { tableSource } from './reader.ts'

export const jetlog = tableSource({
  id: 'jetlog',
  name: 'jetlog',
  extensions: ['csv'],
  options: ['dateOrder'],
  columns: {
    date: 'date',
    from: 'origin',
    to: 'destination',
    airline: 'airline',
    flightNumber: 'flight_number',
    aircraft: 'airplane',
    aircraftReg: 'tail_number',
    departureTime: 'departure_time',
    arrivalTime: 'arrival_time',
    arrivalDate: 'arrival_date',
    duration: 'duration',
    note: 'notes',
    side: 'aircraft_side',
    seat: 'seat',
    seatClass: 'ticket_class',
    reason: 'purpose',
  },
  proof: ['from', 'to', 'departureTime', 'seatClass'],
  durationUnit: 'minutes',
  own: { note: (text) => ({ note: textIn(text.replaceAll('\\n', '\n')) }) },
  extras: { side: 'Side of the aircraft' },
})

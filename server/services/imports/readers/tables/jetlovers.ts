// JetLovers. It has no times, and letters for classes, reasons and seats.
import { tableSource } from './reader.ts'

export const jetlovers = tableSource({
  id: 'jetlovers',
  name: 'JetLovers',
  extensions: ['csv'],
  columns: {
    date: 'date',
    from: 'from',
    to: 'to',
    airline: 'airline',
    flightNumber: 'flightnum',
    aircraft: 'aircraft',
    aircraftReg: 'aircraft_reg',
    externalId: 'id',
    seatClass: 'class',
    reason: 'reason',
    seat: 'seat_type',
    seatNumber: 'seat',
    miles: 'miles',
  },
  proof: ['flightNumber', 'aircraftReg', 'seat', 'miles'],
  words: { seatClass: { F: 'first', C: 'business', B: 'business', P: 'economy+', Y: 'economy' } },
})

// byAir. A class may be a seat in the cockpit, and a star in a flight number marks a codeshare.
import type { Seat, SeatClass } from '../../../../domain/enums.ts'
import type { Source } from '../../reading/source.ts'
import { airportNamed } from '../../values/named.ts'
import { readReason, readSeat, readSeatClass, type Words } from '../../values/words.ts'
import { dateIn, self, textIn, timeIn } from './cells.ts'
import { tableReader } from './reader.ts'

const noCabin: Words<SeatClass> = { cockpit: null, jumpseat: null }
const seatsByClass: ReadonlyMap<string, Seat> = new Map([
  ['cockpit', 'pilot'],
  ['jumpseat', 'jumpseat'],
])

const columns = {
  date: 'flight_date',
  flightNumber: 'flight_code',
  from: 'departure_airport_code',
  to: 'arrival_airport_code',
  departureTime: 'departure_time',
  arrivalTime: 'arrival_time',
  bookingReference: 'booking_code',
  seatNumber: 'seat_number',
  seat: 'seat_type',
  seatClass: 'seat_class',
  reason: 'purpose',
  note: 'notes',
  ownership: 'ownership',
  externalId: 'byair_flight_id',
}

const reader = tableReader({
  columns,
  proof: ['date', 'flightNumber', 'from', 'externalId'],
  read: (cell, warnings) => ({
    flight: {
      date: dateIn(cell('date')),
      from: airportNamed(cell('from')),
      to: airportNamed(cell('to')),
      flightNumber: textIn(cell('flightNumber').replaceAll('*', '')),
      departure: timeIn('departure', cell('departureTime'), warnings),
      arrival: timeIn('arrival', cell('arrivalTime'), warnings),
      bookingReference: textIn(cell('bookingReference')),
      note: textIn(cell('note')),
      externalId: textIn(cell('externalId')),
      passengers: [
        self({
          seat: seatsByClass.get(cell('seatClass').toLowerCase()) ?? readSeat(cell('seat'), warnings),
          seatNumber: textIn(cell('seatNumber')),
          seatClass: readSeatClass(cell('seatClass'), warnings, noCabin),
          flightReason: readReason(cell('reason'), warnings),
        }),
      ],
    },
    ...(/^(?:mine)?$/i.test(cell('ownership')) ? {} : { skip: 'not_mine' }),
  }),
})

export const byair: Source = {
  id: 'byair',
  name: 'byAir',
  extensions: ['csv'],
  howTo: {
    en: 'In byAir, open your profile, then Help, and choose Export data. The file arrives by mail; drop it here.',
    de: 'Öffne in byAir dein Profil, dann „Help“, und wähle „Export data“. Die Datei kommt per Mail; lege sie hier ab.',
    fr: 'Dans byAir, ouvrez votre profil, puis « Help », et choisissez « Export data ». Le fichier arrive par courriel ; déposez-le ici.',
  },
  options: ['includeOthers', 'dateOrder'],
  readers: [reader],
}

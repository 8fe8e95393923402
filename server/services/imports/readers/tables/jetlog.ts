// jetlog. It has ICAO codes and durations in minutes, and writes a line break in a note as \n.
import type { Source } from '../../reading/source.ts'
import { readReason, readSeat, readSeatClass } from '../../values/words.ts'
import { dateIn, durationIn, extrasOf, self, textIn, timeIn, usualFields } from './cells.ts'
import { tableReader } from './reader.ts'

const columns = {
  date: 'date',
  from: 'origin',
  to: 'destination',
  departureTime: 'departure_time',
  arrivalTime: 'arrival_time',
  arrivalDate: 'arrival_date',
  seat: 'seat',
  side: 'aircraft_side',
  seatClass: 'ticket_class',
  reason: 'purpose',
  duration: 'duration',
  aircraft: 'airplane',
  airline: 'airline',
  aircraftReg: 'tail_number',
  flightNumber: 'flight_number',
  note: 'notes',
}

const reader = tableReader({
  columns,
  proof: ['from', 'to', 'departureTime', 'seatClass'],
  read: (cell, warnings) => ({
    flight: {
      ...usualFields(cell),
      departure: timeIn('departure', cell('departureTime'), warnings),
      arrival: timeIn('arrival', cell('arrivalTime'), warnings, { date: dateIn(cell('arrivalDate')) }),
      duration: durationIn(cell('duration'), 'minutes', warnings),
      note: textIn(cell('note').replaceAll('\\n', '\n')),
      extras: extrasOf({ 'Side of the aircraft': cell('side') }),
      passengers: [
        self({
          seat: readSeat(cell('seat'), warnings),
          seatClass: readSeatClass(cell('seatClass'), warnings),
          flightReason: readReason(cell('reason'), warnings),
        }),
      ],
    },
  }),
})

export const jetlog: Source = {
  id: 'jetlog',
  name: 'jetlog',
  extensions: ['csv'],
  howTo: {
    en: 'In jetlog, open Settings and choose Export to CSV. Drop the file here; your account’s flights are in it, those of other users are not.',
    de: 'Öffne in jetlog die Einstellungen und wähle „Export to CSV“. Lege die Datei hier ab; sie enthält die Flüge deines Kontos, nicht die anderer.',
    fr: 'Dans jetlog, ouvrez les réglages et choisissez « Export to CSV ». Déposez le fichier ici ; il contient les vols de votre compte, pas ceux des autres utilisateurs.',
  },
  options: ['dateOrder'],
  readers: [reader],
}

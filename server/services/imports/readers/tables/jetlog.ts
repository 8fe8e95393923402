// jetlog. It has ICAO codes and durations in minutes, and writes a line break in a note as \n.
import { textIn } from './cells.ts'
import { tableSource } from './reader.ts'

export const jetlog = tableSource({
  id: 'jetlog',
  name: 'jetlog',
  extensions: ['csv'],
  howTo: {
    en: 'In jetlog, open Settings and choose Export to CSV. Drop the file here; your account’s flights are in it, those of other users are not.',
    de: 'Öffne in jetlog die Einstellungen und wähle „Export to CSV“. Lege die Datei hier ab; sie enthält die Flüge deines Kontos, nicht die anderer.',
    fr: 'Dans jetlog, ouvrez les réglages et choisissez « Export to CSV ». Déposez le fichier ici ; il contient les vols de votre compte, pas ceux des autres utilisateurs.',
  },
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

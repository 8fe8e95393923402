// JetLovers. It has no times, and letters for classes, reasons and seats.
import { tableSource } from './reader.ts'

export const jetlovers = tableSource({
  id: 'jetlovers',
  name: 'JetLovers',
  extensions: ['csv'],
  howTo: {
    en: 'Sign in at JetLovers, open My flights and choose CSV Export. The file has no times of day; everything else comes along.',
    de: 'Melde dich bei JetLovers an, öffne „My flights“ und wähle „CSV Export“. Die Datei enthält keine Uhrzeiten; alles andere kommt mit.',
    fr: 'Connectez-vous sur JetLovers, ouvrez « My flights » et choisissez « CSV Export ». Le fichier n’a pas d’heures ; tout le reste est repris.',
  },
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

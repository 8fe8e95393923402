// JetLovers. It has no times, and letters for classes, reasons and seats.
import type { SeatClass } from '../../../../domain/enums.ts'
import type { Source } from '../../reading/source.ts'
import { readReason, readSeat, readSeatClass, type Words } from '../../values/words.ts'
import { self, textIn, usualFields } from './cells.ts'
import { tableReader } from './reader.ts'

const classes: Words<SeatClass> = { F: 'first', C: 'business', B: 'business', P: 'economy+', Y: 'economy' }

const columns = {
  externalId: 'id',
  date: 'date',
  from: 'from',
  to: 'to',
  airline: 'airline',
  flightNumber: 'flightnum',
  aircraft: 'aircraft',
  aircraftReg: 'aircraft_reg',
  seatClass: 'class',
  reason: 'reason',
  seat: 'seat_type',
  seatNumber: 'seat',
  miles: 'miles',
}

const reader = tableReader({
  columns,
  proof: ['flightNumber', 'aircraftReg', 'seat', 'miles'],
  read: (cell, warnings) => ({
    flight: {
      ...usualFields(cell),
      externalId: textIn(cell('externalId')),
      passengers: [
        self({
          seat: readSeat(cell('seat'), warnings),
          seatNumber: textIn(cell('seatNumber')),
          seatClass: readSeatClass(cell('seatClass'), warnings, classes),
          flightReason: readReason(cell('reason'), warnings),
        }),
      ],
    },
  }),
})

export const jetlovers: Source = {
  id: 'jetlovers',
  name: 'JetLovers',
  extensions: ['csv'],
  howTo: {
    en: 'Sign in at JetLovers, open My flights and choose CSV Export. The file has no times of day; everything else comes along.',
    de: 'Melde dich bei JetLovers an, öffne „My flights“ und wähle „CSV Export“. Die Datei enthält keine Uhrzeiten; alles andere kommt mit.',
    fr: 'Connectez-vous sur JetLovers, ouvrez « My flights » et choisissez « CSV Export ». Le fichier n’a pas d’heures ; tout le reste est repris.',
  },
  readers: [reader],
}

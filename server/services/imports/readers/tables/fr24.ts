// myFlightradar24, formerly FlightDiary. Seats, classes and reasons are numbers; midnight may also mean that there is no time.
import type { FlightReason, Seat, SeatClass } from '../../../../domain/enums.ts'
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import type { Source, SourceFlight, SourceTime } from '../../reading/source.ts'
import { readReason, readSeat, readSeatClass, type Words } from '../../values/words.ts'
import { durationIn, self, textIn, timeIn, usualFields } from './cells.ts'
import { type Cells, tableReader } from './reader.ts'

const seats: Words<Seat> = { 0: null, 1: 'window', 2: 'middle', 3: 'aisle' }
const classes: Words<SeatClass> = {
  0: null,
  1: 'economy',
  2: 'business',
  3: 'first',
  4: 'economy+',
  5: 'private',
}
const reasons: Words<FlightReason> = { 0: null, 1: 'leisure', 2: 'business', 3: 'crew', 4: 'other' }

const columns = {
  date: 'Date',
  flightNumber: 'Flight number',
  from: 'From',
  to: 'To',
  departureTime: 'Dep time',
  arrivalTime: 'Arr time',
  duration: 'Duration',
  airline: 'Airline',
  aircraft: 'Aircraft',
  aircraftReg: 'Registration',
  seatNumber: 'Seat number',
  seat: 'Seat type',
  seatClass: 'Flight class',
  reason: 'Flight reason',
  note: 'Note',
}

const reader = tableReader({
  columns,
  proof: ['date', 'flightNumber', 'from', 'to', 'departureTime', 'arrivalTime', 'duration'],
  read: (cell, warnings) => ({
    flight: {
      ...usualFields(cell),
      ...timesIn(cell, warnings),
      duration: durationIn(cell('duration'), 'hours', warnings),
      note: textIn(cell('note')),
      passengers: [
        self({
          seat: readSeat(cell('seat'), warnings, seats),
          seatNumber: textIn(cell('seatNumber')),
          seatClass: readSeatClass(cell('seatClass'), warnings, classes),
          flightReason: readReason(cell('reason'), warnings, reasons),
        }),
      ],
    },
  }),
})

/** Two midnights mean no times. Midnight at arrival is ignored, because the duration gives it; at departure it may be real. */
function timesIn(
  cell: Cells<'departureTime' | 'arrivalTime'>,
  warnings: ImportWarning[],
): Pick<SourceFlight, 'departure' | 'arrival'> {
  const departure = timeIn('departure', cell('departureTime'), warnings)
  const written = timeIn('arrival', cell('arrivalTime'), warnings)
  const arrival = isMidnight(written) ? null : written
  if (!isMidnight(departure)) return { departure, arrival }
  return { departure: arrival === null ? null : { ...departure!, doubtful: true }, arrival }
}

const isMidnight = (time: SourceTime | null): boolean => time?.clock === '00:00'

export const fr24: Source = {
  id: 'fr24',
  name: 'myFlightradar24',
  extensions: ['csv'],
  howTo: {
    en: 'Sign in at my.flightradar24.com, open Settings and choose Export, then CSV. The file is called flightdiary_ and a date; drop it here as it is.',
    de: 'Melde dich bei my.flightradar24.com an, öffne „Settings“ und wähle „Export“, dann CSV. Die Datei heißt flightdiary_ und ein Datum; lege sie unverändert hier ab.',
    fr: 'Connectez-vous sur my.flightradar24.com, ouvrez « Settings » et choisissez « Export », puis CSV. Le fichier s’appelle flightdiary_ suivi d’une date ; déposez-le ici tel quel.',
  },
  readers: [reader],
}

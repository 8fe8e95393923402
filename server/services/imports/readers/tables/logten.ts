// LogTen. Headings are either identifiers or names for people. Times are UTC unless the pilot chose otherwise, which is not in
// the file.
import type { Table } from '../../content/content.ts'
import type { Source, SourceFlight, SourcePerson } from '../../reading/source.ts'
import { aircraftNamed, airportNamed } from '../../values/named.ts'
import { dateIn, extrasOf, self, textIn, timeIn } from './cells.ts'
import { hasTime, named, pilotSeat, totalTime } from './logbook.ts'
import { type Cells, hasColumns, tableReader } from './reader.ts'

const columns = {
  date: ['flight_flightDate', 'Date'],
  flightNumber: ['flight_flightNumber', 'Flight #'],
  from: ['flight_from', 'From'],
  to: ['flight_to', 'To'],
  departure: ['flight_actualDepartureTime', 'Out'],
  takeoffActual: ['flight_takeoffTime', 'Off'],
  landingActual: ['flight_landingTime', 'On'],
  arrival: ['flight_actualArrivalTime', 'In'],
  departureScheduled: ['flight_scheduledDepartureTime', 'Scheduled Out'],
  arrivalScheduled: ['flight_scheduledArrivalTime', 'Scheduled In'],
  duration: ['flight_totalTime', 'Total Time'],
  pic: ['flight_pic', 'PIC'],
  sic: ['flight_sic', 'SIC'],
  simulator: ['flight_simulator', 'Simulator'],
  note: ['flight_remarks', 'Remarks'],
  route: ['flight_route', 'Route'],
  crewPic: ['flight_selectedCrewPIC', 'PIC/P1 Crew'],
  crewSic: ['flight_selectedCrewSIC', 'SIC/P2 Crew'],
  aircraftReg: ['aircraft_aircraftID', 'Aircraft ID'],
  aircraft: ['aircraftType_type', 'Aircraft Type'],
} as const
type Key = keyof typeof columns

const identifiers = { date: 'flight_flightDate', from: 'flight_from' }

const reader = tableReader<Key>({
  columns,
  proof: (table) => hasColumns(table, identifiers, ['date', 'from']) || hasNames(table),
  read(cell, warnings) {
    const time = (field: Key) => timeIn(field, cell(field), warnings, { zone: 'asked' })
    const flight: SourceFlight = {
      date: dateIn(cell('date')),
      from: airportNamed(cell('from')),
      to: airportNamed(cell('to')),
      flightNumber: textIn(cell('flightNumber')),
      aircraft: aircraftNamed(cell('aircraft')),
      aircraftReg: textIn(cell('aircraftReg')),
      departure: time('departure'),
      arrival: time('arrival'),
      departureScheduled: time('departureScheduled'),
      arrivalScheduled: time('arrivalScheduled'),
      takeoffActual: time('takeoffActual'),
      landingActual: time('landingActual'),
      ...totalTime(cell('duration'), warnings),
      note: textIn(cell('note')),
      extras: extrasOf({ Route: cell('route') }),
      passengers: crewIn(cell),
    }
    const isSimulator = hasTime(cell('simulator')) && !hasTime(cell('duration'))
    return isSimulator ? { flight, skip: 'simulator' } : { flight }
  },
})

/** Names that other tables have too, but only LogTen's tab-separated text has them all. */
const hasNames = (table: Table): boolean =>
  table.delimiter === '\t' &&
  hasColumns(table, columns, ['date', 'aircraftReg']) &&
  (hasColumns(table, columns, ['departure', 'arrival']) ||
    hasColumns(table, columns, ['takeoffActual', 'landingActual']))

/** The owner of the logbook has one of the two seats, under their own name. */
function crewIn(cell: Cells<Key>): SourcePerson[] {
  const seat = pilotSeat(cell('pic'), cell('sic'))
  const other = seat === 'pilot' ? named(cell('crewSic'), 'copilot') : named(cell('crewPic'), 'pilot')
  return [self({ seat }), ...other]
}

export const logten: Source = {
  id: 'logten',
  name: 'LogTen',
  extensions: ['txt', 'tsv', 'csv'],
  howTo: {
    en: 'In LogTen on a Mac, choose File, then Export, and export your flights as tab-separated text. We ask once whether its times are UTC or local.',
    de: 'Wähle in LogTen auf dem Mac „File“, dann „Export“, und exportiere deine Flüge als Text mit Tabulatoren. Wir fragen einmal, ob die Zeiten UTC oder Ortszeit sind.',
    fr: 'Dans LogTen sur Mac, choisissez « File », puis « Export », et exportez vos vols en texte séparé par des tabulations. Nous demandons une fois si ses heures sont en UTC ou locales.',
  },
  options: ['timesAreUtc', 'dateOrder'],
  readers: [reader],
}

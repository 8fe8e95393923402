// LogTen. Headings are either identifiers or names for people. Times are UTC unless the pilot chose otherwise, which is not in
// the file.
import type { Table } from '../../content/content.ts'
import type { SourcePerson } from '../../reading/source.ts'
import { named } from './cells.ts'
import { type Cells, pilotSeat } from './flight.ts'
import { hasColumns, tableSource } from './reader.ts'

const columns = {
  date: ['flight_flightDate', 'Date'],
  from: ['flight_from', 'From'],
  to: ['flight_to', 'To'],
  flightNumber: ['flight_flightNumber', 'Flight #'],
  aircraft: ['aircraftType_type', 'Aircraft Type'],
  aircraftReg: ['aircraft_aircraftID', 'Aircraft ID'],
  departure: ['flight_actualDepartureTime', 'Out'],
  arrival: ['flight_actualArrivalTime', 'In'],
  departureScheduled: ['flight_scheduledDepartureTime', 'Scheduled Out'],
  arrivalScheduled: ['flight_scheduledArrivalTime', 'Scheduled In'],
  takeoffActual: ['flight_takeoffTime', 'Off'],
  landingActual: ['flight_landingTime', 'On'],
  duration: ['flight_totalTime', 'Total Time'],
  note: ['flight_remarks', 'Remarks'],
  route: ['flight_route', 'Route'],
  pic: ['flight_pic', 'PIC'],
  sic: ['flight_sic', 'SIC'],
  simulator: ['flight_simulator', 'Simulator'],
  crewPic: ['flight_selectedCrewPIC', 'PIC/P1 Crew'],
  crewSic: ['flight_selectedCrewSIC', 'SIC/P2 Crew'],
}
type Key = keyof typeof columns

const identifiers = { date: 'flight_flightDate', from: 'flight_from' }

export const logten = tableSource({
  id: 'logten',
  name: 'LogTen',
  extensions: ['txt', 'tsv', 'csv'],
  options: ['timesAreUtc', 'dateOrder'],
  columns,
  proof: (table) => hasColumns(table, identifiers, ['date', 'from']) || hasNames(table),
  zone: 'asked',
  isLogbook: true,
  extras: { route: 'Route' },
  others: otherPilot,
})

/** Names that other tables have too, but only LogTen's tab-separated text has them all. */
const hasNames = (table: Table): boolean =>
  table.delimiter === '\t' &&
  hasColumns(table, columns, ['date', 'aircraftReg']) &&
  (hasColumns(table, columns, ['departure', 'arrival']) ||
    hasColumns(table, columns, ['takeoffActual', 'landingActual']))

/** The owner of the logbook has one of the two seats, under their own name. */
function otherPilot(cell: Cells<Key>): SourcePerson[] {
  return pilotSeat(cell) === 'pilot' ? named(cell('crewSic'), 'copilot') : named(cell('crewPic'), 'pilot')
}

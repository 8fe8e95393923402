// The class of an aircraft type, from which the duration of its flights is estimated (server/domain/flights/duration.ts).
import type { AircraftClass } from '../../server/domain/enums.ts'

/** Airliners. Fighters can fly as fast, but not across an ocean. */
const SUPERSONIC = new Set(['CONC', 'T144'])

/** Types of our own table that Doc 8643's edition does not have. Gliders, balloons and airships have no class. */
const UNLISTED: Record<string, AircraftClass> = {
  A337: 'jet',
  A338: 'jet',
  B3XM: 'jet',
  C408: 'turboprop',
  COMT: 'jet',
  E275: 'jet',
  E290: 'jet',
  E295: 'jet',
  FA6X: 'jet',
  GA7C: 'jet',
  GA8C: 'jet',
  GYRO: 'piston',
  MD80: 'jet',
  TRID: 'jet',
  ULAC: 'piston',
  VC10: 'jet',
  VISC: 'turboprop',
}

/** Electric aircraft are light ones with propellers. Rockets have no class. */
const BY_ENGINE: Record<string, AircraftClass> = { J: 'jet', T: 'turboprop', P: 'piston', E: 'piston' }

/** `description` is Doc 8643's, such as L2J: kind of aircraft, number of engines, kind of engines. */
export function classOf(icao: string, description: string | undefined): AircraftClass | null {
  if (SUPERSONIC.has(icao)) return 'supersonic'
  if (!description) return UNLISTED[icao] ?? null
  return description.startsWith('H') ? 'helicopter' : (BY_ENGINE[description.slice(-1)] ?? null)
}

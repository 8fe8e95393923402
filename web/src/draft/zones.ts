/** Local times by the rules shipped with the app. They may be older than the server's, which decides when it is reachable. */

import { formatInZone, readLocal } from '../../../server/domain/time/time.ts'
import type { LocalTime } from '../api/types.ts'

export function readHere(local: string, zone: string): LocalTime {
  const { instant, ...reading } = readLocal(local, zone)
  return { instant: formatInZone(instant, zone), zone, ...reading }
}

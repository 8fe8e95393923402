// Loading the reference data and building its search leave tens of megabytes of garbage behind that an idle process
// would keep for hours. A home server is idle most of the time, so they are handed back at once.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Costs some ten milliseconds; only after rare, large pieces of work. */
export function collectGarbage(): void {
  collect()
}

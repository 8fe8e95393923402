// Loading the reference data and building its search index leave tens of megabytes of garbage, which an idle process
// would keep for hours. A home server is idle most of the time, so the memory is freed immediately.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Takes tens of milliseconds: call it only after rare, large tasks. */
export function collectGarbage(): void {
  collect()
}

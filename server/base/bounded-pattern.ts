// Regular expressions written by users, tested on text from other users. Some take exponential time on some texts; one
// that exceeds its time limit counts as no match.
import { createContext, Script } from 'node:vm'

/** CPU time of this thread, so that other load on the machine does not count. Ordinary patterns need far less. */
const BUDGET_MS = 20
/** For all patterns in one turn of the event loop, such as those of a flight with many passengers. */
const TURN_BUDGET_MS = 60
/** A running pattern can only be interrupted after elapsed time, which on a busy machine exceeds CPU time. */
const INTERRUPTIONS_AT_MOST = 10

const context = createContext({ source: '', text: '' })
const script = new Script('new RegExp(source, "u").test(text)')
let spentThisTurn = 0

export function matchesPattern(source: string, text: string): boolean {
  if (spentThisTurn >= TURN_BUDGET_MS) return false
  if (spentThisTurn === 0) {
    setImmediate(() => {
      spentThisTurn = 0
    })
  }
  Object.assign(context, { source, text })
  const before = workMs()
  try {
    return matchesWithin(before + BUDGET_MS)
  } finally {
    spentThisTurn += workMs() - before
    Object.assign(context, { source: '', text: '' })
  }
}

function matchesWithin(deadline: number): boolean {
  for (let i = 0; i < INTERRUPTIONS_AT_MOST && workMs() < deadline; i++) {
    try {
      return script.runInContext(context, { timeout: BUDGET_MS }) === true
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    }
  }
  return false
}

/** CPU time of this thread so far, in milliseconds. */
function workMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

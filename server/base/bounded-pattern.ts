// Patterns that people wrote, tried on texts that other people wrote. Some take for ever on some texts; one that does
// not come to an end in time counts as no match.
import { createContext, Script } from 'node:vm'

/** Plenty for a sound pattern: of this thread's own work, which a busy machine does not use up. */
const BUDGET_MS = 20
/** For all patterns that are tried before others have their turn, such as those of a flight with many passengers. */
const TURN_BUDGET_MS = 60
/** A clock on the wall is all that can interrupt a pattern; on a busy machine it may be early. */
const INTERRUPTIONS_AT_MOST = 10

const bench = createContext({ source: '', text: '' })
const trial = new Script('new RegExp(source, "u").test(text)')
let spentThisTurn = 0

export function matchesPattern(source: string, text: string): boolean {
  if (spentThisTurn >= TURN_BUDGET_MS) return false
  if (spentThisTurn === 0) {
    setImmediate(() => {
      spentThisTurn = 0
    })
  }
  Object.assign(bench, { source, text })
  const before = workMs()
  try {
    return matchesWithin(before + BUDGET_MS)
  } finally {
    spentThisTurn += workMs() - before
    Object.assign(bench, { source: '', text: '' })
  }
}

function matchesWithin(deadline: number): boolean {
  for (let i = 0; i < INTERRUPTIONS_AT_MOST && workMs() < deadline; i++) {
    try {
      return trial.runInContext(bench, { timeout: BUDGET_MS }) === true
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    }
  }
  return false
}

/** Milliseconds that this thread has worked so far. */
function workMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

// Patterns that people wrote, tried on texts that other people wrote. Some take for ever on some texts; one that does
// not come to an end in time counts as no match.
import { createContext, Script } from 'node:vm'

/** Plenty for a sound pattern even on a busy machine, which the clock does not make allowance for. */
const BUDGET_MS = 250
const bench = createContext({ source: '', text: '' })
const trial = new Script('new RegExp(source, "u").test(text)')

export function matchesPattern(source: string, text: string): boolean {
  Object.assign(bench, { source, text })
  try {
    return trial.runInContext(bench, { timeout: BUDGET_MS }) === true
  } catch {
    return false
  } finally {
    Object.assign(bench, { source: '', text: '' })
  }
}

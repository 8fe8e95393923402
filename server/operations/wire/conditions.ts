// Compares the condition of a request with the state of its flight.
import { preconditionFailed, preconditionRequired } from '../../base/errors.ts'
import { type Condition, judge } from '../../domain/flights/conditions.ts'

/** Throws unless the request may run on a state with this tag; undefined if nothing exists yet. */
export function requireCondition(condition: Condition | undefined, tag: string | undefined): void {
  if (!condition) return
  const verdict = judge(condition, tag)
  if (verdict === 'missing') throw preconditionRequired()
  if (verdict === 'changed') throw preconditionFailed('version_changed', tag)
  if (verdict === 'exists') throw preconditionFailed('already_exists', tag)
}

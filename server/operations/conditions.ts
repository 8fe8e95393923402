// The condition of a request, compared with the state of the flight that it is about.
import { preconditionFailed, preconditionRequired } from '../base/errors.ts'
import { type Condition, judge } from '../domain/conditions.ts'

/** Throws unless the request may run on the state with this tag; undefined: there is nothing yet. */
export function requireCondition(condition: Condition | undefined, tag: string | undefined): void {
  if (!condition) return
  const verdict = judge(condition, tag)
  if (verdict === 'missing') throw preconditionRequired()
  if (verdict === 'changed') throw preconditionFailed('version_changed', tag)
  if (verdict === 'exists') throw preconditionFailed('already_exists', tag)
}

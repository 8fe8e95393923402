// Errors in the legacy shape: always `success: false` and a `message`, plus `errors` if fields of the body are invalid.
// v1's operations decide which requests are refused and with which status.
import type * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { findTooLongList } from '../../base/request/list-bounds.ts'
import { check, problemOf } from '../../base/request/validation.ts'
import { messageOf } from '../../domain/reasons.ts'

export interface LegacyIssue {
  code: string
  path: (string | number)[]
  message: string
}

/** A body that the legacy API itself cannot read: 400, where v1 returns 422. */
export class LegacyInvalid extends AppError {
  readonly issues: readonly LegacyIssue[]

  constructor(issues: readonly LegacyIssue[], message = sentence(issues[0])) {
    super('bad_request', 'validation_failed')
    this.message = message
    this.issues = issues
  }
}

const sentence = (issue: LegacyIssue | undefined): string =>
  issue && issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : (issue?.message ?? 'Invalid')

const ISSUES_AT_MOST = 50

export function parseLegacy<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const tooLong = findTooLongList(schema, value)
  if (tooLong) throw new LegacyInvalid([legacyIssue(tooLong)])
  const checked = check(schema, value)
  if ('data' in checked) return checked.data
  throw new LegacyInvalid(
    checked.issues.slice(0, ISSUES_AT_MOST).map((issue) => ({
      code: issue.code,
      path: issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      message: messageOf(problemOf(issue)),
    })),
  )
}

/** Without v1's reasons and parameters: existing programs expect these three members. */
const legacyIssue = ({ code, path, message }: LegacyIssue): LegacyIssue => ({ code, path, message })

export function legacyErrorBody(error: AppError) {
  if (error instanceof LegacyInvalid) {
    return { success: false, message: error.message, errors: error.issues }
  }
  if (error.code === 'unauthorized') return { success: false, message: 'Unauthorized' }
  const { details } = error
  return details
    ? { success: false, message: legacyMessage(error), errors: details.map(legacyIssue) }
    : { success: false, message: error.message }
}

/** One sentence for programs that show only this; the first field's message if the error itself names no field. */
const legacyMessage = ({ problem, details, message }: AppError): string =>
  (problem.reason === 'validation_failed' ? details?.[0]?.message : undefined) ?? message

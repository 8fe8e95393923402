// Errors in the legacy shape: always `success: false` and a `message`, with `errors` where a body's fields are at fault.
// Which requests are refused, and with which status, is decided by v1's operations.
import type * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { findTooLongList } from '../../base/list-bounds.ts'

export interface LegacyIssue {
  code: string
  path: (string | number)[]
  message: string
}

/** A body that the legacy API itself cannot read: 400, where v1 would say 422. */
export class LegacyInvalid extends AppError {
  readonly issues: readonly LegacyIssue[]

  constructor(issues: readonly LegacyIssue[], message = sentence(issues[0])) {
    super('bad_request', message)
    this.issues = issues
  }
}

const sentence = (issue: LegacyIssue | undefined): string =>
  issue && issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : (issue?.message ?? 'Invalid')

const ISSUES_AT_MOST = 50

export function parseLegacy<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const tooLong = findTooLongList(schema, value)
  if (tooLong) throw new LegacyInvalid([tooLong])
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LegacyInvalid(
    parsed.error.issues.slice(0, ISSUES_AT_MOST).map(({ code, path, message }) => ({
      code,
      path: path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      message,
    })),
  )
}

export function legacyErrorBody(error: AppError) {
  if (error instanceof LegacyInvalid) {
    return { success: false, message: error.message, errors: error.issues }
  }
  if (error.code === 'unauthorized') return { success: false, message: 'Unauthorized' }
  const { details } = error
  return details
    ? { success: false, message: details[0]?.message ?? error.message, errors: details }
    : { success: false, message: error.message }
}

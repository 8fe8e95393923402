// Errors in the legacy shape: always `success: false`, with `errors` where a body's fields are at fault and `message`
// otherwise. What is refused, and with which status, is v1's decision.
import type * as z from 'zod'
import { AppError } from '../errors.ts'

export interface LegacyIssue {
  code: string
  path: (string | number)[]
  message: string
}

/** A body that the legacy API itself cannot read: 400, where v1 would say 422. */
export class LegacyInvalid extends AppError {
  readonly issues: readonly LegacyIssue[]
  readonly hasOwnMessage: boolean

  constructor(issues: readonly LegacyIssue[], message?: string) {
    super('bad_request', message ?? 'Request validation failed')
    this.issues = issues
    this.hasOwnMessage = message !== undefined
  }
}

export function parseLegacy<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LegacyInvalid(
    parsed.error.issues.map(({ code, path, message }) => ({
      code,
      path: path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      message,
    })),
  )
}

export function legacyErrorBody(error: AppError) {
  if (error instanceof LegacyInvalid) {
    const { issues, message, hasOwnMessage } = error
    return hasOwnMessage ? { success: false, message, errors: issues } : { success: false, errors: issues }
  }
  if (error.code === 'unauthorized') return { success: false, message: 'Unauthorized' }
  const { details } = error
  return details
    ? { success: false, message: details[0]?.message ?? error.message, errors: details }
    : { success: false, message: error.message }
}

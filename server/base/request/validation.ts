// Maps Zod's issues to our reasons by their code and parameters, never by their message.
import type * as z from 'zod'
import { type PlainReason, type Problem, plainReasonNamed, problem } from '../../domain/reasons.ts'
import { detail, type ErrorDetail } from '../errors.ts'

/**
 * For Zod's own checks, such as `.regex(form, because('username_form'))`: the reason takes the place of the message. A
 * refinement whose reason has parameters carries them as `params: problem(…)`.
 */
export const because = (reason: PlainReason): string => reason

/** The reason for a value that is not of this Zod type. */
const typeReasons: Record<string, PlainReason> = {
  string: 'not_a_text',
  number: 'not_a_number',
  int: 'not_an_integer',
  boolean: 'not_a_boolean',
  array: 'not_a_list',
  tuple: 'not_a_list',
  object: 'not_an_object',
  record: 'not_an_object',
}

/** The reason for an issue. Requires parsing with `reportInput`, which shows whether the value is missing. */
export function problemOf(issue: z.core.$ZodIssue): Problem {
  const named = plainReasonNamed(issue.message)
  if (named !== undefined) return { reason: named } as Problem
  switch (issue.code) {
    case 'custom':
      return isProblem(issue.params) ? issue.params : { reason: 'invalid_value' }
    case 'invalid_type':
      return {
        reason: missing(issue) ? 'required' : (typeReasons[issue.expected] ?? 'invalid_value'),
      } as Problem
    case 'invalid_value':
      return missing(issue)
        ? { reason: 'required' }
        : problem('not_an_option', { options: issue.values.map(String) })
    case 'invalid_format':
      return { reason: 'wrong_form' }
    case 'invalid_union':
      return { reason: missing(issue) ? 'required' : 'invalid_value' }
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'unrecognized_keys':
      return problem('unknown_field', { field: issue.keys[0] ?? '', known: [] })
    default:
      return { reason: 'invalid_value' }
  }
}

const missing = ({ input }: z.core.$ZodIssue): boolean => input === undefined || input === null

/** Only our own refinements set `params`, and their types are checked against the catalogue. */
const isProblem = (params: unknown): params is Problem =>
  typeof params === 'object' && params !== null && 'reason' in params

type Kind = 'text' | 'list' | 'number'
const kindOf = (origin: string): Kind =>
  origin === 'string' ? 'text' : ['array', 'set', 'map'].includes(origin) ? 'list' : 'number'

function tooSmall({ origin, minimum, inclusive, exact }: z.core.$ZodIssueTooSmall): Problem {
  const min = Number(minimum)
  const kind = kindOf(origin)
  if (kind === 'text' && exact) return problem('wrong_length', { length: min })
  if (kind === 'text') return min === 1 ? { reason: 'required' } : problem('too_short', { min })
  if (kind === 'list') return problem('too_few', { min })
  return inclusive === false ? problem('not_above', { limit: min }) : problem('too_small', { min })
}

function tooBig({ origin, maximum, inclusive, exact }: z.core.$ZodIssueTooBig): Problem {
  const max = Number(maximum)
  const kind = kindOf(origin)
  if (kind === 'text') return exact ? problem('wrong_length', { length: max }) : problem('too_long', { max })
  if (kind === 'list') return problem('too_many', { max })
  return inclusive === false ? problem('not_below', { limit: max }) : problem('too_large', { max })
}

/** Returns the parsed value, or all issues. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { data: z.output<Schema> } | { issues: z.core.$ZodIssue[] } {
  const parsed = schema.safeParse(value, { reportInput: true })
  return parsed.success ? { data: parsed.data } : { issues: parsed.error.issues }
}

export const toDetail = (issue: z.core.$ZodIssue): ErrorDetail =>
  detail(issue.path, problemOf(issue), issue.code)

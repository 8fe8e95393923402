// Reads the input of a request: the parameters of its address and its body, as their schemas return them. For an address
// the first problem is reported, for a body up to 50.
import * as z from 'zod'
import { isFieldProblem, type Problem, problem } from '../../domain/reasons.ts'
import { AppError, badRequest, detail, type ErrorDetail } from '../errors.ts'
import { findTooLongList } from './list-bounds.ts'
import { check, problemOf, toDetail } from './validation.ts'

/** What a schema returns for no parameters at all, as in most requests. */
const withoutParameters = new WeakMap<z.ZodObject, Record<string, unknown>>()

/** The parameters of a path or of a query. */
export function parseAddress(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  const isEmpty = Object.keys(value ?? {}).length === 0
  const known = isEmpty ? withoutParameters.get(schema) : undefined
  const parsed = known ?? parseParameters(schema, value)
  if (isEmpty && !known) withoutParameters.set(schema, parsed)
  return parsed
}

function parseParameters(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  const checked = check(schema, withoutTrackers(value ?? {}))
  if ('issues' in checked) throw badRequest(addressProblem(schema, checked.issues[0]!))
  // PostgreSQL cannot store U+0000; bodies are checked while they are read.
  for (const [name, given] of Object.entries(checked.data)) {
    if ([given].flat().some((text) => typeof text === 'string' && text.includes('\u0000')))
      throw badRequest(problem('parameter_not_storable', { parameter: name }))
  }
  return checked.data
}

/** Whether a query parameter can be repeated to give several values. */
export const takesSeveral = (schema: z.core.$ZodType | undefined): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? takesSeveral(schema.unwrap())
    : schema instanceof z.ZodPipe
      ? takesSeveral(schema.out)
      : schema instanceof z.ZodArray

/** Errors of an address have no `details`, so the reason itself names the parameter. */
function addressProblem(schema: z.ZodObject, issue: z.core.$ZodIssue): Problem {
  if (issue.code === 'unrecognized_keys') {
    return problem('unknown_parameter', { names: issue.keys, known: Object.keys(schema.shape) })
  }
  const found = problemOf(issue)
  if (!isFieldProblem(found)) return found
  return problem('invalid_parameter', { parameter: String(issue.path[0]), problem: found })
}

/** Parameters that other programs append to addresses, such as `utm_source`, are ignored. */
const withoutTrackers = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !/^(?:utm)?_/.test(name)))

const DETAILS_AT_MOST = 50

export const parseBody = (schema: z.ZodType, value: unknown) =>
  requireValid(schema, value) as Record<string, unknown>

/** Returns the value as its schema returns it; throws an error with all problems. */
export function requireValid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const tooLong = findTooLongList(schema, value)
  if (tooLong) throw new AppError('validation_failed', 'validation_failed', { details: [tooLong] })
  const checked = check(schema, value)
  if ('data' in checked) return checked.data
  throw new AppError('validation_failed', 'validation_failed', { details: detailsOf(schema, checked.issues) })
}

/** The problems of a value, or of the part of a body at `path`. */
export const detailsOf = (
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  path: readonly string[] = [],
): ErrorDetail[] =>
  issues
    .slice(0, DETAILS_AT_MOST)
    .flatMap((issue) => (issue.code === 'unrecognized_keys' ? unknownKeys(schema, issue) : toDetail(issue)))
    .map((one) => ({ ...one, path: [...path, ...one.path] }))

const UNKNOWN_KEYS_SHOWN = 20

/** The value at a path, or the last one that exists on the way. */
function partAt(
  schema: z.core.$ZodType | undefined,
  path: readonly PropertyKey[],
): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPipe) return partAt(schema.out, path)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return partAt(schema.unwrap(), path)
  const [step, ...rest] = path
  if (step === undefined) return schema
  if (schema instanceof z.ZodObject) return partAt(schema.shape[step as string], rest)
  return schema instanceof z.ZodArray ? partAt(schema.element, rest) : undefined
}

/** One detail for each unknown key, with the keys that are permitted there. */
function unknownKeys(schema: z.ZodType, issue: z.core.$ZodIssueUnrecognizedKeys): ErrorDetail[] {
  const part = partAt(schema, issue.path)
  const known = part instanceof z.ZodObject ? Object.keys(part.shape) : []
  return issue.keys
    .slice(0, UNKNOWN_KEYS_SHOWN)
    .map((key) => detail([...issue.path, key], problem('unknown_field', { field: key, known }), issue.code))
}

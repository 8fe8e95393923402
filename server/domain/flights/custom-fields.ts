// Custom fields: how given values merge with stored ones, which values each type accepts, and which definitions are valid.
import {
  asProblem,
  type FieldProblem,
  type Given,
  type PlainReason,
  type Problem,
  problem,
} from '../reasons.ts'
import { isCalendarDate } from '../time/time.ts'

interface FieldRule {
  id: number
  key: string
  label: string
  fieldType: string
  required: boolean
  defaultValue: unknown
  options: readonly string[] | null
  validation: {
    regex?: string | undefined
    minLength?: number | undefined
    maxLength?: number | undefined
    min?: number | undefined
    max?: number | undefined
  } | null
}

type Values = Record<string, unknown>

/** Tests a text against a pattern, with a time limit. */
type Matches = (pattern: string, text: string) => boolean

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Stored values (by field id) overwritten by the given ones (by key or id). An absent key keeps the stored value; null,
 * "" and [] delete it; a field without a value gets the default of its definition.
 */
export function mergeValues(fields: readonly FieldRule[], stored: Values, given: Values): Values {
  const merged: Values = { ...stored }
  const keys = new Set(fields.map((field) => field.key))
  for (const field of fields) {
    const id = String(field.id)
    // A key that equals another field's id counts as the key.
    const name = Object.hasOwn(given, field.key) || keys.has(id) ? field.key : id
    if (Object.hasOwn(given, name)) {
      if (isEmpty(given[name])) delete merged[field.id]
      else merged[field.id] = given[name]
    } else if (isEmpty(stored[field.id]) && !isEmpty(field.defaultValue)) {
      merged[field.id] = field.defaultValue
    }
  }
  return merged
}

/**
 * Given names whose value would be lost: the field does not exist, or it is inactive and its stored value would change.
 * Anything that a read returns can be written back, including values of inactive fields.
 */
export function problemsWithNames(
  fields: readonly (FieldRule & { active: boolean })[],
  stored: Values,
  given: Values,
  mayCreate = false,
): { key: string; problem: Problem }[] {
  const active = fields.filter((field) => field.active)
  const known = namesOf(active)
  return Object.entries(given).flatMap(([key, value]): { key: string; problem: Problem }[] => {
    if (known.has(key)) return []
    const inactive = fields.find((field) => !field.active && (field.key === key || String(field.id) === key))
    if (inactive) {
      return isSame(stored[inactive.id], value)
        ? []
        : [{ key, problem: problem('custom_field_inactive', { label: inactive.label }) }]
    }
    const keys = active.map((field) => field.key)
    return [{ key, problem: problem('unknown_custom_field', { field: key, known: keys, mayCreate }) }]
  })
}

const isSame = (stored: unknown, given: unknown): boolean =>
  isEmpty(stored) ? isEmpty(given) : JSON.stringify(stored) === JSON.stringify(given)

/** A field can be referred to by its key or its id. */
const namesOf = (fields: readonly FieldRule[]): ReadonlySet<string> =>
  new Set(fields.flatMap((field) => [field.key, String(field.id)]))

/** The given values of active fields, for callers that ignore all other values without an error. */
export function knownValues(fields: readonly (FieldRule & { active: boolean })[], given: Values): Values {
  const known = namesOf(fields.filter((field) => field.active))
  return Object.fromEntries(Object.entries(given).filter(([name]) => known.has(name)))
}

/** The fields whose merged values are refused, and why. */
export const problemsWithValues = (
  fields: readonly FieldRule[],
  values: Values,
  matches: Matches,
): { key: string; label: string; problem: FieldProblem }[] =>
  fields.flatMap((field) => {
    const value = values[field.id]
    const empty = field.required ? plain('required') : undefined
    const fault = isEmpty(value) ? empty : faultOf(field, value, matches)
    return fault ? [{ key: field.key, label: field.label, problem: fault }] : []
  })

/** Stored values by key, of fields that still exist. */
export function valuesByKey(fields: readonly { id: number; key: string }[], stored: Values): Values {
  const shown: Values = {}
  for (const field of fields) if (Object.hasOwn(stored, field.id)) shown[field.key] = stored[field.id]
  return shown
}

type PlainFault = Extract<FieldProblem, { params?: undefined }>['reason']
const plain = (reason: PlainFault): FieldProblem => ({ reason })

/** Why a value is refused, or undefined. */
function faultOf(field: FieldRule, value: unknown, matches: Matches): FieldProblem | undefined {
  const rule = field.validation ?? {}
  switch (field.fieldType) {
    case 'text':
    case 'textarea':
      return faultOfText(rule, value, matches)
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return plain('not_a_number')
      if (rule.min !== undefined && value < rule.min) return problem('too_small', { min: rule.min })
      return rule.max !== undefined && value > rule.max ? problem('too_large', { max: rule.max }) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? undefined : plain('not_a_boolean')
    case 'date':
      return typeof value === 'string' && isCalendarDate(value) ? undefined : plain('not_a_date')
    case 'select':
      return isOption(field, value) ? undefined : problem('not_an_option', { options: field.options ?? [] })
    case 'multi-select':
      return Array.isArray(value) &&
        value.length <= (field.options ?? []).length &&
        value.every((item) => isOption(field, item))
        ? undefined
        : problem('not_options', { options: field.options ?? [] })
    default:
      return Number.isSafeInteger(value) && (value as number) > 0 ? undefined : plain('not_an_id')
  }
}

function faultOfText(
  rule: NonNullable<FieldRule['validation']>,
  value: unknown,
  matches: Matches,
): FieldProblem | undefined {
  if (typeof value !== 'string') return plain('not_a_text')
  const length = characters(value)
  if (length > TEXT_AT_MOST) return problem('too_long', { max: TEXT_AT_MOST })
  if (rule.minLength !== undefined && length < rule.minLength)
    return problem('too_short', { min: rule.minLength })
  if (rule.maxLength !== undefined && length > rule.maxLength)
    return problem('too_long', { max: rule.maxLength })
  return rule.regex !== undefined && !matches(rule.regex, value) ? plain('pattern_mismatch') : undefined
}

const TEXT_AT_MOST = 10_000

/** The length of a text in code points, not UTF-16 units, as in JSON Schema and in all other limits. */
export const characters = (text: string): number => [...text].length

const isOption = (field: FieldRule, value: unknown): boolean =>
  typeof value === 'string' && (field.options ?? []).includes(value)

// Definitions

const textTypes = ['text', 'textarea']
const selectTypes = ['select', 'multi-select']
const REGEX_AT_MOST = 200

interface Fault {
  path: (string | number)[]
  problem: Problem
}

/** All faults of a definition, with their paths. */
export function faultsOfDefinition(field: FieldRule, matches: Matches): Fault[] {
  const faults = [...faultsOfOptions(field), ...faultsOfValidation(field)]
  // A default can only be checked against valid rules.
  if (faults.length > 0 || field.defaultValue === null) return faults
  const fault = isEmpty(field.defaultValue) ? plain('required') : faultOf(field, field.defaultValue, matches)
  return fault ? [{ path: ['defaultValue'], problem: fault }] : []
}

function faultsOfOptions({ fieldType, options }: FieldRule): Fault[] {
  const at = (reason: PlainReason): Fault[] => [{ path: ['options'], problem: asProblem(reason) }]
  if (!selectTypes.includes(fieldType)) {
    return options === null ? [] : at('options_not_for_type')
  }
  if (options === null || options.length === 0) return at('options_required')
  return new Set(options).size === options.length ? [] : at('option_repeated')
}

function faultsOfValidation({ fieldType, validation }: FieldRule): Fault[] {
  const rules = validation ?? {}
  const applies = (name: string) =>
    ['min', 'max'].includes(name) ? fieldType === 'number' : textTypes.includes(fieldType)
  const at = (name: string, given: Given): Fault => ({
    path: ['validation', name],
    problem: asProblem(given),
  })
  const faults = Object.entries(rules)
    .filter(([name, value]) => value !== undefined && !applies(name))
    .map(([name]) => at(name, 'rule_not_for_type'))
  const below = (least: number | undefined, most: number | undefined) =>
    least !== undefined && most !== undefined && most < least
  if (below(rules.minLength, rules.maxLength)) faults.push(at('maxLength', 'maximum_below_minimum'))
  if (below(rules.min, rules.max)) faults.push(at('max', 'maximum_below_minimum'))
  const regex = rules.regex === undefined ? undefined : faultOfRegex(rules.regex)
  if (regex) faults.push(at('regex', regex))
  return faults
}

function faultOfRegex(source: string): Given | undefined {
  if (source.length > REGEX_AT_MOST) return problem('too_long', { max: REGEX_AT_MOST })
  try {
    new RegExp(source, 'u')
  } catch {
    return 'pattern_malformed'
  }
  return repeatsRepetition(source) || /\\[1-9k]/.test(source) ? 'pattern_too_slow' : undefined
}

/** Whether a group that contains `*`, `+`, `{n,m}` or `|` is itself repeated: matching such a pattern can take exponential time. */
function repeatsRepetition(source: string): boolean {
  const plain = source.replaceAll(/\\./gu, 'x').replaceAll(/\[[^\]]*\]/gu, 'x')
  const repeats = (text: string) => /[*+|]|\{\d+,/.test(text)
  const open: number[] = []
  for (let i = 0; i < plain.length; i++) {
    if (plain[i] === '(') open.push(i)
    if (plain[i] !== ')') continue
    const inner = plain.slice((open.pop() ?? 0) + 1, i)
    const after = plain.slice(i + 1)
    if (/^([*+]|\{\d+(,\d*)?\})/.test(after) && repeats(inner)) return true
  }
  return false
}

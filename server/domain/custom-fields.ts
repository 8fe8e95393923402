// Values of the fields people define themselves: how given values merge with stored ones, what each type accepts, and
// what makes a sound definition.
import { namesSentence } from './spelling.ts'
import { isCalendarDate } from './time.ts'

export interface FieldRule {
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

/** Tries a pattern on a text without letting it run for ever. */
type Matches = (pattern: string, text: string) => boolean

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Stored values (by definition id) with the given ones (by key, or id) laid over them. An absent key keeps what is
 * stored; null, "" and [] delete; what is neither given nor stored takes the definition's default.
 */
export function mergeValues(fields: readonly FieldRule[], stored: Values, given: Values): Values {
  const merged: Values = { ...stored }
  const keys = new Set(fields.map((field) => field.key))
  for (const field of fields) {
    const id = String(field.id)
    // A key that looks like another field's id is the key.
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
 * Given names that would be lost: no field has them, or their field is no longer active and its stored value would not
 * stay as it is. What a read shows can be written back, values of inactive fields included.
 */
export function problemsWithNames(
  fields: readonly (FieldRule & { active: boolean })[],
  stored: Values,
  given: Values,
): { key: string; message: string }[] {
  const active = fields.filter((field) => field.active)
  const known = namesOf(active)
  return Object.entries(given).flatMap(([key, value]) => {
    if (known.has(key)) return []
    const inactive = fields.find((field) => !field.active && (field.key === key || String(field.id) === key))
    if (inactive) {
      return isSame(stored[inactive.id], value)
        ? []
        : [{ key, message: `Custom field "${inactive.label}" is inactive and takes no new value` }]
    }
    const keys = active.map((field) => field.key)
    return [{ key, message: `There is no custom field ${namesSentence(key, keys)}` }]
  })
}

const isSame = (stored: unknown, given: unknown): boolean =>
  isEmpty(stored) ? isEmpty(given) : JSON.stringify(stored) === JSON.stringify(given)

/** A field is named by its key, or by its id. */
const namesOf = (fields: readonly FieldRule[]): ReadonlySet<string> =>
  new Set(fields.flatMap((field) => [field.key, String(field.id)]))

/** The given values that mean an active field; for callers that are never told about the others. */
export function knownValues(fields: readonly (FieldRule & { active: boolean })[], given: Values): Values {
  const known = namesOf(fields.filter((field) => field.active))
  return Object.fromEntries(Object.entries(given).filter(([name]) => known.has(name)))
}

/** The first thing wrong with the merged values, as a sentence naming the field, or undefined. */
export function problemWithValues(
  fields: readonly FieldRule[],
  values: Values,
  matches: Matches,
): { key: string; message: string } | undefined {
  for (const field of fields) {
    const value = values[field.id]
    const fault = isEmpty(value)
      ? field.required
        ? 'is required'
        : undefined
      : faultOf(field, value, matches)
    if (fault) return { key: field.key, message: `Custom field "${field.label}" ${fault}` }
  }
  return undefined
}

/** Stored values as callers see them: by key, and only of definitions that exist. */
export function valuesByKey(fields: readonly { id: number; key: string }[], stored: Values): Values {
  const shown: Values = {}
  for (const field of fields) if (Object.hasOwn(stored, field.id)) shown[field.key] = stored[field.id]
  return shown
}

/** What is wrong with a value that is there, or undefined. */
function faultOf(field: FieldRule, value: unknown, matches: Matches): string | undefined {
  const rule = field.validation ?? {}
  switch (field.fieldType) {
    case 'text':
    case 'textarea':
      return faultOfText(rule, value, matches)
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
      if (rule.min !== undefined && value < rule.min) return `must be at least ${rule.min}`
      return rule.max !== undefined && value > rule.max ? `must be at most ${rule.max}` : undefined
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'date':
      return typeof value === 'string' && isCalendarDate(value) ? undefined : 'must be a date (YYYY-MM-DD)'
    case 'select':
      return isOption(field, value) ? undefined : 'must be one of its options'
    case 'multi-select':
      return Array.isArray(value) &&
        value.length <= (field.options ?? []).length &&
        value.every((item) => isOption(field, item))
        ? undefined
        : 'must be a list of its options'
    default:
      return Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'must be an id'
  }
}

function faultOfText(
  rule: NonNullable<FieldRule['validation']>,
  value: unknown,
  matches: Matches,
): string | undefined {
  if (typeof value !== 'string') return 'must be a text'
  const length = characters(value)
  if (length > TEXT_AT_MOST) return `must have at most ${TEXT_AT_MOST} characters`
  if (rule.minLength !== undefined && length < rule.minLength)
    return `must have at least ${rule.minLength} characters`
  if (rule.maxLength !== undefined && length > rule.maxLength)
    return `must have at most ${rule.maxLength} characters`
  return rule.regex !== undefined && !matches(rule.regex, value) ? 'does not have the right form' : undefined
}

const TEXT_AT_MOST = 10_000

/** How long a text is to people, to JSON Schema and to every other limit here: by code points, not UTF-16 units. */
export const characters = (text: string): number => [...text].length

const isOption = (field: FieldRule, value: unknown): boolean =>
  typeof value === 'string' && (field.options ?? []).includes(value)

// Definitions

const textTypes = ['text', 'textarea']
const selectTypes = ['select', 'multi-select']
const REGEX_AT_MOST = 200

export interface Fault {
  path: (string | number)[]
  message: string
}

/** Everything that is wrong with a definition, each with the field it concerns. */
export function faultsOfDefinition(field: FieldRule, matches: Matches): Fault[] {
  const faults = [...faultsOfOptions(field), ...faultsOfValidation(field)]
  // A default can only be judged by rules that are sound themselves.
  if (faults.length > 0 || field.defaultValue === null) return faults
  const fault = isEmpty(field.defaultValue)
    ? 'must not be empty'
    : faultOf(field, field.defaultValue, matches)
  return fault ? [{ path: ['defaultValue'], message: `The default ${fault}` }] : []
}

function faultsOfOptions({ fieldType, options }: FieldRule): Fault[] {
  const at = (message: string): Fault[] => [{ path: ['options'], message }]
  if (!selectTypes.includes(fieldType)) {
    return options === null ? [] : at('Only fields to choose from have options')
  }
  if (options === null || options.length === 0) return at('There must be an option to choose')
  return new Set(options).size === options.length ? [] : at('Each option may be there only once')
}

function faultsOfValidation({ fieldType, validation }: FieldRule): Fault[] {
  const rules = validation ?? {}
  const applies = (name: string) =>
    ['min', 'max'].includes(name) ? fieldType === 'number' : textTypes.includes(fieldType)
  const faults = Object.entries(rules)
    .filter(([name, value]) => value !== undefined && !applies(name))
    .map(([name]) => ({ path: ['validation', name], message: 'This rule is not for fields of this type' }))
  const below = (least: number | undefined, most: number | undefined) =>
    least !== undefined && most !== undefined && most < least
  const tooLow = 'Must not be less than the minimum'
  if (below(rules.minLength, rules.maxLength))
    faults.push({ path: ['validation', 'maxLength'], message: tooLow })
  if (below(rules.min, rules.max)) faults.push({ path: ['validation', 'max'], message: tooLow })
  const regex = rules.regex === undefined ? undefined : faultOfRegex(rules.regex)
  if (regex) faults.push({ path: ['validation', 'regex'], message: regex })
  return faults
}

function faultOfRegex(source: string): string | undefined {
  if (source.length > REGEX_AT_MOST) return `A pattern has at most ${REGEX_AT_MOST} characters`
  try {
    new RegExp(source, 'u')
  } catch {
    return 'This is not a regular expression'
  }
  return repeatsRepetition(source) || /\\[1-9k]/.test(source)
    ? 'Patterns that repeat a repetition or refer back to a group can take for ever'
    : undefined
}

/** Is a group that contains `*`, `+`, `{n,m}` or `|` itself repeated? That is how matching comes to take for ever. */
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

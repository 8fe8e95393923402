// Values of the fields people define themselves: how given values merge with stored ones and what each type accepts.
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

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Stored values (by definition id) with the given ones (by key, or id) laid over them. An absent key keeps what is
 * stored; null, "" and [] delete; what is neither given nor stored takes the definition's default.
 */
export function mergeValues(fields: readonly FieldRule[], stored: Values, given: Values): Values {
  const merged: Values = { ...stored }
  for (const field of fields) {
    const name = Object.hasOwn(given, field.key) ? field.key : String(field.id)
    if (Object.hasOwn(given, name)) {
      if (isEmpty(given[name])) delete merged[field.id]
      else merged[field.id] = given[name]
    } else if (isEmpty(stored[field.id]) && !isEmpty(field.defaultValue)) {
      merged[field.id] = field.defaultValue
    }
  }
  return merged
}

/** The first thing wrong with the merged values, as a sentence naming the field, or undefined. */
export function problemWithValues(
  fields: readonly FieldRule[],
  values: Values,
): { key: string; message: string } | undefined {
  for (const field of fields) {
    const value = values[field.id]
    const fault = isEmpty(value) ? (field.required ? 'is required' : undefined) : faultOf(field, value)
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
export function faultOf(field: FieldRule, value: unknown): string | undefined {
  const rule = field.validation ?? {}
  switch (field.fieldType) {
    case 'text':
    case 'textarea':
      return faultOfText(rule, value)
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
      return Array.isArray(value) && value.every((item) => isOption(field, item))
        ? undefined
        : 'must be a list of its options'
    default:
      return Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'must be an id'
  }
}

function faultOfText(rule: NonNullable<FieldRule['validation']>, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text'
  if (rule.minLength !== undefined && value.length < rule.minLength)
    return `must have at least ${rule.minLength} characters`
  if (rule.maxLength !== undefined && value.length > rule.maxLength)
    return `must have at most ${rule.maxLength} characters`
  return rule.regex !== undefined && !new RegExp(rule.regex, 'u').test(value)
    ? 'does not have the right form'
    : undefined
}

const isOption = (field: FieldRule, value: unknown): boolean =>
  typeof value === 'string' && (field.options ?? []).includes(value)

/** Definition of a custom field: the state of the form, and the request it sends. */
import { plain } from '../../../../server/domain/text/fold.ts'
import type { components } from '../../api/schema.d.ts'

export type Definition = components['schemas']['ManagedCustomField']
type Validation = NonNullable<Definition['validation']>

export type Limits = { [K in Exclude<keyof Validation, 'regex'>]?: number | null } & { regex?: string }

export const hasOptions = (type: Definition['fieldType']) => type === 'select' || type === 'multi-select'
export const isText = (type: Definition['fieldType']) => type === 'text' || type === 'textarea'

/** "Cabin crew mood" → `cabin_crew_mood`. */
export const keyFrom = (label: string): string =>
  plain(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)

export const optionsFrom = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Only rules that apply to this type and have a value; null if there are none. */
export function validationFrom(type: Definition['fieldType'], limits: Limits): Validation | null {
  const names = isText(type)
    ? (['regex', 'minLength', 'maxLength'] as const)
    : type === 'number'
      ? (['min', 'max'] as const)
      : []
  const given = names
    .map((name) => [name, limits[name]] as const)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
  return given.length > 0 ? (Object.fromEntries(given) as Validation) : null
}

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

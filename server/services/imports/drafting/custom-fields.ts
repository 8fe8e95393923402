// Values of custom fields in a file, by the source's keys.
import { matchesPattern } from '../../../base/bounded-pattern.ts'
import type { FieldEntity } from '../../../domain/enums.ts'
import { problemsWithValues } from '../../../domain/flights/custom-fields.ts'
import type { ImportWarning } from '../../../domain/imports/imports.ts'
import type { CustomField } from '../../../store/flights/custom-fields.ts'
import type { Named } from '../reading/source.ts'
import { recordNamed } from '../values/named.ts'
import type { Question } from './draft.ts'
import type { Asked } from './questions.ts'

type Values = Record<string, unknown>

interface FieldValues {
  values: Values
  warnings: ImportWarning[]
  waitsFor: string[]
}

/** Types of fields that contain an airport, airline or aircraft type. Exports write the record instead of its id. */
const recordTypes = ['airport', 'airline', 'aircraft'] as const
type RecordType = (typeof recordTypes)[number]
export interface NamedValue {
  type: RecordType
  named: Named
}

export interface CustomValues {
  /** Records that these values name, so that they can be looked up together. */
  namedIn(values: Values): NamedValue[]
  /** `idOf` finds the record that a value names. */
  resolve(
    values: Values,
    entity: FieldEntity,
    row: number,
    idOf: (value: NamedValue) => number | undefined,
  ): FieldValues
  /** Fields that a value may be stored in. */
  choices(): Question['choices']
}

export function createCustomValues(
  fields: readonly CustomField[],
  ask: (key: string, row: number) => Asked<unknown>,
): CustomValues {
  const active = fields.filter((field) => field.active)
  const find = (key: string, entity: FieldEntity) =>
    active.find((field) => field.entityType === entity && (field.key === key || String(field.id) === key))

  return {
    namedIn: (values) =>
      Object.entries(values).flatMap(([key, value]) =>
        active.flatMap((field) => (field.key === key && namedValue(field, value)) || []),
      ),
    resolve(values, entity, row, idOf) {
      const result: FieldValues = { values: {}, warnings: [], waitsFor: [] }
      for (const [key, given] of Object.entries(values)) {
        if (given === null || given === undefined) continue
        const field = find(key, entity) ?? answered(key, entity, row, given, result)
        if (!field) continue
        const record = namedValue(field, given)
        const value = record ? (idOf(record) ?? given) : given
        if (isAccepted(field, value)) result.values[field.key] = value
        else result.warnings.push(notUnderstood(key, value))
      }
      return result
    },
    choices: () => active.map(({ key, label, fieldType }) => ({ id: key, label, detail: fieldType })),
  }

  function answered(
    key: string,
    entity: FieldEntity,
    row: number,
    value: unknown,
    result: FieldValues,
  ): CustomField | undefined {
    const { answer, key: question } = ask(key, row)
    if (!answer) result.waitsFor.push(question)
    if (answer?.id === undefined) return undefined
    const field = find(String(answer.id), entity)
    // A field of flights does not accept a passenger's value.
    if (!field) result.warnings.push(notUnderstood(key, value))
    return field
  }
}

function namedValue({ fieldType }: CustomField, value: unknown): NamedValue | undefined {
  const type = recordTypes.find((name) => name === fieldType)
  const named = type && recordNamed(value)
  return named ? { type, named } : undefined
}

/** A missing required field must not cause another field's value to be rejected. */
const isAccepted = (field: CustomField, value: unknown): boolean =>
  problemsWithValues([{ ...field, required: false }], { [field.id]: value }, matchesPattern).length === 0

const notUnderstood = (key: string, value: unknown): ImportWarning => ({
  ...{ code: 'value_not_understood', field: `customFields.${key}`, value: shown(value) },
})

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200)

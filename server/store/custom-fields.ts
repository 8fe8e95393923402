// Definitions of custom fields; deleting one deletes its values. Like airports, they are cached under the reference
// revision.
import type { FieldEntity, FieldType } from '../domain/enums.ts'
import { flag, fromJson, isSet, toJson } from './codecs.ts'
import { eraseCustomValue } from './dialect.ts'
import type { Executor } from './engine.ts'
import { noteFlightsChanged } from './flight-writes.ts'
import { forgetFieldInHistory } from './history.ts'
import { SYSTEM } from './history-rows.ts'
import { query } from './query.ts'
import { incrementRevisions, PRESENTATION, REFERENCE } from './revisions.ts'

interface FieldValidation {
  regex?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  min?: number | undefined
  max?: number | undefined
}

export interface CustomField {
  id: number
  entityType: FieldEntity
  key: string
  label: string
  description: string | null
  fieldType: FieldType
  required: boolean
  order: number
  defaultValue: unknown
  options: string[] | null
  validation: FieldValidation | null
  active: boolean
}

const fieldColumns = [
  'id',
  'entity_type as entityType',
  'key',
  'label',
  'description',
  'field_type as fieldType',
  'required',
  'position as order',
  'default_value as defaultValue',
  'options',
  'validation',
  'active',
] as const
const allFields = query<object, FieldRow>((db) =>
  db
    .selectFrom('custom_field')
    .select(fieldColumns)
    .orderBy('entity_type')
    .orderBy('position')
    .orderBy('label'),
)
interface FieldRow {
  id: number
  entityType: FieldEntity
  key: string
  label: string
  description: string | null
  fieldType: string
  required: 0 | 1
  order: number
  defaultValue: string | null
  options: string | null
  validation: string | null
  active: 0 | 1
}
export const listCustomFields = async (db: Executor): Promise<CustomField[]> =>
  (await allFields(db, {})).map((row) => ({
    ...row,
    fieldType: row.fieldType as FieldType,
    required: isSet(row.required),
    active: isSet(row.active),
    defaultValue: row.defaultValue === null ? null : fromJson(row.defaultValue),
    options: row.options === null ? null : fromJson<string[]>(row.options),
    validation: row.validation === null ? null : fromJson<FieldValidation>(row.validation),
  }))

// Writing

type FieldWrite = Omit<CustomField, 'id'>

interface Row {
  entityType: FieldEntity
  key: string
  label: string
  description: string | null
  fieldType: string
  required: 0 | 1
  position: number
  defaultValue: string | null
  options: string | null
  validation: string | null
  active: 0 | 1
  now: string
}

const jsonOrNull = (value: unknown) => (value === null ? null : toJson(value))

const toRow = (field: FieldWrite, now: string): Row => ({
  entityType: field.entityType,
  key: field.key,
  label: field.label,
  description: field.description,
  fieldType: field.fieldType,
  required: flag(field.required),
  position: field.order,
  defaultValue: jsonOrNull(field.defaultValue),
  options: jsonOrNull(field.options),
  validation: jsonOrNull(field.validation),
  active: flag(field.active),
  now,
})

const columns = (p: Row) => ({
  entity_type: p.entityType,
  key: p.key,
  label: p.label,
  description: p.description,
  field_type: p.fieldType,
  required: p.required,
  position: p.position,
  default_value: p.defaultValue,
  options: p.options,
  validation: p.validation,
  active: p.active,
  updated_at: p.now,
})

const insertRow = query<Row, { id: number }>((db, p) =>
  db
    .insertInto('custom_field')
    .values({ ...columns(p), created_at: p.now })
    .returning('id'),
)
/** A key that another definition of the same entity has violates a unique constraint. */
export async function insertCustomField(tx: Executor, field: FieldWrite, now: string): Promise<number> {
  const rows = await insertRow(tx, toRow(field, now))
  await incrementRevisions(tx, [REFERENCE, PRESENTATION])
  return rows[0]!.id
}

const updateRow = query<Row & { id: number }, { id: number }>((db, p) =>
  db.updateTable('custom_field').set(columns(p)).where('id', '=', p.id).returning('id'),
)
export async function updateCustomField(
  tx: Executor,
  id: number,
  field: FieldWrite,
  now: string,
): Promise<void> {
  await updateRow(tx, { ...toRow(field, now), id })
  await incrementRevisions(tx, [REFERENCE, PRESENTATION])
}

const deleteRow = query<{ id: number }, { entityType: FieldEntity }>((db, p) =>
  db.deleteFrom('custom_field').where('id', '=', p.id).returning('entity_type as entityType'),
)
/** Deletes the definition and every value of it, which changes the flights that had one. False if there is none. */
export async function deleteCustomField(tx: Executor, id: number, now: string): Promise<boolean> {
  const [deleted] = await deleteRow(tx, { id })
  if (!deleted) return false
  const erase = (table: string, returned: string) =>
    tx.query(eraseCustomValue[tx.kind](table, id, returned), [])
  const isOfFlights = deleted.entityType === 'flight'
  const rows = await erase(deleted.entityType, isOfFlights ? 'id' : 'flight_id')
  if (isOfFlights) await erase('deleted_flight', 'id')
  else await erase('deleted_flight_row', 'flight_id')
  await incrementRevisions(tx, [REFERENCE, PRESENTATION])
  await forgetFieldInHistory(tx, id)
  const changed = [...new Set(rows.map((row) => row['id'] as number))]
  await noteFlightsChanged(tx, changed, now, { author: SYSTEM, edits: null })
  return true
}

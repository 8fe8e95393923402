// Definitions of custom fields; deleting one deletes its values. Like airports, they are cached by the reference
// revision.
import type { FieldEntity, FieldType } from '../../domain/enums.ts'
import { pick } from '../../domain/pick.ts'
import { flag, fromJson, isSet, toJson } from '../engine/codecs.ts'
import { eraseCustomValue } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { query } from '../engine/query.ts'
import { incrementRevisions, PRESENTATION, REFERENCE } from '../engine/revisions.ts'
import { forgetFieldInHistory } from '../history/history.ts'
import { SYSTEM } from '../history/rows.ts'
import { noteFlightsChanged } from './writes.ts'

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
  'entityType',
  'key',
  'label',
  'description',
  'fieldType',
  'required',
  'position as order',
  'defaultValue',
  'options',
  'validation',
  'active',
] as const
export const listCustomFields = query(
  (db) =>
    db
      .selectFrom('customField')
      .select(fieldColumns)
      .orderBy('entityType')
      .orderBy('position')
      .orderBy('label'),
  (row): CustomField => ({
    ...row,
    fieldType: row.fieldType as FieldType,
    required: isSet(row.required),
    active: isSet(row.active),
    defaultValue: row.defaultValue === null ? null : fromJson(row.defaultValue),
    options: row.options === null ? null : fromJson<string[]>(row.options),
    validation: row.validation === null ? null : fromJson<FieldValidation>(row.validation),
  }),
)

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
  ...pick(field, ['entityType', 'key', 'label', 'description', 'fieldType']),
  required: flag(field.required),
  position: field.order,
  defaultValue: jsonOrNull(field.defaultValue),
  options: jsonOrNull(field.options),
  validation: jsonOrNull(field.validation),
  active: flag(field.active),
  now,
})

const columns = (p: Row) => ({
  entityType: p.entityType,
  key: p.key,
  label: p.label,
  description: p.description,
  fieldType: p.fieldType,
  required: p.required,
  position: p.position,
  defaultValue: p.defaultValue,
  options: p.options,
  validation: p.validation,
  active: p.active,
  updatedAt: p.now,
})

const insertRow = query((db, p: Row) =>
  db
    .insertInto('customField')
    .values({ ...columns(p), createdAt: p.now })
    .returning('id'),
)
/** A duplicate key within an entity violates a unique constraint. */
export async function insertCustomField(tx: Executor, field: FieldWrite, now: string): Promise<number> {
  const rows = await insertRow(tx, toRow(field, now))
  await incrementRevisions(tx, [REFERENCE, PRESENTATION])
  return rows[0]!.id
}

const updateRow = query((db, p: Row & { id: number }) =>
  db.updateTable('customField').set(columns(p)).where('id', '=', p.id).returning('id'),
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

const deleteRow = query((db, p: { id: number }) =>
  db.deleteFrom('customField').where('id', '=', p.id).returning('entityType'),
)
/** Deletes the definition and all its values, which changes the flights that had one. False if there is none. */
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

// Custom fields: what an instance records about flights and passengers beyond the built-in fields. This file has the
// definitions; values are part of flights.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { matchesPattern } from '../../base/bounded-pattern.ts'
import { invalidField, notFound } from '../../base/errors.ts'
import { requireValid } from '../../base/request/input.ts'
import { because } from '../../base/request/validation.ts'
import { fieldEntities, fieldTypes } from '../../domain/enums.ts'
import { faultsOfDefinition } from '../../domain/flights/custom-fields.ts'
import { RowId } from '../../domain/row-id.ts'
import { shortened } from '../../domain/text/shown-text.ts'
import {
  type Call,
  credentialOfRole,
  credentialWith,
  operation,
  person,
  takes,
} from '../../door/operation.ts'
import {
  type CustomField as Definition,
  deleteCustomField as deleteStoredField,
  insertCustomField,
  listCustomFields as listStored,
  updateCustomField as updateStoredField,
} from '../../store/flights/custom-fields.ts'
import { recordChanges } from '../../store/history/changes.ts'
import { orTaken } from '../access/authority.ts'
import { list, nothing, onePage, pathId, ShortDescription, single } from '../wire/schemas.ts'

const EntityType = z
  .enum(fieldEntities)
  .describe('flight: one value for all on board; flight_passenger: one for each of them.')
const FieldType = z.enum(fieldTypes)

export const CustomField = z
  .object({
    id: RowId,
    entityType: EntityType,
    key: z.string().describe('Key in `customFields`.'),
    label: z.string(),
    description: z.string().nullable(),
    fieldType: FieldType,
    required: z.boolean(),
    order: z.int(),
    defaultValue: z.unknown().describe('Stored if no value is given; null if there is no default.'),
    options: z.array(z.string()).nullable().describe('The choices of `select` and `multi-select` fields.'),
  })
  .meta({ id: 'CustomField' })

const length = z.int().min(0).max(10_000).optional()
const Validation = z
  .strictObject({
    regex: z.string().min(1).optional().describe('A JavaScript regular expression that the text must match.'),
    minLength: length,
    maxLength: length,
    min: z.number().optional(),
    max: z.number().optional(),
  })
  .meta({ id: 'FieldValidation' })

const ManagedField = z
  .object({ ...CustomField.shape, validation: Validation.nullable(), active: z.boolean() })
  .meta({ id: 'ManagedCustomField' })

// Strict: a misspelt rule would create a field without it.
const FieldInput = z
  .strictObject({
    entityType: EntityType,
    key: z
      .string()
      .min(2)
      .max(50)
      .regex(/^[a-z0-9_]+$/, because('key_form'))
      .refine((key) => key !== '__proto__', because('key_reserved')),
    label: z.string().trim().min(1).max(80),
    description: ShortDescription,
    fieldType: FieldType,
    required: z.boolean().default(false),
    order: z.int().min(0).max(1_000_000).default(0),
    defaultValue: z.unknown().default(null),
    options: z.array(z.string().trim().min(1).max(200)).max(500).nullable().default(null),
    validation: Validation.nullable().default(null),
    active: z.boolean().default(true).describe('Inactive fields keep their values but accept no new ones.'),
  })
  .superRefine((field, context) => {
    for (const { path, problem } of faultsOfDefinition({ id: 0, ...field }, matchesPattern)) {
      context.addIssue({ code: 'custom', path, params: problem })
    }
  })
  .meta({ id: 'CustomFieldInput' })

export const listCustomFields = operation({
  id: 'list-custom-fields',
  method: 'GET',
  path: '/custom-fields',
  tag: 'Reference data',
  summary: 'List custom fields',
  description: 'The additional fields of flights and passengers on this instance.',
  access: credentialWith(['custom_fields.read']),
  output: list(CustomField),
  tool: { title: 'List custom fields', says: ({ data }) => fieldsInWords(data) },
  cached: { key: ({ principal }) => String(principal.revisions.reference) },
  run: async ({ principal, db, services }) =>
    onePage(shownFields(await services.reference.customFields(db, principal.revisions.reference))),
})

const fieldsInWords = (fields: readonly z.output<typeof CustomField>[]): string =>
  fields.length === 0
    ? 'There are no custom fields.'
    : [`${fields.length} custom ${fields.length === 1 ? 'field' : 'fields'}.`, ...fields.map(fieldLine)].join(
        '\n',
      )

/** `meal of flights: Meal (select: Beef, Fish)` */
function fieldLine({ key, entityType, label, fieldType, required, options }: z.output<typeof CustomField>) {
  const choices = options === null ? '' : `: ${shortened(options.join(', '), OPTIONS_CHARACTERS)}`
  const of = entityType === 'flight' ? 'flights' : 'passengers'
  return `${key} of ${of}: ${label} (${fieldType}${choices})${required ? ', required' : ''}`
}
const OPTIONS_CHARACTERS = 200

/** Definitions as everyone sees them: only those in use, without their rules. */
export const shownFields = (fields: readonly Definition[]) =>
  fields
    .filter((field) => field.active)
    .map(({ active: _active, validation: _validation, ...shown }) => shown)

const tag = 'Administration'
const access = person(['custom_fields.manage'])

export const listAllCustomFields = operation({
  id: 'list-all-custom-fields',
  method: 'GET',
  path: '/custom-fields/all',
  door: 'app',
  tag,
  summary: 'List all custom fields with their rules, including inactive ones',
  access,
  output: list(ManagedField),
  run: async ({ db }) => onePage(await listStored(db)),
})

export const createCustomField = operation({
  id: 'create-custom-field',
  method: 'POST',
  path: '/custom-fields',
  tag,
  summary: 'Create a custom field',
  description:
    'For everyone on this instance; needs a role that manages custom fields, and a credential of which not every scope only reads.',
  example: { body: { entityType: 'flight', key: 'meal', label: 'Meal', fieldType: 'text' } },
  access: credentialOfRole(['custom_fields.read'], ['custom_fields.manage']),
  body: takes(FieldInput, { size: 'long' }),
  output: single(ManagedField),
  status: 201,
  errors: ['conflict'],
  tool: {
    title: 'Create a custom field',
    description:
      'Add a field for everyone’s flights or passengers here, such as {entityType: "flight", key: "meal", label: "Meal", fieldType: "text"}; ask the person first. Set its values as customFields.',
    without: ['description', 'required', 'order', 'defaultValue', 'validation', 'active'],
    says: ({ data }) => `The field ${data.label} was created; set it as customFields.${data.key}.`,
  },
  run: async (call) => ({ data: (await findDefinition(call, await insertField(call, call.input)))! }),
})

async function insertField({ db, now }: Pick<Call, 'db' | 'now'>, input: z.output<typeof FieldInput>) {
  const at = now.toISOString()
  const id = await orTaken(insertCustomField(db, input, at), keyTaken)
  await recordChanges(db, null, [{ type: 'custom_field', id, kind: 'created' }], at)
  return id
}

/** For operations that create a field along the way; the caller checks the permission. */
export const addCustomField = (call: Pick<Call, 'db' | 'now'>, given: unknown): Promise<number> =>
  insertField(call, requireValid(FieldInput, given))

export const updateCustomField = operation({
  id: 'update-custom-field',
  method: 'PUT',
  path: '/custom-fields/{id}',
  door: 'app',
  tag,
  summary: 'Replace a custom field’s definition',
  description: '`entityType` and `fieldType` cannot be changed, because values are stored by them.',
  access,
  params: pathId,
  body: takes(FieldInput, { size: 'long' }),
  output: single(ManagedField),
  errors: ['not_found', 'conflict'],
  async run(call) {
    const { input, db, now } = call
    const existing = await findDefinition(call, input.id)
    if (!existing) throw notFound('Custom field')
    requireUnchanged(existing, input, 'entityType')
    requireUnchanged(existing, input, 'fieldType')
    const { id, ...field } = input
    const at = now.toISOString()
    await orTaken(updateStoredField(db, id, field, at), keyTaken)
    const data = (await findDefinition(call, id))!
    if (!isDeepStrictEqual(data, existing)) {
      await recordChanges(db, null, [{ type: 'custom_field', id, kind: 'updated' }], at)
    }
    return { data }
  },
})

export const deleteCustomField = operation({
  id: 'delete-custom-field',
  method: 'DELETE',
  path: '/custom-fields/{id}',
  door: 'app',
  tag,
  summary: 'Delete a custom field and all its values',
  access,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run({ input, db, now }) {
    const at = now.toISOString()
    if (!(await deleteStoredField(db, input.id, at))) throw notFound('Custom field')
    await recordChanges(db, null, [{ type: 'custom_field', id: input.id, kind: 'deleted' }], at)
  },
})

const keyTaken = 'key_taken'

const findDefinition = async ({ db }: Pick<Call, 'db'>, id: number) =>
  (await listStored(db)).find((field) => field.id === id)

function requireUnchanged(
  before: Definition,
  after: Omit<Definition, 'id'>,
  name: 'entityType' | 'fieldType',
): void {
  if (before[name] !== after[name]) throw invalidField([name], 'cannot_be_changed')
}

// A bulk request and its response.
import * as z from 'zod'
import { because } from '../../../base/request/validation.ts'
import { BULK_OPERATIONS_AT_MOST } from '../../../domain/limits.ts'
import { RowId } from '../../../domain/row-id.ts'
import { ExternalSource, ExternalValue } from '../../wire/schemas.ts'

const ref = z
  .string()
  .max(200)
  .nullable()
  .default(null)
  .describe('Your own name for this operation, returned with its result.')
const externalId = z.strictObject({ source: ExternalSource, value: ExternalValue })
const id = RowId
const flight = z
  .record(z.string(), z.unknown())
  .describe(
    'As in the single call. `from`, `to`, `airline` and `aircraft` may be codes; they mean what they meant on the flight’s date.',
  )
const ifMatch = z.string().describe('As the header If-Match.').optional()
/** Exactly one of the two. */
const target = { id: id.optional(), externalId: externalId.optional() }

const BulkOperation = z
  .discriminatedUnion('op', [
    z.strictObject({ op: z.literal('create'), externalId: externalId.optional(), flight, ref }),
    z.strictObject({ op: z.literal('upsert'), externalId, flight, ifMatch, ref }),
    z.strictObject({ op: z.literal('replace'), ...target, flight, ifMatch, ref }),
    z.strictObject({ op: z.literal('patch'), ...target, flight, ifMatch, ref }),
    z.strictObject({ op: z.literal('delete'), ...target, ifMatch, ref }),
  ])
  .superRefine((operation, context) => {
    if (
      !(
        'id' in operation ||
        operation.op === 'replace' ||
        operation.op === 'patch' ||
        operation.op === 'delete'
      )
    )
      return
    if ((operation.id === undefined) === (operation.externalId === undefined)) {
      context.addIssue({ code: 'custom', path: ['id'], message: because('id_or_external_id') })
    }
  })
  .meta({ id: 'BulkOperation' })
export type BulkOperation = z.output<typeof BulkOperation>

export const BulkRequest = z
  .strictObject({
    atomic: z.boolean().default(false).describe('All operations or none.'),
    dryRun: z.boolean().default(false).describe('Report what would happen, and change nothing.'),
    operations: z.array(BulkOperation).min(1).max(BULK_OPERATIONS_AT_MOST),
  })
  .meta({
    id: 'BulkRequest',
    example: {
      operations: [
        {
          op: 'upsert',
          externalId: { source: 'tripit', value: '77' },
          flight: { date: '2026-02-20', from: 'CPH', to: 'EWR', airline: 'SK', flightNumber: 'SK909' },
          ref: 'row 1',
        },
      ],
    },
  })

const BulkItem = z
  .object({
    index: z.int().describe('Of the operation.'),
    ref: z.string().nullable(),
    status: z.int().describe('The status that the single call would have.'),
    id: RowId.optional(),
    etag: z.string().optional(),
    location: z.string().optional(),
    error: z
      .object({
        code: z.string(),
        reason: z.string(),
        message: z.string(),
        params: z.record(z.string(), z.unknown()).optional(),
        details: z.array(z.record(z.string(), z.unknown())).optional(),
      })
      .optional()
      .describe('As in the response of the single call.'),
    warnings: z.array(z.string()).optional().describe('Likely duplicates (in a dry run) and doubtful codes.'),
  })
  .meta({ id: 'BulkItem' })
export type BulkItem = z.output<typeof BulkItem>

export const bulkOutcomes = ['created', 'updated', 'unchanged', 'deleted', 'failed'] as const
export type BulkOutcome = (typeof bulkOutcomes)[number]

const count = z.int()
export const BulkResponse = z.object({
  data: z.array(BulkItem).describe('In the order of the operations.'),
  summary: z.object({ created: count, updated: count, unchanged: count, deleted: count, failed: count }),
})

// Requests and responses of imports.
import * as z from 'zod'
import { because } from '../../base/request/validation.ts'
import { isSpokenTime } from '../../domain/entry/spoken-times.ts'
import { datePrecisions } from '../../domain/enums.ts'
import { flightFields, referenceFields, timeFields } from '../../domain/flights/fields.ts'
import {
  choiceReasons,
  columnFields,
  dateOrders,
  importStatuses,
  importWarnings,
  questionKinds,
  sourceIds,
  verdicts,
} from '../../domain/imports/imports.ts'
import { RowId } from '../../domain/row-id.ts'
import {
  Flight,
  FlightReason,
  flightPatchShape,
  fromShownFlight,
  Passenger,
  Seat,
  SeatClass,
  strictPatch,
  timestamp,
} from '../wire/schemas.ts'

// Requests

export const SourceIdInput = z
  .enum(sourceIds)
  .describe('Where the file is from, if it was not detected; the answer names what was.')

/** Longer names are cut and not rejected: people do not choose them. */
export const Filename = z.string().max(1000).describe('The name of the file, for people and for hints.')

export const OptionsInput = z
  .strictObject({
    dateOrder: z.enum(dateOrders).nullable().describe('How dates such as 03/04/2024 are read.'),
    timesAreUtc: z
      .boolean()
      .nullable()
      .describe('The times of a source that does not say are UTC, or local.'),
    includeCancelled: z.boolean().nullable().describe('Bring in cancelled flights too, as cancelled.'),
    includeOthers: z.boolean().nullable().describe('Bring in flights of others that the file contains.'),
    duplicates: z
      .enum(['skip', 'update', 'create'])
      .nullable()
      .describe(
        'What happens to flights that are in the log: nothing, their `updates` are applied, or they are created again.',
      ),
    mode: z
      .enum(['personal', 'restore'])
      .nullable()
      .describe('`restore`: flights of all people of another instance. Needs `flight.import.any`.'),
    users: z
      .record(z.string().max(200), z.string().max(40).nullable())
      .nullable()
      .describe('Accounts in the file → user ids here, or null for a guest.'),
    decimal: z.enum(['.', ',']).nullable().describe('Decimal mark of numbers.'),
    airline: z.string().max(200).nullable().describe('Of all flights, for a table without such a column.'),
    timezoneHint: z.string().max(100).nullable().describe('IANA time zone for times without one.'),
    bookingReference: z.boolean().nullable().describe('Keep booking references (default).'),
  })
  .partial()
  .describe('Options that change how the file is read. null returns one to its default.')
  .meta({ id: 'ImportOptionsInput' })

export const MappingInput = z
  .strictObject({
    columns: z
      .array(
        z.strictObject({
          index: z.int().min(0).max(999),
          field: z.enum(columnFields).nullable(),
          heading: z.string().max(10_000).optional(),
          examples: z.array(z.string().max(10_000)).max(10).optional(),
        }),
      )
      .max(1000),
  })
  .describe('What each column holds. Columns that are left out keep what was found.')
  .meta({ id: 'ImportMappingInput' })

export const AnswerInput = z
  .strictObject({
    kind: z.enum(questionKinds),
    value: z.string().max(2000).describe('As the question has it.'),
    id: z
      .union([RowId, z.string().min(1).max(100)])
      .optional()
      .describe('The airport, airline or user that is meant, or the id of a choice.'),
    create: z.record(z.string(), z.unknown()).optional().describe('A record to create and use.'),
    leaveEmpty: z.literal(true).optional().describe('Leave the field empty; for an airport: leave its rows.'),
    withdraw: z.literal(true).optional().describe('Take the answer back, also where it is remembered.'),
  })
  .refine(
    ({ id, create, leaveEmpty, withdraw }) =>
      [id, create, leaveEmpty, withdraw].filter((given) => given !== undefined).length === 1,
    because('answer_needs_one'),
  )
  .meta({ id: 'ImportAnswerInput' })
export type AnswerInput = z.output<typeof AnswerInput>

const onlyShown = new Set(['people', 'track'])
const shownNames = new Set<string>(referenceFields.map((name) => flightFields[name].shownAs))

/** Accepts a draft as it was read: its records count by their ids, and its unresolved texts are ignored. */
function fromShownDraft(given: unknown): unknown {
  const sent = fromShownFlight(given)
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  const isShown = ([name, value]: [string, unknown]) =>
    onlyShown.has(name) ||
    (name.endsWith('Text') && shownNames.has(name.slice(0, -4))) ||
    (shownNames.has(name) && typeof value === 'object')
  return Object.fromEntries(Object.entries(sent).filter((entry) => !isShown(entry)))
}

const sameFor = <Name extends string, Schema extends z.ZodType>(names: Iterable<Name>, schema: Schema) =>
  Object.fromEntries([...names].map((name) => [name, schema])) as Record<Name, Schema>

const CodeOrName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .optional()
  .describe('A code or a name, in place of the id.')
const TypedTime = z
  .string()
  .trim()
  .refine(isSpokenTime, because('spoken_time_form'))
  .nullable()
  .optional()
  .describe('Local at the airport, HH:MM or YYYY-MM-DDTHH:MM, or with an offset.')

/** Fields of a flight that replace what was read; the top-level seat, class and reason are the importer's. */
export const DraftPatch = strictPatch(
  'ImportDraftPatch',
  {
    ...flightPatchShape,
    ...sameFor(shownNames, CodeOrName),
    ...sameFor(timeFields, TypedTime),
    seat: Seat.nullable().optional(),
    seatNumber: z.string().max(20).nullable().optional(),
    seatClass: SeatClass.nullable().optional(),
    flightReason: FlightReason.nullable().optional(),
  },
  Flight,
  fromShownDraft,
)

// Responses

const Count = z.int().min(0)

const AnswerShown = z.object({
  kind: z.enum(questionKinds),
  value: z.string(),
  id: z.union([RowId, z.string()]).optional(),
  create: z.record(z.string(), z.unknown()).optional(),
  leaveEmpty: z.literal(true).optional(),
})

const Choice = z.object({
  id: z.union([RowId, z.string()]),
  label: z.string(),
  detail: z.string(),
  reason: z
    .enum(choiceReasons)
    .nullable()
    .describe(
      'Why it is likely: flights of the same number in the file or in your log, a place in the note, the end of the track, an airport in your log, its code or name, or a similar one.',
    ),
  km: z.int().optional().describe('From the airport to the other end of the flight, if that is known.'),
  kmFrom: z.string().optional().describe('The code of the airport at the other end.'),
})

const QuestionShown = z
  .object({
    kind: z.enum(questionKinds),
    value: z.string().describe('As the file has it.'),
    rows: Count.describe('How many rows wait for it.'),
    rowNumbers: z.array(z.int()).describe('The first of these rows.'),
    example: z
      .object({
        row: z.int(),
        side: z.enum(['from', 'to']).nullable().describe('The airport that is asked for.'),
        date: z.string().nullable().meta({ format: 'date' }),
        datePrecision: z.enum(datePrecisions),
        flightNumber: z.string().nullable(),
        from: z.string().nullable().describe('A code, or the text of the file.'),
        to: z.string().nullable(),
      })
      .nullable()
      .describe('The flight of the first row.'),
    choices: z.array(Choice).describe('Likely answers, the likeliest first.'),
    answer: AnswerShown.nullable(),
    preselected: z
      .boolean()
      .describe('The answer is assumed: the field stays empty, and no row waits, unless you answer.'),
  })
  .meta({ id: 'ImportQuestion' })

const Mapping = z
  .object({
    columns: z.array(
      z.object({
        index: z.int(),
        heading: z.string(),
        field: z.enum(columnFields).nullable().describe('null: what it holds is not known.'),
        examples: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'ImportMapping' })

const Counts = z.object({
  rows: Count,
  new: Count,
  duplicate: Count,
  similar: Count,
  question: Count,
  skipped: Count,
  error: Count,
  remarks: Count.describe(
    'Not a verdict: how many rows have a warning that a value was left out or assumed. `remarks=true` lists them.',
  ),
})

const importShape = {
  id: RowId,
  status: z
    .enum(importStatuses)
    .describe(
      '`reading`: read again in a moment. `questions` and `ready`: can be committed, the first with rows that wait.',
    ),
  source: z.enum(sourceIds).nullable().describe('null until it is recognised.'),
  detectedBy: z.string().nullable().describe('`heading`, `content` or `choice`.'),
  filename: z.string(),
  bytes: Count,
  sha256: z.string(),
  options: z.record(z.string(), z.unknown()),
  mapping: Mapping.nullable(),
  counts: Counts,
  questions: z
    .array(QuestionShown)
    .describe('Each distinct value once, those with the most rows first; 1,000 at most.'),
  committed: z.object({ created: Count, updated: Count }),
  trips: z
    .object({ found: Count, committed: Count })
    .describe(
      'How many trips of yours the file has, and how many of them a commit created or found in your log.',
    ),
  receipt: z
    .object({
      created: Count,
      updated: Count,
      trips: Count,
      routes: Count.describe('How many routes the log did not have before; likewise airports and countries.'),
      airports: Count,
      countries: Count,
      counts: Counts,
    })
    .nullable()
    .describe('What the last commit did to the log, as it was then. null before the first one.'),
  rowsDone: Count.describe('How far the step that is running is.'),
  problem: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why it failed, or was stopped before all was done.'),
  createdAt: timestamp('When it was started.'),
  updatedAt: timestamp('When it last changed.'),
  committedAt: timestamp('When it was last committed.').nullable(),
  undoneAt: timestamp('When it was undone.').nullable(),
  expiresAt: timestamp('When it is forgotten: the file, and what was not committed.').nullable(),
}
export const Import = z.object(importShape).meta({ id: 'Import' })
export type ImportView = z.input<typeof Import>

const notOfDrafts = {
  id: true,
  createdAt: true,
  updatedAt: true,
  version: true,
  importId: true,
  track: true,
} as const

export const DraftShown = Flight.omit(notOfDrafts)
  .extend({
    date: z.string().nullable().meta({ format: 'date' }),
    passengers: z.array(Passenger.omit({ id: true })),
    track: z
      .object({ pointCount: Count, sourceFormat: z.string(), sourceName: z.string().nullable() })
      .nullable(),
    fromText: z.string().optional().describe('As the file has it, where it is not resolved.'),
    toText: z.string().optional(),
    airlineText: z.string().optional(),
    aircraftText: z.string().optional(),
    plannedToText: z.string().optional(),
    operatingAirlineText: z.string().optional(),
    people: z.array(z.string()).describe('Names in the file of whom it is not known who they are.'),
  })
  .meta({ id: 'ImportDraft' })
export type DraftView = z.input<typeof DraftShown>

export const ImportRow = z
  .object({
    row: z.int().min(1).describe('Counted over the whole file.'),
    line: z.int().nullable().describe('Of its first line in the file.'),
    raw: z
      .union([z.array(z.string()), z.string()])
      .nullable()
      .describe('What the file says: the cells, or the text. null once the file is forgotten.'),
    verdict: z.enum(verdicts),
    code: z.string().nullable().describe('Why.'),
    warnings: z.array(
      z.object({
        code: z.enum(importWarnings),
        field: z.string().nullable(),
        message: z.string(),
        value: z.string().optional().describe('What the file says, where it could not be used.'),
      }),
    ),
    draft: DraftShown.nullable(),
    of: z
      .union([z.object({ flightId: RowId }), z.object({ row: z.int() })])
      .nullable()
      .describe(
        'The flight or row that it equals or resembles; of what was cancelled, the flight in the log.',
      ),
    updates: z
      .array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() }))
      .describe('What the flight in the log could get from it.'),
    questions: z
      .array(z.object({ kind: z.enum(questionKinds), value: z.string(), choices: z.array(Choice) }))
      .describe('Answers to these settle it.'),
    choice: z
      .object({
        include: z.boolean().nullable(),
        accept: z.enum(['new', 'same']).nullable(),
        edited: z.boolean(),
      })
      .describe('What you decided for this row.'),
    flightId: RowId.nullable().describe('The flight that the commit created or updated.'),
    done: z.enum(['created', 'updated', 'undone']).nullable(),
  })
  .meta({ id: 'ImportRow' })
export type RowView = z.input<typeof ImportRow>

export const ImportSource = z
  .object({
    id: z.enum(sourceIds),
    name: z.string(),
    extensions: z.array(z.string()),
    howTo: z.string().describe('How to get the file.'),
    options: z.array(z.string()).describe('Options that make a difference for it.'),
  })
  .meta({ id: 'ImportSource' })

export const RememberedAnswer = z
  .object({
    id: RowId,
    kind: z.enum(questionKinds),
    value: z.string(),
    label: z.string().describe('What it stands for, in words.'),
    answer: AnswerShown,
    updatedAt: z.string(),
  })
  .meta({ id: 'RememberedAnswer' })

/** With the first rows, if requested. */
const previewShape = {
  ...importShape,
  rows: z.array(ImportRow).optional().describe('The first of each verdict, if `rowsPerVerdict` is given.'),
}
export const PreviewedImport = z.object(previewShape).meta({ id: 'PreviewedImport' })
export const StartedImport = z
  .object({ ...previewShape, repeated: z.boolean().describe('These bytes were sent before.') })
  .meta({ id: 'StartedImport' })

const ROWS_PER_VERDICT_AT_MOST = 50
export const RowsPerVerdict = z.coerce
  .number()
  .int()
  .min(0)
  .max(ROWS_PER_VERDICT_AT_MOST)
  .default(0)
  .describe('How many rows of each verdict to return with it.')

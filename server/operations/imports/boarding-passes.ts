// The content of a boarding pass, judged like a record of an import. Neither the text of its bar code nor the picture
// is stored or logged: together with the name, it gives access to the booking.
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import { AppError } from '../../base/errors.ts'
import { problem } from '../../domain/reasons.ts'
import { DAYS_AHEAD } from '../../domain/time/typed-date.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { recordsOfPasses } from '../../services/imports/readers/passes/boarding-pass.ts'
import type { SourceRecord } from '../../services/imports/reading/source.ts'
import { UnreadableFile } from '../../services/imports/reading/stages.ts'
import { CalendarDate, strictQuery } from '../wire/schemas.ts'
import { ImportRow, type RowView } from './schema.ts'
import { dayOf, judgeRecords } from './unsaved-rows.ts'

const PICTURE_BYTES = 20 * 1024 * 1024
const TEXT_AT_MOST = 20_000

const scanned = CalendarDate.optional().describe(
  `When it was scanned or issued, if not now: a pass does not say its year, so the latest one is meant in which the day is at most ${DAYS_AHEAD} days after this date. Such a row has the warning \`year_assumed\`, with the day in the year before as its value.`,
)

export const readBoardingPass = operation({
  id: 'read-boarding-pass',
  method: 'POST',
  path: '/boarding-passes',
  tag: 'Imports',
  summary: 'Read a boarding pass',
  description:
    'The text of its bar code as JSON, or a picture of it as the body. Returns one row for each flight, as an import would show it: what the flight would be, and whether it is in your log. Creates nothing and keeps nothing. A railway leg is `skipped`. What is no boarding pass gets status 422 with the reason `not_a_boarding_pass`.',
  example: {
    body: { text: 'M1ROSSI/MARIA         EQ7RT2M MADLHRIB 3170 244Y012C0041 100', date: '2026-09-01' },
  },
  access: credentialWith(['flight.import.own']),
  query: strictQuery({ date: scanned }),
  body: takes(
    z
      .strictObject({
        text: z
          .string()
          .min(1)
          .max(TEXT_AT_MOST)
          .describe('The text of the bar code; several: one per line.'),
        date: scanned,
        bookingReference: z
          .boolean()
          .default(false)
          .describe(
            'Return the booking reference with the draft; together with the name it opens the booking.',
          ),
      })
      .meta({ id: 'BoardingPassInput' }),
    {
      size: 'long',
      file: {
        atMostBytes: (config) => picturesOf(config),
        mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
      },
    },
  ),
  output: z.object({ data: z.array(ImportRow) }),
  errors: ['payload_too_large', 'too_many_requests'],
  transaction: 'none',
  tool: {
    title: 'Read a boarding pass',
    description:
      'What the text of a boarding pass’s bar code (it begins with M1) says, and whether the flight is in the log. Adds nothing: call log_flight with what it says.',
    lines: ['data[].draft'],
    quotes: ['raw', 'draft', 'warnings', 'updates', 'questions'].map((name) => `data[].${name}`),
    without: ['bookingReference'],
  },
  async run(call) {
    requireSize(call)
    const options = { bookingReference: call.input.bookingReference ?? false }
    const records = await recordsIn(call, options)
    if (!records.some(({ flight }) => flight)) throw new AppError('validation_failed', 'not_a_boarding_pass')
    const rows = await judgeRecords(call, 'bcbp', records, options)
    return { data: rows.map(withoutYearQuestion) }
  },
})

/** Without an import there is no answer to it; the warning has the other date. */
const withoutYearQuestion = (row: RowView): RowView => ({
  ...row,
  questions: row.questions.filter(({ kind }) => kind !== 'year_assumed'),
})

const picturesOf = ({ importSizeLimit }: Config): number => Math.min(importSizeLimit, PICTURE_BYTES)

/** The door's limit is higher, for JSON that contains a file. */
function requireSize({ file, services }: Pick<Call, 'file' | 'services'>): void {
  const max = picturesOf(services.config)
  if (file && file.byteLength > max)
    throw new AppError('payload_too_large', problem('import_too_large', { max }))
}

type PassCall = Call<{ text?: string | undefined; date?: string | undefined }>

async function recordsIn(call: PassCall, options: { bookingReference: boolean }): Promise<SourceRecord[]> {
  const { file, services } = call
  const { text = '', date: saidDate } = call.input
  const documentDate = saidDate ?? dayOf(call)
  if (!file) return recordsOfPasses(text, { documentDate, options })
  const today = dayOf(call)
  const nothingElse = { mapping: null, preferredOrder: null, filename: '' }
  const request = { source: 'bcbp' as const, options, today, documentDate, saidDate, ...nothingElse }
  return services.imports.read(call.principal.user.id, file, request).catch((error) => {
    // The file is too large when unpacked, or is designed to take long.
    if (error instanceof UnreadableFile) return []
    throw error
  })
}

// Records that were read from something that is not kept, such as the bar code of a boarding pass: what an import would say
// about them. Nothing is stored.
import { utcDate } from '../domain/calendar.ts'
import type { ImportOptions, SourceId } from '../domain/imports.ts'
import { judge } from '../imports/evaluate.ts'
import { answersOf } from '../imports/runner.ts'
import type { SourceRecord } from '../imports/source.ts'
import type { Call } from '../operation.ts'
import { listAnswers } from '../store/import-answers.ts'
import type { RowView } from './import-schema.ts'
import { showRows } from './import-view.ts'

/** In the order of the records, compared with the log of the caller and with what they answered before. */
export async function judgeRecords(
  call: Pick<Call, 'db' | 'principal' | 'services' | 'now'>,
  source: SourceId,
  records: readonly SourceRecord[],
  options: ImportOptions = {},
): Promise<RowView[]> {
  const { db, principal, services, now } = call
  const answers = answersOf(await listAnswers(db, principal.user.id))
  const judging = { db, reference: services.reference, principal, options, answers, now }
  const { rows, questions } = await judge(judging, source, records)
  const nothingDone = { choice: null, flightId: null, flightVersion: null, done: null, before: null }
  return showRows(
    call,
    { questions },
    rows.map((row) => ({ ...row, ...nothingDone })),
  )
}

/** The day of a document that does not say it. */
export const dayOf = ({ now }: Pick<Call, 'now'>): string => utcDate(now.getTime())

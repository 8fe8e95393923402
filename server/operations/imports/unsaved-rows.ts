// Judges records that are not stored, such as the bar code of a boarding pass, as an import would. Nothing is stored.

import type { ImportOptions, SourceId } from '../../domain/imports/imports.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import type { Call } from '../../door/operation.ts'
import type { SourceRecord } from '../../services/imports/reading/source.ts'
import { judge } from '../../services/imports/verdicts/evaluate.ts'
import { answersOf } from '../../services/imports/verdicts/runner.ts'
import { listAnswers } from '../../store/imports/answers.ts'
import type { RowView } from './schema.ts'
import { showRows } from './view.ts'

/** In the order of the records, compared with the caller's log and using their earlier answers. */
export async function judgeRecords(
  call: Pick<Call, 'db' | 'principal' | 'services' | 'now'>,
  source: SourceId,
  records: readonly SourceRecord[],
  options: ImportOptions = {},
): Promise<RowView[]> {
  const { db, principal, services, now } = call
  const answers = answersOf(await listAnswers(db, { userId: principal.user.id }))
  const judging = { db, reference: services.reference, principal, options, answers, now }
  const { rows, questions } = await judge(judging, source, records)
  const nothingDone = { choice: null, flightId: null, flightVersion: null, done: null, before: null }
  return showRows(
    call,
    { questions },
    rows.map((row) => ({ ...row, ...nothingDone })),
  )
}

/** The day assumed for a document without a date. */
export const dayOf = ({ now }: Pick<Call, 'now'>): string => utcDate(now.getTime())

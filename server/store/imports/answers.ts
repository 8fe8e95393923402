import type { QuestionKind } from '../../domain/imports/imports.ts'
import { upsertMany } from '../engine/bulk.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryAny } from '../engine/query.ts'

export interface RememberedAnswer {
  id: number
  kind: QuestionKind
  /** Folded. */
  value: string
  answer: unknown
  updatedAt: string
}
/** More than a person answers one by one. */
const ANSWERS_AT_MOST = 10_000
/** Newest first. */
export const listAnswers = query(
  (db, p: { userId: string }) =>
    db
      .selectFrom('importAnswer')
      .select(['id', 'kind', 'value', 'answer', 'updatedAt'])
      .where('userId', '=', p.userId)
      .orderBy('id', 'desc')
      .limit(ANSWERS_AT_MOST),
  (row): RememberedAnswer => ({ ...row, answer: fromJson(row.answer) }),
)

interface AnswerToRemember {
  kind: QuestionKind
  value: string
  answer: unknown
}
/** Replaces earlier answers. */
export const saveAnswers = (
  tx: Executor,
  userId: string,
  answers: readonly AnswerToRemember[],
  now: string,
): Promise<void> =>
  upsertMany(
    tx,
    'importAnswer',
    ['userId', 'kind', 'value', 'answer', 'updatedAt'],
    ['userId', 'kind', 'value'],
    answers.map(({ kind, value, answer }) => ({
      userId,
      kind,
      value,
      answer: toJson(answer),
      updatedAt: now,
    })),
  )
/** False if there was none. */
export const deleteAnswer = queryAny((db, p: { userId: string; id: number }) =>
  db.deleteFrom('importAnswer').where('userId', '=', p.userId).where('id', '=', p.id).returning('id'),
)

export const deleteAnswerTo = query((db, p: { userId: string; kind: QuestionKind; value: string }) =>
  db
    .deleteFrom('importAnswer')
    .where('userId', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('value', '=', p.value)
    .returning('id'),
)

export const deleteAnswers = query((db, p: { userId: string }) =>
  db.deleteFrom('importAnswer').where('userId', '=', p.userId).returning('id'),
)

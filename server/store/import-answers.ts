import type { QuestionKind } from '../domain/imports.ts'
import { upsertMany } from './bulk.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { query } from './query.ts'

export interface RememberedAnswer {
  id: number
  kind: QuestionKind
  /** Folded. */
  value: string
  answer: unknown
  updatedAt: string
}
type AnswerRecord = Omit<RememberedAnswer, 'answer'> & { answer: string }

const answersOf = query<{ userId: string }, AnswerRecord>((db, p) =>
  db
    .selectFrom('import_answer')
    .select(['id', 'kind', 'value', 'answer', 'updated_at as updatedAt'])
    .where('user_id', '=', p.userId)
    .orderBy('id', 'desc')
    .limit(ANSWERS_AT_MOST),
)
/** More than anyone answers by hand. */
const ANSWERS_AT_MOST = 10_000
/** Newest first. */
export const listAnswers = async (db: Executor, userId: string): Promise<RememberedAnswer[]> =>
  (await answersOf(db, { userId })).map((row) => ({ ...row, answer: fromJson(row.answer) }))

interface AnswerToRemember {
  kind: QuestionKind
  value: string
  answer: unknown
}
/** Replaces what was answered before. */
export const saveAnswers = (
  tx: Executor,
  userId: string,
  answers: readonly AnswerToRemember[],
  now: string,
): Promise<void> =>
  upsertMany(
    tx,
    'import_answer',
    ['user_id', 'kind', 'value', 'answer', 'updated_at'],
    ['user_id', 'kind', 'value'],
    answers.map(({ kind, value, answer }) => ({
      user_id: userId,
      kind,
      value,
      answer: toJson(answer),
      updated_at: now,
    })),
  )

const forget = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('import_answer').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
/** False if there was none. */
export const deleteAnswer = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await forget(tx, { userId, id })).length > 0

const forgetOne = query<{ userId: string; kind: QuestionKind; value: string }, { id: number }>((db, p) =>
  db
    .deleteFrom('import_answer')
    .where('user_id', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('value', '=', p.value)
    .returning('id'),
)
export const deleteAnswerTo = (tx: Executor, userId: string, kind: QuestionKind, value: string) =>
  forgetOne(tx, { userId, kind, value })

const forgetAll = query<{ userId: string }, { id: number }>((db, p) =>
  db.deleteFrom('import_answer').where('user_id', '=', p.userId).returning('id'),
)
export const deleteAnswers = (tx: Executor, userId: string) => forgetAll(tx, { userId })

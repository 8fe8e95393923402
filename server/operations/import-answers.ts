// What a person answers: checked, kept with the import, and remembered for the next one.

import type * as z from 'zod'
import { type Principal, requirePermission, requireScope } from '../auth/principal.ts'
import { AppError, forbidden, invalidField, notFound } from '../base/errors.ts'
import type { Permission } from '../domain/access.ts'
import { utcDate } from '../domain/calendar.ts'
import { daysOf } from '../domain/code-periods.ts'
import { dateOrders, type ImportMapping, type QuestionKind } from '../domain/imports.ts'
import { problem } from '../domain/reasons.ts'
import type { Answer, Question } from '../imports/draft.ts'
import { tableKey } from '../imports/evaluate.ts'
import { keyOfQuestion, QUESTIONS_AT_MOST } from '../imports/questions.ts'
import { type Call, operation, person } from '../operation.ts'
import { airlines, airports, resolveCode } from '../resolve/reference.ts'
import { recordOf } from '../resolve/resolution.ts'
import { folded } from '../store/codecs.ts'
import {
  deleteAnswer,
  deleteAnswers,
  deleteAnswerTo,
  listAnswers,
  type RememberedAnswer as Remembered,
  saveAnswers,
} from '../store/import-answers.ts'
import type { StoredImport } from '../store/imports.ts'
import { existingPeople, listNames } from '../store/people.ts'
import { addAirline, addAirport } from './custom-data.ts'
import { addCustomField } from './custom-fields.ts'
import { type AnswerInput, type MappingInput, RememberedAnswer } from './import-schema.ts'
import { list, nothing, onePage, pathId } from './schemas.ts'

/** What each kind of question is about. */
const about: Record<QuestionKind, 'airport' | 'airline' | 'user' | 'field' | 'file'> = {
  unknown_airport: 'airport',
  ambiguous_airport: 'airport',
  missing_airport: 'airport',
  unknown_airline: 'airline',
  which_user: 'user',
  unknown_custom_field: 'field',
  date_ambiguous: 'file',
  times_zone: 'file',
  column_mapping: 'file',
}

/** Longer values are not remembered: no one meets them twice. */
const REMEMBERED_LENGTH = 200

/** What is missing in one file, or true of one file, says nothing about the next. */
const isRemembered = ({ kind, value }: Pick<Answer, 'kind' | 'value'>): boolean =>
  about[kind] !== 'file' && kind !== 'missing_airport' && folded(value).length <= REMEMBERED_LENGTH

const keyOf = ({ kind, value }: Pick<Answer, 'kind' | 'value'>): string => keyOfQuestion(kind, value)

type Answering = Pick<Call, 'db' | 'principal' | 'services' | 'now'>

/** The answers of an import with these, and the mapping that they confirm. */
export async function applyAnswers(
  call: Answering,
  found: StoredImport,
  given: readonly AnswerInput[],
): Promise<{ answers: Answer[]; confirmed: ImportMapping | undefined }> {
  const answers = new Map((found.answers as Answer[]).map((answer) => [keyOf(answer), answer]))
  const questions = new Map((found.questions as Question[]).map((question) => [keyOf(question), question]))
  const kept: Answer[] = []
  for (const [i, { withdraw, ...answer }] of given.entries()) {
    const key = keyOf(answer)
    answers.delete(key)
    if (withdraw) {
      await deleteAnswerTo(call.db, call.principal.user.id, answer.kind, folded(answer.value))
      continue
    }
    // While the file is read, its questions are not known yet.
    if (found.status !== 'reading') requireAsked(answer, questions, ['answers', i])
    const settled = await requireMeaning(call, answer, questions.get(key), ['answers', i])
    answers.set(key, settled)
    if (isRemembered(settled)) kept.push(settled)
  }
  await saveAnswers(
    call.db,
    call.principal.user.id,
    kept.map((answer) => ({ kind: answer.kind, value: folded(answer.value), answer })),
    call.now.toISOString(),
  )
  const confirms = given.some(({ kind, withdraw }) => kind === 'column_mapping' && !withdraw)
  const confirmed = confirms && found.mapping ? await remember(call, found.mapping) : undefined
  return { answers: [...answers.values()], confirmed }
}

const QUESTIONS_NAMED = 10

/** An answer to nothing would be lost without a word. Of very many questions not all are kept. */
function requireAsked(
  { kind, value }: Pick<Answer, 'kind' | 'value'>,
  questions: ReadonlyMap<string, Question>,
  path: (string | number)[],
): void {
  if (questions.has(keyOf({ kind, value })) || questions.size >= QUESTIONS_AT_MOST) return
  const asked = [...questions.values()].slice(0, QUESTIONS_NAMED)
  const known = asked.map((question) => `${question.kind} “${question.value}”`)
  throw invalidField([...path, 'value'], problem('answer_no_such_question', { value, known }))
}

/** An answer that refers to something refers to what exists; what is to be created is created here. */
async function requireMeaning(
  call: Answering,
  { create, ...answer }: Omit<AnswerInput, 'withdraw'>,
  question: Question | undefined,
  path: (string | number)[],
): Promise<Answer> {
  if (create) return { ...answer, id: await createFor(call, answer.kind, create) }
  if (answer.leaveEmpty) return answer
  if (question?.choices.some(({ id }) => id === answer.id)) return answer
  const id = await idOfCode(call, answer)
  const settled = id === undefined ? answer : { ...answer, id }
  await requireKnown(call, settled, path)
  return settled
}

/** An airport or airline may be named by its code, if one record has it today. */
async function idOfCode({ db, now }: Answering, { kind, id }: Pick<Answer, 'kind' | 'id'>) {
  if (typeof id !== 'string') return undefined
  const days = daysOf(utcDate(now.getTime()))
  if (about[kind] === 'airport') return recordOf(await resolveCode(db, airports, id, days))?.id
  return about[kind] === 'airline' ? recordOf(await resolveCode(db, airlines, id, days))?.id : undefined
}

async function requireKnown(
  { db, principal, services }: Answering,
  { kind, id }: Pick<Answer, 'kind' | 'id'>,
  path: (string | number)[],
): Promise<void> {
  const subject = about[kind]
  const refuse = () => invalidField([...path, 'id'], 'answer_no_such_record')
  if (subject === 'airport' || subject === 'airline') {
    if (typeof id !== 'number') throw refuse()
    const ids = { airports: [], airlines: [], aircraft: [], [`${subject}s`]: [id] }
    const records = await services.reference.records(db, principal.revisions.reference, ids)
    if (!records[`${subject}s`].has(id)) throw refuse()
  } else if (subject === 'user') {
    await requireUser({ db, principal }, String(id), refuse)
  } else {
    requireChoice(kind, id, path)
  }
}

/** Oneself and guests are choices of the question; other people need the directory. */
async function requireUser(
  { db, principal }: Pick<Answering, 'db' | 'principal'>,
  id: string,
  refuse: () => AppError,
): Promise<void> {
  if (id === principal.user.id || id === 'self' || id === 'guest') return
  requireScope(principal, 'flight.import.any', ['flight.import.own', 'flight.import.any'])
  if (!(await existingPeople(db, [id])).has(id)) throw refuse()
}

const choicesOf: Partial<Record<QuestionKind, readonly string[]>> = {
  date_ambiguous: dateOrders,
  times_zone: ['utc', 'local'],
}

function requireChoice(kind: QuestionKind, id: Answer['id'], path: (string | number)[]): void {
  const choices = choicesOf[kind]
  if (choices && !choices.includes(String(id)))
    throw invalidField([...path, 'id'], problem('answer_not_a_choice', { choices }))
}

const creates: Partial<
  Record<
    QuestionKind,
    { permission: Permission; add(call: Answering, given: unknown): Promise<number | string> }
  >
> = {
  unknown_airport: { permission: 'data.airports.manage', add: ({ db }, given) => addAirport(db, given) },
  ambiguous_airport: { permission: 'data.airports.manage', add: ({ db }, given) => addAirport(db, given) },
  missing_airport: { permission: 'data.airports.manage', add: ({ db }, given) => addAirport(db, given) },
  unknown_airline: { permission: 'data.airlines.manage', add: ({ db }, given) => addAirline(db, given) },
  unknown_custom_field: {
    permission: 'custom_fields.manage',
    add: async (call, given) => {
      await addCustomField(call, given)
      return (given as { key: string }).key
    },
  },
}

/** As the forms of the web app create them, and as they through a session alone. */
async function createFor(call: Answering, kind: QuestionKind, given: object): Promise<number | string> {
  const creation = creates[kind]
  if (!creation) throw new AppError('validation_failed', 'answer_cannot_create')
  requireSession(call.principal)
  requirePermission(call.principal, creation.permission)
  return creation.add(call, given)
}

function requireSession({ kind }: Principal): void {
  if (kind !== 'session') throw forbidden('web_app_only')
}

// What columns hold

/** The mapping that was found, with what the person says about some of its columns. */
export function confirmMapping(
  call: Answering,
  { mapping }: StoredImport,
  given: z.output<typeof MappingInput>,
): Promise<ImportMapping> {
  if (!mapping) throw new AppError('conflict', 'import_no_columns')
  const said = new Map(given.columns.map(({ index, field }) => [index, field]))
  return remember(call, {
    columns: mapping.columns.map((column) => ({
      ...column,
      field: said.has(column.index) ? said.get(column.index)! : column.field,
    })),
  })
}

async function remember({ db, principal, now }: Answering, mapping: ImportMapping): Promise<ImportMapping> {
  const columns = mapping.columns.map((column) => ({ ...column, examples: [] }))
  const answer = { mapping: { columns } }
  await saveAnswers(
    db,
    principal.user.id,
    [{ kind: 'column_mapping', value: tableKey(mapping), answer }],
    now.toISOString(),
  )
  return mapping
}

// What is remembered, in Settings

const tag = 'Imports'
const access = person(['flight.import.own'])

export const listImportAnswers = operation({
  id: 'list-import-answers',
  method: 'GET',
  path: '/import-answers',
  door: 'app',
  tag,
  summary: 'List the answers that are remembered for your imports',
  access,
  output: list(RememberedAnswer),
  run: async (call) => onePage(await shownAnswers(call, await listAnswers(call.db, call.principal.user.id))),
})

export const deleteImportAnswer = operation({
  id: 'delete-import-answer',
  method: 'DELETE',
  path: '/import-answers/{id}',
  door: 'app',
  tag,
  summary: 'Forget a remembered answer',
  access,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run({ db, principal, input }) {
    if (!(await deleteAnswer(db, principal.user.id, input.id))) throw notFound('Remembered answer')
  },
})

export const deleteImportAnswers = operation({
  id: 'delete-import-answers',
  method: 'DELETE',
  path: '/import-answers',
  door: 'app',
  tag,
  summary: 'Forget all remembered answers',
  access,
  output: nothing,
  status: 204,
  async run({ db, principal }) {
    await deleteAnswers(db, principal.user.id)
  },
})

async function shownAnswers(call: Answering, remembered: readonly Remembered[]) {
  const { db, principal, services } = call
  const idsAbout = (subject: string) =>
    remembered.flatMap(({ kind, answer }) => {
      const { id } = answer as Answer
      return about[kind] === subject && typeof id === 'number' ? [id] : []
    })
  const records = await services.reference.records(db, principal.revisions.reference, {
    airports: idsAbout('airport'),
    airlines: idsAbout('airline'),
    aircraft: [],
  })
  const users = remembered.flatMap(({ kind, answer }) =>
    kind === 'which_user' ? String((answer as Answer).id ?? '') : [],
  )
  const names = new Map((await listNames(db, users)).map(({ id, displayName }) => [id, displayName]))
  const labelOf = ({ kind, answer }: Remembered): string => {
    const { id } = answer as Answer
    if (kind === 'column_mapping') return headingsOf((answer as { mapping: ImportMapping }).mapping)
    if (id === undefined) return ''
    const record =
      about[kind] === 'airport' ? records.airports.get(Number(id)) : records.airlines.get(Number(id))
    if (record) return `${record.name} (${record.iata ?? record.icao ?? ''})`.replace(' ()', '')
    return names.get(String(id)) ?? String(id)
  }
  return remembered.map((one) => ({
    id: one.id,
    kind: one.kind,
    value: one.kind === 'column_mapping' ? labelOf(one) : (one.answer as Answer).value,
    label: labelOf(one),
    answer: one.kind === 'column_mapping' ? { kind: one.kind, value: '' } : (one.answer as Answer),
    updatedAt: one.updatedAt,
  }))
}

const headingsOf = ({ columns }: ImportMapping): string =>
  columns
    .filter(({ field }) => field !== null && field !== 'ignore')
    .map(({ heading, field }) => `${heading} → ${field}`)
    .join(', ')

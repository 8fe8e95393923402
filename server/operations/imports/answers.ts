// A person's answers to the questions of an import: checked, stored with the import, and remembered for the next one.

import type * as z from 'zod'
import { AppError, forbidden, invalidField, notFound } from '../../base/errors.ts'
import type { Permission } from '../../domain/access/access.ts'
import { dateOrders, type ImportMapping, type QuestionKind } from '../../domain/imports/imports.ts'
import { problem } from '../../domain/reasons.ts'
import { daysOf } from '../../domain/reference/code-periods.ts'
import { recordOf } from '../../domain/reference/resolution.ts'
import { storedFold } from '../../domain/text/fold.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { type Call, operation, person } from '../../door/operation.ts'
import { type Principal, requirePermission, requireScope } from '../../services/access/principal.ts'
import type { Answer, Question } from '../../services/imports/drafting/draft.ts'
import { keyOfQuestion, QUESTIONS_AT_MOST } from '../../services/imports/drafting/questions.ts'
import { tableKey } from '../../services/imports/verdicts/evaluate.ts'
import { aircraftTypes, airlines, airports, resolveCode } from '../../services/reference/resolve/records.ts'
import {
  deleteAnswer,
  deleteAnswers,
  deleteAnswerTo,
  listAnswers,
  type RememberedAnswer as Remembered,
  saveAnswers,
} from '../../store/imports/answers.ts'
import type { StoredImport } from '../../store/imports/imports.ts'
import { existingPeople, listNames } from '../../store/people/people.ts'
import { addCustomField } from '../flights/custom-fields.ts'
import { addAircraft, addAirline, addAirport } from '../reference/custom-records.ts'
import { list, nothing, onePage, pathId } from '../wire/schemas.ts'
import { type AnswerInput, type MappingInput, RememberedAnswer } from './schema.ts'

/** The kind of record that each kind of question is about. */
const about: Record<QuestionKind, 'airport' | 'airline' | 'aircraft' | 'user' | 'field' | 'file'> = {
  unknown_airport: 'airport',
  ambiguous_airport: 'airport',
  missing_airport: 'airport',
  unknown_airline: 'airline',
  unknown_aircraft: 'aircraft',
  which_user: 'user',
  unknown_custom_field: 'field',
  date_ambiguous: 'file',
  times_zone: 'file',
  column_mapping: 'file',
  year_assumed: 'file',
  from_text: 'file',
}

/** Longer values are not remembered, because they rarely occur twice. */
const REMEMBERED_LENGTH = 200

/** Answers about a missing value or about one file do not apply to the next file. */
const isRemembered = ({ kind, value }: Pick<Answer, 'kind' | 'value'>): boolean =>
  about[kind] !== 'file' && kind !== 'missing_airport' && storedFold(value).length <= REMEMBERED_LENGTH

const keyOf = ({ kind, value }: Pick<Answer, 'kind' | 'value'>): string => keyOfQuestion(kind, value)

type Answering = Pick<Call, 'db' | 'principal' | 'services' | 'now'>

/** Merges new answers into those of an import, with the mapping that they confirm. */
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
      await deleteAnswerTo(call.db, {
        userId: call.principal.user.id,
        kind: answer.kind,
        value: storedFold(answer.value),
      })
      continue
    }
    // The questions are not known while the file is still being read.
    if (found.status !== 'reading') requireAsked(answer, questions, ['answers', i])
    const settled = await requireMeaning(call, answer, questions.get(key), ['answers', i])
    answers.set(key, settled)
    if (isRemembered(settled)) kept.push(settled)
  }
  await saveAnswers(
    call.db,
    call.principal.user.id,
    kept.map((answer) => ({ kind: answer.kind, value: storedFold(answer.value), answer })),
    call.now.toISOString(),
  )
  const confirms = given.some(({ kind, withdraw }) => kind === 'column_mapping' && !withdraw)
  const confirmed = confirms && found.mapping ? await remember(call, found.mapping) : undefined
  return { answers: [...answers.values()], confirmed }
}

const QUESTIONS_NAMED = 10

/** An answer to no question would be lost silently. If there are very many questions, not all are stored. */
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

/** A record that an answer refers to must exist; a record that it defines is created here. */
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
  await requireKnown(call, settled, question, path)
  return settled
}

/** The record of an airport or airline given by code, if the code means exactly one today. */
async function idOfCode({ db, now }: Answering, { kind, id }: Pick<Answer, 'kind' | 'id'>) {
  if (typeof id !== 'string') return undefined
  const days = daysOf(utcDate(now.getTime()))
  if (about[kind] === 'airport') return recordOf(await resolveCode(db, airports, id, days))?.id
  if (about[kind] === 'aircraft') return recordOf(await resolveCode(db, aircraftTypes, id, days))?.id
  return about[kind] === 'airline' ? recordOf(await resolveCode(db, airlines, id, days))?.id : undefined
}

const tables = { airport: 'airports', airline: 'airlines', aircraft: 'aircraft' } as const

async function requireKnown(
  { db, principal, services }: Answering,
  { kind, id }: Pick<Answer, 'kind' | 'id'>,
  question: Question | undefined,
  path: (string | number)[],
): Promise<void> {
  const subject = about[kind]
  const refuse = () => invalidField([...path, 'id'], 'answer_no_such_record')
  if (subject === 'airport' || subject === 'airline' || subject === 'aircraft') {
    if (typeof id !== 'number') throw refuse()
    const table = tables[subject]
    const ids = { airports: [], airlines: [], aircraft: [], [table]: [id] }
    const records = await services.reference.records(db, principal.revisions.reference, ids)
    if (!records[table].has(id)) throw refuse()
  } else if (subject === 'user') {
    await requireUser({ db, principal }, String(id), refuse)
  } else {
    requireChoice({ kind, id }, question, path)
  }
}

/** The question itself offers the caller and guests; other people need access to the directory. */
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
  from_text: ['flight'],
}

function requireChoice(
  { kind, id }: Pick<Answer, 'kind' | 'id'>,
  question: Question | undefined,
  path: (string | number)[],
): void {
  const years = kind === 'year_assumed' ? question?.choices.map((choice) => String(choice.id)) : undefined
  const choices = choicesOf[kind] ?? years
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
  unknown_aircraft: { permission: 'data.aircraft.manage', add: ({ db }, given) => addAircraft(db, given) },
  unknown_custom_field: {
    permission: 'custom_fields.manage',
    add: async (call, given) => {
      await addCustomField(call, given)
      return (given as { key: string }).key
    },
  },
}

/** The same as with the web app's forms, so only through a session. */
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

// The contents of columns

/** The mapping that was found, with the person's corrections for some columns. */
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

// Remembered answers, in Settings

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
  run: async (call) =>
    onePage(await shownAnswers(call, await listAnswers(call.db, { userId: call.principal.user.id }))),
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
    if (!(await deleteAnswer(db, { userId: principal.user.id, id: input.id })))
      throw notFound('Remembered answer')
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
    await deleteAnswers(db, { userId: principal.user.id })
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
    aircraft: idsAbout('aircraft'),
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
    if (about[kind] === 'aircraft') return records.aircraft.get(Number(id))?.name ?? String(id)
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

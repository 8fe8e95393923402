// Questions that only the person can answer, asked once for all rows with the same value. Answers are given to the evaluation:
// those of this import, or remembered ones from earlier imports.

import { emptyWithoutAnswer, type QuestionKind } from '../../../domain/imports/imports.ts'
import { storedFold } from '../../../domain/text/fold.ts'
import { type Answer, type Question, questionKey } from './draft.ts'

/** A question of some rows, and the data for its choices. */
export interface Asked<About> {
  key: string
  kind: QuestionKind
  value: string
  /** The number of rows with the question, answered or not. */
  rows: number
  answer: Answer | null
  about: About
}

/** The number of rows that wait for the question with this key. */
export type Waiting = (key: string) => number

export const QUESTIONS_AT_MOST = 1000
/** How many open questions are kept, to find those with the most rows. Rows with other questions wait until some are answered. */
const KEPT_AT_MOST = 20_000

interface Questions<About> {
  /** Counts the row. The answer is null until there is one. `about` is called for the first row with the value. */
  ask(kind: QuestionKind, value: string, row: number, about: () => About): Asked<About>
  /** The answer to a question, even if no row has asked it yet. */
  answerTo(kind: QuestionKind, value: string): Answer | null
  /** Questions that rows wait for, then answered ones; most rows first, and no more than are shown. */
  list(waiting: Waiting): Asked<About>[]
}

export const keyOfQuestion = (kind: QuestionKind, value: string): string =>
  questionKey(kind, storedFold(value))

/** If there are several answers to a question, the first one counts. */
function answersByKey(answers: readonly Answer[]): Map<string, Answer> {
  const byKey = new Map<string, Answer>()
  for (const answer of answers) {
    const key = keyOfQuestion(answer.kind, answer.value)
    if (!byKey.has(key)) byKey.set(key, answer)
  }
  return byKey
}

export function createQuestions<About>(answers: readonly Answer[]): Questions<About> {
  const given = answersByKey(answers)
  const asked = new Map<string, Asked<About>>()
  /** By unfolded value: folding a text for every row would take longer than everything that follows. */
  const written = new Map<string, Asked<About>>()
  /** Also by unfolded value. */
  const answered = new Map<string, Answer | null>()
  const lastRow = new Map<string, number>()
  let open = 0

  function create(key: string, kind: QuestionKind, value: string, about: () => About): Asked<About> {
    const answer = given.get(key) ?? null
    const entry = { key, kind, value, rows: 0, answer, about: about() }
    if (answer || open < KEPT_AT_MOST) asked.set(key, entry)
    if (!answer) open++
    return entry
  }

  const find = (kind: QuestionKind, value: string, about: () => About): Asked<About> => {
    const known = written.get(`${kind}:${value}`)
    if (known) return known
    const key = keyOfQuestion(kind, value)
    const entry = asked.get(key) ?? create(key, kind, value, about)
    if (asked.has(key)) written.set(`${kind}:${value}`, entry)
    return entry
  }

  return {
    ask(kind, value, row, about) {
      const entry = find(kind, value, about)
      if (!asked.has(entry.key)) return entry
      if (lastRow.get(entry.key) !== row) entry.rows++
      lastRow.set(entry.key, row)
      return entry
    },
    answerTo(kind, value) {
      const name = `${kind}:${value}`
      const known = answered.get(name)
      if (known !== undefined) return known
      const answer = given.get(keyOfQuestion(kind, value)) ?? null
      answered.set(name, answer)
      return answer
    },
    list: (waiting) =>
      [...asked.values()]
        .map((one) => (one.answer ? one : { ...one, rows: waiting(one.key) }))
        .filter(({ rows, answer }) => rows > 0 || answer)
        .sort(openFirst)
        .slice(0, QUESTIONS_AT_MOST),
  }
}

export const openFirst = (
  a: Pick<Question, 'kind' | 'answer' | 'rows'>,
  b: Pick<Question, 'kind' | 'answer' | 'rows'>,
): number => urgency(a) - urgency(b) || b.rows - a.rows

/** Questions that rows wait for, then those about a field that may stay empty, then answered ones. */
const urgency = ({ kind, answer }: Pick<Question, 'kind' | 'answer'>): number =>
  answer !== null ? 2 : emptyWithoutAnswer.has(kind) ? 1 : 0

export const toQuestion = (
  { kind, value, rows, answer }: Asked<unknown>,
  choices: Question['choices'],
): Question => ({ kind, value, rows, choices, answer })

/** The id of the record in an answer; undefined if there is none. */
export function recordIdOf(answer: Answer | null): number | undefined {
  const id = typeof answer?.id === 'string' && /^\d{1,10}$/.test(answer.id) ? Number(answer.id) : answer?.id
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

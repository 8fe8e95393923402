// Counts the verdicts of the rows of a file, and the rows that wait for each question.
import {
  IMPORT_RECORDS_AT_MOST,
  type ImportCounts,
  noCounts,
  type Verdict,
  verdicts,
} from '../../../domain/imports/imports.ts'
import { riskOf } from '../../../domain/imports/remarks.ts'
import { airportCode } from '../../../domain/reference/code-periods.ts'
import { storedFold } from '../../../domain/text/fold.ts'
import { mapAirports } from '../../../store/reference/records.ts'
import type { Executor } from '../../../store/store.ts'
import type { Draft, JudgedRow, Question } from '../drafting/draft.ts'
import { keyOfQuestion, openFirst, QUESTIONS_AT_MOST, type Waiting } from '../drafting/questions.ts'

interface Tally {
  add(row: JudgedRow, fixed: Verdict | undefined): void
  amend(row: JudgedRow): JudgedRow
  counts(): ImportCounts
  waiting: Waiting
  questions(ofFile: readonly Question[], ofRows: readonly Question[]): Exemplified[]
}

/** The rows that wait for a question. */
interface Rows {
  count: number
  /** The first ones. */
  numbers: number[]
  first: Draft | null
}
type Exemplified = Question & { first?: Draft | null }

/** Rows that a question names. */
const NAMED_AT_MOST = 5

/** Keeps one byte per record, so that a later one can change an earlier verdict. */
export function createTally(): Tally {
  const verdictOf = new Uint8Array(IMPORT_RECORDS_AT_MOST + 1)
  const counts = { ...noCounts }
  const waiting = new Map<string, Rows>()

  function wait(key: string, { number, draft }: JudgedRow): void {
    const rows = waiting.get(key) ?? { count: 0, numbers: [], first: draft }
    waiting.set(key, rows)
    rows.count++
    if (rows.numbers.length < NAMED_AT_MOST) rows.numbers.push(number)
  }

  const named = (question: Question): Exemplified => {
    const rows = waiting.get(keyOfQuestion(question.kind, question.value))
    return rows && !question.answer ? { ...question, rowNumbers: rows.numbers, first: rows.first } : question
  }

  return {
    add(row, fixed) {
      const verdict = fixed ?? row.verdict
      verdictOf[row.number] = verdicts.indexOf(verdict)
      counts[verdict]++
      counts.rows++
      if (riskOf(row.warnings) > 0) counts.remarks++
      if (fixed || verdict === 'skipped' || verdict === 'error' || verdict === 'duplicate') return
      for (const key of row.waitsFor) wait(key, row)
    },
    amend(row) {
      counts[verdicts[verdictOf[row.number]!]!]--
      counts[row.verdict]++
      verdictOf[row.number] = verdicts.indexOf(row.verdict)
      return row
    },
    counts: () => ({ ...counts }),
    waiting: (key) => waiting.get(key)?.count ?? 0,
    questions(ofFile, ofRows) {
      const counted = ofFile.map((question) => {
        const rows = waiting.get(keyOfQuestion(question.kind, question.value))?.count ?? question.rows
        return question.answer ? question : { ...question, rows }
      })
      const asked = counted.filter(({ rows, answer }) => rows > 0 || answer)
      return [...asked, ...ofRows].sort(openFirst).slice(0, QUESTIONS_AT_MOST).map(named)
    },
  }
}

/** The questions with the flight of their first row, in words. */
export async function withCodes(db: Executor, questions: readonly Exemplified[]): Promise<Question[]> {
  const ids = questions.flatMap(({ first }) => [first?.fromId, first?.toId].flatMap((id) => id ?? []))
  const airports = await mapAirports(db, ids)
  const shown = (id: number | null, text: string | undefined): string | null => {
    const airport = id === null ? undefined : airports.get(id)
    return airport ? airportCode(airport) : (text ?? null)
  }
  return questions.map(({ first, ...question }) => {
    const [row] = question.rowNumbers ?? []
    if (!first || row === undefined) return question
    const { date, datePrecision, flightNumber, fromId, fromText, toId, toText } = first
    const ends = { from: shown(fromId, fromText), to: shown(toId, toText) }
    return {
      ...question,
      example: { row, side: sideOf(question, first), date, datePrecision, flightNumber, ...ends },
    }
  })
}

/** The end of the flight that a question about an airport asks for. */
function sideOf(
  { kind, value }: Pick<Question, 'kind' | 'value'>,
  { fromId, fromText, toId }: Draft,
): 'from' | 'to' | null {
  if (kind !== 'unknown_airport' && kind !== 'ambiguous_airport' && kind !== 'missing_airport') return null
  if (fromId !== null) return 'to'
  if (toId !== null) return 'from'
  if (kind === 'missing_airport') return value.includes('? →') ? 'from' : 'to'
  return storedFold(fromText ?? '').includes(storedFold(value)) ? 'from' : 'to'
}

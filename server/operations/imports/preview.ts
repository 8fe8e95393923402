import { verdicts } from '../../domain/imports/imports.ts'
import type { Call } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import type { StoredImport } from '../../store/imports/imports.ts'
import { listRows } from '../../store/imports/rows.ts'
import type { RowView } from './schema.ts'
import { showRows } from './view.ts'

/** Files up to this size are evaluated before the response; larger ones get a second. */
const SMALL_BYTES = 1024 * 1024
const SMALL_WAIT_MS = 20_000
const LARGE_WAIT_MS = 1000

/** What an assistant gets of an import, and which parts are text from the file. */
export const previewed = {
  always: { rowsPerVerdict: 20 },
  lines: ['data.rows[].draft'],
  brief: ({ data }: { data: PreviewedView }): object => ({ data: briefPreview(data) }),
  says: ({ data }: { data: PreviewedView }): string => previewText(data),
  quotes: [
    'data.filename',
    'data.questions',
    'data.mapping',
    ...['raw', 'draft', 'warnings', 'updates', 'questions'].map((name) => `data.rows[].${name}`),
  ],
}

/** An import with its progress and outcome, for tools that work on one. */
export const briefImport = ({
  id,
  filename,
  status,
  counts,
  committed,
  trips,
  problem,
}: WorkedView): object => ({
  id,
  filename,
  status,
  counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
  committed,
  ...(trips.found > 0 && { trips }),
  ...(problem && { problem }),
})

export interface WorkedView extends Pick<PreviewedView, 'id' | 'status' | 'counts' | 'problem'> {
  filename: string
  committed: { created: number; updated: number }
  trips: { found: number; committed: number }
}

const CHOICES_SHOWN = 5

/** Each question once, the open ones with the likeliest answers as choices. */
function briefPreview({ questions, rows, sha256: _, ...data }: PreviewedView): object {
  return {
    ...data,
    questions: questions.map(({ choices, ...question }) => ({
      ...question,
      ...((question.answer === null || question.preselected) && { choices: choices.slice(0, CHOICES_SHOWN) }),
    })),
    ...(rows && {
      rows: rows.map(({ questions: asked, updates, warnings, ...row }) => ({
        ...row,
        ...(warnings.length > 0 && { warnings }),
        ...(updates.length > 0 && { updates }),
        ...(asked.length > 0 && { questions: asked.map(({ kind, value }) => ({ kind, value })) }),
      })),
    }),
  }
}

interface PreviewedView {
  id: number
  status: string
  source: string | null
  counts: Record<string, number>
  trips: { found: number }
  questions: {
    kind: string
    value: string
    rows: number
    choices: { id: number | string; label: string }[]
    answer: unknown
    preselected: boolean
  }[]
  rows?:
    | { questions: { kind: string; value: string }[]; updates: unknown[]; warnings: unknown[] }[]
    | undefined
  sha256: string
  problem: { message: string } | null
}

const QUESTIONS_SAID = 20

/** The progress, what would become of the records, and the open questions. */
function previewText({ id, status, source, counts, trips, questions, problem }: PreviewedView): string {
  const counted = Object.entries(counts).filter(
    ([name, count]) => count > 0 && name !== 'rows' && name !== 'remarks',
  )
  const open = questions.filter(({ answer, preselected }) => answer === null || preselected)
  const asked = open.slice(0, QUESTIONS_SAID).map(({ kind, value, rows, choices, preselected }) => {
    const first = choices.slice(0, CHOICES_SHOWN)
    const likely = first.map((choice) => `${choice.label} (id ${choice.id})`).join(', ')
    const otherwise = preselected ? ' (left empty without an answer)' : ''
    return `Question ${kind} ${JSON.stringify(value)}, ${rows} rows${otherwise}: ${likely || 'no likely answer'}`
  })
  const left = open.length - asked.length
  const isUseless = status === 'ready' && counts['rows'] === counts['error']
  return [
    `Import ${id} (${source ?? 'unknown source'}) is ${isUseless ? 'not usable, no flight could be read' : status}: ${counts['rows']} records, ${
      counted.map(([name, count]) => `${count} ${name}`).join(', ') || 'none usable'
    }.`,
    ...(counts['remarks']
      ? [`In ${counts['remarks']} records a value was left out or assumed; their warnings say which.`]
      : []),
    ...(trips.found > 0 ? [`The file has ${trips.found} of your trips.`] : []),
    ...(problem ? [problem.message] : []),
    ...asked,
    ...(left > 0 ? [`… ${left} more questions in the structured content.`] : []),
  ].join('\n')
}

/** The first rows of each verdict, so that a preview needs no second request. */
export async function rowsOfEach(
  call: Call,
  found: StoredImport,
  limit: number,
): Promise<{ rows?: RowView[] | undefined }> {
  if (limit === 0) return {}
  const rows = []
  for (const verdict of verdicts) {
    rows.push(...(await listRows(call.services.store.read, { importId: found.id, verdict, after: 0, limit })))
  }
  return { rows: await showRows(call, found, rows) }
}

/** Waits until the import is evaluated, or for as long as a person waits for a response. */
export async function evaluated(services: Services, given: StoredImport, lease: string): Promise<void> {
  const waitMs = given.bytes <= SMALL_BYTES ? SMALL_WAIT_MS : LARGE_WAIT_MS
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs)
  })
  await Promise.race([services.imports.evaluate(given, lease), waited])
  clearTimeout(timer)
}

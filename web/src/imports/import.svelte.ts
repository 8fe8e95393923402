/** One import on its page: the record, the rows in sight, and what the person does with them. */

import { type ImportCounts, noCounts, type SourceId } from '../../../server/domain/imports/imports.ts'
import { ApiError } from '../api/client.ts'
import { explain } from '../api/explain.ts'
import { log } from '../log/log.svelte.ts'
import * as api from './api.ts'
import { countsOf, numbersOf, numbersOnPage, pagesOf } from './outline.ts'
import { partRead } from './sums.ts'
import type {
  ImportAnswer,
  ImportMapping,
  ImportOverview,
  ImportPatch,
  ImportRecord,
  ImportRow,
  RowChoice,
  Verdict,
} from './types.ts'

const POLL_MS = 400
/** After a request that failed. */
const PAUSES_MS = [1000, 2000, 5000, 15_000]
const KEPT_ROWS = 3000

/** The server was not reached, or was too busy. Anything else would be the same the next time. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.offline || [408, 429, 500].includes(error.status))

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const isWorking = (record: ImportRecord | null): boolean =>
  record !== null && /^(reading|committing|undoing)$/.test(record.status)

interface Kept {
  row: ImportRow
  /** Of which evaluation. */
  edition: number
}

export class OpenImport {
  readonly id: number
  record = $state.raw<ImportRecord | null>(null)
  overview = $state.raw<ImportOverview | null>(null)
  /** Why the import could not be loaded at all. */
  failure = $state.raw<unknown>(null)
  /** What went wrong with the last change. */
  problem = $state('')
  busy = $state(false)
  rows = $state.raw<ReadonlyMap<number, ImportRow>>(new Map())
  #kept = new Map<number, Kept>()
  #edition = 0
  /** Requests for rows that are under way or done, by the edition and the numbers they asked for. */
  #asked = new Map<string, Promise<void>>()
  #ended = false
  /** The change under way, or the last one. */
  #change: Promise<boolean> = Promise.resolve(true)

  constructor(id: number) {
    this.id = id
  }

  end(): void {
    this.#ended = true
  }

  async load(): Promise<void> {
    this.failure = null
    try {
      await this.#take(await api.getImport(this.id))
    } catch (error) {
      this.failure = error
    }
  }

  /** Follows the import until the server is done with it. */
  async #take(first: ImportRecord): Promise<void> {
    let record = first
    const before = this.record?.status
    this.record = record
    while (isWorking(record) && !this.#ended) {
      await wait(POLL_MS)
      record = await this.#persistently(() => api.getImport(this.id))
      this.record = record
      await this.#peek(record)
    }
    if (this.#ended) return
    if (record.status !== 'failed' && record.status !== 'expired') {
      // From here on the rows that are known are old ones, although the list still shows them.
      this.#edition++
      this.#asked.clear()
      this.overview = await this.#persistently(() => api.getOverview(this.id))
    }
    if (before && before !== record.status && /^(committed|undone)$/.test(record.status)) await log.refresh()
  }

  /** A request that failed says nothing of the import: it is made again until the server responds, or the page is left. */
  async #persistently<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (let failures = 0; ; failures++) {
      try {
        return await ask()
      } catch (error) {
        if (this.#ended || !isPassing(error)) throw error
        await wait(PAUSES_MS[failures] ?? PAUSES_MS.at(-1)!)
      }
    }
  }

  /**
   * What is judged so far of a file that is read for the first time. Each look reads all rows on the server, so the next one
   * waits for twice as many.
   */
  async #peek({ status, rowsDone }: ImportRecord): Promise<void> {
    const isFirst = this.#edition === 0 && status === 'reading'
    if (!isFirst || rowsDone === 0 || rowsDone < 2 * (this.overview?.verdicts.length ?? 0)) return
    const overview = await this.#persistently(() => api.getOverview(this.id))
    if (!this.#ended) this.overview = overview
  }

  /** Of the rows that are judged, also while the rest is read. */
  get counts(): ImportCounts {
    if (this.record?.status !== 'reading' || this.#edition > 0) return this.record?.counts ?? noCounts
    return countsOf(this.overview?.verdicts ?? '')
  }

  /** How much of the file is judged, 0 to 1, as far as it can be told from the rows so far. */
  get part(): number {
    if (this.record?.status !== 'reading') return 1
    return partRead(this.record.bytes, [...this.rows.values()], this.record.rowsDone)
  }

  numbers(verdict: Verdict | null): Uint32Array {
    return numbersOf(this.overview?.verdicts ?? '', verdict)
  }

  /** Fetches what is not known yet, or no longer, of these positions. Rows that are known stay until then. */
  async want(numbers: Uint32Array, first: number, last: number): Promise<void> {
    const edition = this.#edition
    for (const page of pagesOf(first, last)) {
      const missing = numbersOnPage(numbers, page).filter((one) => this.#kept.get(one)?.edition !== edition)
      const key = `${edition} ${missing.join()}`
      if (missing.length === 0) continue
      if (!this.#asked.has(key)) this.#asked.set(key, this.#fetch(missing, edition, key))
      await this.#asked.get(key)
    }
  }

  async #fetch(numbers: readonly number[], edition: number, key: string): Promise<void> {
    try {
      const found = await api.listRows(this.id, numbers)
      if (edition === this.#edition) this.#keep(found, edition)
    } catch (error) {
      this.#asked.delete(key)
      this.problem = explain(error)
    }
  }

  /** Whether the row is known as it is judged now. It is fetched if not: an old draft must not be corrected in its stead. */
  async isCurrent(row: number): Promise<boolean> {
    // While flights are written, no row is judged again: it can be looked at.
    if (!/^(committing|undoing)$/.test(this.record?.status ?? '')) await this.#change
    await this.want(Uint32Array.of(row), 0, 0)
    return this.#kept.get(row)?.edition === this.#edition
  }

  #keep(rows: readonly ImportRow[], edition: number): void {
    for (const row of rows) {
      this.#kept.delete(row.row)
      this.#kept.set(row.row, { row, edition })
    }
    // The oldest go: a list of 100,000 rows is not kept whole.
    for (const number of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_ROWS) break
      this.#kept.delete(number)
    }
    this.rows = new Map([...this.#kept].map(([number, { row }]) => [number, row]))
  }

  /** One change at a time; the message of a failure stays until the next one. */
  async #do(act: () => Promise<ImportRecord>): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.problem = ''
    this.#change = this.#outcomeOf(act)
    const isDone = await this.#change
    this.busy = false
    return isDone
  }

  async #outcomeOf(act: () => Promise<ImportRecord>): Promise<boolean> {
    try {
      await this.#take(await act())
      return true
    } catch (error) {
      this.problem = explain(error)
      return false
    }
  }

  answer = (answer: ImportAnswer) => this.#do(() => api.updateImport(this.id, { answers: [answer] }))
  setOptions = (options: ImportPatch['options']) => this.#do(() => api.updateImport(this.id, { options }))
  setMapping = (mapping: ImportMapping) => this.#do(() => api.updateImport(this.id, { mapping }))
  setSource = (source: SourceId) => this.#do(() => api.updateImport(this.id, { source }))
  decide = (row: number, choice: RowChoice) => this.#do(() => api.updateRow(this.id, row, choice))
  /** While a commit runs, so beside the one change at a time. */
  async stop(): Promise<void> {
    try {
      this.record = await api.stopImport(this.id)
    } catch (error) {
      this.problem = explain(error)
    }
  }
  commit = () => this.#do(() => api.commitImport(this.id))
  undo = (includeEdited: boolean) => this.#do(() => api.undoImport(this.id, includeEdited))
}

/** One import on its page: the record, the rows in sight, and what the person does with them. */

import type { ImportCounts, SourceId } from '../../../server/domain/imports/imports.ts'
import { explain } from '../api/explain.ts'
import { Resource } from '../lib/resource.svelte.ts'
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
  Show,
} from './types.ts'

const POLL_MS = 400
const KEPT_ROWS = 3000

const isWorking = (record: ImportRecord | null): boolean =>
  record !== null && /^(reading|committing|undoing)$/.test(record.status)

interface Kept {
  row: ImportRow
  /** Of which evaluation. */
  edition: number
}

export class OpenImport {
  readonly id: number
  readonly #record = new Resource((signal) => api.getImport(this.id, signal))
  readonly #overview = new Resource((signal) => api.getOverview(this.id, signal))
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

  get record(): ImportRecord | null {
    return this.#record.value
  }

  get overview(): ImportOverview | null {
    return this.#overview.value
  }

  end(): void {
    this.#ended = true
    this.#record.end()
    this.#overview.end()
  }

  async load(): Promise<void> {
    const before = this.record?.status
    this.failure = null
    await this.#record.refresh()
    if (this.#record.error !== null) this.failure = this.#record.error
    else
      try {
        await this.#follow(before)
      } catch (error) {
        this.failure = error
      }
  }

  /** Follows the import until the server is done with it. Requests that fail on the way are sent again. */
  async #follow(before: ImportRecord['status'] | undefined): Promise<void> {
    const isOver = await this.#record.poll(POLL_MS, async (record) => {
      if (!isWorking(record)) return true
      await this.#peek(record)
      return false
    })
    if (this.#ended) return
    if (!isOver) throw this.#record.error
    const { status } = this.record!
    if (status !== 'failed' && status !== 'expired') {
      // From here on the rows that are known are old ones, although the list still shows them.
      this.#edition++
      this.#asked.clear()
      await this.#judge()
    }
    if (before && before !== status && /^(committed|undone)$/.test(status)) await log.refresh()
  }

  async #judge(): Promise<void> {
    if (!(await this.#overview.persist()) && !this.#ended) throw this.#overview.error
  }

  /**
   * What is judged so far of a file that is read for the first time. Each look reads all rows on the server, so the next one
   * waits for twice as many.
   */
  async #peek({ status, rowsDone }: ImportRecord): Promise<void> {
    const isFirst = this.#edition === 0 && status === 'reading'
    if (!isFirst || rowsDone === 0 || rowsDone < 2 * (this.overview?.verdicts.length ?? 0)) return
    await this.#judge()
  }

  /** Of the rows that the overview has, as `twice` is, also while the rest is read. */
  get counts(): ImportCounts {
    const { verdicts = '' } = this.overview ?? {}
    const { counts } = this.record ?? {}
    return counts?.rows === verdicts.length ? counts : countsOf(verdicts)
  }

  /** How much of the file is judged, 0 to 1, as far as it can be told from the rows so far. */
  get part(): number {
    if (this.record?.status !== 'reading') return 1
    return partRead(this.record.bytes, [...this.rows.values()], this.record.rowsDone)
  }

  /** How many rows repeat another row of the file. */
  get twice(): number {
    return this.overview?.twice.length ?? 0
  }

  /** Rows with a remark have the riskiest first. */
  numbers(show: Show | null): Uint32Array {
    const { verdicts = '', remarks = [], twice = [] } = this.overview ?? {}
    if (show === 'remarks' || show === 'twice') return Uint32Array.from(show === 'twice' ? twice : remarks)
    const numbers = numbersOf(verdicts, show)
    if (show !== 'duplicate' || twice.length === 0) return numbers
    const repeated = new Set(twice)
    return numbers.filter((number) => !repeated.has(number))
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
    const before = this.record?.status
    try {
      this.#record.set(await act())
      await this.#follow(before)
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
      this.#record.set(await api.stopImport(this.id))
    } catch (error) {
      this.problem = explain(error)
    }
  }
  commit = () => this.#do(() => api.commitImport(this.id))
  undo = (includeEdited: boolean) => this.#do(() => api.undoImport(this.id, includeEdited))
}

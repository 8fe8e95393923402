// Flights that were added to a log after an import was evaluated: manually, by a program or by another import. A commit does not
// create a certain duplicate of one of them.
import type { SourceId } from '../../../domain/imports/imports.ts'
import { listChanges } from '../../../store/history/changes.ts'
import { type ComparedFlight, listComparedFlights } from '../../../store/imports/compared-flights.ts'
import type { Executor } from '../../../store/store.ts'
import type { Draft } from '../drafting/draft.ts'
import { likenessOfRecord } from './duplicates.ts'

const CHANGES_AT_ONCE = 1000

interface Compared {
  id: number
  source: SourceId | null
  seenChanges: number | null
}

export class Newcomers {
  readonly #userId: string
  readonly #importId: number
  readonly #source: SourceId | null
  readonly #byRoute = new Map<string, ComparedFlight[]>()
  #seen: number
  /** Flights that the current batch of the import creates. */
  #created: readonly number[] = []
  /** The flights of the previous batch, whose changes must still be skipped. */
  #own = new Set<number>()

  /** `seenChanges`: the last change of the log that the evaluation saw. */
  constructor(userId: string, { id, source, seenChanges }: Compared) {
    this.#userId = userId
    this.#importId = id
    this.#source = source
    this.#seen = seenChanges ?? 0
  }

  /** Loads flights that are new since the last call, except those of the import itself. */
  async load(db: Executor): Promise<void> {
    for (;;) {
      const changes = await listChanges(db, this.#userId, 'flight', this.#seen, CHANGES_AT_ONCE)
      const ids = changes.flatMap(({ id, removed }) => (removed === null && !this.#own.has(id) ? id : []))
      for (const flight of ids.length > 0 ? await listComparedFlights(db, ids) : []) {
        if (flight.importId !== this.#importId) this.#keep(flight)
      }
      this.#seen = changes.at(-1)?.number ?? this.#seen
      if (changes.length < CHANGES_AT_ONCE) break
    }
    this.#created = []
    this.#own.clear()
  }

  /** Remembers flights that the import creates, which need not be read. */
  note(created: readonly number[]): void {
    this.#created = [...this.#created, ...created]
  }

  /** Call after the commit of a batch. Before that, another transaction may get the same ids. */
  advance(): void {
    this.#own = new Set(this.#created)
  }

  /** The flight that is certainly the same as the draft. */
  find(draft: Draft): number | undefined {
    const { date, fromId, toId } = draft
    if (date === null || fromId === null || toId === null) return undefined
    const known = this.#byRoute.get(`${fromId}-${toId}`) ?? []
    return known.find((flight) => likenessOfRecord({ ...draft, date }, flight, this.#source) === 'duplicate')
      ?.id
  }

  #keep(flight: ComparedFlight): void {
    const route = `${flight.fromId}-${flight.toId}`
    const known = (this.#byRoute.get(route) ?? []).filter(({ id }) => id !== flight.id)
    this.#byRoute.set(route, [...known, flight])
  }
}

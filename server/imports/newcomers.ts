// Flights that came into a log after an import was evaluated: by hand, by a program, by another import. What is certainly
// one of them is not created again by a commit.
import { likeness } from '../domain/duplicates.ts'
import { listChanges } from '../store/changes.ts'
import { type ComparedFlight, listComparedFlights } from '../store/compared-flights.ts'
import type { Executor } from '../store/store.ts'
import type { Draft } from './draft.ts'

const CHANGES_AT_ONCE = 1000

export class Newcomers {
  readonly #userId: string
  readonly #importId: number
  readonly #byRoute = new Map<string, ComparedFlight[]>()
  #seen: number
  /** Flights that the current batch of the import creates. */
  #created: readonly number[] = []
  /** Those of the batch before it, whose changes are still to be passed over. */
  #own = new Set<number>()

  /** `seenChanges`: the change of the log that the evaluation saw. */
  constructor(userId: string, importId: number, seenChanges: number | null) {
    this.#userId = userId
    this.#importId = importId
    this.#seen = seenChanges ?? 0
  }

  /** What is new since the last time; the flights of the import itself are not. */
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

  /** Flights that the import itself creates need not be read. */
  note(created: readonly number[]): void {
    this.#created = [...this.#created, ...created]
  }

  /** The batch is committed: what it created exists. Before that, another transaction may be given the same ids. */
  advance(): void {
    this.#own = new Set(this.#created)
  }

  /** The flight that the draft certainly is. */
  find(draft: Draft): number | undefined {
    const { date, fromId, toId } = draft
    if (date === null || fromId === null || toId === null) return undefined
    const known = this.#byRoute.get(`${fromId}-${toId}`) ?? []
    return known.find((flight) => likeness({ ...draft, date }, flight) === 'duplicate')?.id
  }

  #keep(flight: ComparedFlight): void {
    const route = `${flight.fromId}-${flight.toId}`
    const known = (this.#byRoute.get(route) ?? []).filter(({ id }) => id !== flight.id)
    this.#byRoute.set(route, [...known, flight])
  }
}

// Undoes one change of a flight inside an open transaction, or returns why it is left as it is.

import { AppError } from '../../../base/errors.ts'
import { flightScope, type Permission, type Reach } from '../../../domain/access/access.ts'
import { binnedAfter } from '../../../domain/flights/bin.ts'
import { deletesByLeaving, peopleOn } from '../../../domain/flights/consent.ts'
import type { Call } from '../../../door/operation.ts'
import { credentialMay, requireFlightAccess, roleMay } from '../../../services/access/principal.ts'
import { restoreFlights, wasPassenger } from '../../../store/flights/bin.ts'
import { findFlight } from '../../../store/flights/flights.ts'
import { lockFlights } from '../../../store/flights/writes.ts'
import { lockExternalIds } from '../../../store/history/external-ids.ts'
import { type HistoryEntry, lockHistory, markUndone, type SeenEntry } from '../../../store/history/history.ts'
import type { Author } from '../../../store/history/rows.ts'
import { authorOf } from '../../flights/author.ts'
import { binFlights } from '../../flights/removal.ts'
import { reachOf } from '../../flights/writing.ts'
import { isByThis, mayUndo } from '../view.ts'
import { changedSince, inEffectAfter, isOwn, whyNotInBin, whyNotInLog } from './since.ts'
import { undoChange } from './values.ts'
import { type Done, Left, left, type Taken } from './verdict.ts'

export class Undoing {
  readonly #call: Call
  /** A single change was requested: a missing permission is then an error, and does not count as a change that is left. */
  readonly #isSingle: boolean
  /** The changes as read under the lock. */
  #locked = new Map<number, HistoryEntry>()

  constructor(call: Call, { isSingle }: { isSingle: boolean }) {
    this.#call = call
    this.#isSingle = isSingle
  }

  /** Locks in the order of every write: external ids, then flights. Two undos of one change run one after the other. */
  async lock(entries: readonly SeenEntry[]): Promise<void> {
    const { db } = this.#call
    const named = entries.flatMap(({ edit }) => Object.keys(edit?.externalIds ?? {}))
    if (named.length > 0) await lockExternalIds(db, ...new Set(named))
    this.#locked = await lockHistory(
      db,
      entries.map(({ changeId }) => changeId),
    )
    await lockFlights(
      db,
      entries.map(({ flightId }) => flightId),
    )
  }

  async takeBack(entry: SeenEntry): Promise<Taken> {
    const { changeId, flightId } = entry
    try {
      const undoneBy = this.#locked.get(changeId)?.undoneBy ?? null
      if (undoneBy !== null) throw left.undone(undoneBy)
      if (!mayUndo(this.#call, entry)) throw left.other()
      const outcome: { changeId?: number } = {}
      const author = authorOf({ principal: this.#call.principal, outcome })
      const done = await this.#act(entry, author)
      if (outcome.changeId === undefined) throw left.asBefore()
      await markUndone(this.#call.db, changeId, outcome.changeId)
      return { changeId, flightId, ...done, undoneBy: outcome.changeId }
    } catch (error) {
      if (error instanceof Left)
        return { changeId, flightId, action: 'left', reason: error.reason, message: error.message }
      if (!(error instanceof AppError)) throw error
      // A flight that the caller cannot see counts as not in the log.
      if (error.code === 'not_found')
        return { changeId, flightId, action: 'left', reason: 'not_in_log', message: left.notInLog().message }
      if (this.#isSingle) throw error
      return { changeId, flightId, action: 'left', reason: 'missing_scope', message: error.message }
    }
  }

  async #act(entry: SeenEntry, author: Author): Promise<Done> {
    if (entry.kind === 'changed') return undoChange(this.#call, entry, author)
    return entry.kind === 'deleted' ? this.#restore(entry, author) : this.#bin(entry, author)
  }

  // Whole flights

  async #bin(entry: SeenEntry, author: Author): Promise<Done> {
    const { db, principal } = this.#call
    const flight = await findFlight(db, entry.flightId)
    if (!flight) throw await whyNotInLog(this.#call, entry)
    this.#requireMayBin(entry, reachOf(principal, flight))
    if (deletesByLeaving(peopleOn(flight.passengers), principal.user.id)) throw left.notKept()
    const others = (await inEffectAfter(this.#call, entry)).filter((later) => !isOwn(this.#call, later))
    if (others.length > 0) throw await this.#changed(others)
    const kept = flight.passengers.filter(
      ({ userId, keptAt }) => userId !== principal.user.id && keptAt !== null && keptAt >= entry.at,
    )
    if (kept.length > 0)
      throw new Left(
        'changed_since',
        `Kept since by ${kept.map(({ displayName }) => displayName).join(', ')}.`,
      )
    await binFlights(this.#call, [flight.id], author)
    return { action: 'to_bin' }
  }

  /** A key that may create or import flights may undo the creations that it made. */
  #requireMayBin(entry: SeenEntry, reach: Reach): void {
    const { principal } = this.#call
    const create = flightScope(entry.importId === null ? 'create' : 'import', reach)
    const isOwnAddition = entry.kind === 'added' && isByThis(this.#call, entry)
    if (isOwnAddition && roleMay(principal, create as Permission) && credentialMay(principal, create)) return
    requireFlightAccess(principal, 'delete', reach)
  }

  async #restore(entry: SeenEntry, author: Author): Promise<Done> {
    const { db, principal, now } = this.#call
    const after = binnedAfter(now.getTime())
    const wasOn = await wasPassenger(db, { id: entry.flightId, userId: principal.user.id, after })
    if (wasOn === undefined) throw await whyNotInBin(this.#call, entry)
    requireFlightAccess(principal, 'delete', wasOn ? 'own' : 'any')
    const later = await inEffectAfter(this.#call, entry)
    if (later.length > 0) throw await this.#changed(later)
    const restored = await restoreFlights(db, [entry.flightId], after, author, now.toISOString())
    if (restored.length === 0) throw left.notInBin()
    return { action: 'restored' }
  }

  async #changed(later: readonly HistoryEntry[]): Promise<Left> {
    return new Left('changed_since', await changedSince(this.#call, later))
  }
}

// Runs some operations of a bulk request inside one transaction. New flights are collected and stored together, after
// all checks. Every other operation runs alone, in a savepoint, in the order of the request (docs/decisions/006).
import { AppError, justDeleted } from '../../../base/errors.ts'
import { requireValid } from '../../../base/request/input.ts'
import { type Condition, flightTag, readCondition } from '../../../domain/flights/conditions.ts'
import { messageOf, problem } from '../../../domain/reasons.ts'
import type { Call } from '../../../door/operation.ts'
import { inSavepoint } from '../../../store/engine/savepoint.ts'
import { findFlight } from '../../../store/flights/flights.ts'
import { lockFlights } from '../../../store/flights/writes.ts'
import { type HeldChanges, holdFlightChanges, recordFlightChanges } from '../../../store/history/changes.ts'
import {
  type ExternalId,
  type ExternalIds,
  listByExternalValues,
  lockExternalIds,
} from '../../../store/history/external-ids.ts'
import { existingPeople } from '../../../store/people/people.ts'
import { foreignKeyViolation, type Transaction } from '../../../store/store.ts'
import { FlightPatch } from '../../wire/schemas.ts'
import { authorOf } from '../author.ts'
import { findHolder, idsAt, putOver, requireHolder, requireMayBeAbsent } from '../by-external-id.ts'
import { createFlightCodes, type FlightCodes, type RawFlight } from '../codes.ts'
import { notifyAdded } from '../companions.ts'
import { externalIdTaken } from '../ids.ts'
import { FlightInput } from '../input.ts'
import { listResembling } from '../likely-duplicates.ts'
import { removeFlight } from '../removal.ts'
import { type FlightView, showFlight } from '../view.ts'
import {
  type CheckedFlight,
  changeFlight,
  checkNewFlight,
  replaceFlight,
  requireCurrent,
  storeFlights,
} from '../writing.ts'
import type { BulkItem, BulkOperation, BulkOutcome } from './schema.ts'

/** One operation that ran. */
export interface Done {
  item: BulkItem
  outcome: BulkOutcome
}

interface RunOptions {
  /** Nothing will be kept: likely duplicates are reported, and ids that will not exist are not. */
  isDryRun: boolean
  /** The instance requires `ifMatch` for every change. */
  requiresCondition: boolean
}

interface Waiting {
  index: number
  operation: BulkOperation
  checked: CheckedFlight
  warnings: string[]
}

const nameOf = ({ source, value }: ExternalId): string => `${source}\n${value}`

export class BulkRun {
  readonly #call: Call
  readonly #tx: Transaction
  readonly #options: RunOptions
  readonly #held: HeldChanges
  readonly #codes: FlightCodes
  readonly #done = new Map<number, Done>()
  /** New flights of this run that are not stored yet. */
  #waiting: Waiting[] = []
  #people: ReadonlySet<string> = new Set()
  /** The flights of the caller's external ids that the operations mention; undefined if they have to be read again. */
  #names: Map<string, number> | undefined
  #values: string[] = []
  /** The operation that stored each flight in a dry run. */
  readonly #indexOf = new Map<number, number>()

  constructor(call: Call, tx: Transaction, options: RunOptions) {
    this.#held = holdFlightChanges(tx)
    this.#call = { ...call, db: this.#held.tx }
    this.#tx = tx
    this.#options = options
    this.#codes = createFlightCodes(this.#call)
  }

  /** Runs the operations in order; `start` is the index of the first. */
  async write(operations: readonly BulkOperation[], start: number): Promise<Done[]> {
    await this.#prepare(operations)
    for (const [i, operation] of operations.entries()) await this.#step(start + i, operation)
    await this.#storeWaiting()
    return operations.map((_, i) => this.#done.get(start + i)!)
  }

  /** Must be last in the transaction. */
  async record(): Promise<void> {
    await this.#held.record(authorOf(this.#call), this.#call.now.toISOString())
  }

  /** Takes all locks in a fixed order, and reads what the operations need, once for all. */
  async #prepare(operations: readonly BulkOperation[]): Promise<void> {
    const { db, principal } = this.#call
    const named = operations.filter(namesIds)
    if (named.length > 0) await lockExternalIds(db, principal.user.id)
    this.#values = [...new Set(named.flatMap(externalValues))]
    this.#names = undefined
    const names = await this.#knownNames()
    const targets = operations.flatMap((operation) => {
      if ('id' in operation && operation.id !== undefined) return operation.id
      return operation.externalId ? (names.get(nameOf(operation.externalId)) ?? []) : []
    })
    await lockFlights(db, targets)
    const users = operations.flatMap((operation) => ('flight' in operation ? usersIn(operation.flight) : []))
    this.#people = await existingPeople(db, [...new Set([principal.user.id, ...users])])
  }

  async #step(index: number, operation: BulkOperation): Promise<void> {
    try {
      const waiting = await this.#newFlight(index, operation)
      if (waiting) {
        this.#waiting.push(waiting)
        // A duplicate within the request can only be found in the database.
        if (this.#options.isDryRun) await this.#storeWaiting()
        return
      }
      await this.#storeWaiting()
      this.#done.set(index, await this.#alone(index, operation))
    } catch (error) {
      this.#done.set(index, failed(index, operation, error))
    }
  }

  // New flights

  /** The checked flight that an operation adds; undefined if it is about an existing flight. */
  async #newFlight(index: number, operation: BulkOperation): Promise<Waiting | undefined> {
    if (operation.op !== 'create' && operation.op !== 'upsert') return undefined
    const { externalId } = operation
    if (operation.op === 'upsert') {
      if (await this.#holderOf(operation.externalId)) return undefined
      requireMayBeAbsent({ condition: this.#conditionOf(operation) })
    }
    const warnings: string[] = []
    const flight = await this.#codes.toIds(operation.flight, warnings)
    const input = requireValid(FlightInput, flight)
    const externalIds = externalId ? await idsAt(this.#call, externalId, input, undefined) : input.externalIds
    const checked = await checkNewFlight(this.#call, { ...input, externalIds }, this.#people)
    await this.#requireFree(externalIds ?? {})
    if (this.#options.isDryRun) warnings.push(...(await this.#duplicatesOf(input)))
    return { index, operation, checked, warnings }
  }

  async #requireFree(ids: ExternalIds): Promise<void> {
    for (const [source, value] of Object.entries(ids)) {
      const holder = await this.#holderOf({ source, value })
      if (holder !== undefined) throw externalIdTaken(source, holder)
    }
  }

  /** The flight with this external id of the caller, including those of this run. */
  async #holderOf(id: ExternalId): Promise<number | undefined> {
    const isWaiting = this.#waiting.some(({ checked }) => checked.input.externalIds?.[id.source] === id.value)
    if (isWaiting) await this.#storeWaiting()
    return (await this.#knownNames()).get(nameOf(id))
  }

  async #knownNames(): Promise<Map<string, number>> {
    const { db, principal } = this.#call
    this.#names ??= new Map(
      (await listByExternalValues(db, this.#values, { userId: principal.user.id })).map((found) => [
        nameOf(found),
        found.flightId,
      ]),
    )
    return this.#names
  }

  async #duplicatesOf(input: FlightInput): Promise<string[]> {
    const alike = await listResembling(this.#call, input)
    return alike.map(({ resemblance: _, ...duplicate }) => {
      const index = this.#indexOf.get(duplicate.id)
      const twin = index === undefined ? messageOf(problem('duplicate_of', duplicate)) : `operation ${index}`
      return `This looks like a duplicate of ${twin}.`
    })
  }

  /** Stores all collected flights. If a record was deleted after the checks, this fails and each flight is stored alone. */
  async #storeWaiting(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    if (waiting.length === 0) return
    try {
      await this.#inSavepoint(() => this.#insert(waiting))
    } catch (error) {
      if (!foreignKeyViolation(error)) throw error
      if (waiting.length === 1) {
        const { index, operation } = waiting[0]!
        this.#done.set(index, failed(index, operation, error))
        return
      }
      for (const one of waiting) {
        this.#waiting = [one]
        await this.#storeWaiting()
      }
    }
  }

  async #insert(waiting: readonly Waiting[]): Promise<void> {
    const { db, now, principal } = this.#call
    const changes = await storeFlights(
      this.#call,
      waiting.map(({ checked }) => checked),
    )
    for (const [i, { checked }] of waiting.entries()) {
      if (checked.input.passengers.every(({ userId }) => userId === null || userId === principal.user.id))
        continue
      await notifyAdded(this.#call, [], await showFlight(this.#call, (await findFlight(db, changes[i]!.id))!))
    }
    await recordFlightChanges(db, changes, authorOf(this.#call), now.toISOString())
    for (const [i, { index, operation, checked, warnings }] of waiting.entries()) {
      const { id } = changes[i]!
      this.#indexOf.set(id, index)
      for (const [source, value] of Object.entries(checked.input.externalIds ?? {})) {
        this.#names?.set(nameOf({ source, value }), id)
      }
      this.#done.set(index, this.#added(index, operation, { id, version: 1 }, warnings))
    }
  }

  // Flights that exist

  async #alone(index: number, operation: BulkOperation): Promise<Done> {
    const condition = this.#conditionOf(operation)
    const call: Call = { ...this.#call, condition, validator: {}, outcome: {} }
    try {
      return await this.#inSavepoint(() => this.#change(call, index, operation))
    } finally {
      // The operation may have set or freed external ids.
      this.#names = undefined
    }
  }

  async #change(call: Call, index: number, operation: BulkOperation): Promise<Done> {
    if (operation.op === 'create') throw new Error('a create operation cannot run alone')
    if (operation.op === 'upsert') return this.#upsert(call, index, operation)
    const id = operation.externalId ? await requireHolder(call, operation.externalId) : (operation.id ?? 0)
    if (operation.op === 'delete') {
      await removeFlight(call, id)
      return { item: { ...head(index, operation), status: 204, id }, outcome: 'deleted' }
    }
    if (call.condition) await requireCurrent(call, id)
    const warnings: string[] = []
    const flight = await this.#withIds(operation.flight, warnings, id)
    const written =
      operation.op === 'patch'
        ? await changeFlight(call, id, requireValid(FlightPatch, flight))
        : await replaceFlight(call, id, requireValid(FlightInput, flight))
    return this.#changed(index, operation, written, warnings)
  }

  async #upsert(
    call: Call,
    index: number,
    operation: Extract<BulkOperation, { op: 'upsert' }>,
  ): Promise<Done> {
    const holder = await findHolder(call, operation.externalId)
    if (holder !== undefined && call.condition) await requireCurrent(call, holder)
    const warnings: string[] = []
    const flight = requireValid(FlightInput, await this.#withIds(operation.flight, warnings, holder))
    const put = await putOver(call, operation.externalId, flight, holder)
    if (put.created) return this.#added(index, operation, put.flight, warnings)
    return this.#changed(index, operation, put, warnings)
  }

  /** If the stored record has the given code, that record stays. So the flight is read if there are codes. */
  async #withIds(given: RawFlight, warnings: string[], id: number | undefined): Promise<RawFlight> {
    if (!this.#codes.hasCodes(given)) return given
    const stored = id === undefined ? undefined : await findFlight(this.#call.db, id)
    return this.#codes.toIds(given, warnings, stored)
  }

  #conditionOf(operation: BulkOperation): Condition | undefined {
    const given = 'ifMatch' in operation ? readCondition(operation.ifMatch, undefined) : undefined
    return given ?? (this.#options.requiresCondition ? { isRequired: true } : undefined)
  }

  /** Discards the changes that a rollback has reverted. */
  async #inSavepoint<Result>(work: () => Promise<Result>): Promise<Result> {
    const count = this.#held.count()
    try {
      return await inSavepoint(this.#tx, work)
    } catch (error) {
      this.#held.dropAfter(count)
      throw error
    }
  }

  // Results

  #added(
    index: number,
    operation: BulkOperation,
    { id, version }: { id: number; version: number },
    warnings: string[],
  ): Done {
    const made = { id, etag: flightTag({ id, version }), location: `/api/v1/flights/${id}` }
    return {
      item: {
        ...head(index, operation),
        status: 201,
        ...(this.#options.isDryRun ? {} : made),
        ...(warnings.length > 0 ? { warnings } : {}),
      },
      outcome: 'created',
    }
  }

  #changed(
    index: number,
    operation: BulkOperation,
    { flight, changed }: { flight: FlightView; changed: boolean },
    warnings: string[],
  ): Done {
    return {
      item: {
        ...head(index, operation),
        status: 200,
        id: flight.id,
        ...(this.#options.isDryRun ? {} : { etag: flightTag(flight) }),
        ...(warnings.length > 0 ? { warnings } : {}),
      },
      outcome: changed ? 'updated' : 'unchanged',
    }
  }
}

const head = (index: number, { ref }: BulkOperation) => ({ index, ref })

/** The same error as for a single call. An error that is not about this operation fails the whole request. */
function failed(index: number, operation: BulkOperation, error: unknown): Done {
  const refusal = foreignKeyViolation(error) ? justDeleted() : error
  if (!(refusal instanceof AppError) || refusal.status >= 500) throw error
  const { location, etag } = refusal.headers
  return {
    item: {
      ...head(index, operation),
      status: refusal.status,
      ...(etag === undefined ? {} : { etag }),
      ...(location === undefined ? {} : { location }),
      error: refusal.body.error as unknown as NonNullable<BulkItem['error']>,
    },
    outcome: 'failed',
  }
}

// What the operations refer to

const namesIds = (operation: BulkOperation): boolean =>
  operation.externalId !== undefined || ('flight' in operation && operation.flight['externalIds'] != null)

function externalValues(operation: BulkOperation): string[] {
  const own = operation.externalId ? [operation.externalId.value] : []
  const given = 'flight' in operation ? operation.flight['externalIds'] : undefined
  const others = typeof given === 'object' && given !== null ? Object.values(given) : []
  return [...own, ...others.filter((value) => typeof value === 'string')]
}

/** People in a body that is not validated yet, by id or as returned records. */
function usersIn({ passengers }: RawFlight): string[] {
  if (!Array.isArray(passengers)) return []
  return passengers.flatMap((entry: { userId?: unknown; user?: { id?: unknown } } | null) => {
    const id = entry?.userId ?? entry?.user?.id
    return typeof id === 'string' ? [id] : []
  })
}

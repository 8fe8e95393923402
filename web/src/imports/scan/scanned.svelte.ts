/** A pass that was read: what it becomes, what is chosen about it, and its flights once they are saved. */

import { isTraveller } from '../../../../server/domain/people/travellers.ts'
import { addDays } from '../../../../server/domain/time/calendar.ts'
import type { Airport } from '../../api/types.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { today } from '../../lib/fields/typed.ts'
import { log } from '../../log/log.svelte.ts'
import { passengerOptions } from '../../log/options.ts'
import { may, session } from '../../session/session.svelte.ts'
import { keepAll, keepsAlways, mayKeepFor } from '../keep/keep.ts'
import {
  type Candidate,
  candidatesFor,
  draftOfLeg,
  inOtherYear,
  knownFlight,
  type Leg,
  offeredTimes,
  type SeenPass,
} from './pass.ts'
import { airlineWith, airportWith } from './places.ts'

interface Saved {
  /** Of the flights that do not wait for the connection, in the order of the legs. */
  ids: number[]
  count: number
  /** How many wait for the connection. */
  waiting: number
}

export class ScannedPass {
  readonly name: string
  /** Trains of the pass are left out. */
  readonly trains: number
  /** As the pass says and the person chose; `legs` has what the log says too. */
  #read: Leg[] = $state.raw([])
  #saving: Leg[] | null = $state.raw(null)
  /** Airports and airlines are being looked up. */
  isLoading = $state(true)
  keepsReference = $state(false)
  /** The bar code, for the gate. */
  readonly code: SeenPass['code'] | null
  keepsPass = $state(keepsAlways())
  /** Indices of legs whose offered times were taken, and of those that are in the log and are saved anyway. */
  timed: ReadonlySet<number> = $state.raw(new Set())
  repeated: ReadonlySet<number> = $state.raw(new Set())
  chosen: ReadonlySet<string> = $state.raw(new Set())
  readonly candidates: Candidate[]
  /** Saved by an attempt that did not get through to the last leg. */
  readonly #done = new Set<number>()
  /** Whether the name on the pass is one's own; `unsure`: it fits as far as it goes. */
  readonly own: 'same' | 'other' | 'unsure'

  constructor(pass: SeenPass) {
    this.code = pass.code ?? null
    const flights = pass.legs.filter(({ isRail }) => !isRail)
    this.name = pass.name
    this.trains = pass.legs.length - flights.length
    this.#read = flights.map((read) => ({
      read,
      date: read.date ?? '',
      from: null,
      to: null,
      airline: null,
      times: null,
      known: null,
    }))
    const me = session.user!
    this.own = isTraveller(pass.name, me.displayName)
    const guests = passengerOptions(log.own, log.users)
      .filter(({ value }) => value.startsWith('guest:'))
      .map(({ label }) => label)
    const users = Object.entries(log.users).map(([id, { displayName }]) => ({ id, displayName }))
    this.candidates = candidatesFor(pass.name, { me, users, guests }).filter(
      ({ isMe }) => isMe || this.#mayAddOthers,
    )
    if (this.own !== 'other' || !this.#mayLogForOthers) this.chosen = new Set([me.id])
    void this.#look()
  }

  get #mayAddOthers(): boolean {
    return may('flight.passengers.manage.own') || may('flight.passengers.manage.any')
  }
  /** A flight without oneself on it. */
  get #mayLogForOthers(): boolean {
    return may('flight.create.any')
  }

  /** Compared again whenever the log changes: it may load after the pass is read. Not with what is being saved. */
  readonly legs: Leg[] = $derived(this.#saving ?? this.#read.map(compared))
  readonly people: Candidate[] = $derived.by(() => this.candidates.filter(({ key }) => this.chosen.has(key)))
  readonly locator: string | null = $derived(this.legs.find(({ read }) => read.locator)?.read.locator ?? null)
  /** Those that are saved: not what is in the log already, unless the person wants it twice. */
  readonly wanted: number[] = $derived(
    [...this.legs.keys()].filter((i) => this.legs[i]!.known === null || this.repeated.has(i)),
  )
  readonly isComplete: boolean = $derived(
    !this.isLoading &&
      this.people.length > 0 &&
      this.wanted.every((i) => {
        const { from, to, date } = this.legs[i]!
        return from !== null && to !== null && date !== ''
      }),
  )

  async #look(): Promise<void> {
    const found = await Promise.all(
      this.#read.map(async ({ read, date }) => {
        const [from, to, airline] = await Promise.all([
          airportWith(read.from, date),
          airportWith(read.to, date),
          airlineWith(read.carrier, date),
        ])
        return { from, to, airline }
      }),
    )
    this.#read = this.#read.map((leg, i) => ({ ...leg, ...found[i]! }))
    this.isLoading = false
  }

  setAirport(index: number, end: 'from' | 'to', airport: Airport | null): void {
    this.#change(index, { [end]: airport })
  }
  setDate(index: number, date: string): void {
    this.#change(index, { date })
  }
  #change(index: number, change: Partial<Leg>): void {
    this.#read = this.#read.map((leg, i) => (i === index ? { ...leg, ...change } : leg))
  }

  /** Of the first leg: all legs of a pass move together. */
  get otherYear(): string | null {
    const [moved] = inOtherYear(this.legs)
    return moved && moved !== this.legs[0]!.date ? moved.slice(0, 4) : null
  }
  useOtherYear(): void {
    const dates = inOtherYear(this.legs)
    this.#read = this.#read.map((leg, i) => ({ ...leg, date: dates[i]! }))
  }

  choose(key: string): void {
    const next = new Set(this.chosen)
    if (!next.delete(key)) next.add(key)
    if (!this.#mayLogForOthers) next.add(session.user!.id)
    this.chosen = next
  }
  takeTimes(index: number, taken: boolean): void {
    this.timed = changed(this.timed, index, taken)
  }
  repeat(index: number, again: boolean): void {
    this.repeated = changed(this.repeated, index, again)
  }

  /** The pass can be kept for the reader's own flights that are not over; the server must be reached for that. */
  get canKeep(): boolean {
    const isOwn = this.own !== 'other' && this.people.some(({ isMe }) => isMe)
    const yesterday = addDays(today(), -1)
    return this.code !== null && isOwn && this.legs.some(({ date }) => date >= yesterday)
  }

  /** Its flights that were saved, and those that the log had. Returns the first one that has the pass now. */
  async keepPass(savedIds: readonly number[]): Promise<number | null> {
    const { code } = this
    if (!code || !this.canKeep || !this.keepsPass) return null
    const known = this.legs.flatMap(({ known }) => known?.id ?? [])
    const ids = [...new Set([...known, ...savedIds])].filter(mayKeepFor)
    const kept = await keepAll(ids.map((flightId) => ({ flightId, body: code })))
    return kept[0] ?? null
  }

  async save(): Promise<Saved> {
    const wanted = this.wanted.filter((i) => !this.#done.has(i))
    this.#saving = this.legs
    try {
      return await this.#saveLegs(wanted)
    } catch (error) {
      this.#saving = null
      throw error
    }
  }

  async #saveLegs(wanted: readonly number[]): Promise<Saved> {
    const saved: Saved = { ids: [], count: 0, waiting: 0 }
    // In their order, and each for itself: what is saved stays saved if the connection ends.
    for (const index of wanted) {
      const leg = this.legs[index]!
      const sold = leg.read.marketingCarrier
      const draft = draftOfLeg(leg, {
        people: this.people,
        isOwn: this.own !== 'other',
        takesTimes: this.timed.has(index),
        keepsReference: this.keepsReference,
        note: sold ? t('scan.soldBy', { airline: sold }) : '',
      })
      const { submit } = await import('../../queue/queue.svelte.ts')
      const result = await submit({ kind: 'create', draft, input: null })
      this.#done.add(index)
      saved.count++
      if (result.is === 'saved') saved.ids.push(result.flight.id)
      else saved.waiting++
    }
    await log.refresh()
    return saved
  }
}

/** What the log says about a leg. */
const compared = (leg: Leg): Leg => ({
  ...leg,
  times: offeredTimes(leg.read.flightNumber, leg.from, leg.to, log.own),
  known: knownFlight(leg, log.own),
})

function changed(set: ReadonlySet<number>, value: number, isIn: boolean): ReadonlySet<number> {
  const next = new Set(set)
  if (isIn) next.add(value)
  else next.delete(value)
  return next
}

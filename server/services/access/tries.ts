// The limits for wrong passwords and codes, and the delays. The attempts are stored in the database, so that several processes
// allow no more than one. A state is read, changed and written in one transaction that locks its row.
import { hash } from 'node:crypto'
import { HOUR, MINUTE, SECOND } from '../../domain/time/durations.ts'
import {
  countTries,
  findTries,
  insertTries,
  lockTries,
  type TryKey,
  type TryRule,
  writeTries,
} from '../../store/accounts/tries.ts'
import type { Executor, Store } from '../../store/store.ts'

/** The wait for an unknown client while a rule has no room for another entry. */
const WAIT_FOR_ROOM_MS = MINUTE
/** A time further ahead was recorded before the clock was set back; less is the difference between machines. */
const AHEAD_AT_MOST_MS = 10 * SECOND

/** An attempt as seen by one rule. */
export interface Attempt {
  rule: TryRule
  who: string
  /** Only for a name. */
  address?: string | undefined
  /**
   * The key that counts while there is no room for another entry. It needs no room, so there must be few of them, such as
   * accounts. Without it, as for unknown clients, the attempt waits.
   */
  whenFull?: string | undefined
}

/** How long to wait, and which rule requires it. */
export interface Wait {
  ms: number
  rule: TryRule
}

interface Tries {
  /** The wait until all of these are allowed; undefined if they are allowed now. Counts nothing. */
  wait(attempts: readonly Attempt[], now: number): Promise<Wait | undefined>
  /** Counts one try for every attempt, or none if any of them has to wait. */
  take(attempts: readonly Attempt[], now: number): Promise<Wait | { giveBack(): Promise<void> }>
}

export function createTries(store: Store, entriesAtMost: number): Tries {
  const hasRoom = async (db: Executor, rule: TryRule, now: number) =>
    (await countTries(db, rule, textOf(now))) < entriesAtMost

  async function waitOf(db: Executor, attempt: Attempt, now: number): Promise<Wait> {
    const { rule, whenFull } = attempt
    let stored = await findTries<object>(db, keyOf(attempt))
    if (stored === undefined && !(await hasRoom(db, rule, now))) {
      if (whenFull === undefined) return { ms: WAIT_FOR_ROOM_MS, rule }
      stored = await findTries<object>(db, keyOf({ rule, who: whenFull }))
    }
    return { ms: ruleOf(attempt).wait(stored, now), rule }
  }

  /** The key that counts and its state, with its row locked; undefined if there is no room for a row. */
  async function opened(tx: Executor, attempt: Attempt, now: number): Promise<Opened | undefined> {
    const stored = await lockTries<object>(tx, keyOf(attempt))
    if (stored !== undefined) return { attempt, stored }
    if (await hasRoom(tx, attempt.rule, now)) return inserted(tx, attempt, now)
    const { whenFull } = attempt
    return whenFull === undefined ? undefined : inserted(tx, { ...attempt, who: whenFull }, now)
  }

  async function taking(tx: Executor, attempts: readonly Attempt[], now: number) {
    const states: Opened[] = []
    const waits: Wait[] = []
    for (const one of inLockOrder(attempts)) {
      const open = await opened(tx, one, now)
      if (open) states.push(open)
      const ms = open ? ruleOf(one).wait(open.stored, now) : WAIT_FOR_ROOM_MS
      waits.push({ ms, rule: one.rule })
    }
    const wait = longestOf(waits)
    // Rolls back: the rows of a refused try would use up room.
    if (wait) throw new Refused(wait)
    const undos: Undo[] = []
    for (const { attempt, stored } of states) {
      const { state, undo } = ruleOf(attempt).take(stored, now, attempt.address)
      await write(tx, attempt, state)
      undos.push({ attempt, undo })
    }
    return undos
  }

  async function giveBack(tx: Executor, undos: readonly Undo[]): Promise<void> {
    for (const { attempt, undo } of undos) {
      const stored = await lockTries<object>(tx, keyOf(attempt))
      if (stored) await write(tx, attempt, undo(stored))
    }
  }

  return {
    async wait(attempts, now) {
      const waits: Wait[] = []
      for (const attempt of attempts) waits.push(await waitOf(store.read, attempt, now))
      return longestOf(waits)
    },
    async take(attempts, now) {
      try {
        const taken = await store.transaction((tx) => taking(tx, attempts, now))
        return { giveBack: () => store.transaction((tx) => giveBack(tx, taken)) }
      } catch (error) {
        if (error instanceof Refused) return error.wait
        throw error
      }
    },
  }
}

class Refused extends Error {
  readonly wait: Wait

  constructor(wait: Wait) {
    super('wait')
    this.wait = wait
  }
}

interface Opened {
  attempt: Attempt
  stored: object
}

/** Inserts the row; another process may have inserted it meanwhile. */
async function inserted(tx: Executor, attempt: Attempt, now: number): Promise<Opened> {
  const [key, start] = [keyOf(attempt), ruleOf(attempt).start(now)]
  await insertTries(tx, key, start, textOf(now + HOUR))
  return { attempt, stored: (await lockTries<object>(tx, key)) ?? start }
}

interface Undo {
  attempt: Attempt
  undo(state: object): object
}

const write = (tx: Executor, attempt: Attempt, state: object) =>
  writeTries(tx, keyOf(attempt), state, textOf(ruleOf(attempt).expiresAt(state)))

const longestOf = (waits: readonly Wait[]): Wait | undefined =>
  waits.filter(({ ms }) => ms > 0).toSorted((a, b) => b.ms - a.ms)[0]

const textOf = (instant: number): string => new Date(instant).toISOString()

const hashOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)
const keyOf = ({ rule, who }: Pick<Attempt, 'rule' | 'who'>): TryKey => ({ rule, who: hashOf(who) })

/** Rows are always locked in the same order, so that concurrent attempts cannot deadlock. */
const inLockOrder = (attempts: readonly Attempt[]): Attempt[] =>
  [...attempts].sort((a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0))

interface Rule<State extends object> {
  start(now: number): State
  /** Milliseconds until the next try is allowed. */
  wait(state: State | undefined, now: number): number
  /** `undo` gives the try back, even if others were counted since. */
  take(state: State, now: number, address: string | undefined): { state: State; undo(state: State): State }
  expiresAt(state: State): number
}

interface Allowed {
  count: number
  ms: number
}

export const triesAllowed: readonly Allowed[] = [
  { count: 5, ms: MINUTE },
  { count: 30, ms: HOUR },
]
/** Per account. With an hourly limit, someone who has the password could lock its owner out for hours. */
export const codesAllowed: readonly Allowed[] = [{ count: 5, ms: MINUTE }]

// Tries per address or known browser: the times within the last hour

interface Times {
  times: number[]
}

function timesRule(allowed: readonly Allowed[]): Rule<Times> {
  const recent = (state: Times | undefined, now: number) =>
    (state?.times ?? []).filter((at) => at <= now + AHEAD_AT_MOST_MS && at > now - HOUR)
  return {
    start: () => ({ times: [] }),
    wait(state, now) {
      const times = recent(state, now)
      return Math.max(...allowed.map(({ count, ms }) => (times.at(-count) ?? -Infinity) + ms - now), 0)
    },
    take: (state, now) => ({
      state: { times: [...recent(state, now), now] },
      undo({ times }) {
        const index = times.lastIndexOf(now)
        return { times: index === -1 ? times : times.toSpliced(index, 1) }
      },
    }),
    expiresAt: ({ times }) => Math.max(0, ...times) + HOUR,
  }
}

// Delays per name, which grow with wrong attempts from unknown browsers

/** This many wrong attempts cause no delay, because people mistype. One address adds at most this many. */
const FREE_ATTEMPTS = 5
const LONGEST_DELAY_MS = 15 * MINUTE

interface NameState {
  since: number
  /** Wrong attempts that count, and the time of the last one. */
  count: number
  last: number
  /** By the hash of each address. */
  byAddress: Record<string, number>
}

const delayOf = ({ count }: NameState): number =>
  count <= FREE_ATTEMPTS ? 0 : Math.min(LONGEST_DELAY_MS, SECOND * 2 ** (count - FREE_ATTEMPTS))

const nameRule: Rule<NameState> = {
  start: (now) => ({ since: now, count: 0, last: now, byAddress: {} }),
  wait: (state, now) => (state && !isOver(state, now) ? Math.max(0, state.last + delayOf(state) - now) : 0),
  take(stored, now, address) {
    const state = isOver(stored, now) ? nameRule.start(now) : stored
    const from = address === undefined ? undefined : hashOf(address)
    const ofAddress = (from !== undefined && state.byAddress[from]) || 0
    const difference = ofAddress < FREE_ATTEMPTS ? 1 : 0
    return {
      state: { ...added(state, from, difference), last: now },
      undo: (later) => ({
        ...added(later, from, -difference),
        last: later.last === now ? state.last : later.last,
      }),
    }
  },
  // Without wrong attempts the entry is not needed: the password was right.
  expiresAt: (state) => (state.count === 0 ? 0 : Math.max(state.since + HOUR, state.last + delayOf(state))),
}

const isOver = (state: NameState, now: number): boolean =>
  state.since > now + AHEAD_AT_MOST_MS || now >= nameRule.expiresAt(state)

function added(state: NameState, from: string | undefined, difference: number): NameState {
  const count = Math.max(0, state.count + difference)
  if (from === undefined) return { ...state, count }
  const { [from]: ofAddress = 0, ...others } = state.byAddress
  const left = ofAddress + difference
  return { ...state, count, byAddress: left > 0 ? { ...others, [from]: left } : others }
}

const rules = {
  address: timesRule(triesAllowed),
  known: timesRule(triesAllowed),
  code: timesRule(codesAllowed),
  name: nameRule,
}
const ruleOf = ({ rule }: Attempt): Rule<object> => rules[rule] as Rule<object>

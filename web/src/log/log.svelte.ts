/** The log in the browser: kept between visits, in step with the server, filtered by the query of the URL. */

import { utcDate } from '../../../server/domain/calendar.ts'
import { takesPlace } from '../../../server/domain/flight.ts'
import { ApiError } from '../api/client.ts'
import {
  type Flight,
  fetchLog,
  fetchLogWords,
  flightsOf,
  isCompleted,
  type LogPayload,
  type LogScope,
} from '../api/log.ts'
import { route, setQuery } from '../lib/router.svelte.ts'
import { isCurrentUser, session } from '../session/session.svelte.ts'
import { apply, type Filters, fromQuery, noWords, toQuery } from './filters.ts'
import { type Journeys, journeysOf } from './journeys.ts'
import { eraseKeptLog, keepLog, readKeptLog } from './kept-log.ts'
import { inStep } from './step.ts'
import { announceChange, watchForChanges } from './watch.ts'

type State = 'loading' | 'ready' | 'failed'

const empty: LogPayload = {
  of: null,
  partial: false,
  token: '',
  flights: [],
  removed: [],
  airports: {},
  airlines: {},
  aircraft: {},
  users: {},
}

let state = $state<State>('loading')
let error = $state.raw<unknown>(null)
let payload = $state.raw<LogPayload>(empty)
let scope = $state.raw<LogScope>({ scope: 'mine' })
/** What waits to be sent, as if it were stored. */
let overlay = $state.raw<((stored: LogPayload) => LogPayload) | null>(null)
let hidden = $state.raw<ReadonlySet<number>>(new Set())
const deleted = new Set<number>()
let words = $state.raw(noWords)
/** The log whose words were requested. */
let wordsOf: LogPayload | undefined
/** Flights that complete later than this are still to come. */
let now = $state(Date.now())
/** Of the last response; newer than the payload's own if nothing changed. */
let token = ''

const shown = $derived(overlay ? overlay(payload) : payload)
const all = $derived(flightsOf(shown, now))
const flights = $derived(hidden.size === 0 ? all : all.filter((flight) => !hidden.has(flight.id)))
/** Cancelled flights are in the list and count nowhere. */
const counted = $derived(flights.filter(takesPlace))
const journeys = $derived(journeysOf(counted, scope, session.user?.id ?? null, homes(), utcDate(now)))
const filters = $derived(fromQuery(route.query))
const filtered = $derived(apply(flights, filters, words))

/** Only one's own preference is known here; the homes of others follow from their flights. */
function homes(): Map<string, number> {
  const { homeAirportId } = session.preferences
  return new Map(session.user && homeAirportId !== null ? [[session.user.id, homeAirportId]] : [])
}

let running: Promise<void> | undefined
let next: Promise<void> | undefined

/** One request at a time. A call while one is running starts another when that has ended, so that no write is missed. */
function load(): Promise<void> {
  if (running) {
    next ??= running.then(() => {
      next = undefined
      return load()
    })
    return next
  }
  running = step().finally(() => {
    running = undefined
  })
  return running
}

async function step(): Promise<void> {
  const [of, gone] = [scope, [...deleted]]
  try {
    if (payload === empty && of.scope === 'mine') await showKept(of)
    const response = await fetchLog(of, token)
    if (of !== scope) return
    // The browser has another session now: everything on this page belongs to the person before.
    if (of.scope === 'mine' && response.of !== session.user?.id) return location.reload()
    take(response)
    showFlights(gone)
    error = null
    state = 'ready'
  } catch (problem) {
    if (of !== scope) return
    error = problem
    if (isRefused(problem)) await forget(problem)
    state = payload === empty ? 'failed' : 'ready'
  }
}

async function showKept(of: LogScope): Promise<void> {
  const kept = await readKeptLog(keeper())
  if (!kept || of !== scope) return
  token = kept.token
  now = Date.now()
  payload = kept
  state = 'ready'
}

function take(response: LogPayload): void {
  const before = payload
  const isKept = response.token === token && response.partial
  token = response.token
  if (before.flights.some((flight) => !isCompleted(flight, now) && isCompleted(flight, Date.now())))
    now = Date.now()
  payload = inStep(before, response)
  if (payload !== before && (wordsOf || filters.q)) void loadWords()
  const of = session.user?.id
  if (of === payload.of && !isKept) void keepLog(keeper(), { ...payload, token }, () => isCurrentUser(of))
}

const keeper = () => ({ userId: session.user?.id ?? '', version: session.instance.version })

const isRefused = (problem: unknown): problem is ApiError =>
  problem instanceof ApiError && (problem.status === 401 || problem.status === 403)

/** A log that may no longer be read is not kept. After a lost session it stays on the page, which waits for the password. */
async function forget({ status }: ApiError): Promise<void> {
  await eraseKeptLog()
  if (status !== 403) return
  payload = empty
  token = ''
}

/** The person decides when to sign in again: no request of its own until then. */
const loadUnlessSignedOut = () => {
  if (!(error instanceof ApiError && error.status === 401)) void load()
}

/**
 * The names of the log's airports and airlines in other languages, for the search field. Loaded when that is first used;
 * until then, and if it fails, the names that are shown are searched.
 */
async function loadWords(): Promise<void> {
  const of = payload
  if (wordsOf === of || of === empty) return
  wordsOf = of
  try {
    const loaded = await fetchLogWords(scope)
    if (wordsOf === of) words = loaded
  } catch {
    if (wordsOf === of) wordsOf = undefined
  }
}

export const log = {
  get state(): State {
    return state
  },
  get error(): unknown {
    return error
  },
  /** All flights in scope, newest first. */
  get flights(): Flight[] {
    return flights
  },
  /** Those of them that count: not the cancelled ones. */
  get counted(): Flight[] {
    return counted
  },
  /** The journeys that these flights make up. */
  get journeys(): Journeys {
    return journeys
  },
  /** The journey of several flights that a flight is part of. */
  journeyWith: (id: number) => journeys.of.get(id),
  /** Flights that match the filters of the URL, newest first. */
  get filtered(): Flight[] {
    return filtered
  },
  get filters(): Filters {
    return filters
  },
  get scope(): LogScope {
    return scope
  },
  get airports(): LogPayload['airports'] {
    return shown.airports
  },
  get airlines(): LogPayload['airlines'] {
    return shown.airlines
  },
  get aircraft(): LogPayload['aircraft'] {
    return shown.aircraft
  },
  get users(): LogPayload['users'] {
    return shown.users
  },
  find(id: number): Flight | undefined {
    return flights.find((flight) => flight.id === id)
  },
  /** Call once, when the page starts. */
  start(): void {
    void load()
    watchForChanges(loadUnlessSignedOut)
  },
  loadWords,
  /** Call after any change on the server. Fetches what changed, and other tabs do too. */
  refresh(): Promise<void> {
    announceChange()
    return load()
  },
}

export function setOverlay(next: ((stored: LogPayload) => LogPayload) | null): void {
  overlay = next
}

export async function setScope(chosen: LogScope): Promise<void> {
  scope = chosen
  token = ''
  state = 'loading'
  payload = empty
  await load()
}

/** Changes the query of the URL, which list, map and statistics read. */
export function setFilters(change: Partial<Filters>): void {
  setQuery(toQuery({ ...filters, ...change }))
}

export function clearFilters(): void {
  setQuery(new URLSearchParams())
}

/** Hides flights in every view before the server has confirmed that they are deleted. */
export function hideFlights(ids: readonly number[]): void {
  hidden = new Set([...hidden, ...ids])
}

export function showFlights(ids: readonly number[]): void {
  const rest = new Set(hidden)
  for (const id of ids) {
    rest.delete(id)
    deleted.delete(id)
  }
  hidden = rest
}

/** The server has deleted them: they stay hidden until a log without them is loaded. */
export function noteDeleted(ids: readonly number[]): void {
  for (const id of ids) deleted.add(id)
}

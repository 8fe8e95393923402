/** The log in the browser: loaded once, refreshed after each change, filtered by the query of the URL. */

import {
  type Flight,
  fetchLog,
  fetchLogWords,
  flightsOf,
  type LogPayload,
  type LogScope,
} from '../api/log.ts'
import { route, setQuery } from '../lib/router.svelte.ts'
import { apply, type Filters, fromQuery, noWords, toQuery } from './filters.ts'

type State = 'loading' | 'ready' | 'failed'

const empty: LogPayload = { flights: [], airports: {}, airlines: {}, aircraft: {}, users: {} }

let state = $state<State>('loading')
let error = $state.raw<unknown>(null)
let payload = $state.raw<LogPayload>(empty)
let scope = $state.raw<LogScope>({ scope: 'mine' })
let hidden = $state.raw<ReadonlySet<number>>(new Set())
const deleted = new Set<number>()
let words = $state.raw(noWords)
/** The log whose words were requested. */
let wordsOf: LogPayload | undefined
let etag: string | null = null
let latest = 0

const all = $derived(flightsOf(payload))
const flights = $derived(hidden.size === 0 ? all : all.filter((flight) => !hidden.has(flight.id)))
const filters = $derived(fromQuery(route.query))
const filtered = $derived(apply(flights, filters, words))

async function load(): Promise<void> {
  const call = ++latest
  const gone = [...deleted]
  try {
    const response = await fetchLog(scope, etag)
    if (call !== latest) return
    if (response) {
      payload = response.payload
      etag = response.etag
      if (wordsOf || filters.q) void loadWords()
    }
    showFlights(gone)
    error = null
    state = 'ready'
  } catch (problem) {
    if (call !== latest) return
    error = problem
    state = payload === empty ? 'failed' : 'ready'
  }
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
    return payload.airports
  },
  get airlines(): LogPayload['airlines'] {
    return payload.airlines
  },
  get aircraft(): LogPayload['aircraft'] {
    return payload.aircraft
  },
  get users(): LogPayload['users'] {
    return payload.users
  },
  find(id: number): Flight | undefined {
    return flights.find((flight) => flight.id === id)
  },
  load,
  loadWords,
  /** Call after any change on the server. The response is a 304 if nothing changed. */
  refresh: load,
}

export async function setScope(next: LogScope): Promise<void> {
  scope = next
  etag = null
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

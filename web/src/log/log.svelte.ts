/** The log in the browser: loaded once, refreshed after each change, filtered by what the URL says. */

import { deleteFlight } from '../api/flights.ts'
import { type Flight, fetchLog, flightsOf, type LogPayload, type LogScope } from '../api/log.ts'
import { route, setQuery } from '../lib/router.svelte.ts'
import { apply, type Filters, fromQuery, toQuery } from './filters.ts'

type State = 'loading' | 'ready' | 'failed'

const empty: LogPayload = { flights: [], airports: {}, airlines: {}, aircraft: {}, users: {} }

let state = $state<State>('loading')
let error = $state.raw<unknown>(null)
let payload = $state.raw<LogPayload>(empty)
let scope = $state.raw<LogScope>({ scope: 'mine' })
let hidden = $state.raw<ReadonlySet<number>>(new Set())
let etag: string | null = null
let latest = 0

const all = $derived(flightsOf(payload))
const flights = $derived(hidden.size === 0 ? all : all.filter((flight) => !hidden.has(flight.id)))
const filters = $derived(fromQuery(route.query))
const filtered = $derived(apply(flights, filters))

async function load(): Promise<void> {
  const call = ++latest
  try {
    const answer = await fetchLog(scope, etag)
    if (call !== latest) return
    if (answer) {
      payload = answer.payload
      etag = answer.etag
    }
    error = null
    state = 'ready'
  } catch (problem) {
    if (call !== latest) return
    error = problem
    state = payload === empty ? 'failed' : 'ready'
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
  /** Those that the filters of the URL let through, newest first. */
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
  /** Call after any change on the server; costs a 304 when nothing changed. */
  refresh: load,
}

export async function setScope(next: LogScope): Promise<void> {
  scope = next
  etag = null
  state = 'loading'
  payload = empty
  await load()
}

/** Writes into the URL; list, map and statistics follow it. */
export function setFilters(change: Partial<Filters>): void {
  setQuery(toQuery({ ...filters, ...change }))
}

export function clearFilters(): void {
  setQuery(new URLSearchParams())
}

const undoMs = 8000

export interface PendingDelete {
  undo: () => void
  done: Promise<{ failed: number }>
}

/** Hides the flights at once and deletes them on the server when the time to undo has passed. */
export function deleteLater(ids: number[]): PendingDelete {
  hidden = new Set([...hidden, ...ids])
  let settle: (result: { failed: number }) => void = () => {}
  const done = new Promise<{ failed: number }>((resolve) => {
    settle = resolve
  })
  const finish = async () => {
    stop()
    const results = await deleteAll(ids)
    await load()
    show(ids)
    settle({ failed: results.filter((ok) => !ok).length })
  }
  const leaving = () => {
    stop()
    for (const id of ids) void deleteFlight(id, true).catch(() => {})
  }
  const stop = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', leaving)
  }
  const timer = setTimeout(finish, undoMs)
  addEventListener('pagehide', leaving)
  const undo = () => {
    stop()
    show(ids)
    settle({ failed: 0 })
  }
  return { undo, done }
}

function show(ids: number[]): void {
  const rest = new Set(hidden)
  for (const id of ids) rest.delete(id)
  hidden = rest
}

async function deleteAll(ids: number[]): Promise<boolean[]> {
  const results: boolean[] = []
  for (let start = 0; start < ids.length; start += 6) {
    const batch = ids.slice(start, start + 6).map((id) =>
      deleteFlight(id).then(
        () => true,
        () => false,
      ),
    )
    results.push(...(await Promise.all(batch)))
  }
  return results
}

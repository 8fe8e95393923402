/** The log in the browser: kept between visits, in step with the server, filtered by the query of the URL. */

import { untrack } from 'svelte'
import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import { utcDate } from '../../../server/domain/time/calendar.ts'
import { ApiError } from '../api/client.ts'
import {
  type Audience,
  completesBetween,
  type Flight,
  fetchLogWords,
  flightsOf,
  type LogPayload,
  type LogScope,
} from '../api/log.ts'
import { i18n } from '../i18n/i18n.svelte.ts'
import { addressOf } from '../lib/address.ts'
import { Resource } from '../lib/resource.svelte.ts'
import { navigate, route, setQuery } from '../lib/router.svelte.ts'
import { session } from '../session/session.svelte.ts'
import { createCopy, type LogCopy } from './copy.svelte.ts'
import { apply, type Filters, fromQuery, noWords, toQuery } from './filters.ts'
import { type Journeys, journeysOf, type Travellers } from './journeys.ts'
import { audiencesOf, countedIn, peopleText, scopeIn, showsFlights, unionOf } from './people.ts'
import { announceChange, watchForChanges } from './watch.ts'

type State = 'loading' | 'ready' | 'failed'

const me = () => session.user?.id ?? ''

const own = createCopy({ scope: 'mine' })
const copies = new Map<string, LogCopy>()

function copyOf(of: Audience): LogCopy {
  if (of.scope === 'mine') return own
  const key = of.userId ?? of.scope
  let copy = copies.get(key)
  if (!copy) {
    copy = createCopy(of)
    copies.set(key, copy)
  }
  return copy
}

let scope = $state.raw<LogScope>({ scope: 'mine' })
/** The logs that the scope is made of. They stay when another is chosen, so that going back to one shows it at once. */
let shown = $state.raw<readonly LogCopy[]>([own])
/** What waits to be sent, as if it were stored. */
let overlay = $state.raw<((stored: LogPayload) => LogPayload) | null>(null)
let hidden = $state.raw<ReadonlySet<number>>(new Set())
const deleted = new Set<number>()
const words = new Resource(async (signal) =>
  unitedWords(await Promise.all(audiencesOf(scope, me()).map((of) => fetchLogWords(of, signal)))),
)
/** The log whose words were requested. */
let wordsOf: LogPayload | undefined
/** Flights that complete later than this are still to come. */
let now = $state(Date.now())

const isReady = $derived(shown.every(({ isKnown }) => isKnown))
const error = $derived(shown.find((copy) => copy.error !== null)?.error ?? null)
const withWaiting = ({ payload: stored }: LogCopy): LogPayload => (overlay ? overlay(stored) : stored)
const ownPayload = $derived(withWaiting(own))
const payload = $derived(unionOf(shown.map(withWaiting)))
/** With one's own records: they are named while a flight is added. */
const records = $derived(scope.scope === 'mine' ? payload : unionOf([ownPayload, payload]))
const all = $derived(flightsOf(payload, now))
const visible = (flights: Flight[]) =>
  hidden.size === 0 ? flights : flights.filter((flight) => !hidden.has(flight.id))
const flights = $derived(visible(all))
const ownFlights = $derived(scope.scope === 'mine' ? flights : visible(flightsOf(ownPayload, now)))
/** Cancelled flights are in the list and count nowhere. */
const counted = $derived(flights.filter(takesPlace))
const travellers = $derived<Travellers>({ scope, me: me(), homes: homes(), today: utcDate(now) })
const journeys = $derived(journeysOf(counted, travellers))
/** The choice of people stays on screens whose addresses do not name it. */
const filters = $derived({ ...fromQuery(route.query), people: peopleText(scope, me()) })
const isCounted = $derived(countedIn(scope, me()))
const searched = $derived({ ...(words.value ?? noWords), cities: i18n.cities })
const filtered = $derived(apply(flights, filters, searched, isCounted))
const unsearched = $derived(apply(flights, { ...filters, q: '' }, searched, isCounted))

/** As people chose them: one's own is among the preferences, those of others come with their logs. */
function homes(): Map<string, number> {
  const chosen = new Map(Object.entries(payload.homes ?? {}))
  const { homeAirportId } = session.preferences
  if (homeAirportId === null) chosen.delete(me())
  else chosen.set(me(), homeAirportId)
  return chosen
}

async function load(): Promise<void> {
  const gone = [...deleted]
  const before = payload
  await Promise.all([...new Set([own, ...shown])].map((copy) => copy.load()))
  if (error === null) showFlights(gone)
  const later = Date.now()
  if (completesBetween(payload, now, later)) now = later
  if (payload !== before && (wordsOf || filters.q)) void loadWords()
}

/** The address names the people on screens that show flights. */
function followAddress(): void {
  if (!showsFlights(route.path)) return
  const people = route.query.get('people') ?? ''
  const wanted = scopeIn(people, me())
  if (peopleText(wanted, me()) === peopleText(scope, me())) return
  shown = audiencesOf(wanted, me()).map(copyOf)
  scope = wanted
  now = Date.now()
  void load()
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
  if (wordsOf === payload || !isReady) return
  wordsOf = payload
  await words.refresh()
  if (words.error !== null) wordsOf = undefined
}

const unitedWords = (loaded: readonly (typeof noWords)[]): typeof noWords => ({
  airports: Object.assign({}, ...loaded.map(({ airports }) => airports)),
  airlines: Object.assign({}, ...loaded.map(({ airlines }) => airlines)),
  aircraft: Object.assign({}, ...loaded.map(({ aircraft }) => aircraft)),
})

export const log = {
  get state(): State {
    if (isReady) return 'ready'
    return error === null ? 'loading' : 'failed'
  },
  get error(): unknown {
    return error
  },
  /** All flights in scope, newest first. */
  get flights(): Flight[] {
    return flights
  },
  /** One's own flights, newest first, whosever are shown. */
  get own(): Flight[] {
    return ownFlights
  },
  /** Whether there is nothing yet to show of oneself: the screens then invite to begin. */
  get isNew(): boolean {
    return isReady && scope.scope === 'mine' && flights.length === 0
  },
  /** Those of them that count: not the cancelled ones. */
  get counted(): Flight[] {
    return counted
  },
  /** The journeys that these flights make up. */
  get journeys(): Journeys {
    return journeys
  },
  /** Whose journeys these are, and where they are at home. */
  get travellers(): Travellers {
    return travellers
  },
  /** The journey of several flights that a flight is part of. */
  journeyWith: (id: number) => journeys.of.get(id),
  /** Flights that match the filters of the URL, newest first. */
  get filtered(): Flight[] {
    return filtered
  },
  /** Flights that match the filters but for the words of the search. */
  get unsearched(): Flight[] {
    return unsearched
  },
  get filters(): Filters {
    return filters
  },
  get scope(): LogScope {
    return scope
  },
  get airports(): LogPayload['airports'] {
    return records.airports
  },
  get airlines(): LogPayload['airlines'] {
    return records.airlines
  },
  get aircraft(): LogPayload['aircraft'] {
    return records.aircraft
  },
  get users(): LogPayload['users'] {
    return records.users
  },
  /** Also one's own flight while those of others are shown. */
  find(id: number): Flight | undefined {
    return flights.find((flight) => flight.id === id) ?? ownFlights.find((flight) => flight.id === id)
  },
  /** Call once, while the page's component is created. */
  start(): void {
    followAddress()
    if (scope.scope === 'mine') void load()
    $effect(() => {
      void route.path
      void route.query
      untrack(followAddress)
    })
    watchForChanges(loadUnlessSignedOut)
  },
  loadWords,
  /** Loads one's own flights as they are stored now; false if that failed. */
  async loadOwn(): Promise<boolean> {
    await own.load()
    return own.error === null
  },
  /** Call after any change on the server. Fetches what changed, and other tabs do too. */
  refresh(): Promise<void> {
    announceChange()
    return load()
  },
}

/** Shows the flights of these people, in a new entry of the browser's history. */
export function showPeople(chosen: LogScope): void {
  navigate(peopleHref(chosen))
}

/** The present screen with the flights of these people. */
export function peopleHref(chosen: LogScope, path = route.path): string {
  const query = new URLSearchParams(route.query)
  const people = peopleText(chosen, me())
  if (people) query.set('people', people)
  else query.delete('people')
  return addressOf(path, query)
}

export function setOverlay(next: ((stored: LogPayload) => LogPayload) | null): void {
  overlay = next
}

/** Changes the query of the URL, which list, map and statistics read. */
export function setFilters(change: Partial<Filters>): void {
  setQuery(withView(toQuery({ ...filters, ...change })))
}

/** Time on the map stays as it is when a filter changes. */
const viewNames = ['time', 'from', 'to', 'night']

function withView(query: URLSearchParams): URLSearchParams {
  for (const [name, value] of route.query) if (viewNames.includes(name)) query.set(name, value)
  return query
}

export function clearFilters(): void {
  setQuery(withView(toQuery({ people: filters.people })))
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

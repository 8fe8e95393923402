/** The log in the browser: kept between visits, in sync with the server, filtered by the query of the URL. */

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
/** The logs of the selected people. They stay when others are selected, so that going back to one shows it immediately. */
let shown = $state.raw<readonly LogCopy[]>([own])
/** Unsent changes as if they were stored. */
let overlay = $state.raw<((stored: LogPayload) => LogPayload) | null>(null)
let hidden = $state.raw<ReadonlySet<number>>(new Set())
const deleted = new Set<number>()
const words = new Resource(async (signal) =>
  unitedWords(await Promise.all(audiencesOf(scope, me()).map((of) => fetchLogWords(of, signal)))),
)
/** The log whose search words were requested. */
let wordsOf: LogPayload | undefined
/** Flights that end later than this are upcoming. */
let now = $state(Date.now())

const isReady = $derived(shown.every(({ isKnown }) => isKnown))
const error = $derived(shown.find((copy) => copy.error !== null)?.error ?? null)
const withWaiting = ({ payload: stored }: LogCopy): LogPayload => (overlay ? overlay(stored) : stored)
const ownPayload = $derived(withWaiting(own))
const payload = $derived(unionOf(shown.map(withWaiting)))
/** Includes one's own records, which are created while adding a flight. */
const records = $derived(scope.scope === 'mine' ? payload : unionOf([ownPayload, payload]))
const all = $derived(flightsOf(payload, now))
const visible = (flights: Flight[]) =>
  hidden.size === 0 ? flights : flights.filter((flight) => !hidden.has(flight.id))
const flights = $derived(visible(all))
const ownFlights = $derived(scope.scope === 'mine' ? flights : visible(flightsOf(ownPayload, now)))
/** Cancelled flights are in the list but are not counted. */
const counted = $derived(flights.filter(takesPlace))
const travellers = $derived<Travellers>({ scope, me: me(), homes: homes(), today: utcDate(now) })
const journeys = $derived(journeysOf(counted, travellers))
/** The selection of people is kept on screens whose addresses do not name it. */
const filters = $derived({ ...fromQuery(route.query), people: peopleText(scope, me()) })
const isCounted = $derived(countedIn(scope, me()))
const searched = $derived({ ...(words.value ?? noWords), cities: i18n.cities })
const filtered = $derived(apply(flights, filters, searched, isCounted))
const unsearched = $derived(apply(flights, { ...filters, q: '' }, searched, isCounted))

/** Home airports that people set: one's own is in the preferences, those of others come with their logs. */
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

/** On screens that show flights, the address names the people. */
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

/** The person decides when to sign in again: until then it sends no requests on its own. */
const loadUnlessSignedOut = () => {
  if (!(error instanceof ApiError && error.status === 401)) void load()
}

/**
 * Names of the log's airports and airlines in other languages, for the search field. Loaded when it is first used; until then,
 * or if loading fails, only the displayed names are searched.
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
  /** One's own log is shown but not there yet: a long one takes seconds on a slow connection. */
  get isArriving(): boolean {
    return own.isArriving && scope.scope === 'mine'
  },
  /** All flights in scope, newest first. */
  get flights(): Flight[] {
    return flights
  },
  /** One's own flights, newest first, no matter whose are shown. */
  get own(): Flight[] {
    return ownFlights
  },
  /** Whether one has no flights yet: the screens then invite to begin. */
  get isNew(): boolean {
    return isReady && scope.scope === 'mine' && flights.length === 0
  },
  /** Those that count: not the cancelled ones. */
  get counted(): Flight[] {
    return counted
  },
  /** The journeys made up of these flights. */
  get journeys(): Journeys {
    return journeys
  },
  /** The people whose journeys these are, and their homes. */
  get travellers(): Travellers {
    return travellers
  },
  /** The journey of several flights that contains a flight. */
  journeyWith: (id: number) => journeys.of.get(id),
  /** Flights that match the filters of the URL, newest first. */
  get filtered(): Flight[] {
    return filtered
  },
  /** Flights that match the filters, ignoring the search words. */
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
  /** Finds one's own flight even while those of others are shown. */
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
  /** Loads one's own flights in their stored state; false if that failed. */
  async loadOwn(): Promise<boolean> {
    await own.load()
    return own.error === null
  },
  /** Call after any change on the server. Fetches changes, in other tabs too. */
  refresh(): Promise<void> {
    announceChange()
    return load()
  },
}

/** Shows the flights of these people, as a new entry in the browser's history. */
export function showPeople(chosen: LogScope): void {
  navigate(peopleHref(chosen))
}

/** The current screen with the flights of these people. */
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

/** The timeline of the map stays as it is when a filter changes. */
const viewNames = ['time', 'from', 'to', 'night']

function withView(query: URLSearchParams): URLSearchParams {
  for (const [name, value] of route.query) if (viewNames.includes(name)) query.set(name, value)
  return query
}

export function clearFilters(): void {
  setQuery(withView(toQuery({ people: filters.people })))
}

/** Hides flights in every view before the server has confirmed their deletion. */
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

/** State of the add and edit form: the draft, resolved times, errors, and the copy in localStorage. */

import { estimatedSeconds } from '../../../../server/domain/flights/duration.ts'
import { distanceKm } from '../../../../server/domain/geo/geo.ts'
import { ApiError } from '../../api/client.ts'
import { explain, explainRefusal } from '../../api/explain.ts'
import { searchAirlines } from '../../api/flights.ts'
import type { Airport, DatePrecision, LocalTime, TimeField, Track } from '../../api/types.ts'
import { timeFields } from '../../api/types.ts'
import { type Errors, problems, warnings } from '../../draft/check.ts'
import { addDays, daysBetween, parseHours } from '../../draft/dates.ts'
import { airportOf, type Draft, departureEnd, unstored } from '../../draft/draft.ts'
import type { Clash, Path } from '../../draft/merge.ts'
import { guessArrivalDate, resolveLocal } from '../../draft/moments.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { today } from '../../lib/fields/typed.ts'
import { plannedSeconds } from '../../log/flight-facts.ts'
import { log } from '../../log/log.svelte.ts'
import { type Outcome, submit } from '../../queue/queue.svelte.ts'
import { type Merge, mergedWithStored } from '../../queue/send.ts'
import { deleteDraft, readDraft, writeDraft } from '../../session/drafts.ts'

const draftName = (id: number | null): string => String(id ?? 'new')

/** The source that filled the form. */
interface Base {
  version: number
  draft: Draft
}

interface StoredDraft {
  draft: Draft
  /** Null if unknown: an earlier version stored only the draft. */
  base: Base | null
}

export function storedDraft(id: number | null): StoredDraft | null {
  const stored = readDraft<StoredDraft | Draft>(draftName(id))
  return stored === null || 'draft' in stored ? stored : { draft: stored, base: null }
}

/** If the draft exceeds the localStorage quota, it is stored without the track, which can be chosen again. */
function store(id: number | null, stored: StoredDraft): void {
  const isWritten = writeDraft(draftName(id), stored)
  if (!isWritten)
    writeDraft(draftName(id), { ...stored, draft: { ...stored.draft, track: { kind: 'none' } } })
}

/** Result of saving: the flight is stored, or the change is queued in this browser. */
export type SavedOutcome = Exclude<Outcome, { is: 'changed' | 'deleted' | 'restored' }>

export class FlightForm {
  readonly id: number | null = null
  draft: Draft = $state() as Draft
  errors: Errors = $state.raw({})
  failure = $state('')
  saving = $state(false)
  readings: Partial<Record<TimeField, LocalTime>> = $state.raw({})
  restored = $state(false)
  /** Fields changed both here and elsewhere; the person chooses, then saves again. */
  clashes: Clash[] = $state.raw([])
  /** Fields changed only elsewhere; their new values are included. */
  taken: Path[] = $state.raw([])
  /** The flight was deleted during editing. */
  gone = $state(false)
  /** A date typed without a year is resolved to the one closest to this day. */
  readonly near: string | undefined
  #pristine: string
  /** The flight that the draft is based on. */
  #base: Base
  /** The newest version of the flight that was read. */
  #read: Base
  /** The flight that is replaced; null if one is created. */
  #target: number | null
  /** The queued change that saving replaces. */
  #waits: { seq: number; madeAt: number } | undefined
  /** The day of arrival and the airline, while they are looked up. */
  #guessing: Promise<unknown> = Promise.resolve()
  /** What changes after saving is in no later copy: it would open as a new flight. */
  #isSaved = false
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * `version` is that of the flight in `initial`, or in `base` if `initial` contains an unsaved change to it. A saved draft of
   * another version is merged when it is sent.
   */
  constructor(
    id: number | null,
    initial: Draft,
    stored: StoredDraft | null,
    version = 0,
    { waits, base = initial }: { waits?: { seq: number; madeAt: number }; base?: Draft } = {},
  ) {
    this.id = id
    this.#target = id
    this.#waits = waits
    this.#pristine = JSON.stringify(initial)
    this.#read = { version, draft: base }
    this.#base = stored?.base ?? this.#read
    const saved = stored?.draft
    this.restored = saved !== undefined && JSON.stringify(saved) !== this.#pristine
    // A draft stored by an earlier version may lack fields.
    this.draft = saved
      ? {
          ...initial,
          ...saved,
          texts: { ...initial.texts, ...saved.texts },
          loaded: saved.loaded ?? initial.loaded,
          unread: saved.unread ?? {},
        }
      : initial
    this.near = initial.date && initial.date !== today() ? initial.date : undefined
  }

  readonly km: number | null = $derived.by(() => {
    const { from, to } = this.draft
    return from && to ? distanceKm(from, to) : null
  })

  /** Seconds between departure and arrival, once the server has resolved both. */
  readonly elapsed: number | null = $derived.by(() => {
    const { departure, arrival } = this.readings
    if (!departure || !arrival || this.draft.datePrecision !== 'day') return null
    return (Date.parse(arrival.instant) - Date.parse(departure.instant)) / 1000
  })

  /** Seconds between the best known times; planned times are better than an estimate. */
  readonly planned: number | null = $derived.by(() => {
    const read = this.readings
    const departs = read.departure ?? read.takeoffActual ?? read.departureScheduled ?? read.takeoffScheduled
    const arrives = read.arrival ?? read.landingActual ?? read.arrivalScheduled ?? read.landingScheduled
    if (!departs || !arrives || this.draft.datePrecision !== 'day') return null
    return plannedSeconds({ departs: Date.parse(departs.instant), arrives: Date.parse(arrives.instant) })
  })

  readonly estimate: number | null = $derived(
    this.km === null || this.km === 0 ? null : estimatedSeconds(this.km, this.draft.aircraft?.class ?? null),
  )

  readonly duration: number | null = $derived.by(() => {
    const typed = parseHours(this.draft.duration)
    return typed === null || Number.isNaN(typed) ? this.elapsed : typed
  })

  readonly warnings: string[] = $derived(
    warnings(
      this.draft,
      this.duration !== null && this.duration > 0 ? this.duration : null,
      this.id === null ? log.own : log.flights,
      this.id,
    ),
  )

  /** Stores the draft in localStorage after a short delay. Call it whenever the draft has changed. */
  scheduleSave(): void {
    const text = JSON.stringify(this.draft)
    clearTimeout(this.#timer)
    if (this.#isSaved) return
    this.#timer = setTimeout(() => this.#saveDraft(text), 250)
  }

  /** Stores the draft without delay, because the page is about to close. */
  saveNow(): void {
    if (this.#timer !== undefined) this.#saveDraft(JSON.stringify(this.draft))
  }

  #saveDraft(text: string): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (text === this.#pristine) deleteDraft(draftName(this.id))
    else store(this.id, { draft: JSON.parse(text) as Draft, base: this.#target === null ? null : this.#base })
  }

  discardCopy(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    deleteDraft(draftName(this.id))
  }

  reset(): void {
    this.discardCopy()
    this.draft = JSON.parse(this.#pristine) as Draft
    this.#base = this.#read
    this.clashes = []
    this.taken = []
    this.restored = false
    this.errors = {}
    this.failure = ''
  }

  /** Text of a field that was not parsed yet; null if there is none. */
  rawOf(field: string): string | null {
    return this.draft.unread[field] ?? null
  }

  setRaw(field: string, text: string | null): void {
    if (text === null) delete this.draft.unread[field]
    else this.draft.unread[field] = text
  }

  setDate(date: string, precision: DatePrecision = this.draft.datePrecision): void {
    const days = this.draft.date && date ? daysBetween(this.draft.date, date) : 0
    for (const field of timeFields) {
      const moment = this.draft.times[field]
      if (moment.date) moment.date = addDays(moment.date, days)
      else if (moment.time) moment.date = date
    }
    this.draft.date = date
    this.draft.datePrecision = precision
    this.setRaw('date', null)
    this.#clear('date')
  }

  /** A time typed without a date gets the day of the flight; the day of arrival is calculated. */
  setTime(field: TimeField, time: string, dayShift: number | null = null): void {
    const moment = this.draft.times[field]
    moment.time = time
    if (!time) {
      moment.date = ''
      this.setRaw(`${field}Date`, null)
    } else if (dayShift !== null && this.draft.date)
      this.setTimeDate(field, addDays(this.draft.date, dayShift))
    else if (!moment.date) moment.date = this.#likelyDate(field)
    this.#clear(field)
    this.#guessArrival()
  }

  setTimeDate(field: TimeField, date: string): void {
    this.draft.times[field].date = date
    if (field === 'arrival') this.draft.arrivalDateChosen = true
    this.setRaw(`${field}Date`, null)
    this.#clear(`${field}Date`)
  }

  #likelyDate(field: TimeField): string {
    const near = departureEnd.includes(field)
      ? this.draft.times.departure.date
      : this.draft.times.arrival.date
    return near || this.draft.date
  }

  swap(): void {
    const { from, to } = this.draft
    this.draft.from = to
    this.draft.to = from
    this.#guessArrival()
  }

  setAirport(end: 'from' | 'to', airport: Airport | null): void {
    this.draft[end] = airport
    this.#clear(end === 'from' ? 'fromId' : 'toId')
    this.#guessArrival()
  }

  #clear(path: string): void {
    if (!(path in this.errors)) return
    const { [path]: _gone, ...rest } = this.errors
    this.errors = rest
  }

  #guessArrival(): void {
    this.#saveAwaits(this.#guessArrivalDate())
  }

  #saveAwaits(guess: Promise<void>): Promise<void> {
    this.#guessing = Promise.all([this.#guessing, guess])
    return guess
  }

  async #guessArrivalDate(): Promise<void> {
    const { from, to, times, arrivalDateChosen } = this.draft
    if (arrivalDateChosen || !from || !to || !times.departure.time || !times.arrival.time) return
    const departure = {
      airportId: from.id,
      local: `${times.departure.date || this.draft.date}T${times.departure.time}`,
      zone: from.timezone,
    }
    const arrival = { airportId: to.id, time: times.arrival.time, zone: to.timezone }
    try {
      const date = await guessArrivalDate(departure, arrival, this.estimate ?? 3600)
      if (!this.draft.arrivalDateChosen && this.draft.times.arrival.time === arrival.time)
        this.draft.times.arrival.date = date
    } catch {
      // Offline, or an incomplete date: the person can still set the day.
    }
  }

  /** Resolves the typed times on the server. Reads all its dependencies before the first await, so that an effect tracks them. */
  read(): void {
    const wanted = timeFields.flatMap((field) => {
      const moment = this.draft.times[field]
      const airport = airportOf(this.draft, field)
      return moment.time && moment.date && airport
        ? [{ field, airport, local: `${moment.date}T${moment.time}` }]
        : []
    })
    void Promise.all(
      wanted.map(({ field, airport, local }) =>
        resolveLocal(airport.id, local, airport.timezone).then(
          (reading) => [field, reading] as const,
          () => null,
        ),
      ),
    ).then((found) => {
      this.readings = Object.fromEntries(found.filter((entry) => entry !== null))
    })
  }

  /** Sets the airline from a flight number such as `SK1417`, if none is chosen. */
  airlineFromNumber(): Promise<void> {
    return this.#saveAwaits(this.#findAirline())
  }

  async #findAirline(): Promise<void> {
    const code = /^([A-Z0-9]{2}|[A-Z]{3})\s?\d{1,4}[A-Z]?$/.exec(
      this.draft.texts.flightNumber.trim().toUpperCase(),
    )?.[1]
    if (!code || this.draft.airline) return
    const found = await searchAirlines(code).catch(() => [])
    const exact = found.find((airline) => airline.iata === code || airline.icao === code)
    if (exact && !this.draft.airline) this.draft.airline = exact
  }

  /** `readEntries` parses text that is still in the fields; false if some of it cannot be parsed. */
  async save(readEntries: () => Promise<boolean>): Promise<SavedOutcome | null> {
    this.saving = true
    this.failure = ''
    try {
      const allRead = await readEntries()
      this.errors = problems(this.draft)
      if (!allRead || Object.keys(this.errors).length > 0) {
        this.failure = t('form.fix')
        return null
      }
      // The day of an arrival or the airline of a number that was just typed may not be known yet.
      await this.#guessing
      const saved = await this.#send()
      this.#isSaved = saved !== null
      if (saved) this.discardCopy()
      else this.#saveDraft(JSON.stringify(this.draft))
      return saved
    } catch (error) {
      this.#saveDraft(JSON.stringify(this.draft))
      this.#report(error)
      return null
    } finally {
      this.saving = false
    }
  }

  /** Version of the flight that the draft was last compared with; 0 for a new one. */
  get version(): number {
    return this.#target === null ? 0 : this.#base.version
  }

  /** Null if the person has to choose values first. */
  async #send(): Promise<SavedOutcome | null> {
    const draft = $state.snapshot(this.draft) as Draft
    const id = this.#target
    const outcome = await submit(
      id === null
        ? { kind: 'create', draft, input: null }
        : { kind: 'edit', flight: { id, version: this.#base.version }, base: this.#base.draft, draft },
      // The queue has the change now. A second copy here would be saved twice if the tab is closed.
      { replaces: this.#waits?.seq, shownAt: this.#waits?.madeAt, onkept: () => this.discardCopy() },
    )
    if (outcome.is === 'saved') this.taken = [...this.taken, ...outcome.taken]
    if (outcome.is === 'changed') this.#takeOver(outcome.merge)
    return outcome.is === 'saved' || outcome.is === 'waiting' ? outcome : null
  }

  /** Adopts changes made elsewhere since the form was filled; for fields that were changed here too, the person chooses. */
  #takeOver({ stored, base, draft, clashes, taken }: Merge): void {
    this.#read = { version: stored.version, draft: base }
    this.#base = this.#read
    this.#pristine = JSON.stringify(base)
    this.draft = draft
    this.clashes = clashes
    this.taken = [...this.taken, ...taken]
  }

  /** For a queued change that the server refused because the flight has changed. */
  async compare(base: Base): Promise<void> {
    const stored = { id: this.#target ?? 0, version: base.version }
    const draft = $state.snapshot(this.draft) as Draft
    try {
      this.#takeOver(await mergedWithStored({ stored, base: base.draft, draft, taken: [] }))
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
      this.gone = true
    }
  }

  /** The flight was deleted: the next save creates one. */
  becomeNew(track: Track | null): void {
    this.draft = unstored($state.snapshot(this.draft) as Draft, track)
    this.#target = null
    this.gone = false
  }

  #report(error: unknown): void {
    if (!(error instanceof ApiError)) throw error
    if (error.offline) {
      this.failure = explain(error)
      return
    }
    if (error.status === 404 && this.#target !== null) {
      this.gone = true
      return
    }
    const known: Errors = {}
    for (const detail of error.details) known[detail.path.join('.')] ??= explainRefusal(detail)
    this.errors = known
    this.failure = error.details.length > 0 ? t('form.fix') : explain(error)
  }
}

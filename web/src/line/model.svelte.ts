/** What the line understands while typing, and the actions on it. Nothing is requested per key. */

import { openLineData } from '../../../server/domain/entry/line/data.ts'
import { legsOf } from '../../../server/domain/entry/line/legs.ts'
import { rememberLog, routeKey } from '../../../server/domain/entry/line/memory.ts'
import { withOffers } from '../../../server/domain/entry/line/offers.ts'
import { readLine } from '../../../server/domain/entry/line/read.ts'
import type {
  Alternative,
  Chosen,
  LineDraft,
  LineFlight,
  LinePart,
  LinePerson,
  LineReading,
} from '../../../server/domain/entry/line/types.ts'
import { returnOf, type WayBack } from '../../../server/domain/entry/repeat.ts'
import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import { isLikelyDuplicate } from '../../../server/domain/flights/plausibility.ts'
import {
  type BoardingPass,
  isPassText,
  readBoardingPass,
} from '../../../server/domain/imports/boarding-pass.ts'
import { explain } from '../api/explain.ts'
import { listUsers } from '../api/flights.ts'
import type { Flight } from '../api/log.ts'
import type { DirectoryUser } from '../api/types.ts'
import { addDays } from '../draft/dates.ts'
import type { LookupRow } from '../draft/lookup.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { hasFeature, loadFeatures } from '../lib/features.svelte.ts'
import { today } from '../lib/fields/typed.ts'
import { airportCode, dateOrder } from '../lib/format.ts'
import { Resource } from '../lib/resource.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { withArrivalDay } from '../queue/send.ts'
import { may, session } from '../session/session.svelte.ts'
import { formDraftOf } from './draft.ts'
import { lineFile } from './file.ts'
import { openInForm } from './form.ts'
import { closeLine, endLine, line, typeLine } from './line.svelte.ts'
import { openPass } from './pass.ts'
import { lookUp, providedOffers } from './provided.ts'
import { aircraftOf, airlineOf, airportOf, withLog } from './reference.ts'
import { saveFlights } from './save.ts'
import { draftWarning } from './times.ts'
import { type DashedOffer, type Lookup, typedOffer } from './words.ts'

/** The chosen meaning and the rejected ones. */
interface Choice extends Chosen {
  instead: Alternative[]
}

const isSame = (a: Alternative, b: Alternative): boolean =>
  a.kind === b.kind && JSON.stringify(a.sets) === JSON.stringify(b.sets)

/** A choice can be changed again. */
function withWayBack(part: LinePart, chosen: readonly Choice[]): LinePart {
  const choice = chosen.find((one) => one.start === part.start && one.text === part.text && isSame(one, part))
  return choice ? { ...part, alternatives: choice.instead } : part
}

/** A flight number is typed digit by digit. */
const LOOK_UP_AFTER_MS = 600

const nothing: LineReading = { parts: [], draft: {}, offers: [], missing: ['date', 'from', 'to'] }

function lineFlight(flight: Flight): LineFlight {
  const own = flight.passengers.find(({ user }) => user === session.user?.id)
  return {
    date: flight.date,
    flightNumber: flight.flightNumber,
    fromId: flight.from?.id ?? null,
    // For a diverted flight, suggests where that number usually lands.
    toId: flight.plannedTo ?? flight.to?.id ?? null,
    airlineId: flight.airline?.id ?? null,
    aircraftId: flight.aircraft?.id ?? null,
    departure: flight.departureLocal?.slice(11, 16) ?? null,
    arrival: flight.arrivalLocal?.slice(11, 16) ?? null,
    dayShift: flight.dayShift,
    seat: own?.seat ?? null,
    seatNumber: own?.seatNumber ?? null,
    seatClass: own?.seatClass ?? null,
    reason: own?.reason ?? null,
  }
}

/** Everyone who may be on board: accounts of this instance, then people in the log, then guests of earlier flights. */
function peopleOf(flights: readonly Flight[], directory: readonly DirectoryUser[]): LinePerson[] {
  const known = new Map<string, LinePerson>()
  for (const { id, displayName, username } of directory)
    known.set(id, { userId: id, name: displayName, username })
  for (const { passengers } of flights)
    for (const { user, guest } of passengers) {
      const name = user ? log.users[user]?.displayName : guest
      if (name && !known.has(user ?? name)) known.set(user ?? name, { userId: user, name })
    }
  known.delete(session.user?.id ?? '')
  return [...known.values()]
}

export class LineModel {
  failure = $state('')
  isSaving = $state(false)
  /** The similar flight found after the first Enter. */
  twin: Flight | null = $state.raw(null)
  /** Enter was pressed while something was missing. */
  isAsked = $state(false)
  /** Problems with the times, checked when typing pauses. */
  warning = $state('')
  /** Start of the part whose text was restored for editing. */
  reopened: number | null = $state(null)
  #chosen: Choice[] = $state.raw([])
  readonly #directory = new Resource(listUsers)

  readonly history: readonly Flight[] = $derived(log.own)
  readonly #file = $derived(lineFile.value && openLineData(lineFile.value))
  readonly #reference = $derived(this.#file && withLog(this.#file, Object.values(log.airports)))
  readonly #memory = $derived(
    rememberLog(
      this.history.filter(takesPlace).map(lineFlight),
      peopleOf(this.history, this.#directory.value ?? []),
      session.preferences.homeAirportId,
    ),
  )
  /** The text is that of a boarding pass, which has a screen of its own. */
  readonly pass: BoardingPass | null = $derived.by(() => {
    const read = isPassText(line.text) ? readBoardingPass(line.text, today()) : null
    return read && !('refused' in read) ? read : null
  })
  readonly reading: LineReading = $derived.by(() => {
    if (!this.#reference || line.text.trim() === '' || this.pass) return nothing
    const calendar = { today: today(), order: dateOrder() }
    return readLine(line.text, { reference: this.#reference, memory: this.#memory, calendar }, this.#chosen)
  })
  readonly parts: LinePart[] = $derived(
    this.reading.parts.filter(({ kind }) => kind !== 'joint').map((part) => withWayBack(part, this.#chosen)),
  )
  /** Rows from a provider for the number and day of the line. */
  provided: LookupRow[] = $state.raw([])
  /** Solid chips: what is saved. */
  readonly draft: LineDraft = $derived(
    withOffers(
      this.reading.draft,
      this.reading.offers.filter(({ isNeeded }) => isNeeded),
    ),
  )
  /** Dashed chips: suggested, saved only if accepted. A provider knows the flight of that day, the log only earlier ones. */
  readonly offers: DashedOffer[] = $derived.by(() => {
    const provided = providedOffers(this.provided, this.draft).filter(({ sets }) => this.#isKnown(sets))
    const own = this.reading.offers
      .filter(({ isNeeded, kind }) => !isNeeded && !provided.some((other) => other.kind === kind))
      .map((offer): DashedOffer => ({ ...offer, by: null }))
    return [...provided, ...own]
  })
  /** One for each flight of the line. */
  readonly legs: LineDraft[] = $derived(legsOf(this.draft))
  readonly isComplete: boolean = $derived(this.reading.missing.length === 0 && !this.reading.problem)
  readonly isEmpty: boolean = $derived(line.text.trim() === '')
  /** How often and when it was last flown before. */
  readonly before: { times: number; date: string } | null = $derived.by(() => {
    const { flightNumber, fromId, toId } = this.draft
    if (fromId === undefined || toId === undefined) return null
    const number = flightNumber ? this.#memory.byNumber.get(flightNumber) : undefined
    const isOnRoute = number?.last.fromId === fromId && number.last.toId === toId
    const found = isOnRoute ? number : this.#memory.byRoute.get(routeKey(fromId, toId))
    return found ? { times: found.times, date: found.last.date } : null
  })
  readonly back: WayBack | null = $derived.by(() => {
    const { date, datePrecision, fromId, toId, airlineId, flightNumber } = this.draft
    if (!date || datePrecision || this.legs.length > 1) return null
    if (fromId === undefined || toId === undefined) return null
    const flight = {
      id: 0,
      date,
      datePrecision: 'day',
      from: { id: fromId },
      to: { id: toId },
      airline: airlineId === undefined ? null : { id: airlineId },
      flightNumber: flightNumber ?? null,
    } as const
    return returnOf(flight, this.history)
  })

  readonly lookup: Lookup = {
    airport: (id) => {
      const found = id == null ? undefined : this.#reference?.airports.byId.get(id)
      return id == null ? null : (log.airports[id] ?? (found ? airportOf(found) : null))
    },
    airline: (id) => {
      const found = id == null ? undefined : this.#reference?.airlines.byId.get(id)
      return id == null ? null : (log.airlines[id] ?? (found ? airlineOf(found) : null))
    },
    aircraft: (id) => {
      const found = id == null ? undefined : this.#reference?.aircraft.byId.get(id)
      return id == null ? null : (log.aircraft[id] ?? (found ? aircraftOf(found) : null))
    },
  }

  /** Whether its places and types can be written as text. */
  #isKnown({ fromId, toId, aircraftId }: LineDraft): boolean {
    const ends = [fromId, toId].every((id) => id === undefined || this.lookup.airport(id) !== null)
    return ends && (aircraftId === undefined || this.lookup.aircraft(aircraftId) !== null)
  }

  /** Requests what a provider knows, once per number and day. Returns a function that makes a late response be ignored. */
  lookUp(): () => void {
    const { flightNumber, date, datePrecision } = this.draft
    let isCurrent = true
    const take = (rows: LookupRow[]) => {
      if (isCurrent) this.provided = rows
    }
    const timer = setTimeout(() => {
      // If a provider does not respond, nothing is suggested; that is not an error of the line.
      if (flightNumber && date && !datePrecision && hasFeature('flight-lookup'))
        lookUp(flightNumber, date).then(take, () => take([]))
      else take([])
    }, LOOK_UP_AFTER_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }

  /** Checks the times when typing pauses. Returns a function that makes a late result be ignored. */
  checkTimes(): () => void {
    const draft = formDraftOf(this.draft, this.lookup, today())
    let isCurrent = true
    const say = (warning: string) => {
      if (isCurrent) this.warning = warning
    }
    const timer = setTimeout(() => draftWarning(draft).then(say, () => say('')), LOOK_UP_AFTER_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }

  load(): void {
    void loadFeatures()
    void lineFile.need()
    if (may('users.directory.read')) void this.#directory.need()
  }

  /** The file of airports could not be loaded. */
  get isUnavailable(): boolean {
    return lineFile.state === 'failed'
  }

  /** A short label for the flight: its number, otherwise its route. */
  readonly name: string = $derived.by(() => {
    const { flightNumber, fromId, toId } = this.draft
    return (
      flightNumber ?? `${airportCode(this.lookup.airport(fromId))}–${airportCode(this.lookup.airport(toId))}`
    )
  })

  type(text: string): void {
    this.#chosen = moved(this.#chosen, line.text, text)
    this.twin = null
    this.isAsked = false
    this.failure = ''
    this.reopened = null
    typeLine(text)
  }

  choose(part: LinePart, { kind, sets }: Alternative): void {
    const { start, text } = part
    const all = [{ kind: part.kind, sets: part.sets }, ...part.alternatives]
    const instead = all.filter((one) => !isSame(one, { kind, sets }))
    const others = this.#chosen.filter((one) => one.start !== start)
    this.#chosen = [...others, { start, text, kind, sets, instead }]
    this.twin = null
  }

  /** Inserts the suggestions as text. Names go to the end of the line, so that no word after them is read as part of a name. */
  take(offers: readonly DashedOffer[]): void {
    const typed = offers.map((offer) => typedOffer(offer, this.lookup)).join(' ')
    const people = this.reading.parts.find(({ kind }) => kind === 'people')
    const at = people ? people.start : line.text.length
    const [head, tail] = [line.text.slice(0, at).trimEnd(), line.text.slice(at)]
    this.type([head, typed, tail].filter(Boolean).join(' '))
  }

  /** Appends words, such as a day. */
  add(words: string): void {
    this.type(`${[line.text.trim(), words].filter(Boolean).join(' ')} `)
  }

  #findTwin({ date = '', fromId, toId, flightNumber }: LineDraft): Flight | null {
    const wanted = { date, fromId: fromId ?? null, toId: toId ?? null, flightNumber }
    const comparable = (flight: Flight) => ({
      date: flight.date,
      fromId: flight.from?.id ?? null,
      toId: flight.to?.id ?? null,
      flightNumber: flight.flightNumber,
    })
    return (
      this.history.find((flight) => takesPlace(flight) && isLikelyDuplicate(comparable(flight), wanted)) ??
      null
    )
  }

  /** The return flight as a draft; null unless the history suggests the length of the stay. */
  readonly backDraft: LineDraft | null = $derived.by(() => {
    const { date, people, seatClass, flightReason } = this.draft
    if (!date || !this.back || this.back.stayDays === null) return null
    const { fromId, toId, airlineId, flightNumber, stayDays } = this.back
    return {
      date: addDays(date, stayDays),
      ...(fromId !== null && { fromId }),
      ...(toId !== null && { toId }),
      ...(airlineId !== null && { airlineId }),
      ...(flightNumber !== null && { flightNumber }),
      ...(people && { people }),
      ...(seatClass && { seatClass }),
      ...(flightReason && { flightReason }),
    }
  })

  async save({ withReturn = false, anyway = false } = {}): Promise<void> {
    if (this.isSaving) return
    if (this.pass) return this.openPass()
    if (!this.isComplete) {
      this.isAsked = true
      return
    }
    this.twin = anyway ? null : (this.legs.map((leg) => this.#findTwin(leg)).find(Boolean) ?? null)
    if (this.twin) return
    this.isSaving = true
    this.failure = ''
    try {
      const drafts = [...this.legs, ...(withReturn && this.backDraft ? [this.backDraft] : [])]
      await saveFlights(
        drafts.map((draft) => ({
          name: nameOf(draft, this.lookup),
          draft: formDraftOf(draft, this.lookup, today()),
        })),
        withReturn && !this.backDraft && this.legs.length === 1,
      )
    } catch (error) {
      this.failure = explain(error)
    } finally {
      this.isSaving = false
    }
  }

  openPass(): void {
    const { pass } = this
    endLine()
    if (pass) openPass(pass)
  }

  /** Everything understood, in the form; the rest is in the note. */
  async openForm(): Promise<void> {
    if (this.pass) return this.openPass()
    const draft = formDraftOf(this.legs[0]!, this.lookup, today())
    const whole = await withArrivalDay(draft).catch(() => draft)
    closeLine()
    openInForm(whole)
  }
}

function nameOf({ flightNumber, fromId, toId }: LineDraft, { airport }: Lookup): string {
  return (
    flightNumber ?? t('flights.to', { from: airportCode(airport(fromId)), to: airportCode(airport(toId)) })
  )
}

/** Choices stay with their words while other text is edited. */
function moved(chosen: Choice[], before: string, after: string): Choice[] {
  let same = 0
  while (same < before.length && same < after.length && before[same] === after[same]) same++
  const by = after.length - before.length
  return chosen.map((one) => (one.start >= same ? { ...one, start: one.start + by } : one))
}

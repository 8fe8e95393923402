/**
 * A flight that two people, or two tabs, edited at the same time: a field changed by one side is merged automatically, a field
 * changed by both is a clash. Pure; works on drafts, so a field added to the draft is merged without a change here.
 */

import type { Draft, PassengerDraft } from './draft.ts'

/** Path of a value in a draft; a passenger is named by its key. `date` stands for the date and its precision. */
export type Path = readonly string[]

export interface Clash {
  path: Path
  mine: unknown
  theirs: unknown
}

interface Merged {
  draft: Draft
  /** Fields that both sides changed differently. The draft has this form's value. */
  clashes: Clash[]
  /** Changes adopted from the other side, to be shown. */
  taken: Path[]
}

/** `base` is what the form was filled from, `theirs` the flight as it is stored now. */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): Merged {
  const merge = new Merge()
  const values = merge.record([], valuesOf(base), valuesOf(mine), valuesOf(theirs))
  const { date, ...others } = values as ReturnType<typeof valuesOf>
  const draft = {
    ...others,
    ...date,
    times: merge.record(['times'], base.times, mine.times, theirs.times),
    texts: merge.record(['texts'], base.texts, mine.texts, theirs.texts),
    customFields: merge.record(['customFields'], base.customFields, mine.customFields, theirs.customFields),
    passengers: merge.passengers(base.passengers, mine.passengers, theirs.passengers),
    // From the stored flight, so that unedited values are sent back unchanged.
    loaded: theirs.loaded,
    arrivalDateChosen: true,
    unread: mine.unread,
  } as Draft
  return { draft, clashes: merge.clashes, taken: merge.taken }
}

/** Chooses one side of a clash. */
export function choose(draft: Draft, { path, ...sides }: Clash, side: 'mine' | 'theirs'): void {
  const value = copy(sides[side])
  const [name, key, ...rest] = path
  if (name === 'date') Object.assign(draft, value)
  else if (name === 'passengers') choosePassenger(draft, key!, rest, value)
  else if (key === undefined) (draft as unknown as Values)[name!] = value
  else ((draft as unknown as Values)[name!] as Values)[key] = value
}

/** The side whose value the draft has; undefined after the field was edited further. */
export function chosenSide(draft: Draft, { path, mine, theirs }: Clash): 'mine' | 'theirs' | undefined {
  const value = valueAt(draft, path)
  if (isSame(value, mine)) return 'mine'
  return isSame(value, theirs) ? 'theirs' : undefined
}

export function valueAt(draft: Draft, path: Path): unknown {
  const [name, key, ...rest] = path
  if (name === 'date') return valuesOf(draft).date
  let value = (draft as unknown as Values)[name!]
  if (name === 'passengers') value = draft.passengers.find((one) => one.key === key)
  else if (key !== undefined) value = (value as Values)[key]
  for (const part of rest) value = (value as Values | undefined)?.[part]
  return value
}

type Values = Record<string, unknown>

/** Values that are merged as a unit. */
function valuesOf(draft: Draft) {
  const { loaded, unread, arrivalDateChosen, times, texts, customFields, passengers, ...rest } = draft
  const { date, datePrecision, ...values } = rest
  return { ...values, date: { date, datePrecision } }
}

class Merge {
  readonly clashes: Clash[] = []
  readonly taken: Path[] = []

  record(at: Path, base: object, mine: object, theirs: object): Values {
    const [b, m, t] = [base as Values, mine as Values, theirs as Values]
    const merged: Values = {}
    for (const name of new Set([b, m, t].flatMap(Object.keys))) {
      const value = this.#value([...at, name], b[name], m[name], t[name])
      if (value !== undefined) merged[name] = value
    }
    return merged
  }

  #value(path: Path, base: unknown, mine: unknown, theirs: unknown): unknown {
    if (isSame(mine, theirs)) return theirs
    if (isSame(base, theirs)) return mine
    if (isSame(base, mine)) this.taken.push(path)
    else this.clashes.push({ path, mine, theirs })
    return isSame(base, mine) ? theirs : mine
  }

  /** In the order of this form, then those that the other side added. */
  passengers(base: PassengerDraft[], mine: PassengerDraft[], theirs: PassengerDraft[]): PassengerDraft[] {
    const stored = new Set(base.map(({ id }) => id))
    const [before, here, there] = [base, mine, theirs].map((list) => byIdentity(list, stored))
    return [...new Map([...here!, ...there!, ...before!]).keys()].flatMap(
      (who) => this.#passenger(before!.get(who), here!.get(who), there!.get(who)) ?? [],
    )
  }

  #passenger(
    base: PassengerDraft | undefined,
    mine: PassengerDraft | undefined,
    theirs: PassengerDraft | undefined,
  ): PassengerDraft | undefined {
    if (mine && theirs) return this.#fields(base ?? blankLike(theirs), mine, theirs)
    const left = mine ?? theirs
    if (!left) return undefined
    if (!base) {
      if (theirs) this.taken.push(['passengers', theirs.key])
      return left
    }
    // One side removed the passenger. If the other side did not edit them, they stay removed.
    if (isSame(withoutIdentity(base), withoutIdentity(left))) {
      if (mine) this.taken.push(['passengers', mine.key])
      return undefined
    }
    const added = mine && withoutIdentity(mine)
    this.clashes.push({ path: ['passengers', left.key], mine: added, theirs })
    return added
  }

  #fields(base: PassengerDraft, mine: PassengerDraft, theirs: PassengerDraft): PassengerDraft {
    const at = ['passengers', mine.key]
    const fields = this.record(at, fieldsOf(base), fieldsOf(mine), fieldsOf(theirs))
    const values = [base, mine, theirs].map(({ customFields }) => customFields) as [Values, Values, Values]
    const customFields = this.record([...at, 'customFields'], ...values)
    // The stored identity and spelling, with the key that the form already uses.
    return { ...theirs, ...fields, customFields, key: mine.key }
  }
}

/** A passenger's editable values, apart from custom fields. */
function fieldsOf({ key, id, loadedSeatNumber, customFields, ...fields }: PassengerDraft) {
  return fields
}

/** As an unsaved passenger; the server no longer knows the id of a removed one. */
function withoutIdentity({ id, loadedSeatNumber, ...one }: PassengerDraft): PassengerDraft {
  return one
}

/** Both sides added the same person. */
const blankLike = (one: PassengerDraft): PassengerDraft => ({
  ...one,
  seat: '',
  seatNumber: '',
  seatClass: '',
  flightReason: '',
  customFields: {},
})

/** A stored passenger is identified by id, one added since by the person; guests may share a name. */
function byIdentity(passengers: PassengerDraft[], stored: ReadonlySet<number | undefined>) {
  const found = new Map<string, PassengerDraft>()
  for (const one of passengers) {
    const who = one.id !== undefined && stored.has(one.id) ? `#${one.id}` : `${one.userId} ${one.guestName}`
    let name = who
    for (let twin = 2; found.has(name); twin++) name = `${who} ${twin}`
    found.set(name, one)
  }
  return found
}

function choosePassenger(draft: Draft, key: string, path: Path, value: unknown): void {
  const index = draft.passengers.findIndex((one) => one.key === key)
  if (path.length > 0) {
    const one = draft.passengers[index] as unknown as Values | undefined
    const target = path.length > 1 ? (one?.['customFields'] as Values | undefined) : one
    if (target) target[path.at(-1)!] = value
    return
  }
  if (index >= 0) draft.passengers.splice(index, 1)
  if (value) draft.passengers.splice(index >= 0 ? index : draft.passengers.length, 0, value as PassengerDraft)
}

const copy = <Value>(value: Value): Value =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value)

/** Two values are equal if a person would say so: records by id, times as displayed. */
function isSame(a: unknown, b: unknown): boolean {
  return isMoment(a) && isMoment(b) ? isSameMoment(a, b) : comparable(a) === comparable(b)
}

type Moment = Draft['times'][keyof Draft['times']]
const isMoment = (value: unknown): value is Moment =>
  typeof value === 'object' && value !== null && 'kept' in value

/** Unedited times are compared including their seconds, which are not displayed. */
function isSameMoment(a: Moment, b: Moment): boolean {
  if (a.date !== b.date || a.time !== b.time) return false
  const [first, second] = [instantOf(a), instantOf(b)]
  return first === undefined || second === undefined || first === second
}

const instantOf = ({ date, time, kept }: Moment): number | undefined =>
  kept?.date === date && kept.time === time ? Date.parse(kept.text) : undefined

function comparable(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value !== 'object') return JSON.stringify(value)
  if ('kind' in value) return trackText(value as Draft['track'])
  if ('key' in value) return JSON.stringify({ ...value, key: '' })
  return 'id' in value ? `#${value.id}` : JSON.stringify(value)
}

/** A track marked for removal equals no track. */
function trackText(track: Draft['track']): string {
  if (track.kind === 'none' || track.kind === 'removed') return ''
  return track.kind === 'stored' ? track.summary.updatedAt : JSON.stringify(track.track.coordinates)
}

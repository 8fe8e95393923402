/** What was understood, as text for chips, rows and screen readers. */

import { isUsual } from '../../../server/domain/entry/line/offers.ts'
import type {
  Alternative,
  LineDraft,
  LinePart,
  Offer,
  PartKind,
} from '../../../server/domain/entry/line/types.ts'
import type { Aircraft, Airline, Airport } from '../api/types.ts'
import { i18n, t } from '../i18n/i18n.svelte.ts'
import {
  airportCity,
  airportCode,
  formatDate,
  formatDay,
  formatDayShift,
  formatTime,
  formatWeekday,
} from '../lib/format.ts'
import type { IconName } from '../lib/marks/icons.ts'
import { classWord } from './repeat.ts'

/** The records that the ids of a draft refer to. */
export interface Lookup {
  airport: (id: number | null | undefined) => Airport | null
  airline: (id: number | null | undefined) => Airline | null
  aircraft: (id: number | null | undefined) => Aircraft | null
}

/** The token for a kind's colour. Colour is never the only sign: every chip has an icon and its kind as text. */
type Tone = 'c1' | 'c3' | 'c4' | 'c5' | 'c6' | 'note'

const looks: Record<PartKind, { tone: Tone; icon: IconName }> = {
  flight: { tone: 'c1', icon: 'plane' },
  date: { tone: 'c3', icon: 'calendar' },
  time: { tone: 'c6', icon: 'clock' },
  from: { tone: 'c6', icon: 'globe' },
  to: { tone: 'c6', icon: 'globe' },
  route: { tone: 'c6', icon: 'globe' },
  airline: { tone: 'c6', icon: 'tag' },
  aircraft: { tone: 'c6', icon: 'plane' },
  registration: { tone: 'c6', icon: 'plane' },
  seatNumber: { tone: 'c4', icon: 'seat' },
  seat: { tone: 'c4', icon: 'seat' },
  seatClass: { tone: 'c6', icon: 'tag' },
  reason: { tone: 'c6', icon: 'box' },
  outcome: { tone: 'c6', icon: 'flag' },
  terminal: { tone: 'c6', icon: 'flag' },
  gate: { tone: 'c6', icon: 'flag' },
  people: { tone: 'c5', icon: 'user' },
  joint: { tone: 'c6', icon: 'link' },
  note: { tone: 'note', icon: 'note' },
}

/** Words of which the person has to choose a meaning. */
export const isChoice = ({ kind, sets, alternatives }: LinePart): boolean =>
  kind !== 'note' && alternatives.length > 0 && Object.keys(sets).length === 0

export const toneOf = (part: LinePart): Tone => (isChoice(part) ? 'note' : looks[part.kind].tone)
export const iconOf = (kind: PartKind): IconName => looks[kind].icon

interface Words {
  label: string
  detail: string
}
const words = (label: string, detail = ''): Words => ({ label, detail })

function timeWords({ departure, arrival }: LineDraft): string {
  const shift = arrival?.dayShift ? ` ${formatDayShift(arrival.dayShift)}` : ''
  const end = arrival ? `${formatTime(arrival.time)}${shift}` : ''
  if (departure && end) return `${formatTime(departure)} – ${end}`
  return departure ? t('line.departs', { time: formatTime(departure) }) : t('line.arrives', { time: end })
}

const place = (airport: Airport | null): Words => words(airportCode(airport), airportCity(airport))
const titled = (name: string, value: string | undefined): Words => words(`${name} ${value ?? ''}`.trim())

const makers: Record<PartKind, (sets: LineDraft, lookup: Lookup) => Words> = {
  flight: (sets, { airline }) => words(sets.flightNumber ?? '', airline(sets.airlineId)?.name),
  date: ({ date = '', datePrecision }) =>
    words(datePrecision ? formatDate(date, datePrecision) : `${formatWeekday(date)} ${formatDate(date)}`),
  time: (sets) => words(timeWords(sets)),
  from: (sets, { airport }) => place(airport(sets.fromId)),
  to: (sets, { airport }) => place(airport(sets.toId)),
  route: ({ fromId, viaIds = [], toId }, { airport }) =>
    words([fromId, ...viaIds, toId].map((id) => airportCode(airport(id))).join('–')),
  airline: (sets, { airline }) => words(airline(sets.airlineId)?.name ?? ''),
  aircraft: (sets, { aircraft }) => words(aircraft(sets.aircraftId)?.name ?? ''),
  registration: ({ aircraftReg = '' }) => words(aircraftReg),
  seatNumber: ({ seatNumber = '', seat }) =>
    words(seatNumber, seat && t(`seat.${seat}`).toLocaleLowerCase(i18n.tag)),
  seat: ({ seat }) => words(seat ? t(`seat.${seat}`) : ''),
  seatClass: ({ seatClass }) => words(seatClass ? t(`class.${seatClass}`) : ''),
  reason: ({ flightReason }) => words(flightReason ? t(`reason.${flightReason}`) : ''),
  outcome: ({ outcome }) => words(outcome ? t(`outcome.${outcome}`) : ''),
  terminal: (sets) => titled(t('flight.terminal'), sets.departureTerminal ?? sets.arrivalTerminal),
  gate: (sets) => titled(t('flight.gate'), sets.departureGate ?? sets.arrivalGate),
  people: ({ people = [] }) => words(people.map(({ name }) => name).join(', ')),
  joint: () => words(''),
  note: ({ note = '' }) => words(t('line.note', { text: note })),
}

export const meaningOf = ({ kind, sets }: Alternative, lookup: Lookup): Words => makers[kind](sets, lookup)

export const chipOf = (part: LinePart, lookup: Lookup): Words =>
  isChoice(part) ? words(`${part.text}?`) : meaningOf(part, lookup)

/** The other meaning that can be chosen with one press: another year, or the place a misspelt word is close to. */
export function otherOf(
  { kind, sets, alternatives }: LinePart,
  lookup: Lookup,
): { text: string; alternative: Alternative } | null {
  const [first] = alternatives
  if (first?.isNear) {
    const { label, detail } = meaningOf(first, lookup)
    return { text: t('line.didYouMean', { name: `${detail} ${label}`.trim() }), alternative: first }
  }
  if (kind !== 'date' || !first?.sets.date || !sets.date) return null
  return { text: t('line.or', { other: otherDate(first.sets, sets.date ?? '') }), alternative: first }
}

/** Only the difference: the year, or the day and month. */
const otherDate = ({ date: other = '', datePrecision }: LineDraft, date: string): string =>
  other.slice(4) === date.slice(4) ? other.slice(0, 4) : formatDay(other, datePrecision)

/** Suggested by the log, or by a provider with its name. */
export interface DashedOffer {
  kind: Offer['kind'] | 'aircraft' | 'registration'
  sets: LineDraft
  because: Offer['because'] | null
  by: string | null
}

const offerKinds: Record<DashedOffer['kind'], PartKind> = {
  aircraft: 'aircraft',
  registration: 'registration',
  route: 'from',
  number: 'flight',
  from: 'from',
  times: 'time',
  seatNumber: 'seatNumber',
  seatClass: 'seatClass',
}

export const offerIcon = ({ kind }: DashedOffer): IconName => iconOf(offerKinds[kind])

const routeOf = ({ fromId, toId }: LineDraft, { airport }: Lookup): string =>
  [fromId, toId].map((id) => airportCode(airport(id))).join('–')

/** What a suggestion adds and why, such as “12:20 – 15:05, as on 3 Oct”. */
export function offerOf(offer: DashedOffer, lookup: Lookup): Words {
  if (offer.kind === 'route')
    return words(routeOf(offer.sets, lookup), offer.by ? t('line.by', { source: offer.by }) : '')
  const { label, detail } = meaningOf({ kind: offerKinds[offer.kind], sets: offer.sets }, lookup)
  if (offer.by) return words(label, t('line.by', { source: offer.by }))
  const { kind, date } = offer.because ?? { kind: 'usual', date: null }
  if (kind === 'home') return words(label, t('line.home'))
  if (kind === 'last' && date) return words(label, t('line.after', { date: formatDay(date) }))
  if (date && offer.kind === 'times') return words(label, t('line.asOn', { date: formatDay(date) }))
  if (offer.kind === 'number' && date && !isUsual(offer.because!))
    return words(label, t('line.asOn', { date: formatDay(date) }))
  return words(label, kind === 'usual' || offer.kind === 'number' ? t('line.usual') : detail)
}

/** An accepted suggestion becomes text: it can be read, changed and removed like any other word. */
export function typedOffer({ sets }: DashedOffer, lookup: Lookup): string {
  const { departure, arrival, flightNumber, seatNumber, seatClass, fromId, toId, aircraftId, aircraftReg } =
    sets
  const shift = arrival?.dayShift ? `+${arrival.dayShift}` : ''
  const ends = [fromId, toId].flatMap((id) => (id === undefined ? [] : [airportCode(lookup.airport(id))]))
  return [
    flightNumber,
    ends.join('-'),
    departure && arrival ? `${departure}-${arrival.time}${shift}` : departure,
    seatNumber,
    seatClass && classWord(seatClass),
    aircraftId !== undefined && lookup.aircraft(aircraftId)?.icao,
    aircraftReg,
  ]
    .filter(Boolean)
    .join(' ')
}

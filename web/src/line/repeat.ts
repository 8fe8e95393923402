/** A flight of the log as the words of a line: the same flight again, or the return. The person adds the day. */

import { againOf, type Repeat, returnOf } from '../../../server/domain/entry/repeat.ts'
import type { Language } from '../../../server/domain/languages.ts'
import type { Flight } from '../api/log.ts'
import type { SeatClass } from '../api/types.ts'
import { i18n } from '../i18n/i18n.svelte.ts'
import { airportCode } from '../lib/format.ts'
import { log } from '../log/log.svelte.ts'
import { session } from '../session/session.svelte.ts'
import { openLine } from './line.svelte.ts'

const english = { with: 'with', and: 'and' }
const joins: Partial<Record<Language, typeof english>> = {
  de: { with: 'mit', and: 'und' },
  fr: { with: 'avec', and: 'et' },
  es: { with: 'con', and: 'y' },
  it: { with: 'con', and: 'e' },
}

export const airportOfLog = (id: number | null) => (id === null ? null : (log.airports[id] ?? null))

/** Uses only words that the line can read. */
export function routeWords({ fromId, toId, flightNumber }: Omit<Repeat, 'airlineId'>): string[] {
  const ends = [fromId, toId].map(airportOfLog)
  const route = ends.every((one) => one !== null) ? [ends.map(airportCode).join('-')] : []
  return [...(flightNumber ? [flightNumber.replaceAll(' ', '')] : []), ...route]
}

/** Words that mean a class in the line, in all languages. */
const classWords: Record<SeatClass, string> = {
  economy: 'economy',
  'economy+': 'economy+',
  business: 'business',
  first: 'first class',
  private: 'private class',
}
export const classWord = (seatClass: SeatClass): string => classWords[seatClass]

function seatWords(flight: Flight): string[] {
  const own = flight.passengers.find(({ user }) => user === session.user?.id)
  return [own?.seatNumber, own?.seatClass && classWord(own.seatClass)].flatMap((word) => word ?? [])
}

function companionWords(flight: Flight): string[] {
  const names = flight.passengers
    .filter(({ user }) => user !== session.user?.id)
    .flatMap(({ user, guest }) => (user ? (log.users[user]?.displayName ?? []) : (guest ?? [])))
  const words = joins[i18n.locale] ?? english
  return names.length === 0 ? [] : [words.with, names.join(` ${words.and} `)]
}

/** With a space at the end, so that the day can be typed right away. */
const line = (words: string[]): string => `${words.join(' ')} `

export const againWords = (flight: Flight): string =>
  line([...routeWords(againOf(flight)), ...seatWords(flight), ...companionWords(flight)])

export const returnWords = (flight: Flight): string =>
  line([...routeWords(returnOf(flight, log.own)), ...companionWords(flight)])

export const flyAgain = (flight: Flight): void => openLine(againWords(flight))
export const flyBack = (flight: Flight): void => openLine(returnWords(flight))

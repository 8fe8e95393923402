/** Facts about a flight of the log that several screens show. */

import type { Flight, LogPayload } from '../api/log.ts'
import { i18n } from '../i18n/i18n.svelte.ts'

/**
 * Seconds between the departure and arrival of a flight without a recorded duration, or null if one time is unknown. Next to
 * planned times, an estimate from the distance would contradict them; statistics use the estimate.
 */
export const plannedSeconds = ({ departs, arrives }: Pick<Flight, 'departs' | 'arrives'>): number | null =>
  departs !== null && arrives !== null && arrives > departs ? (arrives - departs) / 1000 : null

interface Traveller {
  key: string
  name: string
  initial: string
  /** One of the six categorical colours, always the same for a person. */
  tint: number
}

export const travellersOf = (flight: Flight, users: LogPayload['users']): Traveller[] =>
  flight.passengers.map(({ user, guest }) => {
    const name = (user ? users[user]?.displayName : guest) ?? ''
    return {
      key: user ?? `guest ${guest}`,
      name,
      initial: name.slice(0, 1).toLocaleUpperCase(i18n.tag),
      tint: tintOf(user ?? name),
    }
  })

/** As in the people switch. */
const tintOf = (text: string): number =>
  1 + ([...text].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % 6)

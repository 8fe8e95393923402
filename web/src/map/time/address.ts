// The state of time on the map in the address: `?time=years&from=2004&to=2019-08-14&night=1`.

import { addressOf } from '../../lib/address.ts'

export const colourings = ['years', 'frequency', 'heat'] as const
export type Colouring = (typeof colourings)[number]

interface TimeAddress {
  colouring: Colouring
  /** Moments; null is the beginning and the end. */
  from: number | null
  to: number | null
  night: boolean
}

const names = ['time', 'from', 'to', 'night'] as const

/** Null unless time is open. */
export function readTime(query: URLSearchParams): TimeAddress | null {
  const text = query.get('time')
  if (text === null) return null
  return {
    colouring: colourings.find((known) => known === text) ?? 'years',
    from: readMoment(query.get('from')),
    to: readMoment(query.get('to')),
    night: query.get('night') === '1',
  }
}

/** The same query with this state, or without any. */
export function withTime(query: URLSearchParams, state: TimeAddress | null): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of names) next.delete(name)
  if (!state) return next
  next.set('time', state.colouring)
  if (state.from !== null) next.set('from', writeMoment(state.from))
  if (state.to !== null) next.set('to', writeMoment(state.to))
  if (state.night) next.set('night', '1')
  return next
}

const written = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d)?)?)?$/
const whole = '0000-01-01T00:00'

const FILM = 'film'

/** The address of the map that records a film of these flights as soon as it shows them. */
export function filmHref(query: URLSearchParams): string {
  const next = withTime(query, { colouring: 'years', from: null, to: null, night: false })
  next.set(FILM, '1')
  return addressOf('/', next)
}

/** The query without the wish for a film, or null if it has none. */
export function withoutFilm(query: URLSearchParams): URLSearchParams | null {
  if (!query.has(FILM)) return null
  const next = new URLSearchParams(query)
  next.delete(FILM)
  return next
}

function readMoment(text: string | null): number | null {
  if (!text || !written.test(text)) return null
  const moment = Date.parse(`${text}${whole.slice(text.length)}Z`)
  return Number.isNaN(moment) ? null : moment
}

/** As short as it is exact: a year, a month, a day or a minute. */
function writeMoment(moment: number): string {
  const text = new Date(moment).toISOString().slice(0, 16)
  if (!text.endsWith('T00:00')) return text
  return text.slice(0, 10).replace(/(?:-01)?-01$/, '')
}

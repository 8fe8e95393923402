// Whether two records of a log say the same. Only digests of their values are kept, because a file has up to 200,000 records.
import { flightFieldNames, passengerFieldNames } from '../../../domain/flights/fields.ts'
import type { Draft } from '../drafting/draft.ts'

/** Route and day are the same. */
const placing: ReadonlySet<string> = new Set(['date', 'datePrecision', 'fromId', 'toId'])
const compared = flightFieldNames.filter((name) => !placing.has(name))
const texts = ['airlineText', 'aircraftText', 'plannedToText', 'operatingAirlineText'] as const

/** One number per field; 0 if the field is empty. */
export function digestsOf(draft: Draft, importer: string): Int32Array {
  const own = draft.passengers.find(({ userId }) => userId === importer)
  const others = draft.passengers.filter((passenger) => passenger !== own)
  return Int32Array.from(
    [
      ...compared.map((name) => (name === 'outcome' && draft.outcome === 'flown' ? null : draft[name])),
      ...texts.map((name) => draft[name]),
      ...passengerFieldNames.map((name) => own?.[name]),
      others,
      draft.people,
      draft.customFields,
      own?.customFields,
      draft.externalIds,
      draft.track,
    ],
    digestOf,
  )
}

/** What one of them leaves empty does not make them two flights. */
export function saysTheSame(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== 0 && b[i] !== 0 && a[i] !== b[i]) return false
  return true
}

/** FNV-1a of the value, never 0. Most values are empty or short texts, of which no JSON is made. */
function digestOf(value: unknown): number {
  if (value === null || value === undefined || value === '') return 0
  if (typeof value === 'object' && Object.keys(value).length === 0) return 0
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  let digest = 0x811c9dc5
  for (let i = 0; i < text.length; i++) digest = Math.imul(digest ^ text.charCodeAt(i), 0x01000193)
  return digest | 1
}

// Shared by the readers of JSON: no value has the expected type until it was checked.

export type JsonRecord = Record<string, unknown>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const RAW_AT_MOST = 20_000
const LISTED_AT_MOST = 20

/** A record for display. Long lists, such as the points of a track, are only counted. */
export function rawJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    Array.isArray(inner) && inner.length > LISTED_AT_MOST ? `(${inner.length})` : inner,
  )
  return (text ?? '').slice(0, RAW_AT_MOST)
}

// How values without an SQL type of their own are stored: booleans as 0/1, lists and objects as JSON text.

/** The largest id and change number: both engines store 64 bits, numbers here are exact up to 2^53 − 1. */
export const MAX_ID = Number.MAX_SAFE_INTEGER

export const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)
export const isSet = (value: 0 | 1): boolean => value === 1

export const toJson = (value: unknown): string => JSON.stringify(value)
export const fromJson = <Value>(text: string): Value => JSON.parse(text) as Value

/** For a nullable column. */
export const fromJsonOrNull = <Value>(text: string | null): Value | null =>
  text === null ? null : fromJson<Value>(text)
export const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : toJson(value)

/** Null for an empty object: most rows have no values, and null needs no space. */
export const toJsonOrNull = (value: Record<string, unknown>): string | null =>
  Object.keys(value).length === 0 ? null : JSON.stringify(value)

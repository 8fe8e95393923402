// How values without an SQL type of their own are stored: booleans as 0/1, lists and objects as JSON text.

/** The largest id on either engine. */
export const MAX_ID = 2_147_483_647
/** Change numbers are not row ids: after a restore they continue from the time in milliseconds. Both engines store 64 bits. */
export const MAX_CHANGE_ID = Number.MAX_SAFE_INTEGER
/** Larger ids cannot exist, and PostgreSQL rejects them: they become 0, which no record has. */
export const possibleId = (id: number): number => (id > MAX_ID ? 0 : id)

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

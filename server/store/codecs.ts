// How values without an SQL type of their own are stored: booleans as 0/1, lists and objects as JSON text.

/** The largest id on either engine. */
export const MAX_ID = 2_147_483_647
/** Numbers of changes are no row ids: after a restore they go on from the time in milliseconds. Both engines keep 64 bits. */
export const MAX_CHANGE_ID = Number.MAX_SAFE_INTEGER
/** Larger ids cannot exist, and PostgreSQL refuses them: they become 0, which is no record's id. */
export const possibleId = (id: number): number => (id > MAX_ID ? 0 : id)

export const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)
export const isSet = (value: 0 | 1): boolean => value === 1

export const toJson = (value: unknown): string => JSON.stringify(value)
export const fromJson = <Value>(text: string): Value => JSON.parse(text) as Value

/** Of a column that may be null. */
export const fromJsonOrNull = <Value>(text: string | null): Value | null =>
  text === null ? null : fromJson<Value>(text)
export const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : toJson(value)

/** Null instead of an empty object: most rows have no values, and null takes no space. */
export const toJsonOrNull = (value: Record<string, unknown>): string | null =>
  Object.keys(value).length === 0 ? null : JSON.stringify(value)

const combining = /\p{M}/gu
const transliterated: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Lower case without accents, for searches. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(combining, '')
    .toLowerCase()
    .replace(/[ßæøœłđðþı]/g, (letter) => transliterated[letter]!)
    .replace(/\s+/g, ' ')
    .trim()

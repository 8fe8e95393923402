// Cursors of lists: text that is opaque to clients and contains the list's version and the position of the last row.
import * as z from 'zod'
import { because } from '../../base/request/validation.ts'
import { idText } from '../../domain/row-id.ts'
import { MAX_ID } from '../../store/engine/codecs.ts'
import { type Position, START } from '../../store/flights/flights.ts'

/** Writes a position as text and reads it; undefined if the text is not a position. */
interface Format<Place> {
  write(place: Place): string
  read(text: string): Place | undefined
}

/** Each list has its own version, so that a cursor of one list is invalid for another. */
export function createFormat<Place>(version: string, { write, read }: Format<Place>) {
  const encode = (place: Place): string => Buffer.from(`${version}.${write(place)}`).toString('base64url')

  const decode = (text: string): Place | undefined => {
    const plain = Buffer.from(text, 'base64url').toString()
    const isOwn = plain.startsWith(`${version}.`) && Buffer.from(plain).toString('base64url') === text
    return isOwn ? read(plain.slice(version.length + 1)) : undefined
  }

  const Cursor = z.string().transform((text, context) => {
    const place = decode(text)
    if (place !== undefined) return place
    context.addIssue({ code: 'custom', message: because('invalid_cursor') })
    return z.NEVER
  })

  /** One page of the `limit + 1` rows that were read, and the cursor of the next page. */
  const cut = <Row>(found: readonly Row[], limit: number, placeOf: (row: Row) => Place) => {
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    return { rows, nextCursor: found.length > limit && last !== undefined ? encode(placeOf(last)) : null }
  }

  return { Cursor, encode, cut }
}

export const described = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.describe('`page.nextCursor` of the previous page.').meta({ type: 'string' })

/** For lists ordered by date, then id, newest first. */
export function createCursors(version: string, dates = /^\d{4}-\d{2}-\d{2}$/) {
  const { Cursor, encode, cut } = createFormat<Position>(version, {
    write: ({ date, id }) => `${date}.${id}`,
    read(text) {
      const [, date, id] = /^(.+)\.(\d{1,16})$/.exec(text) ?? []
      const isSound = date !== undefined && dates.test(date) && Number(id) <= START.id
      return isSound ? { date, id: Number(id) } : undefined
    },
  })
  return { Cursor: described(Cursor.optional()), write: encode, cut }
}

const numbers: Format<number> = {
  write: String,
  read: (text) => (idText.test(text) ? Math.min(Number(text), MAX_ID) : undefined),
}

/** For lists ordered by id, newest first. Without a cursor, a list starts above every id. */
export function createIdCursors(version: string) {
  const { Cursor, encode, cut } = createFormat(version, numbers)
  return { Cursor: described(Cursor.default(MAX_ID)), write: encode, cut }
}

/** For lists ordered by a number, lowest first. Without a cursor, a list starts below every number. */
export function createNumberCursors(version: string) {
  const { Cursor, cut } = createFormat(version, numbers)
  return { Cursor: described(Cursor.default(0)), cut }
}

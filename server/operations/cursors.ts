// Cursors of lists: text that is opaque to clients and holds the list's version and the last row's position in it.
import * as z from 'zod'
import { badRequest } from '../base/errors.ts'
import { because } from '../base/validation.ts'
import type { FlightOrder } from '../domain/enums.ts'
import { MAX_ID } from '../store/codecs.ts'
import { type Listed, type Place, placeOf, startOf } from '../store/flight-filters.ts'
import { type Position, START } from '../store/flights.ts'
import { type Selection, selectionKey } from './flight-filters.ts'

/** How a position is written as text and read again; undefined where the text is not a position. */
interface Format<Place> {
  write(place: Place): string
  read(text: string): Place | undefined
}

/** Each list has a version of its own, so that a cursor of one list is invalid for another. */
function createFormat<Place>(version: string, { write, read }: Format<Place>) {
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

  /** One page out of `limit + 1` rows that were read, and the cursor of the next one. */
  const cut = <Row>(found: readonly Row[], limit: number, placeOf: (row: Row) => Place) => {
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    return { rows, nextCursor: found.length > limit && last !== undefined ? encode(placeOf(last)) : null }
  }

  return { Cursor, encode, cut }
}

const described = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.describe('`page.nextCursor` of the previous page.').meta({ type: 'string' })

/** For lists that are ordered by date, then id, newest first. */
export function createCursors(version: string, dates = /^\d{4}-\d{2}-\d{2}$/) {
  const { Cursor, encode, cut } = createFormat<Position>(version, {
    write: ({ date, id }) => `${date}.${id}`,
    read(text) {
      const [, date, id] = /^(.+)\.(\d{1,10})$/.exec(text) ?? []
      const isSound = date !== undefined && dates.test(date) && Number(id) <= START.id
      return isSound ? { date, id: Number(id) } : undefined
    },
  })
  return { Cursor: described(Cursor.optional()), write: encode, cut }
}

/** A place in one selection of flights. */
interface BoundPlace extends Place {
  /** Stands for the filters and the order; empty for the plain list. */
  bound: string
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const keyForms: Record<FlightOrder, RegExp> = {
  newest: dateForm,
  oldest: dateForm,
  updated: timeForm,
  lastChanged: timeForm,
  lastAdded: /^added$/,
}
/** Past and upcoming flights are ordered by time. */
const keyForm = ({ order, filters }: Selection): RegExp =>
  filters?.when !== undefined && keyForms[order] === dateForm ? timeForm : keyForms[order]

/** For flights that are filtered and ordered as a request says. A cursor is valid for its own filters and order only. */
export function createFlightCursors(version: string) {
  const { Cursor, encode, cut } = createFormat<BoundPlace>(version, {
    write: ({ bound, key, id }) => `${bound && `${bound}~`}${key}.${id}`,
    read(text) {
      const [, bound = '', key, id] = /^(?:([\w-]+)~)?([^~]+)\.(\d{1,10})$/.exec(text) ?? []
      return key !== undefined && Number(id) <= MAX_ID ? { bound, key, id: Number(id) } : undefined
    },
  })
  return {
    Cursor: described(Cursor.optional()),
    write: encode,
    /** The place after which the selection goes on. */
    placeIn(selection: Selection, cursor: BoundPlace | undefined): Place {
      if (cursor === undefined) return startOf(selection.order)
      const isOwn = cursor.bound === selectionKey(selection) && keyForm(selection).test(cursor.key)
      if (!isOwn) throw badRequest('invalid_cursor')
      return cursor
    },
    /** One page out of `limit + 1` flights that were read, and the cursor of the next one. */
    cut<Row extends Listed>(selection: Selection, found: readonly Row[], limit: number) {
      const bound = selectionKey(selection)
      return cut(found, limit, (flight) => ({ bound, ...placeOf(selection.order, flight) }))
    },
  }
}

const numberUpTo = (largest: number): Format<number> => ({
  write: String,
  read: (text) => (/^\d{1,16}$/.test(text) ? Math.min(Number(text), largest) : undefined),
})

/** For lists that are ordered by id, newest first. Without a cursor a list starts above every id. */
export function createIdCursors(version: string, largest = MAX_ID) {
  const { Cursor, encode, cut } = createFormat<number>(version, numberUpTo(largest))
  return { Cursor: described(Cursor.default(largest)), write: encode, cut }
}

/** For lists that are ordered by a number, lowest first. Without a cursor a list starts below every number. */
export function createNumberCursors(version: string) {
  const { Cursor, cut } = createFormat<number>(version, numberUpTo(MAX_ID))
  return { Cursor: described(Cursor.default(0)), cut }
}

// Cursors of lists of flights: each is only valid for the filters and the order that it was created for.
import { badRequest } from '../../base/errors.ts'
import type { FlightOrder } from '../../domain/enums.ts'
import { MAX_ID } from '../../store/engine/codecs.ts'
import { type Listed, type Place, placeOf, startOf } from '../../store/flights/filters.ts'
import { createFormat, described } from '../wire/cursors.ts'
import { type Selection, selectionKey } from './filters.ts'

/** A position within a selection of flights. */
interface BoundPlace extends Place {
  /** Identifies the filters and the order; empty for the plain list. */
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

/** For flights with a request's filters and order. A cursor is only valid for the same filters and order. */
export function createFlightCursors(version: string) {
  const { Cursor, encode, cut } = createFormat<BoundPlace>(version, {
    write: ({ bound, key, id }) => `${bound && `${bound}~`}${key}.${id}`,
    read(text) {
      const [, bound = '', key, id] = /^(?:([\w-]+)~)?([^~]+)\.(\d{1,16})$/.exec(text) ?? []
      return key !== undefined && Number(id) <= MAX_ID ? { bound, key, id: Number(id) } : undefined
    },
  })
  return {
    Cursor: described(Cursor.optional()),
    write: encode,
    /** The position after which the selection continues. */
    placeIn(selection: Selection, cursor: BoundPlace | undefined): Place {
      if (cursor === undefined) return startOf(selection.order)
      const isOwn = cursor.bound === selectionKey(selection) && keyForm(selection).test(cursor.key)
      if (!isOwn) throw badRequest('invalid_cursor')
      return cursor
    },
    /** One page of the `limit + 1` flights that were read, and the cursor of the next page. */
    cut<Row extends Listed>(selection: Selection, found: readonly Row[], limit: number) {
      const bound = selectionKey(selection)
      return cut(found, limit, (flight) => ({ bound, ...placeOf(selection.order, flight) }))
    },
  }
}

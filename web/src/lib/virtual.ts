/** Positions of the rows of a long list: their heights are known, so every position is arithmetic. */

/** Tops of all rows and, at the end, the total height. */
export function offsetsOf<Row>(rows: ArrayLike<Row>, height: (row: Row) => number): Float64Array {
  const offsets = new Float64Array(rows.length + 1)
  for (let index = 0; index < rows.length; index++)
    offsets[index + 1] = offsets[index]! + height(rows[index]!)
  return offsets
}

/** Index of the row at a height. */
export function rowAt(offsets: Float64Array, y: number): number {
  let [low, high] = [0, Math.max(0, offsets.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (offsets[middle]! <= y) low = middle
    else high = middle - 1
  }
  return low
}

interface Range {
  first: number
  last: number
}

/** The rows to render: those in view, and half as many again above and below. */
export function inSight(offsets: Float64Array, y: number, height: number): Range {
  if (offsets.length === 1) return { first: 0, last: -1 }
  const margin = height / 2
  return { first: rowAt(offsets, y - margin), last: rowAt(offsets, y + height + margin) }
}

export interface Layout<Row> {
  rows: ArrayLike<Row>
  offsets: Float64Array
}
export type KeyOf<Row> = (row: Row) => string | number

/** How far the row at a height, or the first row below it that still exists, has moved between two layouts. */
export function movedBy<Row>(was: Layout<Row>, is: Layout<Row>, y: number, keyOf: KeyOf<Row>): number {
  const places = new Map(Array.from(is.rows, (row, index) => [keyOf(row), index]))
  for (let index = rowAt(was.offsets, y); index < was.rows.length; index++) {
    const place = places.get(keyOf(was.rows[index]!))
    if (place !== undefined) return is.offsets[place]! - was.offsets[index]!
  }
  return 0
}

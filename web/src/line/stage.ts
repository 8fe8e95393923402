/** Where the globe stands while the line is open: free at the right of the panel, or as a strip above the sheet. */

import type { Airport } from '../api/types.ts'
import type { Room } from '../map/camera.ts'
import type { Insets, MapFlight, Selection } from '../map/types.ts'

interface Ends {
  from: Airport | null
  to: Airport | null
}

/** The right edge of the panel, from the rail. */
const PANEL = 702
const STRIP = 188

/** The centre of the globe lies below the middle of its part, so that an arc bows over it. */
export function stageOf(width: number, height: number, isWide: boolean): { insets: Insets; room: Room } {
  const isBeside = isWide && width > PANEL + 240
  const part = isBeside ? { width: width - PANEL, height } : { width, height: STRIP }
  const middle = isBeside ? height * 0.46 : STRIP * 0.56
  const centre = isBeside ? height * 0.62 : STRIP * 1.2
  return {
    insets: { top: 0, right: 0, bottom: height - 2 * centre, left: isBeside ? PANEL : 0 },
    room: { ...part, height: isBeside ? height * 0.8 : STRIP, above: centre - middle },
  }
}

/** Never the id of a flight. */
const DRAWN = -1

export const drawnEnds = ({ from, to }: Ends): MapFlight[] =>
  from || to ? [{ id: DRAWN, from, to, completed: true }] : []

/** Until both are known, the known end alone: a route from there to itself has no line. */
export function selectedEnds({ from, to }: Ends): Selection | null {
  const [a, b] = [from ?? to, to ?? from]
  return a && b ? { kind: 'route', a: a.id, b: b.id } : null
}

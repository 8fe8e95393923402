/** Position of the globe while the line is open: to the right of the panel, or as a strip above the sheet. */

import type { Airport } from '../api/types.ts'
import type { Room } from '../globe/camera.ts'
import type { Insets, MapFlight, Selection } from '../globe/types.ts'

interface Ends {
  from: Airport | null
  to: Airport | null
  via: readonly Airport[]
}

/** The right edge of the panel, from the rail. */
const PANEL = 702
const STRIP = 188

/** The centre of the globe is below the middle of its area, so that an arc curves above it. */
export function stageOf(width: number, height: number, isWide: boolean): { insets: Insets; room: Room } {
  const isBeside = isWide && width > PANEL + 240
  const part = isBeside ? { width: width - PANEL, height } : { width, height: STRIP }
  const middle = isBeside ? height * 0.42 : STRIP * 0.62
  const centre = isBeside ? height * 0.66 : STRIP * 1.1
  return {
    insets: { top: 0, right: 0, bottom: height - 2 * centre, left: isBeside ? PANEL : 0 },
    room: { ...part, above: centre - middle },
  }
}

/** Ids that no flight has are negative. One arc for each flight. */
export function drawnEnds({ from, via, to }: Ends): MapFlight[] {
  const stops = [from, ...via, to]
  const legs = stops.slice(1).map((end, i) => ({ id: -1 - i, from: stops[i]!, to: end, completed: true }))
  return from || to ? legs : []
}

/** The globe follows when typing pauses: half a word may mean a place on the other side of the world. */
const FOLLOWS_AFTER_MS = 180

interface Followed {
  frame: (subject: Selection, room: Room) => void
  show: (subject: Selection) => void
}

/** Turns the globe to the route of the line. A single airport is only moved into view. Returns a function that stops it. */
export function follow(map: Followed, ends: Ends, room: Room): () => void {
  const subject = selectedEnds(ends)
  const timer = setTimeout(() => {
    if (!subject) return
    if (ends.from && ends.to) map.frame(subject, room)
    else map.show(subject)
  }, FOLLOWS_AFTER_MS)
  return () => clearTimeout(timer)
}

/** Until both are known, the known end is used twice: a route from an airport to itself has no line. */
export function selectedEnds({ from, to }: Ends): Selection | null {
  const [a, b] = [from ?? to, to ?? from]
  return a && b ? { kind: 'route', a: a.id, b: b.id } : null
}

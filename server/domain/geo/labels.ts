// Which airport codes fit on a map: the most visited first, at the first free side of the dot, without overlaps.

/** An airport's dot. */
interface Dot {
  /** Its index in the positions. */
  start: number
  /** How prominent, 0 to 1. */
  weight: number
  airport: { iata: string | null; icao: string }
}

/** The positions of the dots; a depth below 0 is behind the globe. */
interface Positions {
  x: Float32Array
  y: Float32Array
  depth: Float32Array
}

export interface Label<Spot extends Dot = Dot> {
  spot: Spot
  text: string
  size: number
  /** Offset of the text's centre from the dot. */
  dx: number
  dy: number
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

interface LabelRoom<Spot extends Dot> {
  width: number
  height: number
  measure: (text: string, size: number) => number
  limit: number
  /** The name of the city, shown if there is space. */
  cityOf?: ((airport: Spot['airport']) => string | null) | undefined
}

const CELL = 64

/** Boxes in coarse cells, so that a check for free space does not look at every label. */
class Occupied {
  private cells = new Map<number, Box[]>()

  add(box: Box): void {
    this.visit(box, (list) => {
      list.push(box)
      return false
    })
  }

  hits(box: Box): boolean {
    return this.visit(box, (list) =>
      list.some((o) => box.left < o.right && box.right > o.left && box.top < o.bottom && box.bottom > o.top),
    )
  }

  private visit(box: Box, look: (list: Box[]) => boolean): boolean {
    for (let cx = Math.floor(box.left / CELL); cx <= Math.floor(box.right / CELL); cx++) {
      for (let cy = Math.floor(box.top / CELL); cy <= Math.floor(box.bottom / CELL); cy++) {
        const key = cx * 4096 + cy
        let list = this.cells.get(key)
        if (!list) {
          list = []
          this.cells.set(key, list)
        }
        if (look(list)) return true
      }
    }
    return false
  }
}

export function spotRadius(spot: { weight: number }, few: boolean): number {
  return (few ? 2.4 : 0.9) + 4 * spot.weight
}

/** Earlier spots have priority; `few` determines the size of the dots. */
export function placeLabels<Spot extends Dot>(
  spots: readonly Spot[],
  at: Positions,
  room: LabelRoom<Spot>,
  few: boolean,
): Label<Spot>[] {
  const occupied = new Occupied()
  const labels: Label<Spot>[] = []
  for (const spot of spots) {
    if (labels.length >= room.limit) break
    if (!isSeen(spot, at, room, spot === spots[0])) continue
    // The dots of less busy airports do not block a busier airport's label.
    const label = fit(spot, at, room, occupied, few)
    if (label) labels.push(label)
    occupied.add(dotBox(spot, at, few))
  }
  return labels
}

/** The first one is home and keeps its label almost to the limb. */
function isSeen<Spot extends Dot>(
  spot: Spot,
  at: Positions,
  room: LabelRoom<Spot>,
  isFirst: boolean,
): boolean {
  const x = at.x[spot.start]!
  const y = at.y[spot.start]!
  return (
    at.depth[spot.start]! > (isFirst ? 0.06 : 0.22) && x > 0 && y > 0 && x < room.width && y < room.height
  )
}

function dotBox(spot: Dot, at: Positions, few: boolean): Box {
  const r = spotRadius(spot, few)
  const x = at.x[spot.start]!
  const y = at.y[spot.start]!
  return { left: x - r, right: x + r, top: y - r, bottom: y + r }
}

function fit<Spot extends Dot>(
  spot: Spot,
  at: Positions,
  room: LabelRoom<Spot>,
  occupied: Occupied,
  few: boolean,
): Label<Spot> | undefined {
  const code = spot.airport.iata || spot.airport.icao
  const city = room.cityOf?.(spot.airport)
  const text = city ? `${code} ${city}` : code
  const size = spot.weight > 0.6 || room.limit <= 2 ? 13 : 11
  const half = room.measure(text, size) / 2
  const r = spotRadius(spot, few) + 2.5
  const sides: [number, number][] = [
    [0, r + size * 0.52],
    [0, -r - size * 0.52],
    [r + half, 0],
    [-r - half, 0],
  ]
  for (const [dx, dy] of sides) {
    const x = at.x[spot.start]! + dx
    const y = at.y[spot.start]! + dy
    const box = { left: x - half - 2, right: x + half + 2, top: y - size * 0.5, bottom: y + size * 0.5 }
    if (box.left < 2 || box.right > room.width - 2 || occupied.hits(box)) continue
    occupied.add(box)
    return { spot, text, size, dx, dy }
  }
  return undefined
}

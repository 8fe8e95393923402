// Years as colours: five tokens of the charts, mixed in linear light over the span of the log.
import { mixColours, parseColour, type Rgb } from '../../../../server/domain/colour.ts'

/** Oldest first. Each keeps 3:1 on land, lit or dark, and the order is not that of a rainbow. */
const stops = ['--c5', '--c1', '--c3', '--c4', '--c2'] as const

export function readStops(element: Element): Rgb[] {
  const style = getComputedStyle(element)
  return stops.map((name) => parseColour(style.getPropertyValue(name)))
}

/** One colour for each of `count` periods. */
export function rampOf(colours: readonly Rgb[], count: number): Rgb[] {
  return Array.from({ length: count }, (_, i) => {
    const along = (count > 1 ? i / (count - 1) : 1) * (colours.length - 1)
    const low = Math.min(colours.length - 2, Math.floor(along))
    return mixColours(colours[low]!, colours[low + 1]!, along - low)
  })
}

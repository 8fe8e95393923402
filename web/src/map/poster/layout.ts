// Where everything stands on the sheet. One unit is 0.35 mm on A3; other papers are the same picture, larger or smaller.

import type { PosterStyle } from './poster.ts'
import type { Disc } from './projections.ts'

const UNIT_MM = 0.35
export const BLEED = 3 / UNIT_MM
const SHORT = 297 / UNIT_MM
const LONG = 420 / UNIT_MM
/** 18 mm. */
export const MARGIN = 52

export interface Layout {
  width: number
  height: number
  disc: Disc
  /** Left, top, width, height of a map that is no disc. */
  sheet: readonly [number, number, number, number]
  title: number
  figures: number
  ticks: number
  foot: number
}

const portrait: Layout = {
  width: SHORT,
  height: LONG,
  disc: { x: SHORT / 2, y: 468, radius: 364 },
  sheet: [0, 0, 0, 0],
  title: 930,
  figures: 1038,
  ticks: 1119,
  foot: 1161,
}

const landscape: Layout = {
  width: LONG,
  height: SHORT,
  disc: { x: 0, y: 0, radius: 0 },
  sheet: [MARGIN, 66, LONG - 2 * MARGIN, 474],
  title: 606,
  figures: 708,
  ticks: 774,
  foot: 814,
}

export const layoutOf = (style: PosterStyle): Layout => (style === 'atlas' ? landscape : portrait)

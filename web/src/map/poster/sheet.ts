// What every part of a poster's drawing needs.
import type { Layout } from './layout.ts'
import type { Look } from './looks.ts'
import type { PosterData } from './poster.ts'

export interface PosterWords {
  title: string
  subtitle: string
  /** At the top; empty unless the person wants it. */
  name: string
  position: string
  once: string
  often: string
  /** Value, unit, label; none if they are not wanted. */
  figures: readonly (readonly [string, string, string])[]
  notes: readonly [string, string]
  ring: (km: number) => string
  /** North, east, south, west. */
  compass: readonly string[]
}

export interface Sheet {
  ctx: CanvasRenderingContext2D
  look: Look
  layout: Layout
  data: PosterData
  words: PosterWords
}

const FONT = '"Inter Variable", Inter, system-ui, sans-serif'
export const fontOf = (size: number, weight = 500): string => `${weight} ${size}px ${FONT}`

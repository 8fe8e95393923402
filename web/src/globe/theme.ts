// The map's colours, read from the design tokens so that a canvas follows the theme like everything else.

import { mixColours, parseColour, type Rgb } from '../../../server/domain/colour.ts'
import type { Light } from '../../../server/domain/geo/sun.ts'

export interface MapTheme {
  dark: boolean
  space: string
  ocean: Rgb
  /** The middle of the sea, where the light falls. */
  oceanLit: Rgb
  land: string
  /** The lit side while day and night is on. */
  oceanDay: Rgb
  landDay: string
  border: string
  coast: string
  coastWidth: number
  /** Meridians and parallels. */
  graticule: string | null
  halo: Rgb
  /** How strong the haze is at the rim. */
  haze: number
  /** The edge of a light globe. */
  rim: string | null
  night: { color: Rgb; alpha: number }
  /** The line of sunrise and sunset. */
  dawn: Rgb
  label: string
  labelHalo: string
  airport: string
  airportRgb: Rgb
  accent: string
  /** The way of a flight by the light at its points, the ground under it and the other legs of its journey. */
  light: Record<Light, string>
  ground: string
  leg: string
  upcoming: Rgb
  /** From the rarest to the most flown. */
  ramp: Rgb[]
  font: string
}

export const RAMP_STEPS = 7

export function rgba(c: Rgb, alpha: number): string {
  return `rgba(${c[0]},${c[1]},${c[2]},${alpha})`
}

export function readTheme(element: Element): MapTheme {
  const style = getComputedStyle(element)
  const value = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback
  const colour = (name: string, fallback: string) => parseColour(value(name, fallback))
  const [rare, often] = [colour('--route-rare', '#4f86f0'), colour('--route-often', '#ff9ec4')]
  const ocean = colour('--map-ocean', '#0a1120')
  const dark = ocean[0] + ocean[1] + ocean[2] < 380
  const airport = value('--airport', '#eef3fb')
  return {
    ...(dark ? darkEdges(colour) : lightEdges(colour)),
    dark,
    space: value('--map-space', '#070a11'),
    ocean,
    oceanLit: colour('--map-ocean-lit', '#0d1628'),
    oceanDay: colour('--map-ocean-day', '#0f1f3b'),
    land: value('--map-land', '#223150'),
    landDay: value('--map-land-day', '#3b5587'),
    border: value('--map-border', '#3a4c6e'),
    halo: colour('--map-halo', '#1b3a6e'),
    dawn: colour('--sun-dawn', '#ff9d66'),
    label: value('--map-label', '#e9edf4'),
    labelHalo: value('--map-label-halo', '#070a11'),
    airport,
    airportRgb: parseColour(airport),
    light: {
      night: value('--sun-night', '#7f97ea'),
      twilight: value('--sun-dawn', '#ff9d66'),
      day: value('--sun-day', '#f3c66b'),
    },
    ground: value('--text-3', '#8e9ab0'),
    leg: value('--text-2', '#b1bccd'),
    accent: value('--accent', '#82adff'),
    upcoming: colour('--route-upcoming', '#7f8ba0'),
    ramp: Array.from({ length: RAMP_STEPS }, (_, i) => mixColours(rare, often, i / (RAMP_STEPS - 1))),
    font: value('--font', 'Inter, system-ui, sans-serif'),
  }
}

type Colours = (name: string, fallback: string) => Rgb
type Edges = Pick<MapTheme, 'coast' | 'coastWidth' | 'graticule' | 'rim' | 'haze' | 'night'>

/** A light globe is held together by its lines: coast, rim, meridians. */
const lightEdges = (colour: Colours): Edges => ({
  coast: rgba(colour('--map-coast', '#7690b0'), 1),
  coastWidth: 0.9,
  graticule: rgba(colour('--map-graticule', '#93aed0'), 0.45),
  rim: rgba(colour('--map-rim', '#547cb4'), 0.55),
  haze: 0.46,
  night: { color: colour('--map-night', '#1a2c68'), alpha: 0.46 },
})

/** A dark globe glows. */
const darkEdges = (colour: Colours): Edges => ({
  coast: rgba(colour('--map-coast', '#5a76a8'), 0.55),
  coastWidth: 0.7,
  graticule: null,
  rim: null,
  haze: 0.8,
  night: { color: colour('--map-night', '#060a16'), alpha: 0.74 },
})

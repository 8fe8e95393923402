// The map's colours, read from the design tokens so that a canvas follows the theme like everything else.

import { mixColours, parseColour, type Rgb } from '../../../server/domain/colour.ts'

export interface MapTheme {
  dark: boolean
  space: string
  ocean: string
  oceanRgb: Rgb
  land: string
  border: string
  graticule: string
  halo: Rgb
  label: string
  labelHalo: string
  airport: string
  airportRgb: Rgb
  accent: string
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
  const rare = parseColour(value('--route-rare', '#4f86f0'))
  const often = parseColour(value('--route-often', '#ff9ec4'))
  const ocean = value('--map-ocean', '#0b111d')
  const airport = value('--airport', '#eef3fb')
  const oceanRgb = parseColour(ocean)
  return {
    dark: oceanRgb[0] + oceanRgb[1] + oceanRgb[2] < 380,
    space: value('--map-space', '#070a11'),
    ocean,
    oceanRgb,
    land: value('--map-land', '#1a2434'),
    border: value('--map-border', '#2a374c'),
    graticule: value('--map-graticule', '#141d2c'),
    halo: parseColour(value('--map-halo', '#1b3a6e')),
    label: value('--map-label', '#e9edf4'),
    labelHalo: value('--map-label-halo', '#070a11'),
    airport,
    airportRgb: parseColour(airport),
    accent: value('--accent', '#82adff'),
    upcoming: parseColour(value('--route-upcoming', '#7f8ba0')),
    ramp: Array.from({ length: RAMP_STEPS }, (_, i) => mixColours(rare, often, i / (RAMP_STEPS - 1))),
    font: value('--font', 'Inter, system-ui, sans-serif'),
  }
}

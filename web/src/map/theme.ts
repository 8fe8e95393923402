// The map's colours, read from the design tokens so that a canvas follows the theme like everything else.

export type Rgb = readonly [number, number, number]

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

export function parseColor(text: string): Rgb {
  const hex = text.trim().replace('#', '')
  const long = hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex
  const n = Number.parseInt(long.slice(0, 6), 16)
  return Number.isNaN(n) ? [128, 128, 128] : [n >> 16, (n >> 8) & 255, n & 255]
}

export function rgba(c: Rgb, alpha: number): string {
  return `rgba(${c[0]},${c[1]},${c[2]},${alpha})`
}

/** Mixes in linear light: the middle of blue and pink stays bright instead of turning grey. */
export function mix(a: Rgb, b: Rgb, t: number): Rgb {
  const channel = (x: number, y: number) =>
    Math.round(255 * ((1 - t) * (x / 255) ** 2.2 + t * (y / 255) ** 2.2) ** (1 / 2.2))
  return [channel(a[0], b[0]), channel(a[1], b[1]), channel(a[2], b[2])]
}

export function readTheme(element: Element): MapTheme {
  const style = getComputedStyle(element)
  const value = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback
  const rare = parseColor(value('--route-rare', '#4f86f0'))
  const often = parseColor(value('--route-often', '#ff9ec4'))
  const ocean = value('--map-ocean', '#0b111d')
  const airport = value('--airport', '#eef3fb')
  const oceanRgb = parseColor(ocean)
  return {
    dark: oceanRgb[0] + oceanRgb[1] + oceanRgb[2] < 380,
    space: value('--map-space', '#070a11'),
    ocean,
    oceanRgb,
    land: value('--map-land', '#1a2434'),
    border: value('--map-border', '#2a374c'),
    graticule: value('--map-graticule', '#141d2c'),
    halo: parseColor(value('--map-halo', '#1b3a6e')),
    label: value('--map-label', '#e9edf4'),
    labelHalo: value('--map-label-halo', '#070a11'),
    airport,
    airportRgb: parseColor(airport),
    accent: value('--accent', '#82adff'),
    upcoming: parseColor(value('--route-upcoming', '#7f8ba0')),
    ramp: Array.from({ length: RAMP_STEPS }, (_, i) => mix(rare, often, i / (RAMP_STEPS - 1))),
    font: value('--font', 'Inter, system-ui, sans-serif'),
  }
}

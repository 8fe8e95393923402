// Colours as three numbers from 0 to 255, and the mix of two.

export type Rgb = readonly [number, number, number]

/** `#abc` or `#aabbcc`; grey if it is neither. */
export function parseColour(text: string): Rgb {
  const hex = text.trim().replace('#', '')
  const long = hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex
  const n = Number.parseInt(long.slice(0, 6), 16)
  return Number.isNaN(n) ? [128, 128, 128] : [n >> 16, (n >> 8) & 255, n & 255]
}

/** Mixes in linear light: halfway between blue and pink stays bright instead of turning grey. */
export function mixColours(a: Rgb, b: Rgb, t: number): Rgb {
  const channel = (x: number, y: number) =>
    Math.round(255 * ((1 - t) * (x / 255) ** 2.2 + t * (y / 255) ** 2.2) ** (1 / 2.2))
  return [channel(a[0], b[0]), channel(a[1], b[1]), channel(a[2], b[2])]
}

// Thin lines drawn point by point into the pixels of a canvas. Every frame of a turning globe passes here: no
// objects are made, and what lies inside is not tested pixel by pixel.

export interface Ink {
  /** Red, green and blue in the order of the bytes of a canvas. */
  word: number
  /** 0 to 255. */
  strength: number
}

/** Less than this is not seen. */
const LEAST = 4

export class Raster {
  readonly width: number
  readonly height: number
  /** Signed, as additions to them stay whole numbers. */
  readonly words: Int32Array
  /** The share of a line's strength below which a pixel at its edge is left out. */
  readonly edge: number

  constructor(width: number, height: number, words: Int32Array, edge = 0) {
    this.width = width
    this.height = height
    this.words = words
    this.edge = edge
  }

  /** An anti-aliased line of one pixel. */
  line(x0: number, y0: number, x1: number, y1: number, word: number, strength: number): void {
    if (strength < LEAST) return
    const dx = x1 - x0
    const dy = y1 - y0
    const isSteep = Math.abs(dy) > Math.abs(dx)
    const steps = Math.max(1, Math.ceil(isSteep ? Math.abs(dy) : Math.abs(dx)))
    if (this.holds(x0, y0) && this.holds(x1, y1))
      this.lineInside(x0, y0, dx / steps, dy / steps, steps, word, strength)
    else this.lineAcross(x0, y0, dx / steps, dy / steps, steps, word, strength)
  }

  private holds(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width - 1 && y < this.height - 1
  }

  /** One point less: the next part of the line begins with it. */
  private lineInside(
    x: number,
    y: number,
    stepX: number,
    stepY: number,
    steps: number,
    word: number,
    strength: number,
  ): void {
    const { words, width } = this
    const isSteep = Math.abs(stepY) > Math.abs(stepX)
    const aside = isSteep ? 1 : width
    const least = Math.max(LEAST, strength * this.edge)
    for (let i = 0; i < steps; i++, x += stepX, y += stepY) {
      const wholeX = x | 0
      const wholeY = y | 0
      const at = wholeY * width + wholeX
      const part = strength * (isSteep ? x - wholeX : y - wholeY)
      const rest = strength - part
      if (rest >= least) words[at] = laidOver(words[at]!, word, rest)
      if (part >= least) words[at + aside] = laidOver(words[at + aside]!, word, part)
    }
  }

  private lineAcross(
    x: number,
    y: number,
    stepX: number,
    stepY: number,
    steps: number,
    word: number,
    strength: number,
  ): void {
    for (let i = 0; i < steps; i++, x += stepX, y += stepY)
      if (this.holds(x, y)) this.lineInside(x, y, stepX, stepY, 1, word, strength)
  }
}

/** The colour is that of the later one, unless it is only the edge of a line: that would cut what it crosses into pieces. */
function laidOver(below: number, word: number, added: number): number {
  const opacity = below >>> 24
  const colour = 2 * added < opacity ? below & 0xffffff : word
  return (((opacity + ((255 - opacity) * added) / 255) | 0) << 24) | colour
}

// Thin lines drawn point by point into the pixels of a canvas.

export interface Ink {
  /** Red, green and blue in the order of the bytes of a canvas. */
  word: number
  /** 0 to 255. */
  strength: number
}

/** Draws anti-aliased lines of one pixel. */
export class Raster {
  readonly width: number
  readonly height: number
  readonly words: Uint32Array

  constructor(width: number, height: number, words: Uint32Array) {
    this.width = width
    this.height = height
    this.words = words
  }

  line(x0: number, y0: number, x1: number, y1: number, ink: Ink): void {
    const [dx, dy] = [x1 - x0, y1 - y0]
    const isSteep = Math.abs(dy) > Math.abs(dx)
    const steps = Math.max(1, Math.ceil(isSteep ? Math.abs(dy) : Math.abs(dx)))
    const [stepX, stepY] = [dx / steps, dy / steps]
    // One point less: the next part of the line begins with it.
    for (let i = 0, x = x0, y = y0; i < steps; i++, x += stepX, y += stepY) {
      const [wholeX, wholeY] = [Math.floor(x), Math.floor(y)]
      const part = isSteep ? x - wholeX : y - wholeY
      if (wholeX < 0 || wholeY < 0 || wholeX >= this.width - 1 || wholeY >= this.height - 1) continue
      const at = wholeY * this.width + wholeX
      this.put(at, ink, 1 - part)
      this.put(isSteep ? at + 1 : at + this.width, ink, part)
    }
  }

  /** Over what is there; the colour is that of the later line. */
  private put(at: number, { word, strength }: Ink, cover: number): void {
    const added = strength * cover
    if (added < 4) return
    const below = this.words[at]! >>> 24
    const opacity = below + ((255 - below) * added) / 255
    this.words[at] = ((opacity << 24) | word) >>> 0
  }
}

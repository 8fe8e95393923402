// A canvas that writes SVG, for the part of the interface that the map uses: what draws the map draws the file as well.

import { escapeXml } from '../../../../server/domain/formats/xml.ts'

type Point = readonly [number, number]
/** a, b, c, d, e, f as in a canvas. */
type Matrix = readonly [number, number, number, number, number, number]

interface State {
  fillStyle: string | Gradient
  strokeStyle: string | Gradient
  globalAlpha: number
  lineWidth: number
  lineCap: string
  lineJoin: string
  font: string
  textAlign: string
  textBaseline: string
  dash: readonly number[]
  matrix: Matrix
  clip: string
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

const start: State = {
  fillStyle: '#000',
  strokeStyle: '#000',
  globalAlpha: 1,
  lineWidth: 1,
  lineCap: 'butt',
  lineJoin: 'miter',
  font: '10px sans-serif',
  textAlign: 'start',
  textBaseline: 'alphabetic',
  dash: [],
  matrix: IDENTITY,
  clip: '',
}

const short = (value: number): string => String(Math.round(value * 100) / 100)

function written(attributes: Record<string, string | number | null>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) => ` ${name}="${escapeXml(typeof value === 'number' ? short(value) : String(value))}"`,
    )
    .join('')
}

class Gradient {
  readonly id: string
  private readonly circle: Record<string, number>
  private stops = ''

  constructor(id: string, [fx, fy, fr, cx, cy, r]: readonly number[]) {
    this.id = id
    this.circle = { fx: fx!, fy: fy!, fr: fr!, cx: cx!, cy: cy!, r: r! }
  }

  addColorStop(offset: number, colour: string): void {
    const [solid, opacity] = colourOf(colour)
    this.stops += `<stop${written({ offset, 'stop-color': solid, 'stop-opacity': opacity })}/>`
  }

  toString(): string {
    const place = { id: this.id, gradientUnits: 'userSpaceOnUse', ...this.circle }
    return `<radialGradient${written(place)}>${this.stops}</radialGradient>`
  }
}

/** Programs that read SVG do not all know colours with an alpha. */
function colourOf(text: string): [string, number] {
  const parts = /^rgba\(([\d.]+),\s*([\d.]+),\s*([\d.]+),\s*([\d.e-]+)\)$/.exec(text)
  if (!parts) return [text, 1]
  const hex = parts.slice(1, 4).map((part) => Math.round(Number(part)).toString(16).padStart(2, '0'))
  return [`#${hex.join('')}`, Number(parts[4])]
}

class Path {
  d = ''
  private readonly matrix: () => Matrix

  constructor(matrix: () => Matrix) {
    this.matrix = matrix
  }

  private at(x: number, y: number): string {
    const [a, b, c, d, e, f] = this.matrix()
    return `${short(a * x + c * y + e)} ${short(b * x + d * y + f)}`
  }

  moveTo(x: number, y: number): void {
    this.d += `M${this.at(x, y)}`
  }
  /** The first point of a path begins it, as on a canvas. */
  lineTo(x: number, y: number): void {
    this.d += `${this.d ? 'L' : 'M'}${this.at(x, y)}`
  }
  closePath(): void {
    if (this.d) this.d += 'Z'
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y)
    for (const [px, py] of [
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ] as Point[])
      this.lineTo(px, py)
    this.closePath()
  }
  roundRect(x: number, y: number, width: number, height: number): void {
    this.rect(x, y, width, height)
  }
  /** In two halves: one arc cannot be a whole circle. */
  arc(x: number, y: number, r: number, from: number, to: number): void {
    const [a, b] = this.matrix()
    const size = short(r * Math.hypot(a, b))
    const point = (angle: number) => this.at(x + r * Math.cos(angle), y + r * Math.sin(angle))
    this.d += `${this.d && Math.abs(to - from) < 2 * Math.PI ? 'L' : 'M'}${point(from)}`
    for (const angle of [(from + to) / 2, to]) this.d += `A${size} ${size} 0 0 1 ${point(angle)}`
  }
}

interface Measures {
  measureText(text: string): { width: number }
  font: string
}

interface VectorSize {
  /** With a unit, or in pixels. */
  width: string
  height: string
  viewBox: readonly number[]
}

export class VectorCanvas {
  readonly canvas: { width: number; height: number }
  fillStyle: State['fillStyle'] = start.fillStyle
  strokeStyle: State['strokeStyle'] = start.strokeStyle
  globalAlpha = start.globalAlpha
  lineWidth = start.lineWidth
  lineCap = start.lineCap
  lineJoin = start.lineJoin
  font = start.font
  textAlign = start.textAlign
  textBaseline = start.textBaseline
  imageSmoothingQuality = 'high'
  imageSmoothingEnabled = true
  private dash: readonly number[] = []
  private matrix: Matrix = IDENTITY
  private clipped = ''
  private readonly saved: State[] = []
  private path: Path
  private readonly definitions: (string | Gradient)[] = []
  private readonly elements: string[] = []
  private readonly measures: Measures
  /** The halo of a text that is about to be filled: both become one element. */
  private halo: { text: string; x: number; y: number; attributes: Record<string, string | number> } | null =
    null

  constructor(width: number, height: number, measures: Measures) {
    this.canvas = { width, height }
    this.measures = measures
    this.path = this.newPath()
  }

  /** As the context that the map draws on. */
  get context(): CanvasRenderingContext2D {
    return this as unknown as CanvasRenderingContext2D
  }

  private newPath(): Path {
    return new Path(() => this.matrix)
  }

  createPath = (): Path2D => this.newPath() as unknown as Path2D

  save(): void {
    const { fillStyle, strokeStyle, globalAlpha, lineWidth, lineCap, lineJoin, font, textAlign } = this
    const { textBaseline, dash, matrix, clipped } = this
    const shape = { fillStyle, strokeStyle, globalAlpha, lineWidth, lineCap, lineJoin }
    this.saved.push({ ...shape, font, textAlign, textBaseline, dash, matrix, clip: clipped })
  }
  restore(): void {
    const state = this.saved.pop()
    if (!state) return
    const { clip, ...rest } = state
    Object.assign(this, rest, { clipped: clip })
  }

  translate(x: number, y: number): void {
    this.multiply([1, 0, 0, 1, x, y])
  }
  rotate(angle: number): void {
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    this.multiply([c, s, -s, c, 0, 0])
  }
  private multiply([a, b, c, d, e, f]: Matrix): void {
    const [A, B, C, D, E, F] = this.matrix
    this.matrix = [
      A * a + C * b,
      B * a + D * b,
      A * c + C * d,
      B * c + D * d,
      A * e + C * f + E,
      B * e + D * f + F,
    ]
  }

  beginPath(): void {
    this.path = this.newPath()
  }
  moveTo(x: number, y: number): void {
    this.path.moveTo(x, y)
  }
  lineTo(x: number, y: number): void {
    this.path.lineTo(x, y)
  }
  closePath(): void {
    this.path.closePath()
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.path.rect(x, y, width, height)
  }
  roundRect(x: number, y: number, width: number, height: number): void {
    this.path.roundRect(x, y, width, height)
  }
  arc(x: number, y: number, r: number, from: number, to: number): void {
    this.path.arc(x, y, r, from, to)
  }

  /** The drawing is new: there is nothing to clear. */
  clearRect(): void {}
  fillRect(x: number, y: number, width: number, height: number): void {
    const path = this.newPath()
    path.rect(x, y, width, height)
    this.fill(path)
  }
  fill(path: unknown = this.path): void {
    const { d } = path as Path
    if (d) this.element('path', { d, ...this.paint('fill'), ...this.clipping() })
  }
  stroke(path: unknown = this.path): void {
    const { d } = path as Path
    if (d) this.element('path', { d, fill: 'none', ...this.strokes(), ...this.clipping() })
  }
  clip(): void {
    const id = `c${this.definitions.length}`
    this.definitions.push(`<clipPath id="${id}"><path d="${this.path.d}"/></clipPath>`)
    this.clipped = id
  }
  setLineDash(dash: readonly number[]): void {
    this.dash = dash
  }

  createRadialGradient(...circles: number[]): Gradient {
    const gradient = new Gradient(`g${this.definitions.length}`, circles)
    this.definitions.push(gradient)
    return gradient
  }

  drawImage(image: HTMLCanvasElement, x: number, y: number, width?: number, height?: number): void {
    const size = { width: width ?? image.width, height: height ?? image.height }
    const opacity = this.globalAlpha < 1 ? this.globalAlpha : null
    const href = image.toDataURL('image/png')
    const place = { x, y, ...size, opacity, preserveAspectRatio: 'none', ...this.clipping() }
    this.element('image', { ...place, href })
  }

  measureText(text: string): { width: number } {
    this.measures.font = this.font
    return this.measures.measureText(text)
  }
  strokeText(text: string, x: number, y: number): void {
    this.halo = { text, x, y, attributes: { ...this.strokes(), 'paint-order': 'stroke' } }
  }
  fillText(text: string, x: number, y: number): void {
    const halo = this.halo
    this.halo = null
    const isHaloed = halo?.text === text && halo.x === x && halo.y === y
    const [, weight, size, family] = /^(?:(\d+) )?([\d.]+)px (.+)$/.exec(this.font) ?? []
    const anchors: Record<string, string> = { center: 'middle', right: 'end', end: 'end' }
    const attributes = {
      x,
      // Not every program knows baselines: the middle of capitals is 0.36 of the size over the baseline.
      y: this.textBaseline === 'middle' ? y + 0.36 * Number(size) : y,
      'text-anchor': anchors[this.textAlign] ?? null,
      'font-family': family ?? 'sans-serif',
      'font-size': size ?? '10',
      'font-weight': weight ?? null,
      // Where the font is not installed, another one takes its place in the same room.
      textLength: this.measureText(text).width,
      lengthAdjust: 'spacingAndGlyphs',
      ...this.paint('fill'),
      ...(isHaloed ? halo.attributes : {}),
    }
    this.elements.push(`<text${written(attributes)}>${escapeXml(text)}</text>`)
  }

  private element(name: string, attributes: Record<string, string | number | null>): void {
    this.elements.push(`<${name}${written(attributes)}/>`)
  }
  private clipping(): Record<string, string> {
    return this.clipped ? { 'clip-path': `url(#${this.clipped})` } : {}
  }
  private strokes(): Record<string, string | number> {
    return {
      ...this.paint('stroke'),
      'stroke-width': this.lineWidth,
      'stroke-linecap': this.lineCap,
      'stroke-linejoin': this.lineJoin,
      ...(this.dash.length > 0 ? { 'stroke-dasharray': this.dash.join(' ') } : {}),
    }
  }
  private paint(kind: 'fill' | 'stroke'): Record<string, string | number> {
    const style = kind === 'fill' ? this.fillStyle : this.strokeStyle
    const [colour, alpha] = style instanceof Gradient ? [`url(#${style.id})`, 1] : colourOf(style)
    const opacity = alpha * this.globalAlpha
    return { [kind]: colour, ...(opacity < 1 ? { [`${kind}-opacity`]: opacity } : {}) }
  }

  /** The file; the title is what screen readers say. `size` is for a sheet of paper. */
  toString(title: string, size: VectorSize = this.ownSize()): string {
    const { width, height, viewBox } = size
    const box = `width="${width}" height="${height}" viewBox="${viewBox.map(short).join(' ')}"`
    const definitions = this.definitions.length > 0 ? `<defs>${this.definitions.join('')}</defs>\n` : ''
    return `<svg xmlns="http://www.w3.org/2000/svg" ${box} role="img">\n<title>${escapeXml(title)}</title>\n${definitions}${this.elements.join('\n')}\n</svg>\n`
  }
  private ownSize(): VectorSize {
    const { width, height } = this.canvas
    return { width: short(width), height: short(height), viewBox: [0, 0, width, height] }
  }
}

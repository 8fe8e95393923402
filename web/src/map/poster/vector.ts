// A canvas that writes SVG, for the part of the interface that a poster uses: what draws the preview draws the file as well.

import { escapeXml } from '../../../../server/domain/formats/xml.ts'

type Attributes = Record<string, string | number | null>

const short = (value: number): string => String(Math.round(value * 100) / 100)

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) => ` ${name}="${escapeXml(typeof value === 'number' ? short(value) : String(value))}"`,
    )
    .join('')
}

/** Programs that read SVG do not all know colours with an alpha. */
function colourOf(text: string): [string, number] {
  const parts = /^rgba\(([\d.]+),\s*([\d.]+),\s*([\d.]+),\s*([\d.e-]+)\)$/.exec(text)
  if (!parts) return [text, 1]
  const hex = parts.slice(1, 4).map((part) => Math.round(Number(part)).toString(16).padStart(2, '0'))
  return [`#${hex.join('')}`, Number(parts[4])]
}

interface Measures {
  measureText(text: string): { width: number }
  font: string
}

interface VectorSize {
  /** With a unit. */
  width: string
  height: string
  viewBox: readonly number[]
}

export class VectorCanvas {
  fillStyle = '#000'
  strokeStyle = '#000'
  globalAlpha = 1
  lineWidth = 1
  lineCap = 'butt'
  lineJoin = 'miter'
  font = '10px sans-serif'
  textAlign = 'start'
  textBaseline = 'alphabetic'
  /** The path as SVG writes it. */
  private d = ''
  private readonly elements: string[] = []
  private readonly measures: Measures
  /** The halo of a text that is about to be filled: both become one element. */
  private halo: { text: string; x: number; y: number; attributes: Attributes } | null = null

  constructor(measures: Measures) {
    this.measures = measures
  }

  /** As the context that the poster is drawn on. */
  get context(): CanvasRenderingContext2D {
    return this as unknown as CanvasRenderingContext2D
  }

  beginPath(): void {
    this.d = ''
  }
  moveTo(x: number, y: number): void {
    this.d += `M${short(x)} ${short(y)}`
  }
  /** The first point of a path begins it, as on a canvas. */
  lineTo(x: number, y: number): void {
    this.d += `${this.d ? 'L' : 'M'}${short(x)} ${short(y)}`
  }
  closePath(): void {
    if (this.d) this.d += 'Z'
  }
  /** In two halves: one arc cannot be a whole circle. */
  arc(x: number, y: number, r: number, from: number, to: number): void {
    const point = (angle: number) => `${short(x + r * Math.cos(angle))} ${short(y + r * Math.sin(angle))}`
    this.d += `${this.d && Math.abs(to - from) < 2 * Math.PI ? 'L' : 'M'}${point(from)}`
    for (const angle of [(from + to) / 2, to]) this.d += `A${short(r)} ${short(r)} 0 0 1 ${point(angle)}`
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.element('rect', { x, y, width, height, ...this.paint('fill') })
  }
  fill(): void {
    if (this.d) this.element('path', { d: this.d, ...this.paint('fill') })
  }
  stroke(): void {
    if (this.d) this.element('path', { d: this.d, fill: 'none', ...this.strokes() })
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

  private element(name: string, attributes: Attributes): void {
    this.elements.push(`<${name}${written(attributes)}/>`)
  }
  private strokes(): Attributes {
    return {
      ...this.paint('stroke'),
      'stroke-width': this.lineWidth,
      'stroke-linecap': this.lineCap,
      'stroke-linejoin': this.lineJoin,
    }
  }
  private paint(kind: 'fill' | 'stroke'): Attributes {
    const [colour, alpha] = colourOf(kind === 'fill' ? this.fillStyle : this.strokeStyle)
    const opacity = alpha * this.globalAlpha
    return { [kind]: colour, ...(opacity < 1 ? { [`${kind}-opacity`]: opacity } : {}) }
  }

  /** The file; the title is what screen readers say. */
  toString(title: string, { width, height, viewBox }: VectorSize): string {
    const box = `width="${width}" height="${height}" viewBox="${viewBox.map(short).join(' ')}"`
    return `<svg xmlns="http://www.w3.org/2000/svg" ${box} role="img">\n<title>${escapeXml(title)}</title>\n${this.elements.join('\n')}\n</svg>\n`
  }
}

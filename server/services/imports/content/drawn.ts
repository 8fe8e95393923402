// Bar codes that a page of a PDF draws with filled rectangles. Pages are not rendered; only dark rectangles are painted, which
// needs no fonts, curves or pictures.
import type { PDFPageProxy } from 'unpdf/pdfjs'
import type { Grey } from './pixels.ts'

type Matrix = readonly [number, number, number, number, number, number]
interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The fewest rectangles of a symbol; a form has fewer boxes. */
const FEWEST = 40
const MOST = 50_000
/** The most pixels that are painted; overlapping boxes are not a symbol. */
const PAINTED_AT_MOST = 100_000_000
const DEPTH_AT_MOST = 200
/** The longer side of the painted picture, in pixels. */
const SIDE = 1_800
/** As a share of the page's width; wider boxes are lines or frames. */
const WIDEST = 0.5
const DARK = 0x60
const [MOVE, LINE, CLOSE] = [0, 1, 4]

/** The part of the page that its dark rectangles cover; null if there are too few to be a symbol. */
export async function drawnOn(page: PDFPageProxy): Promise<Grey | null> {
  const { OPS } = await import('unpdf/pdfjs')
  const { fnArray, argsArray } = await page.getOperatorList()
  const boxes: Box[] = []
  let matrix: Matrix = [1, 0, 0, 1, 0, 0]
  let isDark = true
  const saved: { matrix: Matrix; isDark: boolean }[] = []
  const { width } = page.getViewport({ scale: 1 })
  for (let i = 0; i < fnArray.length && boxes.length < MOST; i++) {
    const [operation, args] = [fnArray[i]!, argsArray[i]]
    if (operation === OPS.save && saved.length < DEPTH_AT_MOST) saved.push({ matrix, isDark })
    else if (operation === OPS.restore) ({ matrix, isDark } = saved.pop() ?? { matrix, isDark })
    else if (operation === OPS.transform) matrix = multiplied(matrix, args as unknown as Matrix)
    else if (operation === OPS.setFillRGBColor) isDark = isDarkColour(args?.[0])
    else if (operation === OPS.constructPath && isDark && isFill(args?.[0], OPS))
      for (const box of boxesIn(args?.[1]?.[0], matrix))
        if (box.right - box.left < width * WIDEST) boxes.push(box)
  }
  return boxes.length < FEWEST ? null : painted(boxes)
}

const isFill = (operation: unknown, OPS: Record<string, number>): boolean =>
  operation === OPS['fill'] || operation === OPS['eoFill']

const multiplied = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
]

/** `#rrggbb`. */
function isDarkColour(colour: unknown): boolean {
  const parts = /^#(..)(..)(..)$/.exec(String(colour))
  return parts?.slice(1).every((part) => Number.parseInt(part, 16) <= DARK) ?? false
}

/** The rectangles of a path whose sides are vertical and horizontal on the page; other shapes are skipped. */
function* boxesIn(path: unknown, [a, b, c, d, e, f]: Matrix): Generator<Box> {
  if (!(path instanceof Float32Array)) return
  let corners: [number, number][] = []
  for (let at = 0; at < path.length; ) {
    const step = path[at]!
    if (step === CLOSE) at++
    else if (step === MOVE || step === LINE) {
      const [x, y] = [path[at + 1]!, path[at + 2]!]
      if (step === MOVE) {
        yield* boxOf(corners)
        corners = []
      }
      corners.push([a * x + c * y + e, b * x + d * y + f])
      at += 3
    } else return
  }
  yield* boxOf(corners)
}

function boxOf(corners: readonly [number, number][]): Box[] {
  if (corners.length < 4 || corners.length > 5) return []
  const isLevel = corners.every(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length]!
    return Math.abs(x - nextX) < 1e-3 || Math.abs(y - nextY) < 1e-3
  })
  if (!isLevel) return []
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const box = {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: -Math.max(...ys),
    bottom: -Math.min(...ys),
  }
  return box.right > box.left && box.bottom > box.top ? [box] : []
}

function painted(boxes: readonly Box[]): Grey {
  const edge = (of: (box: Box) => number, more: (a: number, b: number) => number) =>
    boxes.reduce((found, box) => more(found, of(box)), of(boxes[0]!))
  const [left, top] = [edge((box) => box.left, Math.min), edge((box) => box.top, Math.min)]
  const [right, bottom] = [edge((box) => box.right, Math.max), edge((box) => box.bottom, Math.max)]
  const scale = SIDE / Math.max(right - left, bottom - top)
  const [width, height] = [Math.ceil((right - left) * scale), Math.ceil((bottom - top) * scale)]
  const data = new Uint8Array(width * height).fill(255)
  let remaining = PAINTED_AT_MOST
  for (const box of boxes) {
    remaining -= (box.right - box.left) * (box.bottom - box.top) * scale * scale
    if (remaining < 0) break
    const [from, to] = [Math.round((box.left - left) * scale), Math.round((box.right - left) * scale)]
    const last = Math.min(height, Math.round((box.bottom - top) * scale))
    for (let y = Math.round((box.top - top) * scale); y < last; y++)
      data.fill(0, y * width + from, y * width + to)
  }
  return { width, height, data }
}

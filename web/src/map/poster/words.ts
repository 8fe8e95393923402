// The words and figures under the picture, and the line of ticks.
import { mixColours } from '../../../../server/domain/colour.ts'
import { rgba } from '../../globe/theme.ts'
import { MARGIN } from './layout.ts'
import { fontOf, type Sheet } from './sheet.ts'

const TITLE = 46
const SMALLEST_TITLE = 28

type Align = 'left' | 'right'

function say(
  { ctx }: Sheet,
  text: string,
  [x, y]: readonly [number, number],
  [font, colour]: readonly [string, string],
  align: Align = 'left',
): number {
  ctx.font = font
  ctx.fillStyle = colour
  ctx.textAlign = align
  ctx.textBaseline = 'alphabetic'
  ctx.fillText(text, x, y)
  return ctx.measureText(text).width
}

export function drawWords(sheet: Sheet): void {
  const { layout, words, look, data } = sheet
  const right = layout.width - MARGIN
  const small = [fontOf(13), look.second] as const
  say(sheet, words.name, [MARGIN, 58], small)
  say(sheet, words.position, [right, 58], small, 'right')
  drawTitle(sheet)
  say(sheet, words.subtitle, [MARGIN, layout.title + 32], [fontOf(17, 450), look.second])
  if (data.mostFlown > 1) drawLegend(sheet)
  if (words.figures.length > 0) drawFigures(sheet)
  if (data.ticks.length > 0 && data.years) drawTicks(sheet, data.years)
  const note = [fontOf(11), look.second] as const
  say(sheet, words.notes[0], [MARGIN, layout.foot], note)
  say(sheet, words.notes[1], [right, layout.foot], note, 'right')
}

/** Shrinks to one line; what is still too long wraps to two. */
export function titleLines(
  title: string,
  room: number,
  widthOf: (text: string, size: number) => number,
): { lines: string[]; size: number } {
  for (let size = TITLE; size >= SMALLEST_TITLE; size -= 2)
    if (widthOf(title, size) <= room) return { lines: [title], size }
  const words = title.split(' ')
  const best = words
    .map((_, i) => [words.slice(0, i + 1).join(' '), words.slice(i + 1).join(' ')])
    .map((lines) => ({ lines, wide: Math.max(...lines.map((line) => widthOf(line, SMALLEST_TITLE))) }))
    .reduce((a, b) => (b.wide < a.wide ? b : a))
  const size = Math.min(SMALLEST_TITLE, Math.floor((SMALLEST_TITLE * room) / best.wide))
  return { lines: best.lines.filter(Boolean), size }
}

function drawTitle(sheet: Sheet): void {
  const { ctx, layout, words, look } = sheet
  const measure = (text: string, size: number) => {
    ctx.font = fontOf(size, 660)
    return ctx.measureText(text).width
  }
  const { lines, size } = titleLines(words.title, layout.width - 2 * MARGIN, measure)
  for (const [i, line] of lines.entries()) {
    const above = (lines.length - 1 - i) * size * 1.12
    say(sheet, line, [MARGIN, layout.title - above], [fontOf(size, 660), look.ink])
  }
}

const LEGEND = 84
const LEGEND_PARTS = 28

function drawLegend(sheet: Sheet): void {
  const { ctx, layout, words, look } = sheet
  const y = layout.title + 32
  const right = layout.width - MARGIN
  const wide = say(sheet, words.often, [right, y], [fontOf(12), look.second], 'right')
  const start = right - wide - 8 - LEGEND
  say(sheet, words.once, [start - 8, y], [fontOf(12), look.second], 'right')
  for (let i = 0; i < LEGEND_PARTS; i++) {
    ctx.fillStyle = rgba(mixColours(look.rare, look.often, i / (LEGEND_PARTS - 1)), 1)
    ctx.fillRect(start + (i * LEGEND) / LEGEND_PARTS, y - 5.5, LEGEND / LEGEND_PARTS + 0.3, 3)
  }
}

function drawFigures(sheet: Sheet): void {
  const { ctx, layout, words, look } = sheet
  const room = layout.width - 2 * MARGIN
  ctx.fillStyle = look.ink
  ctx.fillRect(MARGIN, layout.figures - 40, room, 1)
  const widths = words.figures.map(([value, unit, label]) => {
    ctx.font = fontOf(24, 640)
    const number = ctx.measureText(value).width
    ctx.font = fontOf(13)
    return Math.max(number + (unit ? ctx.measureText(unit).width + 5 : 0), ctx.measureText(label).width)
  })
  const gap = (room - widths.reduce((sum, width) => sum + width, 0)) / Math.max(1, widths.length - 1)
  let x = MARGIN
  for (const [i, [value, unit, label]] of words.figures.entries()) {
    const wide = say(sheet, value, [x, layout.figures], [fontOf(24, 640), look.ink])
    say(sheet, unit, [x + wide + 5, layout.figures], [fontOf(13, 550), look.ink])
    say(sheet, label, [x, layout.figures + 20], [fontOf(12), look.second])
    x += widths[i]! + gap
  }
}

const TALLEST = 34
/** Room for a year, and its own width. */
const YEAR = 46
const YEAR_WIDE = 29

/** One tick a flight, as high as it was far. */
function drawTicks(sheet: Sheet, { first, last }: { first: number; last: number }): void {
  const { ctx, layout, data, look } = sheet
  const room = layout.width - 2 * MARGIN
  for (const { at, height } of data.ticks) {
    ctx.fillStyle = rgba(mixColours(look.rare, look.often, 1 - height), 0.85)
    const tall = 4 + (TALLEST - 4) * height
    ctx.fillRect(MARGIN + at * room - 0.5, layout.ticks - tall, 1, tall)
  }
  ctx.fillStyle = look.ink
  ctx.fillRect(MARGIN, layout.ticks, room, 0.8)
  const years = last - first + 1
  const step = [1, 2, 5, 10, 20, 50].find((one) => (room * one) / years >= YEAR) ?? 100
  const mostRight = MARGIN + room - YEAR_WIDE
  for (let year = first, before = -YEAR; year <= last; year++) {
    if (year !== first && (year % step !== 0 || year - first < step * 0.8)) continue
    const x = Math.min(MARGIN + ((year - first) / years) * room, mostRight)
    // The last one is moved into the margins, unless it would touch the one before.
    if (x - before < YEAR_WIDE + 6) continue
    before = x
    say(sheet, String(year), [x, layout.ticks + 16], [fontOf(12), look.second])
  }
}

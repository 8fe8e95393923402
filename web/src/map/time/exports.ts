// Time on the map as files: a picture and a film. Both are drawn by what draws the map.

import type { Frame } from '../../globe/frame.ts'
import type { Viewport } from '../../globe/types.ts'
import { type Caption, captionInsets, drawCaption } from './caption.ts'
import type { TimeMode } from './mode.svelte.ts'
import { advance, secondsBetween } from './timeline.ts'
import { withLength } from './webm.ts'

interface Subject {
  mode: TimeMode
  /** What is written beside the globe at a moment, in a picture of this width. */
  caption: (moment: number, width: number) => Caption
}

const PICTURE_SCALE = 2
const FILM = { width: 1920, height: 1080, scale: 1.35, frames: 30, bitsPerSecond: 12_000_000 }
/** The whole log stays in sight at the end. */
const HELD_S = 1.5
const LONGEST_FRAME_S = 0.25
/** How much longer the end stays in sight until a busy machine has encoded its first frames. */
const PATIENCE_S = 20

const sized = (width: number, height: number): Viewport => ({ width, height, insets: captionInsets(width) })

/** Pixels of the picture. */
export function pictureSize({ engine }: TimeMode): [number, number] {
  const { width, height } = engine.size
  return [Math.round(width * PICTURE_SCALE), Math.round(height * PICTURE_SCALE)]
}

function createCanvas(width: number, height: number, scale: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const ctx = canvas.getContext('2d')!
  ctx.setTransform(scale, 0, 0, scale, 0, 0)
  return ctx
}

/** Space behind everything: a file has no page under it. */
function fillSpace({ ctx, viewport, theme }: Frame): void {
  ctx.globalCompositeOperation = 'destination-over'
  ctx.fillStyle = theme.space
  ctx.fillRect(0, 0, viewport.width, viewport.height)
  ctx.globalCompositeOperation = 'source-over'
}

export function pictureFile({ mode, caption }: Subject): Promise<Blob> {
  const { width, height } = mode.engine.size
  const ctx = createCanvas(...pictureSize(mode), PICTURE_SCALE)
  const frame = mode.engine.frameFor(ctx, sized(width, height))
  mode.createPainter().drawWhole(frame)
  fillSpace(frame)
  drawCaption(frame, caption(mode.moment, width))
  return new Promise((resolve, reject) => {
    ctx.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
  })
}

const filmTypes = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm']

/** Undefined if this browser cannot record a canvas. */
export function filmType(): string | undefined {
  if (typeof MediaRecorder === 'undefined' || !('captureStream' in HTMLCanvasElement.prototype))
    return undefined
  return filmTypes.find((type) => MediaRecorder.isTypeSupported(type))
}

/** Seconds of playback from the start handle to the end. */
export const filmSeconds = ({ timeline, from, speed }: TimeMode): number =>
  secondsBetween(timeline, from, timeline.last, speed)

/** Records in real time. It waits while the page is hidden, and ends early, with null, when it is cancelled. */
export async function filmFile(
  { mode, caption }: Subject,
  progress: (share: number) => void,
  cancelled: AbortSignal,
): Promise<Blob | null> {
  const ctx = createCanvas(FILM.width, FILM.height, FILM.scale)
  const frame = mode.engine.frameFor(ctx, sized(FILM.width / FILM.scale, FILM.height / FILM.scale))
  const painter = mode.createPainter(mode.from)
  let [night, before]: [number | null, number] = [null, 0]
  const draw = (seconds: number) => {
    const moment = advance(mode.timeline, mode.from, seconds, mode.speed)
    painter.show(mode.viewAt(moment, true))
    night = mode.nightAt(moment, night, seconds - before)
    before = seconds
    painter.draw({ ...frame, night })
    fillSpace(frame)
    drawCaption(frame, caption(moment, frame.viewport.width))
  }
  draw(0)
  const recorder = new MediaRecorder(ctx.canvas.captureStream(FILM.frames), {
    mimeType: filmType()!,
    videoBitsPerSecond: FILM.bitsPerSecond,
  })
  const film = recorded(recorder)
  recorder.start(1000)
  const total = filmSeconds(mode) + HELD_S
  await playThrough(recorder, cancelled, (seconds) => {
    draw(Math.min(seconds, total))
    progress(Math.min(1, seconds / total))
    return seconds < total || (seconds < total + PATIENCE_S && film.isEmpty())
  })
  recorder.stop()
  const blob = await film.blob
  if (cancelled.aborted) return null
  if (film.isEmpty()) throw new Error('the browser recorded nothing')
  return new Blob([withLength(new Uint8Array(await blob.arrayBuffer()))], { type: blob.type })
}

interface Recording {
  blob: Promise<Blob>
  isEmpty(): boolean
}

function recorded(recorder: MediaRecorder): Recording {
  const parts: Blob[] = []
  const blob = new Promise<Blob>((resolve, reject) => {
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.onstop = () => resolve(new Blob(parts, { type: 'video/webm' }))
    recorder.onerror = () => reject(new Error('the browser stopped recording'))
  })
  return { blob, isEmpty: () => parts.every(({ size }) => size === 0) }
}

/** Calls `draw` with every frame of the browser until it returns false. A hidden page has no frames: then the recorder waits too. */
function playThrough(
  recorder: MediaRecorder,
  cancelled: AbortSignal,
  draw: (seconds: number) => boolean,
): Promise<void> {
  const onVisible = () => {
    if (document.hidden) recorder.pause()
    else recorder.resume()
  }
  document.addEventListener('visibilitychange', onVisible)
  return new Promise<void>((resolve) => {
    let [seconds, before] = [0, 0]
    const tick = (now: number) => {
      if (before > 0) seconds += Math.min(LONGEST_FRAME_S, (now - before) / 1000)
      before = now
      if (cancelled.aborted || recorder.state === 'inactive') return resolve()
      if (draw(seconds)) requestAnimationFrame(tick)
      else resolve()
    }
    requestAnimationFrame(tick)
  }).finally(() => document.removeEventListener('visibilitychange', onVisible))
}

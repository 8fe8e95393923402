/**
 * Codes in a picture. The browser's own detector reads them where it knows all four kinds of codes that boarding passes
 * have, else zxing in a worker, whose program is served with the app. Pictures never leave the browser.
 */

import type { PassFormat } from '../../../../server/domain/status/kept-pass.ts'
import type { Found, WorkerReply, WorkerRequest } from './codes-worker.ts'
import { each, type Quad, type Size, turnedBack } from './geometry.ts'

type Picture = HTMLVideoElement | ImageBitmap

export interface Decoder {
  /** `thorough` takes its time: for a photo, not for a frame. */
  read(picture: Picture, thorough?: boolean): Promise<Found[]>
  end(): void
}

/** Of the Barcode Detection API, which TypeScript does not know. */
interface NativeDetector {
  detect(
    source: CanvasImageSource,
  ): Promise<{ rawValue: string; format: string; cornerPoints: readonly { x: number; y: number }[] }[]>
}
interface NativeDetectorClass {
  new (options: { formats: readonly string[] }): NativeDetector
  getSupportedFormats(): Promise<string[]>
}

/** The browser's names of the four. */
const names: Record<string, PassFormat> = {
  aztec: 'aztec',
  pdf417: 'pdf417',
  qr_code: 'qr',
  data_matrix: 'datamatrix',
}
const formats = Object.keys(names)

async function nativeDetector(): Promise<NativeDetector | null> {
  const Detector = (globalThis as { BarcodeDetector?: NativeDetectorClass }).BarcodeDetector
  if (!Detector) return null
  try {
    const supported = await Detector.getSupportedFormats()
    return formats.every((format) => supported.includes(format)) ? new Detector({ formats }) : null
  } catch {
    return null
  }
}

export async function createDecoder(): Promise<Decoder> {
  const own = createWorkerDecoder()
  let native = await nativeDetector()
  if (!native) own.prepare()
  return {
    async read(picture, thorough = false) {
      if (native) {
        try {
          const found = (await native.detect(picture)).map(({ rawValue, format, cornerPoints }) => ({
            text: rawValue,
            format: names[format] ?? 'qr',
            corners: cornerPoints as unknown as Quad,
          }))
          // It gives up on photos sooner than zxing does.
          if (found.length > 0 || !thorough) return found
        } catch {
          // The service behind it is missing on some devices, which shows only now.
          native = null
        }
      }
      return own.read(picture, thorough)
    },
    end: own.end,
  }
}

/** Larger frames cost more than they tell; codes on paper need about this much. */
const FRAME_SIDE = 1280
const PHOTO_SIDE = 2000

export const sizeOf = (picture: Picture): Size =>
  picture instanceof HTMLVideoElement
    ? { width: picture.videoWidth, height: picture.videoHeight }
    : { width: picture.width, height: picture.height }

/**
 * zxing reads PDF417 that is turned by no more than a few degrees, or by these and a quarter turn. So each frame is drawn
 * turned by another angle, and most often not at all.
 */
const turns = [0, 9, 0, -9, 0, 18, 0, -18, 0, 27, -27, 0, 36, -36, 45] as const

interface Drawing {
  longest: number
  turn: number
}

/** The pixels of a picture, at most so long on its longer side, and how to find a place of them in the picture. */
function draw(canvas: HTMLCanvasElement, picture: Picture, { longest, turn }: Drawing) {
  const { width, height } = sizeOf(picture)
  const scale = Math.min(1, longest / Math.max(width, height, 1))
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  Object.assign(canvas, size)
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.fillStyle = '#808080'
  context.fillRect(0, 0, size.width, size.height)
  context.translate(size.width / 2, size.height / 2)
  context.rotate((turn * Math.PI) / 180)
  context.drawImage(picture, -size.width / 2, -size.height / 2, size.width, size.height)
  const pixels = context.getImageData(0, 0, size.width, size.height)
  const inPicture = (quad: Quad): Quad =>
    each(turnedBack(quad, size, turn), ({ x, y }) => ({ x: x / scale, y: y / scale }))
  return { pixels, inPicture }
}

/** For a photo: each size upright, then turned. */
const thoroughly: readonly Drawing[] = [
  ...[PHOTO_SIDE, FRAME_SIDE, 700].map((longest) => ({ longest, turn: 0 })),
  ...turns.filter((turn) => turn !== 0).map((turn) => ({ longest: FRAME_SIDE, turn })),
]

function createWorkerDecoder() {
  const canvas = document.createElement('canvas')
  let worker: Worker | undefined
  let next = 0
  let frame = 0
  const waiting = new Map<number, { resolve: (found: Found[]) => void; reject: (error: unknown) => void }>()

  function started(): Worker {
    if (worker) return worker
    const made = new Worker(new URL('./codes-worker.ts', import.meta.url), { type: 'module', name: 'codes' })
    made.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      const one = waiting.get(data.id)
      waiting.delete(data.id)
      if (data.failed) one?.reject(new Error('The reader of codes could not be loaded'))
      else one?.resolve(data.found)
    }
    made.onerror = () => {
      for (const one of waiting.values()) one.reject(new Error('The reader of codes could not be loaded'))
      waiting.clear()
      worker = undefined
    }
    worker = made
    return made
  }

  function ask(pixels: ImageData, thorough: boolean): Promise<Found[]> {
    const id = ++next
    const request: WorkerRequest = { id, pixels, thorough }
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      started().postMessage(request, [pixels.data.buffer])
    })
  }

  return {
    /** Loads the program before the first frame is there. */
    prepare: () => void started(),
    async read(picture: Picture, thorough: boolean): Promise<Found[]> {
      const turn = turns[frame++ % turns.length]!
      for (const drawing of thorough ? thoroughly : [{ longest: FRAME_SIDE, turn }]) {
        const { pixels, inPicture } = draw(canvas, picture, drawing)
        const found = await ask(pixels, thorough)
        if (found.length > 0) return found.map((one) => ({ ...one, corners: inPicture(one.corners) }))
      }
      return []
    },
    end(): void {
      worker?.terminate()
      worker = undefined
    },
  }
}

/** The codes in a file that shows something; null if it is no picture that this browser can draw. */
export async function readPicture(file: Blob): Promise<Found[] | null> {
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(file)
  } catch {
    return null
  }
  const decoder = await createDecoder()
  try {
    return await decoder.read(bitmap, true)
  } finally {
    decoder.end()
    bitmap.close()
  }
}

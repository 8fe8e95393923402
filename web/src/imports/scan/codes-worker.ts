/** Runs zxing outside the page. Its program is a file of the app, so that it works offline and from this origin alone. */

import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import program from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { PassFormat } from '../../../../server/domain/status/kept-pass.ts'
import { type Quad, squared } from './geometry.ts'

export interface Found {
  text: string
  format: PassFormat
  /** In pixels of the picture that was read. */
  corners: Quad
}

export interface WorkerRequest {
  id: number
  pixels: ImageData
  thorough: boolean
}
export interface WorkerReply {
  id: number
  found: Found[]
  /** The program could not be loaded. */
  failed?: boolean
}

const ready = prepareZXingModule({
  overrides: { locateFile: (path: string) => (path.endsWith('.wasm') ? program : path) },
  fireImmediately: true,
})
ready.catch(() => {})

const names: Partial<Record<string, PassFormat>> = {
  PDF417: 'pdf417',
  Aztec: 'aztec',
  QRCode: 'qr',
  DataMatrix: 'datamatrix',
}

const options: ReaderOptions = {
  formats: ['PDF417', 'Aztec', 'QRCode', 'DataMatrix'],
  textMode: 'Plain',
  tryInvert: true,
  maxNumberOfSymbols: 4,
}

async function read({ pixels, thorough }: WorkerRequest): Promise<Found[]> {
  const found = await readBarcodes(pixels, { ...options, tryDenoise: thorough })
  return found
    .filter(({ isValid, text }) => isValid && text !== '')
    .map(({ text, format, position: { topLeft, topRight, bottomRight, bottomLeft } }) => {
      const corners = [topLeft, topRight, bottomRight, bottomLeft] as const
      const isWide = format === 'PDF417'
      return { text, format: names[format] ?? 'qr', corners: isWide ? squared(corners) : corners }
    })
}

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  ready
    .then(() => read(data))
    .then(
      (found) => postMessage({ id: data.id, found } satisfies WorkerReply),
      () => postMessage({ id: data.id, found: [], failed: true } satisfies WorkerReply),
    )
})

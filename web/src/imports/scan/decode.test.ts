// Which reader of codes is used: the browser's own where it knows all four kinds of codes and works, else zxing in a worker.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import '../../testing/components.ts'
import type { WorkerReply, WorkerRequest } from './codes-worker.ts'

const { createDecoder } = await import('./decode.ts')

const all = ['aztec', 'pdf417', 'qr_code', 'data_matrix']
const picture = { width: 100, height: 50 } as ImageBitmap
const replaced = ['BarcodeDetector', 'Worker', 'HTMLVideoElement'] as const
const before = Object.fromEntries(
  replaced.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
)
const createElement = document.createElement

const replace = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })

let workers = 0
/** Finds a code in everything. */
class Zxing {
  onmessage: ((event: { data: WorkerReply }) => void) | undefined
  constructor() {
    workers++
  }
  postMessage({ id }: WorkerRequest): void {
    const corners = [0, 1, 2, 3].map(() => ({ x: 0, y: 0 })) as never
    queueMicrotask(() =>
      this.onmessage?.({ data: { id, found: [{ text: 'by zxing', format: 'aztec', corners }] } }),
    )
  }
  terminate(): void {}
}

const canvas = {
  getContext: () => ({
    fillRect() {},
    translate() {},
    rotate() {},
    drawImage() {},
    getImageData: () => ({ data: new Uint8ClampedArray(4) }),
  }),
}

beforeEach(() => {
  workers = 0
  replace('Worker', Zxing)
  replace('HTMLVideoElement', class {})
  document.createElement = (() => canvas) as never
})

afterEach(() => {
  document.createElement = createElement
  for (const name of replaced) {
    const own = before[name]
    if (own) Object.defineProperty(globalThis, name, own)
    else Reflect.deleteProperty(globalThis, name)
  }
})

/** The browser's own, which finds these texts, or fails. */
function giveDetector(formats: readonly string[], found: readonly string[] | Error): void {
  replace(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => formats
      async detect() {
        if (found instanceof Error) throw found
        return found.map((rawValue) => ({ rawValue, cornerPoints: [] }))
      }
    },
  )
}

async function read(thorough = false): Promise<string[]> {
  const decoder = await createDecoder()
  const found = await decoder.read(picture, thorough)
  decoder.end()
  return found.map(({ text }) => text)
}

test('A detector of the browser that knows all four codes is used, and zxing is not loaded', async () => {
  giveDetector([...all, 'ean_13'], ['by the browser'])
  assert.deepEqual(await read(), ['by the browser'])
  assert.equal(workers, 0)
})

test('A detector that does not know all four codes is not used', async () => {
  giveDetector(['qr_code'], ['by the browser'])
  assert.deepEqual(await read(), ['by zxing'])
})

test('A detector whose service is missing is followed by zxing', async () => {
  giveDetector(all, new DOMException('Barcode detection service unavailable.', 'NotSupportedError'))
  assert.deepEqual(await read(), ['by zxing'])
})

test('A frame in which the detector finds nothing is done, a photo is given to zxing too', async () => {
  giveDetector(all, [])
  assert.deepEqual(await read(), [])
  assert.equal(workers, 0)
  assert.deepEqual(await read(true), ['by zxing'])
})

test('Without a detector of the browser zxing is loaded before the first frame', async () => {
  const decoder = await createDecoder()
  assert.equal(workers, 1)
  decoder.end()
})

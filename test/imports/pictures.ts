// Pictures of bar codes as made by cameras and scanners: turned, blurred, noisy. Written as PNG files.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { crc32, deflateSync } from 'node:zlib'
import encode, { init } from '@jsquash/webp/encode.js'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import type { Barcode } from '../../server/services/imports/content/content.ts'

/** Grey, a byte per pixel, rows from the top. */
export interface Grey {
  width: number
  height: number
  data: Uint8Array
}

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm')
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } })

/** A symbol on white, with modules of this many pixels and a margin of this many modules. */
export async function drawBarcode(
  text: string,
  format: Barcode['format'],
  { scale = 4, margin = 6 } = {},
): Promise<Grey> {
  const { symbol, error } = await writeBarcode(text, { format, withQuietZones: false })
  if (!symbol) throw new Error(error)
  const [width, height] = [(symbol.width + 2 * margin) * scale, (symbol.height + 2 * margin) * scale]
  const data = new Uint8Array(width * height).fill(255)
  for (let y = 0; y < symbol.height * scale; y++)
    for (let x = 0; x < symbol.width * scale; x++)
      data[(y + margin * scale) * width + x + margin * scale] =
        symbol.data[Math.floor(y / scale) * symbol.width + Math.floor(x / scale)]!
  return { width, height, data }
}

/** Turned around its centre on a larger white sheet, with interpolation. */
export function turned({ width, height, data }: Grey, degrees: number): Grey {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const size = Math.ceil(Math.hypot(width, height)) + 20
  const sheet = new Uint8Array(size * size).fill(255)
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 255 : data[y * width + x]!
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const [dx, dy] = [x - size / 2, y - size / 2]
      const [sx, sy] = [dx * cos + dy * sin + width / 2, dy * cos - dx * sin + height / 2]
      const [left, top] = [Math.floor(sx), Math.floor(sy)]
      const [fx, fy] = [sx - left, sy - top]
      sheet[y * size + x] =
        at(left, top) * (1 - fx) * (1 - fy) +
        at(left + 1, top) * fx * (1 - fy) +
        at(left, top + 1) * (1 - fx) * fy +
        at(left + 1, top + 1) * fx * fy
    }
  return { width: size, height: size, data: sheet }
}

/** Each pixel is the mean of its surroundings. */
export function blurred({ width, height, data }: Grey, radius: number): Grey {
  const result = new Uint8Array(data.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [sum, count] = [0, 0]
      for (let dy = -radius; dy <= radius; dy++)
        for (let dx = -radius; dx <= radius; dx++) {
          if (y + dy < 0 || x + dx < 0 || y + dy >= height || x + dx >= width) continue
          sum += data[(y + dy) * width + x + dx]!
          count++
        }
      result[y * width + x] = sum / count
    }
  return { width, height, data: result }
}

/** The same noise each time, so that a failure can be repeated. */
export function noisy({ width, height, data }: Grey, strength: number, seed = 1): Grey {
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31 - 0.5
  }
  return {
    width,
    height,
    data: data.map((value) => Math.max(0, Math.min(255, value + 2 * strength * random()))),
  }
}

export const inverted = ({ width, height, data }: Grey): Grey => ({
  width,
  height,
  data: data.map((value) => 255 - value),
})

export const chunk = (type: string, content: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** `stated` is the size in the header, for pictures with a false one. */
export function pngOf({ width, height, data }: Grey, stated = { width, height }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(stated.width, 0)
  header.writeUInt32BE(stated.height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const webpWasm = createRequire(import.meta.url).resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm')

/** Transparent where it is white, if `isTransparent`. */
export async function webpOf(
  { width, height, data }: Grey,
  { isLossless = false, isTransparent = false } = {},
): Promise<Buffer> {
  await init({ wasmBinary: Uint8Array.from(readFileSync(webpWasm)).buffer })
  const rgba = new Uint8ClampedArray(4 * data.length)
  data.forEach((grey, i) => {
    rgba.set([grey, grey, grey, isTransparent && grey > 127 ? 0 : 255], 4 * i)
  })
  const pixels = { width, height, data: rgba, colorSpace: 'srgb' } as unknown as Parameters<typeof encode>[0]
  return Buffer.from(await encode(pixels, isLossless ? { lossless: 1 } : {}))
}

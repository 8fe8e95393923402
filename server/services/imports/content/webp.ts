// WebP pictures, which the library that finds bar codes does not decode.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Grey, PictureSize } from './pixels.ts'

/** The size in the header; null if there is none. */
export function sizeOfWebp(bytes: Uint8Array): PictureSize | null {
  if (bytes.length < 30) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = (width: number, height: number): PictureSize => ({ width, height, components: 3 })
  const uint24 = (at: number): number => view.getUint32(at, true) & 0xffffff
  switch (Buffer.from(bytes.subarray(12, 16)).toString('latin1')) {
    case 'VP8 ':
      return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return size((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1)
    }
    case 'VP8X':
      return size(uint24(24) + 1, uint24(27) + 1)
    default:
      return null
  }
}

/** Null: damaged, or animated. Each picture gets a decoder of its own, whose memory is free afterwards. */
export async function pixelsOfWebp(bytes: Uint8Array): Promise<Grey | null> {
  const { default: decode, init } = await import('@jsquash/webp/decode.js')
  const program = await readFile(fileURLToPath(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')))
  await init({ wasmBinary: Uint8Array.from(program).buffer })
  try {
    const { width, height, data } = await decode(Uint8Array.from(bytes).buffer)
    return { width, height, data: greyOf(data) }
  } catch {
    return null
  }
}

/** On white, where the picture is transparent. */
function greyOf(rgba: Uint8ClampedArray): Uint8Array {
  const grey = new Uint8Array(rgba.length / 4)
  for (let i = 0; i < grey.length; i++) {
    const at = 4 * i
    const light = 0.299 * rgba[at]! + 0.587 * rgba[at + 1]! + 0.114 * rgba[at + 2]!
    const alpha = rgba[at + 3]! / 255
    grey[i] = light * alpha + 255 * (1 - alpha)
  }
  return grey
}

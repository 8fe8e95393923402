// Boarding passes for Chromium's fake camera: codes made by zxing's writer, drawn turned and blurred into a film, and
// pictures.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareZXingModule, type WriterOptions, writeBarcode } from 'zxing-wasm/writer'

const program = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm')
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(program)).buffer } })

interface Leg {
  locator?: string
  from: string
  to: string
  carrier: string
  number: string
  /** Day of the year. */
  day: number
  compartment?: string
  seat?: string
}

/** The text of IATA resolution 792, without a conditional part. */
export function passText(name: string, legs: readonly Leg[]): string {
  const parts = legs.map(
    ({ locator = 'ABC123', from, to, carrier, number, day, compartment = 'Y', seat = '12A' }) =>
      [
        locator.padEnd(7),
        from,
        to,
        carrier.padEnd(3),
        `${number.padStart(4, '0')} `,
        String(day).padStart(3, '0'),
        compartment,
        seat.padStart(4, '0'),
        '0042 ',
        '1',
        '00',
      ].join(''),
  )
  return `M${legs.length}${name.padEnd(20).slice(0, 20)}E${parts.join('')}`
}

export const dayOfYear = (date: string): number =>
  Math.round((Date.parse(date) - Date.parse(`${date.slice(0, 4)}-01-01`)) / 86_400_000) + 1

type CodeFormat = 'PDF417' | 'Aztec' | 'QRCode' | 'DataMatrix'

interface Shot {
  text: string
  format: CodeFormat
  /** In degrees. */
  angle?: number
  /** Radius in pixels. */
  blur?: number
  /** In the orientation of a phone's camera. */
  upright?: boolean
}

const LONG = 1280
const SHORT = 720
const TABLE = 70
const PAPER = 226
const INK = 28

interface Modules {
  width: number
  height: number
  data: Uint8ClampedArray | Uint8Array
}

async function modulesOf(text: string, format: CodeFormat): Promise<Modules> {
  const { symbol, error } = await writeBarcode(text, { format } as WriterOptions)
  if (error) throw new Error(error)
  return symbol
}

/** Brightness of each pixel: a pass on a table, seen by a tilted and blurred camera. */
async function picture({ text, format, angle = 0, blur = 0, upright = false }: Shot): Promise<Uint8Array> {
  const [width, height] = upright ? [SHORT, LONG] : [LONG, SHORT]
  const symbol = await modulesOf(text, format)
  // Modules of PDF417 are three times as high as wide already; the code takes about half of the picture.
  const scale = Math.min((width * (upright ? 0.7 : 0.55)) / symbol.width, (height * 0.5) / symbol.height)
  const [sine, cosine] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)]
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2]
      const across = (dx * cosine + dy * sine) / scale + symbol.width / 2
      const down = (dy * cosine - dx * sine) / scale + symbol.height / 2
      pixels[y * width + x] = brightness(symbol, Math.floor(across), Math.floor(down), scale)
    }
  }
  return blurred(blurred(pixels, blur, 1, width), blur, width, height)
}

function brightness({ width, height, data }: Modules, x: number, y: number, scale: number): number {
  const air = 40 / scale
  if (x < -air || y < -air || x >= width + air || y >= height + air) return TABLE
  if (x < 0 || y < 0 || x >= width || y >= height) return PAPER
  return data[y * width + x] === 0 ? INK : PAPER
}

/** A running mean along rows or columns. */
function blurred(pixels: Uint8Array, radius: number, step: number, length: number): Uint8Array {
  if (radius === 0) return pixels
  const out = new Uint8Array(pixels.length)
  for (let i = 0; i < pixels.length; i++) {
    const at = Math.floor(i / step) % length
    let [sum, count] = [0, 0]
    for (let d = -radius; d <= radius; d++) {
      if (at + d < 0 || at + d >= length) continue
      sum += pixels[i + d * step]!
      count++
    }
    out[i] = sum / count
  }
  return out
}

const scratch = () => mkdtempSync(join(tmpdir(), 'contrail-pass-'))

/** A film that Chromium's fake camera shows again and again: a second of an empty table, then the pass. */
export async function passFilm(shot: Shot): Promise<string> {
  const path = join(scratch(), 'pass.y4m')
  const [width, height] = shot.upright ? [SHORT, LONG] : [LONG, SHORT]
  const grey = Buffer.alloc((width * height) / 2, 128)
  const frame = (luma: Uint8Array) => Buffer.concat([Buffer.from('FRAME\n'), luma, grey])
  const table = frame(new Uint8Array(width * height).fill(TABLE))
  const pass = frame(await picture(shot))
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F5:1 Ip A1:1 C420\n`)
  writeFileSync(path, Buffer.concat([head, table, table, ...Array<Buffer>(8).fill(pass)]))
  return path
}

export const cameraArguments = (film: string): string[] => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
]

/** A picture of a code as a file: PNG. */
export async function passPicture(text: string, format: CodeFormat): Promise<Buffer> {
  const { image, error } = await writeBarcode(text, {
    format,
    scale: 4,
    addQuietZones: true,
  } as WriterOptions)
  if (!image) throw new Error(error)
  return Buffer.from(await image.arrayBuffer())
}

// Draws an uploaded SVG as a PNG. The library may need any amount of time and memory, so only `icon-process.ts` calls this.
import { Resvg } from '@resvg/resvg-js'
import { font } from './fonts.ts'

/** The longer side in pixels. */
const PIXELS = 512

/** The library reads files that images refer to, and entities could hide an image. */
const readsFiles = /<!ENTITY|<(?:[^\s<>]*:)?(?:image|feImage)[\s/>]/i

/** Throws if it is not a drawing, could show a file of this machine, or shows nothing. */
export function drawIcon(svg: string): Uint8Array {
  if (readsFiles.test(svg)) throw new Error('it has images or entities')
  const { width, height } = new Resvg(svg, { font })
  const fitTo = { mode: width >= height ? 'width' : 'height', value: PIXELS } as const
  const image = new Resvg(svg, { font, fitTo }).render()
  // Every fourth byte is the opacity of a pixel.
  if (!image.pixels.some((byte, i) => i % 4 === 3 && byte > 0)) throw new Error('nothing is visible')
  return image.asPng()
}

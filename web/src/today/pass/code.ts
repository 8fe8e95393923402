/** The bar code of a pass as a path. The writer is loaded with the page that shows the code; zxing reads its codes in the tests. */

import { azteccode, datamatrix, drawingSVG, pdf417, qrcode } from 'bwip-js/generic'
import type { PassFormat } from '../../../../server/domain/status/kept-pass.ts'

export interface DrawnCode {
  /** In units of the path. */
  width: number
  height: number
  /** Modules across: each must be a whole number of pixels. */
  modules: number
  path: string
}

/** Units of the drawing per module. */
const units: Record<PassFormat, number> = { aztec: 2, pdf417: 1, qr: 2, datamatrix: 2 }

function svgOf(text: string, format: PassFormat): string {
  const options = { text, scale: 1 }
  if (format === 'aztec') return azteccode({ ...options, bcid: 'azteccode' }, drawingSVG())
  if (format === 'qr') return qrcode({ ...options, bcid: 'qrcode' }, drawingSVG())
  if (format === 'datamatrix') return datamatrix({ ...options, bcid: 'datamatrix' }, drawingSVG())
  // About three times as wide as high; the option is not in the types.
  const high = { ...options, bcid: 'pdf417', rowmult: 4 }
  return pdf417(high, drawingSVG())
}

/** Throws if the text does not fit into such a code. */
export function drawCode(text: string, format: PassFormat): DrawnCode {
  const svg = svgOf(text, format)
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!
  const path = [...svg.matchAll(/ d="([^"]+)"/g)].map(([, d]) => d).join('')
  return { width: Number(width), height: Number(height), modules: Number(width) / units[format], path }
}

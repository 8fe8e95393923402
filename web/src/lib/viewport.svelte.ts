/**
 * The width of the window in the rem of the styles, which grow with the browser's font. The styles change at the same four
 * widths: 30, 40, 48 and 64 rem.
 */

import { MediaQuery } from 'svelte/reactivity'

const phone = new MediaQuery('(width < 48rem)')
const wide = new MediaQuery('(width >= 64rem)')
const low = new MediaQuery('(height < 30rem)')

export const viewport = {
  /** One column, the navigation at the bottom. */
  get isPhone(): boolean {
    return phone.current
  },
  /** Room for two columns. */
  get isWide(): boolean {
    return wide.current
  },
  /** A phone on its side. */
  get isLow(): boolean {
    return low.current
  },
}

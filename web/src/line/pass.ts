/** Hands a boarding pass that was typed or pasted into the line over to the screen that shows passes. */

import type { BoardingPass } from '../../../server/domain/imports/boarding-pass.ts'
import { navigate } from '../lib/router.svelte.ts'

let handed: BoardingPass | null = null

export function openPass(pass: BoardingPass): void {
  handed = pass
  navigate('/scan')
}

/** Once. */
export function takePass(): BoardingPass | null {
  const pass = handed
  handed = null
  return pass
}

/** Signing out with a button, which asks first if changes are unsent. The navigation shows the question. */

import { signOut } from '../session/session.svelte.ts'
import { whenKnown } from './parts.ts'
import { waiting } from './waiting.svelte.ts'

let isAsking = $state(false)

export const leaving = {
  get isAsking(): boolean {
    return isAsking
  },
  stay(): void {
    isAsking = false
  },
}

export async function leave(): Promise<void> {
  // A page that was just opened may not have read them yet.
  await whenKnown().catch(() => {})
  if (waiting.count > 0) isAsking = true
  else await signOut()
}

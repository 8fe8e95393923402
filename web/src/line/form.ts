/** Hands a draft over to the form. */

import type { Draft } from '../draft/draft.ts'
import { navigate, route } from '../lib/router.svelte.ts'

let handed: Draft | null = null

/** Opens the form with everything that is known. It is not stored until the person edits it there. */
export function openInForm(draft: Draft): void {
  handed = draft
  // The form is open already: it is built again with the new values.
  if (route.path === '/flights/new') navigate('/flights', { replace: true })
  navigate('/flights/new')
}

/** For the form, once. */
export function takeHanded(): Draft | null {
  const draft = handed
  handed = null
  return draft
}

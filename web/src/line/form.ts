/** Hands a draft over to the form. */

import type { Draft } from '../draft/draft.ts'
import { navigate, route } from '../lib/router.svelte.ts'

let handed: Draft | null = null

/** Opens the form with everything known. Nothing is stored until the person edits it there. */
export function openInForm(draft: Draft): void {
  handed = draft
  // The form is already open: it is rebuilt with the new values.
  if (route.path === '/flights/new') navigate('/flights', { replace: true })
  navigate('/flights/new')
}

/** For the form; returned once. */
export function takeHanded(): Draft | null {
  const draft = handed
  handed = null
  return draft
}

/** Reports failures in the background, each message once: otherwise the person would see nothing happen. */

import { explain } from '../api/explain.ts'
import { toast } from '../lib/overlay/toast.svelte.ts'

const said = new Set<string>()

function say(problem: unknown): void {
  if (problem instanceof DOMException && problem.name === 'AbortError') return
  const text = explain(problem)
  if (said.has(text)) return
  said.add(text)
  toast(text, { tone: 'error' })
}

/** Call once. An error without an object, such as from a ResizeObserver, is a notice of the browser. */
export function sayFailures(): void {
  addEventListener('unhandledrejection', ({ reason }) => say(reason))
  addEventListener('error', ({ error }) => {
    if (error) say(error)
  })
}

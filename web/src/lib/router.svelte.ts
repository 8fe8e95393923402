/** A small history router. Plain <a href="/…"> elements are enough: their clicks are handled below. */

import { addressOf } from './address.ts'
import { randomKey } from './random-key.ts'

interface Location {
  path: string
  query: URLSearchParams
  /** Incremented with each navigation that changes the path; pages then move the focus. */
  visit: number
}

let current = $state.raw<Location>({
  path: location.pathname,
  query: new URLSearchParams(location.search),
  visit: 0,
})

const scrolls = new Map<string, number>()
const keyOf = (state: unknown): string => (state as { key?: string } | null)?.key ?? 'first'
let entry = keyOf(history.state)

/** Scroll position of the current history entry when it was left, or null for a new one. */
export function savedScroll(): number | null {
  return scrolls.get(entry) ?? null
}

function arrive(newEntry: string): void {
  const samePath = location.pathname === current.path
  entry = newEntry
  current = {
    path: location.pathname,
    query: new URLSearchParams(location.search),
    visit: samePath ? current.visit : current.visit + 1,
  }
}

export const route = {
  get path(): string {
    return current.path
  },
  get query(): URLSearchParams {
    return current.query
  },
  get visit(): number {
    return current.visit
  },
}

interface NavigateOptions {
  replace?: boolean
}

export function navigate(to: string, options: NavigateOptions = {}): void {
  scrolls.set(entry, scrollY)
  const key = options.replace ? entry : randomKey()
  if (options.replace) history.replaceState({ key }, '', to)
  else history.pushState({ key }, '', to)
  arrive(key)
}

/** Replaces the query without a new history entry: for filters that follow typing. */
export function setQuery(query: URLSearchParams): void {
  navigate(addressOf(current.path, query), { replace: true })
}

export function back(fallback: string): void {
  if (entry === 'first') navigate(fallback, { replace: true })
  else history.back()
}

/** Paths that the server handles; everything else on this origin belongs to the app. */
const serverPaths =
  /^\/(api|app\/api|docs|oauth|sign-in|setup|invite|reset|confirm-mail|share|\.well-known)(\/|$)/

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const anchor = (event.target as Element | null)?.closest?.('a')
  if (!anchor?.href || anchor.target || anchor.hasAttribute('download')) return
  const url = new URL(anchor.href)
  if (url.origin !== location.origin || serverPaths.test(url.pathname)) return
  if (url.hash && url.pathname === location.pathname) return
  event.preventDefault()
  navigate(url.pathname + url.search + url.hash)
}

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  document.addEventListener('click', onClick)
  addEventListener('popstate', (event) => {
    scrolls.set(entry, scrollY)
    arrive(keyOf(event.state))
  })
  // A notification was pressed.
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open) navigate(data.open)
  })
}

export type Params = Record<string, string>

/** A malformed part of an address stays unchanged, and matches nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `/flights/:id` against `/flights/12` gives `{id: '12'}`; `*` at the end takes the rest. */
export function match(pattern: string, path: string): Params | null {
  const wanted = pattern.split('/').filter(Boolean)
  const given = path.split('/').filter(Boolean)
  const params: Params = {}
  for (const [index, part] of wanted.entries()) {
    if (part === '*') {
      params.rest = given.slice(index).join('/')
      return params
    }
    const value = given[index]
    if (value === undefined) return null
    if (part.startsWith(':')) params[part.slice(1)] = decoded(value)
    else if (part !== value) return null
  }
  return wanted.length === given.length ? params : null
}

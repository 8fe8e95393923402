/**
 * Lets a test import `.svelte.ts` modules: Node's loader compiles their runes as the build does. Import this first, and
 * the modules by `await import()`. It also provides the browser globals that such modules read while loading.
 */

import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileModule } from 'svelte/compiler'

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.svelte.ts')) return next(url, context)
    const { source } = next(url, { ...context, format: 'module' })
    const script = stripTypeScriptTypes(String(source))
    // Code for the server: state is plain values, and no document is needed.
    const { js } = compileModule(script, { filename: fileURLToPath(url), generate: 'server' })
    return { format: 'module', source: js.code, shortCircuit: true }
  },
})

/** Text by name, as `localStorage` keeps it. */
class MemoryStorage {
  readonly #texts = new Map<string, string>()
  getItem = (name: string): string | null => this.#texts.get(name) ?? null
  setItem = (name: string, text: string): void => void this.#texts.set(name, text)
  removeItem = (name: string): void => void this.#texts.delete(name)
}

/** Addresses are relative to the page, as in a browser. */
class PageRequest extends Request {
  constructor(input: string | URL | Request, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, 'http://localhost/') : input, init)
  }
}

const browser = {
  addEventListener: () => {},
  removeEventListener: () => {},
  localStorage: new MemoryStorage(),
  location: new URL('http://localhost/'),
  history: { state: null },
  Request: PageRequest,
}
for (const [name, value] of Object.entries(browser))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
Object.defineProperty(navigator, 'onLine', { value: true, configurable: true })

/**
 * Lets a test import components and `.svelte.ts` modules: Node's loader compiles them for a browser, as the build does. Import
 * this first, and the modules by `await import()`. It also provides the browser globals that modules read while loading;
 * testing/components.ts adds a document.
 */

import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compile, compileModule } from 'svelte/compiler'

/** Languages are loaded and never unloaded, except by tests that share a process. */
const FORGET_TEXTS = `
  export function forgetTexts() { catalogue = {}; cities = {}; active = 'en'; needed.clear() }`

registerHooks({
  resolve(specifier, context, next) {
    // A file that the build only copies and names.
    if (specifier.endsWith('?url'))
      return {
        url: `data:text/javascript,export default '/${specifier.split('/').at(-1)}'`,
        shortCircuit: true,
      }
    // Without this, Svelte's server renderer would be loaded.
    const conditions = [...context.conditions, 'browser']
    return next(
      specifier,
      /^(?:svelte|esm-env)(?:\/|$)/.test(specifier) ? { ...context, conditions } : context,
    )
  },
  load(url, context, next) {
    const found = /\.svelte(?:\.(ts|js))?$/.exec(url)
    if (!found) return next(url, context)
    let text = String(next(url, { ...context, format: 'module' }).source)
    if (url.endsWith('/i18n.svelte.ts')) text += FORGET_TEXTS
    const options = { filename: fileURLToPath(url), generate: 'client' } as const
    const { js } =
      found[1] === undefined
        ? compile(text, { ...options, runes: true, css: 'external' })
        : compileModule(found[1] === 'ts' ? stripTypeScriptTypes(text) : text, options)
    return { format: 'module', source: js.code, shortCircuit: true }
  },
})

/** Text by name, like `localStorage`. */
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
  document: { documentElement: { lang: '' } },
  localStorage: new MemoryStorage(),
  location: new URL('http://localhost/'),
  history: { state: null },
  Request: PageRequest,
}
for (const [name, value] of Object.entries(browser))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
for (const [name, value] of Object.entries({ onLine: true, languages: ['en-GB', 'de', 'fr'] }))
  Object.defineProperty(navigator, name, { value, configurable: true })

const { fetch } = globalThis
/** Responds to requests in the tests of a file, or of the suite that calls it. */
export function respondWith(respond: (request: Request) => Promise<Response>): void {
  before(() => {
    globalThis.fetch = respond as typeof globalThis.fetch
  })
  after(noServer)
}
export const noServer = (): void => {
  globalThis.fetch = fetch
}

/** Texts are their keys in the tests of a file, whichever language another file has loaded. */
export function showKeys(): void {
  before(async () => {
    const module: object = await import('../i18n/i18n.svelte.ts')
    ;(module as { forgetTexts(): void }).forgetTexts()
  })
}

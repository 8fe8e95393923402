/**
 * Components mounted in Node: a happy-dom document, and Testing Library to find and use elements. Import this first, and
 * components by `await import()`. There is no layout: what depends on sizes, scrolling or real focus order needs a browser.
 */

import './svelte-modules.ts'
import { Window } from 'happy-dom'

const window = new Window({ url: 'http://localhost/', width: 1280, height: 800 })
/** Node's own globals are kept, except those that a document compares with its own. */
const replaced = new Set(['Event', 'EventTarget', 'CustomEvent', 'document', 'location', 'history'])
const listening = ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const
for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !replaced.has(name)) continue
  Object.defineProperty(globalThis, name, {
    value: window[name as keyof Window],
    configurable: true,
    writable: true,
  })
}
for (const name of listening)
  Object.defineProperty(globalThis, name, {
    value: window[name].bind(window),
    configurable: true,
    writable: true,
  })
Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true })

// There is no top layer, so a popover is shown in place.
for (const name of ['showPopover', 'hidePopover'])
  Object.defineProperty(window.HTMLElement.prototype, name, { value: () => {}, configurable: true })

const library = await import('@testing-library/svelte')
export const { cleanup, render, screen, waitFor } = library
export const { userEvent } = await import('@testing-library/user-event')
// A failure names the missing element without printing the whole document.
library.configure({ getElementError: (message) => new Error(message ?? '') })

// Keyboard only: Tab until an element has the focus, then type.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

const TABS_AT_MOST = 90

/** Runs in the page: the accessible name of the focused element. */
const focusedName = `(() => {
  const element = document.activeElement
  if (element === document.body) return ''
  const named = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
  return named.replaceAll(/\\s+/g, ' ').trim()
})()`

/** Runs in the page: whether the focus is in the open dialog, or passing through the browser's own controls. */
const isInDialog = `(() => {
  const element = document.activeElement
  return element === document.body || element?.closest('dialog[open]') !== null
})()`

export function keyboardOf(page: Page) {
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
  const type = (text: string) => page.keyboard.type(text)

  async function tabUntil(test: string, what: string): Promise<void> {
    for (let presses = 0; presses < TABS_AT_MOST; presses++) {
      if (await page.evaluate(test)) return
      await press('Tab')
    }
    assert.fail(`${what} was not reached by Tab`)
  }

  /** Presses Tab until the element with this name has the focus. */
  const tabTo = (name: string | RegExp) =>
    tabUntil(
      typeof name === 'string'
        ? `${focusedName} === ${JSON.stringify(name)}`
        : `${name}.test(${focusedName})`,
      String(name),
    )

  return {
    press,
    type,
    tabTo,
    tabToSelector: (selector: string) =>
      tabUntil(`document.activeElement?.matches(${JSON.stringify(selector)})`, selector),
    /** Replaces the text of the field. */
    async fill(name: string, text: string): Promise<void> {
      await tabTo(name)
      await press('Control+a')
      await type(text)
    },
    /** Presses Enter on the button with this name. */
    async push(name: string | RegExp): Promise<void> {
      await tabTo(name)
      await press('Enter')
    },
    async choose(typed: string, expected: string): Promise<void> {
      await type(typed)
      await page.getByRole('option').filter({ hasText: expected }).first().waitFor()
      await press('Enter')
    },
    async requireFocus(name: string | RegExp, what: string): Promise<void> {
      const found = String(await page.evaluate(focusedName))
      if (typeof name === 'string') assert.equal(found, name, what)
      else assert.match(found, name, what)
    },
    /** The focus stays within the open dialog. */
    async requireTrap(): Promise<void> {
      for (let presses = 0; presses < 25; presses++) {
        await press('Tab')
        assert.ok(await page.evaluate(isInDialog), 'the focus left the dialog')
      }
    },
  }
}

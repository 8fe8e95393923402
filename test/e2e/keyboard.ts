// Keyboard only: Tab until an element has the focus, then type. After each key the focus must exist and be visible.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../until.ts'
import { TIMEOUT_MS } from './browser.ts'

const TABS_AT_MOST = 90

/** Runs in the page: the accessible name of the focused element. */
const focusedName = `(() => {
  const element = document.activeElement
  if (element === document.body) return ''
  const named = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
  return named.replaceAll(/\\s+/g, ' ').trim()
})()`

/** Runs in the page: whether the focus is in the open dialog, or in the browser's own controls. */
const isInDialog = `(() => {
  const element = document.activeElement
  return element === document.body || element?.closest('dialog[open]') !== null
})()`

/** Runs in the page, once: records focused elements, and every text of a live region. */
const watchPage = `(() => {
  if (window.watched) return
  window.watched = { last: null, said: [] }
  document.addEventListener('focusin', (event) => (window.watched.last = event.target))
  const regions = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]'
  const textOf = (node) => {
    const copy = node.cloneNode(true)
    for (const button of copy.querySelectorAll?.('button') ?? []) button.remove()
    return (copy.textContent ?? '').replaceAll(/\\s+/g, ' ').trim()
  }
  const isHidden = (element) => element.closest('[aria-hidden=true], [inert]') !== null
  const regionOf = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest(regions)
  const say = (text) => text && window.watched.said.push(text)
  new MutationObserver((changes) => {
    const whole = new Set()
    for (const { type, target, addedNodes } of changes) {
      const nodes = type === 'childList' ? [...addedNodes] : [target]
      for (const node of nodes) {
        const region = regionOf(target)
        if (!region) {
          // A region added together with its text: only an alert is announced.
          const alerts = node.nodeType === 1 ? [node, ...node.querySelectorAll('[role=alert]')] : []
          for (const alert of alerts) if (alert.matches('[role=alert]') && !isHidden(alert)) say(textOf(alert))
        } else if (region.isConnected && !isHidden(region)) {
          const isAtomic = (region.getAttribute('aria-atomic') ?? String(region.matches('[role=status], [role=alert]'))) === 'true'
          if (isAtomic) whole.add(region)
          else say(textOf(node))
        }
      }
    }
    for (const region of whole) say(textOf(region))
  }).observe(document, { subtree: true, childList: true, characterData: true })
})()`

/** Runs in the page: the problem with the focus, or null. */
const focusFault = `(() => {
  const element = document.activeElement
  const dialog = document.querySelector('dialog[open]') ?? document.body
  if (!element || element === document.body) {
    // After the last element, the focus is in the browser's own controls.
    const last = window.watched?.last
    const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'
    const after = [...dialog.querySelectorAll(focusable)].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert]') && (last?.compareDocumentPosition(one) & 4))
    const isPast = last?.isConnected && after.every((one) => one.type === 'radio')
    return isPast ? null : 'the focus is lost' + (last ? ', it was on ' + last.outerHTML.slice(0, 160) : '')
  }
  const boxes = [element, ...(element.labels ?? [])].flatMap((one) => [...one.getClientRects()]).filter(({ width, height }) => width > 1 && height > 1)
  const isOwn = (hit) => hit && (element.contains(hit) || hit.contains(element) && hit.matches('label, a, button, li, [role=row], [data-index]') || [...(element.labels ?? [])].some((label) => label.contains(hit)))
  const isSeen = boxes.some(({ left, top, width, height }) =>
    [0.5, 0.1, 0.9].some((x) => [0.5, 0.1, 0.9].some((y) => isOwn(document.elementFromPoint(left + width * x, top + height * y)))))
  return boxes.length === 0 || isSeen ? null : 'the focus is hidden: ' + element.outerHTML.slice(0, 200)
})()`

export function keyboardOf(page: Page) {
  /** A page that is loading takes the focus when it appears. */
  async function requireSight(key: string): Promise<void> {
    let fault: string | null = null
    const isSeen = async () => {
      // Another page is loaded, and starts at its top.
      fault = await page.evaluate<string | null>(focusFault).catch(() => null)
      return fault === null
    }
    await until('the focus is in sight', isSeen, { limitMs: TIMEOUT_MS }).catch(() =>
      assert.fail(`after ${key}: ${fault}`),
    )
  }

  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await page.evaluate(watchPage)
      await page.keyboard.press(key)
      await requireSight(key)
    }
  }
  const type = (text: string) => page.keyboard.type(text)

  async function tabUntil(test: string, what: string): Promise<void> {
    for (let presses = 0; presses < TABS_AT_MOST; presses++) {
      if (await page.evaluate(`(${watchPage}, ${test})`)) return
      await page.keyboard.press('Tab')
      await requireSight('Tab')
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
    /** When something with the focus is removed or closed, the focus moves a moment later. */
    async requireFocus(name: string | RegExp, what: string): Promise<void> {
      let found = ''
      const isThere = async () => {
        found = String(await page.evaluate(focusedName))
        return typeof name === 'string' ? found === name : name.test(found)
      }
      await until(what, isThere, { limitMs: TIMEOUT_MS }).catch(() =>
        assert.fail(`${what}: the focus is on “${found}”, not on ${name}`),
      )
    },
    /** The action is announced once since the previous call. */
    async requireSaid(text: string | RegExp): Promise<void> {
      const isText = typeof text === 'string' ? `one === ${JSON.stringify(text)}` : `${text}.test(one)`
      const count = `window.watched.said.filter((one) => ${isText}).length`
      await until(`${text} is announced`, () => page.evaluate<boolean>(`${count} > 0`), {
        limitMs: TIMEOUT_MS,
      })
      const said = JSON.stringify(await page.evaluate('window.watched.said'))
      assert.equal(await page.evaluate(count), 1, `${text} is announced once, of ${said}`)
      await page.evaluate('window.watched.said = []')
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

// A long list: which rows are rendered, which one has the focus, and what the keys do.

import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { cleanup, render, screen, userEvent, waitFor } from '../testing/components.ts'

const { default: Names } = await import('../testing/Names.svelte')

const HEIGHT = 50
const names = Array.from({ length: 1000 }, (_, i) => `${i % 4 === 0 ? 'heading' : 'name'} ${i}`)

/** There is no layout: the page scrolls to where it is told. */
before(() => {
  Object.defineProperty(globalThis, 'innerHeight', { value: 800, configurable: true, writable: true })
  globalThis.scrollTo = ((_x: number, y: number) => {
    Object.defineProperty(globalThis, 'scrollY', { value: y, configurable: true, writable: true })
  }) as typeof globalThis.scrollTo
})
afterEach(() => {
  cleanup()
  scrollTo(0, 0)
})

const rows = () => screen.getAllByRole('row')
const texts = () => rows().map(({ textContent }) => textContent?.trim())
const focusedText = () => document.activeElement?.textContent?.trim()
const inTabOrder = () => rows().filter((row) => row.getAttribute('tabindex') === '0')
const isFocused = (text: string) => waitFor(() => assert.equal(focusedText(), text))

/** Requires that the row in the tab order has the focus. */
function enter(): void {
  inTabOrder()[0]!.focus()
}

test('only the rows near the view exist, with their places among all', () => {
  render(Names, { names })
  assert.deepEqual([texts()[0], rows().length], ['heading 0', 1 + (800 + 400) / HEIGHT])
  assert.deepEqual(
    rows()
      .slice(0, 2)
      .map((row) => [row.getAttribute('aria-rowindex'), row.getAttribute('aria-selected')]),
    [
      ['2', 'false'],
      ['3', 'true'],
    ],
  )
  assert.equal(rows()[3]!.style.transform, `translateY(${3 * HEIGHT}px)`)
  assert.equal(inTabOrder().length, 1)
})

test('the keys move the focus, and the list follows it', async () => {
  const user = userEvent.setup()
  render(Names, { names })
  enter()
  await user.keyboard('{ArrowDown}')
  await isFocused('name 1')
  await user.keyboard('{PageDown}')
  await isFocused('name 11')
  await user.keyboard('{End}')
  await isFocused('name 999')
  assert.equal(scrollY, 1000 * HEIGHT - 800)
  assert.equal(texts().includes('heading 0'), false)
  await user.keyboard('{ArrowDown}')
  await isFocused('name 999')
  await user.keyboard('{PageUp}{ArrowUp}')
  await isFocused('heading 988')
  await user.keyboard('{Home}')
  await isFocused('heading 0')
  assert.equal(scrollY, 0)
  assert.equal(inTabOrder().length, 1)
})

test('rows that cannot have the focus are passed over', async () => {
  const user = userEvent.setup()
  render(Names, { names, begins: 'name' })
  enter()
  await isFocused('name 1')
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  await isFocused('name 5')
  assert.equal(rows()[0]!.hasAttribute('tabindex'), false)
})

test('other keys are the list’s own, and those of the browser stay its own', async () => {
  const user = userEvent.setup()
  const pressed: string[] = []
  const onkey = (key: string, index: number): boolean => {
    pressed.push(`${key} ${index}`)
    return key === 'x'
  }
  render(Names, { names, onkey })
  enter()
  await user.keyboard(']')
  await isFocused('name 5')
  await user.keyboard('x{Control>}y{ArrowDown}{/Control}{Alt>}z{ArrowDown}{/Alt}{Tab}')
  // The modifier keys alone do nothing.
  assert.deepEqual(
    pressed.filter((one) => !/^(Control|Alt)/.test(one)),
    ['x 5', 'Tab 5'],
  )
})

test('a list that becomes shorter keeps one row in the tab order', async () => {
  const user = userEvent.setup()
  const view = render(Names, { names })
  enter()
  await user.keyboard('{End}')
  await isFocused('name 999')
  await view.rerender({ names: names.slice(0, 3) })
  assert.deepEqual([texts(), inTabOrder().length], [['heading 0', 'name 1', 'name 2'], 1])
})

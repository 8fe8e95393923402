// What a screen reader reads: texts that run together, and different controls with the same name.
import type { Page } from 'playwright-core'

/** Controls that each do something, and so need distinct names. */
const controls = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'radio',
  'searchbox',
  'spinbutton',
  'switch',
  'textbox',
])

/** Two texts of different elements in one line of text, with no space between them: “Ada Lovelace” and “you”. */
const gluedTexts = `(() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true], svg, script, style')
  const isInline = (element) => getComputedStyle(element).display === 'inline'
  /** The elements between a text and its common ancestor with another must all be part of the line. */
  const runsIn = (node, shared) => {
    for (let element = node.parentElement; element !== shared; element = element.parentElement) if (!isInline(element)) return false
    return true
  }
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data && isShown(node.parentElement)) texts.push(node)
  return texts.slice(1).flatMap((node, i) => {
    const before = texts[i]
    if (before.parentElement === node.parentElement) return []
    if (!/[\\p{L}\\p{N}]$/u.test(before.data) || !/^[\\p{L}\\p{N}]/u.test(node.data)) return []
    const range = new Range()
    range.setStart(before, 0)
    range.setEnd(node, 0)
    const shared = range.commonAncestorContainer
    const display = getComputedStyle(shared).display
    if (/flex|grid/.test(display) || !runsIn(before, shared) || !runsIn(node, shared)) return []
    const parts = [...range.cloneContents().querySelectorAll('br, input, img, svg, button')]
    return parts.length > 0 ? [] : [before.data.trim().slice(-20) + node.data.trim().slice(0, 20)]
  })
})()`

/** Runs on one control: what distinguishes it from another with its name. */
const circumstances = `function () {
  const group = this.closest('fieldset, [role=group], [role=radiogroup]')
  const row = this.closest('tr, [role=row], li')
  const legend = group?.querySelector('legend')?.textContent ?? group?.getAttribute('aria-label') ?? ''
  const heading = this.closest('section')?.querySelector('h2, h3')?.textContent ?? ''
  return {
    isShown: this.checkVisibility({ visibilityProperty: true }),
    target: this.getAttribute('href') ?? '',
    group: heading + ' ' + legend,
    legend,
    row: row?.textContent ?? '',
  }
}`

interface Circumstances {
  isShown: boolean
  target: string
  group: string
  legend: string
  row: string
}

const fields = new Set(['combobox', 'searchbox', 'spinbutton', 'textbox'])

/** A choice is read with its question, a field with its group, a link or a box in a table with its row; a button alone. */
function key(role: string, { target, group, legend, row }: Circumstances): string {
  if (role === 'radio' || role === 'checkbox') return `${group} ${row}`
  if (fields.has(role)) return legend
  return role === 'link' ? `${target && row ? row : ''}` : ''
}

async function sharedNames(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const byName = Map.groupBy(
      nodes.filter(({ ignored, role, name }) => !ignored && controls.has(role?.value) && name?.value),
      ({ role, name }) => `${role!.value} “${name!.value}”`,
    )
    const faults: string[] = []
    for (const [what, same] of byName) {
      if (same.length === 1) continue
      const keys = new Map<string, string>()
      for (const { role, backendDOMNodeId } of same) {
        const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId! })
        const { result } = await session.send('Runtime.callFunctionOn', {
          objectId: object.objectId!,
          functionDeclaration: circumstances,
          returnByValue: true,
        })
        const found = result.value as Circumstances
        if (!found.isShown) continue
        const of = key(role!.value, found)
        // Links to the same place may have the same name.
        if (keys.has(of) && !(role!.value === 'link' && keys.get(of) === found.target))
          faults.push(`${what} names two controls`)
        keys.set(of, found.target)
      }
    }
    return [...new Set(faults)]
  } finally {
    await session.detach()
  }
}

/** Controls whose description only repeats their name: both are read. */
export async function echoesOn(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    return nodes
      .filter(({ ignored, role, name, description }) => {
        const isNamed = !ignored && controls.has(role?.value) && name?.value
        return isNamed && description?.value === name.value
      })
      .map(({ name }) => String(name!.value))
  } finally {
    await session.detach()
  }
}

/** The test's own keys and sessions are all named “test”. */
const ofTestData = /“.*\btest”/

export async function nameFaultsOf(page: Page): Promise<string[]> {
  const glued = await page.evaluate<string[]>(gluedTexts)
  const shared = (await sharedNames(page)).filter((fault) => !ofTestData.test(fault))
  return [...glued.map((text) => `“${text}” runs together`), ...shared]
}

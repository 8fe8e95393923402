// The names that a screen reader speaks, read from the browser's accessibility tree.
import type { Page } from 'playwright-core'

interface Value<Kind = string> {
  value: Kind
}
interface Node {
  ignored: boolean
  role?: Value
  name?: Value
  backendDOMNodeId?: number
}

/** Controls of which each does something else, and so needs a name of its own. */
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
const named = new Set([...controls, 'heading', 'option', 'rowheader', 'columnheader', 'gridcell', 'cell'])

/** Runs in the page on one element: places where text of two elements meets without a space, and what sets it apart. */
const describe = `function () {
  const texts = []
  const walker = document.createTreeWalker(this, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const isShown = !node.parentElement.closest('[aria-hidden=true], svg, style, script')
    if (isShown && node.data.trim()) texts.push(node)
  }
  const seams = texts.slice(1).map((node, i) => {
    const before = texts[i].parentElement === node.parentElement ? '' : texts[i].data
    return /[\\p{L}\\p{N}]$/u.test(before) && /^[\\p{L}\\p{N}]/u.test(node.data) ? before.slice(-8) + node.data.slice(0, 8) : ''
  })
  const group = this.closest('fieldset, [role=group], [role=radiogroup], [role=row], tr, li, dialog, [role=dialog], nav, section, article')
  return {
    seams: seams.filter(Boolean),
    target: this.getAttribute('href') ?? this.getAttribute('value') ?? '',
    group: group ? [...document.querySelectorAll('*')].indexOf(group) : -1,
    isShown: this.checkVisibility?.({ visibilityProperty: true }) ?? true,
  }
}`

interface Described {
  seams: string[]
  target: string
  group: number
  isShown: boolean
}

/** Names glued together from several elements, and different controls with one name. */
export async function nameFaultsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Accessibility.enable')
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: Node[] }
    const faults: string[] = []
    const seen = new Map<string, Described>()
    for (const { ignored, role, name, backendDOMNodeId } of nodes) {
      if (ignored || !role || !name?.value || backendDOMNodeId === undefined || !named.has(role.value)) continue
      const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId })
      const { result } = await session.send('Runtime.callFunctionOn', {
        objectId: object.objectId!,
        functionDeclaration: describe,
        returnByValue: true,
      })
      const found = result.value as Described
      if (!found.isShown) continue
      const what = `${role.value} “${name.value}”`
      for (const seam of found.seams) if (name.value.includes(seam)) faults.push(`${what}: glued at “${seam}”`)
      if (!controls.has(role.value)) continue
      const before = seen.get(what)
      seen.set(what, found)
      const isSameLink = role.value === 'link' && before?.target === found.target
      if (before && !isSameLink) faults.push(`${what}: another control has this name`)
    }
    return [...new Set(faults)]
  } finally {
    await session.detach()
  }
}

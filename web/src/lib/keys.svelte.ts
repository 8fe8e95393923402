/** Page-wide keyboard shortcuts, and whether single characters trigger them: speech input types such characters by accident. */

/** Saved in this browser only, like the appearance. */
const store = 'contrail.shortcuts'

let areOn = $state(localStorage.getItem(store) !== 'off')
let isListed = $state(false)

export const shortcuts = {
  /** Keys of a focused list, such as X in the flights, always work. */
  get areOn(): boolean {
    return areOn
  },
  /** Whether the list of shortcuts is open. */
  get isListed(): boolean {
    return isListed
  },
}

export function setShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(store)
  else localStorage.setItem(store, 'off')
  areOn = on
}

export function listShortcuts(isOpen: boolean): void {
  isListed = isOpen
}

const fields = 'input, textarea, select, [contenteditable], [role=textbox], [role=menu]'
const withoutText = 'input:is([type=radio], [type=checkbox], [type=range], [type=button], [type=file])'

/** Not in a field or a menu, and not under a dialog. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return false
  const field = (event.target as Element | null)?.closest?.(fields)
  return !field || field.matches(withoutText)
}

/** A single character that triggers something on this page. It may need Shift. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  areOn && !event.ctrlKey && !event.metaKey && !event.altKey && isForPage(event)

export function onListKey(event: KeyboardEvent): void {
  if (event.key !== '?' || !isShortcut(event)) return
  event.preventDefault()
  isListed = true
}

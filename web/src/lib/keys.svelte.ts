/** Keys that work on a whole page, and whether single characters do: speech input types them by accident. */

/** Saved in this browser only, as the appearance is. */
const store = 'contrail.shortcuts'

let areOn = $state(localStorage.getItem(store) !== 'off')
let isListed = $state(false)

export const shortcuts = {
  /** Keys of a focused list, such as X in the flights, work in any case. */
  get areOn(): boolean {
    return areOn
  },
  /** Whether the list of them is open. */
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

/** Not in a field or a menu, nor under a dialog. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return false
  const field = (event.target as Element | null)?.closest?.(fields)
  return !field || field.matches(withoutText)
}

/** A single character that does something on this page. Shift may be needed to type it. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  areOn && !event.ctrlKey && !event.metaKey && !event.altKey && isForPage(event)

export function onListKey(event: KeyboardEvent): void {
  if (event.key !== '?' || !isShortcut(event)) return
  event.preventDefault()
  isListed = true
}

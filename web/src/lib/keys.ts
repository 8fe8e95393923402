/** Keys that work on a whole page: not while a field has the focus, nor under a dialog or in a menu. */

const typing = 'input, textarea, select, [contenteditable], [role=textbox], [role=menu]'

/** Radio buttons and checkboxes take no text. */
const plain = 'input:is([type=radio], [type=checkbox], [type=range], [type=button], [type=file])'

export function mayUseKeys(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return false
  const field = (event.target as Element | null)?.closest?.(typing)
  return !field || field.matches(plain)
}

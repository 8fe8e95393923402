/**
 * What disappears does not take the focus with it: the heading of the dialog or page gets it, unless the part of the
 * screen that knows a better place does so.
 */

let last: Element | null = null
let standIn: Element | null = null

/** Also while a heading has the focus only because what had it is gone. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement === standIn
}

const isGone = (element: Element): boolean => !element.isConnected || element.matches(':disabled')

function onFocus({ target }: FocusEvent): void {
  last = target as Element
  if (last !== standIn) standIn = null
}

/** A click on the page may take the focus from something that is still there: then nothing is lost later on. */
const onBlur = () =>
  queueMicrotask(() => {
    if (last && !isGone(last) && document.activeElement === document.body) last = null
  })

function restore(): void {
  if (!last || !isGone(last) || document.activeElement !== document.body) return
  const dialog = document.querySelector('dialog[open]')
  const place = dialog
    ? dialog.querySelector<HTMLElement>('h2, input, button')
    : (document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main'))
  // A heading of a dialog cannot have the focus before: the dialog would begin with it.
  if (place?.matches('h1, h2')) place.tabIndex = -1
  standIn = place
  place?.focus({ preventScroll: true })
}

export function keepFocus(): () => void {
  const observer = new MutationObserver(() => {
    // The part of the screen that changed may have its own place for it.
    if (last && isGone(last)) setTimeout(restore)
  })
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
  }
}

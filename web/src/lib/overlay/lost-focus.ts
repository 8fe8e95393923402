/**
 * When a focused element is removed, the heading of the dialog or page gets the focus, unless the component that changed moves
 * it to a better place.
 */

let last: Element | null = null
let standIn: Element | null = null

/** True also while a heading has the focus only because a focused element was removed. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement === standIn
}

const isGone = (element: Element): boolean => !element.isConnected || element.matches(':disabled')

function onFocus({ target }: FocusEvent): void {
  last = target as Element
  if (last !== standIn) standIn = null
}

/** A click on the page may take the focus from an element that still exists: then nothing is lost later. */
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
  // A dialog's heading becomes focusable only now: otherwise the dialog would start with it.
  if (place?.matches('h1, h2')) place.tabIndex = -1
  standIn = place
  place?.focus({ preventScroll: true })
}

export function keepFocus(): () => void {
  const observer = new MutationObserver(() => {
    // The component that changed may move the focus itself.
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

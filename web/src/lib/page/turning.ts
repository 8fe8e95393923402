/** Navigation to the previous and next of something, such as a flight: with the keys [ and ], and by swiping. */

import { shortcuts } from '../keys.svelte.ts'

interface Neighbours {
  previous: () => void
  next: () => void
}

const SWIPE_PX = 56

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Brackets need AltGr on many keyboards, which is reported as Ctrl and Alt. */
export function turnByKey(event: KeyboardEvent, { previous, next }: Neighbours): void {
  const isPlain = event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey)
  if (!shortcuts.areOn || !isPlain || isTyping(event.target) || document.querySelector('dialog[open]')) return
  if (event.key === '[') previous()
  else if (event.key === ']') next()
}

/** Swiping to the right shows the previous one. */
export function turnBySwipe(node: HTMLElement, initial: Neighbours) {
  let neighbours = initial
  let start: { x: number; y: number } | null = null
  const down = (event: PointerEvent) => {
    start = event.pointerType === 'touch' ? { x: event.clientX, y: event.clientY } : null
  }
  const up = (event: PointerEvent) => {
    if (!start) return
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y]
    start = null
    if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < Math.abs(dy) * 1.5) return
    if (dx > 0) neighbours.previous()
    else neighbours.next()
  }
  const cancel = () => {
    start = null
  }
  node.addEventListener('pointerdown', down)
  node.addEventListener('pointerup', up)
  node.addEventListener('pointercancel', cancel)
  return {
    update(next: Neighbours) {
      neighbours = next
    },
    destroy() {
      node.removeEventListener('pointerdown', down)
      node.removeEventListener('pointerup', up)
      node.removeEventListener('pointercancel', cancel)
    },
  }
}

/** Keeps the focus in a list of changes: the button of an undone change is first disabled and then removed. */

import { tick } from 'svelte'
import { isFocusLost } from '../lib/overlay/lost-focus.ts'

export function createFocusKeeper(list: () => HTMLElement | undefined) {
  let place = -1
  const buttons = () => [...(list()?.querySelectorAll<HTMLElement>('[data-undo]') ?? [])]
  return {
    /** Call when a button of the list is pressed. */
    note(): void {
      place = buttons().indexOf(document.activeElement as HTMLElement)
    },
    /** Call when the list has reloaded: the button in the same place gets the focus. */
    async restore(): Promise<void> {
      await tick()
      if (place < 0 || !isFocusLost()) return
      const all = buttons()
      const button = all[Math.min(place, all.length - 1)] ?? document.querySelector<HTMLElement>('h1')
      place = -1
      button?.focus({ preventScroll: true })
    },
  }
}

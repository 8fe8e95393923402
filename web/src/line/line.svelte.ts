/** Whether the line is open, its text and its route: what other screens may need of it. The rest is loaded with it. */

import { tick } from 'svelte'
import { isPassText } from '../../../server/domain/imports/boarding-pass.ts'
import type { Airport } from '../api/types.ts'
import { isShortcut } from '../lib/keys.svelte.ts'
import { may } from '../session/session.svelte.ts'

/** Deleted with the other drafts when another person signs in. */
const store = 'contrail.draft.line'

interface Ends {
  from: Airport | null
  to: Airport | null
  /** Between them, if the line is several flights. */
  via: readonly Airport[]
}
const noEnds: Ends = { from: null, to: null, via: [] }

let isOpen = $state(false)
let text = $state(localStorage.getItem(store) ?? '')
let ends = $state.raw<Ends>(noEnds)
let lit = $state<number | null>(null)
/** Unfinished text from before the line was opened with other words. */
let earlier: string | null = null
/** Those other words have been edited since. */
let isEdited = false
let opener: HTMLElement | null = null
let lighting: ReturnType<typeof setTimeout> | undefined

const LIT_MS = 2000

/** A boarding pass gives access to the booking: its text is not kept. */
function keep(value: string): void {
  if (value.trim() && !isPassText(value)) localStorage.setItem(store, value)
  else localStorage.removeItem(store)
}

export const line = {
  get isOpen(): boolean {
    return isOpen
  },
  get text(): string {
    return text
  },
  /** The airports understood so far. */
  get ends(): Ends {
    return ends
  },
  /** The flight just saved, as long as its arc is highlighted. */
  get lit(): number | null {
    return lit
  },
}

export const mayAdd = (): boolean => may('flight.create.own') || may('flight.create.any')

/** Opens it with the given words, or with the text typed last time. */
export function openLine(words?: string): void {
  if (!mayAdd()) return
  if (!isOpen) opener = document.activeElement as HTMLElement | null
  if (words !== undefined) {
    earlier ??= text
    text = words
    isEdited = false
  }
  isOpen = true
}

export function typeLine(value: string): void {
  text = value
  isEdited = true
  keep(value)
}

export function showEnds(shown: Ends): void {
  const keyOf = ({ from, via, to }: Ends) => [from, ...via, to].map((one) => one?.id).join()
  if (keyOf(shown) !== keyOf(ends)) ends = shown
}

/** The text is kept for the next time; words that the line was opened with are not, unless they were edited. */
export function closeLine(): void {
  isOpen = false
  ends = noEnds
  if ((earlier !== null && !isEdited) || isPassText(text)) text = earlier ?? ''
  earlier = null
  const from = opener
  opener = null
  // The page can take the focus only after the dialog has closed.
  void tick().then(() => {
    if (isOpen || document.querySelector('dialog[open]')) return
    const back = from?.isConnected && from !== document.body ? from : document.getElementById('main')
    back?.focus({ preventScroll: true })
  })
}

/** The flight is saved: the line is empty, or has the unfinished text from before. */
export function endLine(): void {
  typeLine(earlier ?? '')
  closeLine()
}

export function light(id: number): void {
  lit = id
  clearTimeout(lighting)
  lighting = setTimeout(() => {
    lit = null
  }, LIT_MS)
}

/** `/` and `+` open the line, except in a field or over a dialog. Keys typed before the field is ready are kept. */
export function onLineKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (isOpen && event.key.length === 1 && !document.querySelector('dialog[open]')) {
    event.preventDefault()
    typeLine(text + event.key)
    return
  }
  if ((event.key !== '/' && event.key !== '+') || !isShortcut(event) || !mayAdd()) return
  event.preventDefault()
  openLine()
}

/** What the person has seen of a flight: a changed gate or time is marked until they have. Kept in this browser. */

import type { Day } from '../screen/day.ts'
import { travel } from '../screen/days.svelte.ts'
import { readDraft, writeDraft } from '../session/drafts.ts'

interface Seen {
  gate: string | null
  connection: number | null
}

const SEEN_AFTER_MS = 3000
const store = 'seen'
const read = () => readDraft<Record<number, Seen>>(store) ?? {}

/** Without flights of earlier days. */
function note(id: number, seen: Seen): void {
  const current = Object.entries(read()).filter(([key]) => travel.find(Number(key)))
  writeDraft(store, { ...Object.fromEntries(current), [id]: seen })
}

/** What was seen at an earlier visit, null at the first. Call while the component of one flight is created. */
export function createSeen(id: number, day: () => Day): Seen | null {
  const before = read()[id] ?? null
  const text = $derived(
    JSON.stringify({ gate: day().status.departure.gate, connection: day().connection?.seconds ?? null }),
  )
  $effect(() => {
    const seen = JSON.parse(text) as Seen
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(() => note(id, seen), SEEN_AFTER_MS)
    }
    wait()
    document.addEventListener('visibilitychange', wait)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', wait)
    }
  })
  return before
}

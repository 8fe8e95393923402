import { ACTION_MESSAGE_MS, MESSAGE_MS } from '../delays.ts'

interface ToastAction {
  label: string
  run: () => void
}
interface ToastOptions {
  tone?: 'info' | 'error'
  action?: ToastAction
  /** A second button. */
  also?: ToastAction
  /** Milliseconds; errors stay until they are closed. */
  ms?: number
}
export interface Toast extends ToastOptions {
  id: number
  text: string
}
type Hold = 'pointer' | 'focus'

/** Messages shown at the same time, not counting errors. */
const AT_MOST = 3

let next = 1
let list = $state.raw<Toast[]>([])
const clocks = new Map<number, ReturnType<typeof setTimeout>>()
/** Why no message times out: someone is reading it, or is about to press its button. */
const holds = new Set<Hold>()

export const toasts = {
  get list(): Toast[] {
    return list
  },
}

const isError = ({ tone }: ToastOptions): boolean => tone === 'error'

function startClock(message: Toast): void {
  const ms = message.ms ?? (isError(message) ? 0 : message.action ? ACTION_MESSAGE_MS : MESSAGE_MS)
  if (ms > 0 && holds.size === 0)
    clocks.set(
      message.id,
      setTimeout(() => dismiss(message.id), ms),
    )
}

function stopClocks(): void {
  for (const clock of clocks.values()) clearTimeout(clock)
  clocks.clear()
}

/** While the pointer or the focus is on the messages, all of them stay. After that, each gets its full time again. */
export function holdMessages(hold: Hold, isHeld: boolean): void {
  if (holds.has(hold) === isHeld) return
  if (isHeld) holds.add(hold)
  else holds.delete(hold)
  stopClocks()
  for (const message of list) startClock(message)
}

export function dismiss(id: number): void {
  list = list.filter((message) => message.id !== id)
  clearTimeout(clocks.get(id))
  clocks.delete(id)
  // Browsers do not always report that the pointer left a removed element.
  if (list.length === 0) holds.clear()
}

/** Without messages for which there is no room, and without repeated errors. */
function withRoom(newest: Toast): Toast[] {
  const older = list.filter((one) => !(isError(one) && isError(newest) && one.text === newest.text))
  const all = [newest, ...older]
  if (holds.size > 0) return all
  const gone = all.filter((one) => !isError(one)).slice(AT_MOST)
  return all.filter((one) => !gone.includes(one))
}

export function toast(text: string, options: ToastOptions = {}): number {
  const message: Toast = { id: next++, text, ...options }
  // The newest comes first, by keyboard too: of two Undo buttons, people mean the one for their latest action.
  list = withRoom(message)
  startClock(message)
  return message.id
}

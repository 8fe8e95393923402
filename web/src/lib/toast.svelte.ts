interface ToastAction {
  label: string
  run: () => void
}
interface ToastOptions {
  tone?: 'info' | 'error'
  action?: ToastAction
  /** A second one beside it. */
  also?: ToastAction
  /** Milliseconds; errors stay until they are closed. */
  ms?: number
}
export interface Toast extends ToastOptions {
  id: number
  text: string
}

let next = 1
let list = $state.raw<Toast[]>([])

export const toasts = {
  get list(): Toast[] {
    return list
  },
}

export function dismiss(id: number): void {
  list = list.filter((toast) => toast.id !== id)
}

export function toast(text: string, options: ToastOptions = {}): number {
  const id = next++
  // The newest comes first, by keyboard too: of two Undos, people mean that of what they just did.
  list = [{ id, text, ...options }, ...list.slice(0, 2)]
  const ms = options.ms ?? (options.tone === 'error' ? 0 : options.action ? 8000 : 4000)
  if (ms > 0) setTimeout(() => dismiss(id), ms)
  return id
}

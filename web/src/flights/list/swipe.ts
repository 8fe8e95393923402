/** Touch gestures on a row: swipe left to show its buttons, hold to select. */

interface Options {
  /** How far the row opens, in pixels. */
  open: number
  hold: () => void
}

const holdMs = 500
let opened: (() => void) | null = null

export function swipe(node: HTMLElement, options: Options) {
  let current = options
  let start: { x: number; y: number; from: number } | null = null
  let at = 0
  let sliding = false
  let swallow = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function place(x: number, animate: boolean): void {
    at = x
    node.style.transition = animate ? 'transform var(--slow) var(--ease)' : 'none'
    node.style.transform = x === 0 ? '' : `translateX(${x}px)`
    if (x !== 0) node.dataset.open = ''
    else delete node.dataset.open
  }

  const shut = () => {
    place(0, true)
    if (opened === shut) opened = null
  }

  function down(event: PointerEvent): void {
    if (event.pointerType !== 'touch') return
    if (opened && opened !== shut) opened()
    start = { x: event.clientX, y: event.clientY, from: at }
    sliding = false
    swallow = false
    timer = setTimeout(() => {
      swallow = true
      start = null
      navigator.vibrate?.(12)
      current.hold()
    }, holdMs)
  }

  function move(event: PointerEvent): void {
    if (!start) return
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y]
    if (Math.hypot(dx, dy) > 8) clearTimeout(timer)
    if (!sliding && Math.abs(dx) > 10 && Math.abs(dx) > Math.abs(dy) * 1.4) {
      sliding = true
      node.setPointerCapture(event.pointerId)
    }
    if (sliding) place(Math.max(-current.open - 24, Math.min(0, start.from + dx)), false)
  }

  function up(): void {
    clearTimeout(timer)
    if (start && sliding) {
      swallow = true
      if (at < -current.open / 2) {
        place(-current.open, true)
        opened = shut
      } else shut()
    }
    start = null
  }

  function click(event: MouseEvent): void {
    if (!swallow && at === 0) return
    event.preventDefault()
    event.stopPropagation()
    if (!swallow) shut()
    swallow = false
  }

  const menu = (event: Event) => swallow && event.preventDefault()
  node.addEventListener('pointerdown', down)
  node.addEventListener('pointermove', move)
  node.addEventListener('pointerup', up)
  node.addEventListener('pointercancel', up)
  node.addEventListener('click', click, true)
  node.addEventListener('contextmenu', menu)

  return {
    update(next: Options) {
      current = next
    },
    destroy() {
      clearTimeout(timer)
      if (opened === shut) opened = null
    },
  }
}

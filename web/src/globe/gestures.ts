// Turns touch, mouse and wheel events into gestures: pan, zoom, tap, point. Independent of maps.

interface GestureHandlers {
  grab(): void
  pan(dx: number, dy: number): void
  /** End of a drag, with the speed in pixels per millisecond. */
  release(vx: number, vy: number): void
  zoom(factor: number, x: number, y: number): void
  tap(x: number, y: number, isTouch: boolean): void
  doubleTap(x: number, y: number): void
  point(x: number, y: number): void
  leave(): void
}

interface Finger {
  x: number
  y: number
}

const TAP_DISTANCE = 6
const DOUBLE_TAP_MS = 300

/** Adds listeners to an element; returns a function that removes them. If `plainWheel` is false, the wheel zooms only with Ctrl. */
export function watchGestures(
  element: HTMLElement,
  handlers: GestureHandlers,
  plainWheel: boolean,
): () => void {
  const fingers = new Map<number, Finger>()
  let travelled = 0
  let wasPinch = false
  let vx = 0
  let vy = 0
  let movedAt = 0
  let lastTap = { at: 0, x: 0, y: 0 }

  const local = (event: MouseEvent): Finger => {
    const box = element.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    element.setPointerCapture(event.pointerId)
    fingers.set(event.pointerId, local(event))
    if (fingers.size > 1) {
      wasPinch = true
      return
    }
    travelled = 0
    wasPinch = false
    vx = 0
    vy = 0
    handlers.grab()
  }

  const drag = (before: Finger, now: Finger, time: number) => {
    const dx = now.x - before.x
    const dy = now.y - before.y
    travelled += Math.hypot(dx, dy)
    const ms = Math.max(1, time - movedAt)
    vx = 0.7 * vx + 0.3 * (dx / ms)
    vy = 0.7 * vy + 0.3 * (dy / ms)
    movedAt = time
    if (travelled > TAP_DISTANCE) handlers.pan(dx, dy)
  }

  const pinch = (id: number, now: Finger) => {
    const before = fingers.get(id)!
    const other = [...fingers].find(([key]) => key !== id)![1]
    const was = Math.hypot(before.x - other.x, before.y - other.y)
    const is = Math.hypot(now.x - other.x, now.y - other.y)
    if (was > 0) handlers.zoom(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2)
    handlers.pan((now.x - before.x) / 2, (now.y - before.y) / 2)
  }

  const onMove = (event: PointerEvent) => {
    const now = local(event)
    const before = fingers.get(event.pointerId)
    if (!before) {
      if (event.pointerType === 'mouse') handlers.point(now.x, now.y)
      return
    }
    if (fingers.size > 1) pinch(event.pointerId, now)
    else drag(before, now, event.timeStamp)
    fingers.set(event.pointerId, now)
  }

  const onUp = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return
    const { x, y } = local(event)
    if (wasPinch) handlers.release(0, 0)
    else if (travelled <= TAP_DISTANCE) tapped(x, y, event)
    else {
      const isStill = event.timeStamp - movedAt > 60
      handlers.release(isStill ? 0 : vx, isStill ? 0 : vy)
    }
  }

  const tapped = (x: number, y: number, event: PointerEvent) => {
    const isDouble =
      event.timeStamp - lastTap.at < DOUBLE_TAP_MS && Math.hypot(x - lastTap.x, y - lastTap.y) < 24
    lastTap = { at: isDouble ? 0 : event.timeStamp, x, y }
    if (isDouble) handlers.doubleTap(x, y)
    else handlers.tap(x, y, event.pointerType !== 'mouse')
  }

  const onCancel = (event: PointerEvent) => {
    if (fingers.delete(event.pointerId) && fingers.size === 0) handlers.release(0, 0)
  }

  const onWheel = (event: WheelEvent) => {
    if (!plainWheel && !event.ctrlKey) return
    event.preventDefault()
    const lines = event.deltaMode === 1 ? 16 : 1
    const { x, y } = local(event)
    const pace = event.ctrlKey ? 0.01 : 0.0016
    handlers.zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * lines)) * pace), x, y)
  }

  const onLeave = () => handlers.leave()
  element.addEventListener('pointerdown', onDown)
  element.addEventListener('pointermove', onMove)
  element.addEventListener('pointerup', onUp)
  element.addEventListener('pointercancel', onCancel)
  element.addEventListener('pointerleave', onLeave)
  element.addEventListener('wheel', onWheel, { passive: false })
  return () => {
    element.removeEventListener('pointerdown', onDown)
    element.removeEventListener('pointermove', onMove)
    element.removeEventListener('pointerup', onUp)
    element.removeEventListener('pointercancel', onCancel)
    element.removeEventListener('pointerleave', onLeave)
    element.removeEventListener('wheel', onWheel)
  }
}

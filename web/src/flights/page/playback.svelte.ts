/** Plays a flight in 8 seconds, whatever its length. With reduced motion, in eight steps. */

const WHOLE_MS = 8000
const STEPS = 8

interface Position {
  at: number
  from: number
  to: number
}

interface Playback {
  readonly isPlaying: boolean
  toggle(): void
  stop(): void
}

export function createPlayback(position: () => Position, move: (at: number) => void): Playback {
  let isPlaying = $state(false)
  let cancel = () => {}

  function stop(): void {
    cancel()
    cancel = () => {}
    isPlaying = false
  }

  /** Advances the playback; stops at the end. */
  function advance(share: number): void {
    const { at, from, to } = position()
    const next = Math.min(to, at + share * (to - from))
    move(next)
    if (next >= to) stop()
  }

  function play(): void {
    const { at, from, to } = position()
    if (at >= to) move(from)
    isPlaying = true
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      const ticket = setInterval(() => advance(1 / STEPS), WHOLE_MS / STEPS)
      cancel = () => clearInterval(ticket)
      return
    }
    let before = performance.now()
    let ticket = requestAnimationFrame(function frame(now) {
      advance((now - before) / WHOLE_MS)
      before = now
      if (isPlaying) ticket = requestAnimationFrame(frame)
    })
    cancel = () => cancelAnimationFrame(ticket)
  }

  return {
    get isPlaying() {
      return isPlaying
    },
    toggle: () => (isPlaying ? stop() : play()),
    stop,
  }
}

// Long work in short slices with pauses between them, in which the browser can paint and answer.

const SLICE_MS = 8

/** One piece of work at a time; a new one replaces what is unfinished. */
export class Slices<Result> {
  private steps: Generator<void, Result> | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly done: (result: Result) => void

  constructor(done: (result: Result) => void) {
    this.done = done
  }

  /** What is done within a slice is done at once. */
  start(steps: Generator<void, Result>): void {
    this.cancel()
    this.steps = steps
    this.run(SLICE_MS)
  }

  /** Does all that is left now. */
  finish(): void {
    if (this.steps) this.run(Infinity)
  }

  cancel(): void {
    clearTimeout(this.timer)
    this.steps = null
  }

  private run(forMs: number): void {
    clearTimeout(this.timer)
    const until = performance.now() + forMs
    for (let steps = this.steps; steps; ) {
      const step = steps.next()
      if (step.done) {
        this.steps = null
        this.done(step.value)
        return
      }
      if (performance.now() >= until) {
        this.timer = setTimeout(() => this.run(SLICE_MS))
        return
      }
    }
  }
}

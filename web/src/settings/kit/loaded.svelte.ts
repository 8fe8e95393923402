/** Something a screen needs from the server: asked for at once, again on demand, and never silently missing. */
import { explain } from '../../i18n/explain.ts'

export class Loaded<T> {
  value = $state.raw<T | null>(null)
  problem = $state('')
  #ask: () => Promise<T>

  constructor(ask: () => Promise<T>) {
    this.#ask = ask
    void this.refresh()
  }

  /** What was there stays on screen while the new answer is on its way. */
  async refresh(): Promise<void> {
    this.problem = ''
    try {
      this.value = await this.#ask()
    } catch (error) {
      this.problem = explain(error)
    }
  }
}

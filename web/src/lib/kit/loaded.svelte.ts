/** Data that a screen needs from the server: loaded on creation, reloaded on demand, with the error if that fails. */
import { explain } from '../../api/explain.ts'

export class Loaded<T> {
  value = $state.raw<T | null>(null)
  problem = $state('')
  #fetch: () => Promise<T>

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch
    void this.refresh()
  }

  /** The old value stays until the new one has loaded. */
  async refresh(): Promise<void> {
    this.problem = ''
    try {
      this.value = await this.#fetch()
    } catch (error) {
      this.problem = explain(error)
    }
  }
}

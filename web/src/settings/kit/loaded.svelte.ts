/** Something a screen needs from the server: asked for at once, again on demand, and never silently missing. */
import { ApiError } from '../../api/client.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { said } from '../../i18n/said.ts'

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
      this.problem = messageOf(error)
    }
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.offline ? t('app.offline') : said(error.message)
  return t('app.unexpected', { message: error instanceof Error ? error.message : String(error) })
}

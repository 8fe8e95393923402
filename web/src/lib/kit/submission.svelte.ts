/** Sends a form, one request at a time. The server's errors are shown on the fields they name, and the first is focused. */
import { ApiError } from '../../api/client.ts'
import { explain, explainRefusal } from '../../api/explain.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { focusInvalid, namedInvalid } from '../fields/entries.ts'

export class Submission {
  busy = $state(false)
  failure = $state('')
  problems = $state.raw<Record<string, string>>({})
  /** The form then deletes its draft. */
  onsuccess: () => void = () => {}

  /** True if it succeeded. A conflict names no field: `conflict` is the field that shows it. */
  async run(action: () => Promise<unknown>, conflict?: string): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.refuse({})
    try {
      await action()
      this.onsuccess()
      return true
    } catch (error) {
      this.#take(error, conflict)
      void this.#focusFirst()
      return false
    } finally {
      this.busy = false
    }
  }

  /** Problems found before a request is sent. */
  refuse(problems: Record<string, string>): boolean {
    this.problems = problems
    this.failure = ''
    if (Object.keys(problems).length > 0) void this.#focusFirst()
    return Object.keys(problems).length > 0
  }

  /** On `input` of the form: removes the error of the field being edited (`data-field`). */
  readonly edited = (event: Event): void => {
    const { field } = (event.target as HTMLElement).dataset
    if (!field || !this.problems[field]) return
    const { [field]: _corrected, ...rest } = this.problems
    this.problems = rest
    if (Object.keys(rest).length === 0) this.failure = ''
  }

  #take(error: unknown, conflict?: string): void {
    if (error instanceof ApiError && error.details.length > 0) {
      const problems: Record<string, string> = {}
      for (const detail of error.details) {
        problems[detail.path.join('.')] ??= explainRefusal(detail)
        // The server names an item of a list; the form has one field for the whole list.
        if (/^\d+$/.test(detail.path[1] ?? '')) problems[detail.path[0] ?? ''] ??= explainRefusal(detail)
      }
      this.problems = problems
      this.failure = t('form.fix')
    } else if (error instanceof ApiError && error.status === 409 && conflict) {
      this.problems = { [conflict]: explain(error) }
      this.failure = t('form.fix')
    } else this.failure = explain(error)
  }

  async #focusFirst(): Promise<void> {
    const form = document.querySelector('dialog[open]') ?? document.getElementById('main')
    await focusInvalid(form)
    if (this.failure === t('form.fix')) this.failure = namedInvalid(form)
  }
}

/** Sending a form: one at a time, what the server objects to lands on the field it names, and the first one is focused. */
import { ApiError, type ErrorDetail } from '../../api/client.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { said } from '../../i18n/said.ts'
import { focusInvalid } from '../../lib/entries.ts'
import { messageOf } from './loaded.svelte.ts'

export class Submission {
  busy = $state(false)
  failure = $state('')
  problems = $state.raw<Record<string, string>>({})

  /** True when it worked. A conflict names no field itself: `conflict` says which one it is about. */
  async run(action: () => Promise<unknown>, conflict?: string): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.refuse({})
    try {
      await action()
      return true
    } catch (error) {
      this.#take(error, conflict)
      void focusFirst()
      return false
    } finally {
      this.busy = false
    }
  }

  /** Problems found without asking the server. */
  refuse(problems: Record<string, string>): boolean {
    this.problems = problems
    this.failure = ''
    if (Object.keys(problems).length > 0) void focusFirst()
    return Object.keys(problems).length > 0
  }

  /** On `input` of the form: what is being corrected (`data-field` says what) is no longer marked. */
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
        problems[detail.path.join('.')] ??= saidOf(detail)
        // A list names its item; the form has one field for the whole list.
        if (/^\d+$/.test(detail.path[1] ?? '')) problems[detail.path[0] ?? ''] ??= saidOf(detail)
      }
      this.problems = problems
      this.failure = t('form.fix')
    } else if (error instanceof ApiError && error.status === 409 && conflict) {
      this.problems = { [conflict]: messageOf(error) }
      this.failure = t('form.fix')
    } else this.failure = messageOf(error)
  }
}

function saidOf({ code, message }: ErrorDetail): string {
  const known = said(message)
  if (known !== message) return known
  const limit = Number(/[<>]=?(-?\d+)/.exec(message)?.[1])
  if (code === 'too_small' && Number.isFinite(limit)) {
    return message.includes('characters')
      ? t('settings.error.atLeastCharacters', { count: limit })
      : t('settings.error.atLeast', { limit })
  }
  if (code === 'too_big' && Number.isFinite(limit)) {
    return message.includes('characters')
      ? t('settings.error.atMostCharacters', { count: limit })
      : t('settings.error.atMost', { limit })
  }
  if (code === 'invalid_type') return t('form.required')
  return message.startsWith('Invalid') ? t('settings.error.form') : message
}

function focusFirst(): Promise<boolean> {
  return focusInvalid(document.querySelector('dialog[open]') ?? document.getElementById('main'))
}

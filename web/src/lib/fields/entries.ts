/** The fields of a form that hold unparsed text. A form parses all of them before it sends a request. */
import { getContext, onDestroy, setContext, tick } from 'svelte'
import { i18n, t } from '../../i18n/i18n.svelte.ts'

const key = Symbol('entries')
interface Entry {
  /** Parses the text; false if it cannot be parsed. The field then shows the error. */
  commit: () => boolean | Promise<boolean>
  /** Discards the text if it is not part of the form's state. */
  discard?: () => void
}

class Entries {
  readonly #fields = new Set<Entry>()

  add(entry: Entry): () => void {
    this.#fields.add(entry)
    return () => void this.#fields.delete(entry)
  }

  /** True if all text was parsed. */
  async commit(): Promise<boolean> {
    const read = await Promise.all([...this.#fields].map((field) => field.commit()))
    return read.every(Boolean)
  }

  discard(): void {
    for (const field of this.#fields) field.discard?.()
  }
}

/** Called by the component that submits the form. */
export function provideEntries(): Entries {
  return setContext(key, new Entries())
}

/** Called by a field. Without a surrounding form, the field is only parsed on blur. */
export function joinEntries(entry: Entry): void {
  const entries = getContext<Entries | undefined>(key)
  if (entries) onDestroy(entries.add(entry))
}

const isField = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 && !element.matches(':disabled') && element.offsetParent !== null

/** Focuses the next field of the form and selects its text. Skips buttons. False if this was the last field. */
export function focusNextField(current: HTMLElement): boolean {
  const all = current.closest('form')?.querySelectorAll<HTMLElement>('input, select, textarea') ?? []
  const fields = [...all].filter((element) => element === current || isField(element))
  const next = fields[fields.indexOf(current) + 1]
  next?.focus()
  if (next instanceof HTMLInputElement) next.select()
  return next !== undefined
}

type Labelled = HTMLElement & { labels?: NodeListOf<HTMLLabelElement> | null }

/** The names of the invalid fields. */
export function namedInvalid(within: ParentNode | null | undefined): string {
  const fields = [...(within?.querySelectorAll<Labelled>('[aria-invalid="true"]') ?? [])]
  const labels = fields.map(
    (field) => field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '',
  )
  const named = [...new Set(labels.map((label) => label.trim()).filter(Boolean))]
  return named.length > 0
    ? t('form.fixNamed', { fields: new Intl.ListFormat(i18n.tag).format(named) })
    : t('form.fix')
}

/** Focuses the first invalid field, and opens its section if needed. */
export async function focusInvalid(within: ParentNode | null | undefined): Promise<boolean> {
  await tick()
  const field = within?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const section = field?.closest('details')
  if (section && !section.open) {
    section.open = true
    await tick()
  }
  field?.focus()
  return Boolean(field)
}

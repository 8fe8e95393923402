/** The fields of one form that hold text until it is read. A form reads them all before it sends anything. */
import { getContext, onDestroy, setContext, tick } from 'svelte'

const key = Symbol('entries')
interface Entry {
  /** Reads what was typed; false when it cannot be read. The field then says so itself. */
  commit: () => boolean | Promise<boolean>
  /** Forgets what was typed, where the form does not hold it. */
  discard?: () => void
}

class Entries {
  readonly #fields = new Set<Entry>()

  add(entry: Entry): () => void {
    this.#fields.add(entry)
    return () => void this.#fields.delete(entry)
  }

  /** True when nothing typed is left unread. */
  async commit(): Promise<boolean> {
    const read = await Promise.all([...this.#fields].map((field) => field.commit()))
    return read.every(Boolean)
  }

  discard(): void {
    for (const field of this.#fields) field.discard?.()
  }
}

/** To be called by the component that sends the form. */
export function provideEntries(): Entries {
  return setContext(key, new Entries())
}

/** To be called by a field; without a form around it, it only reads on its own. */
export function joinEntries(entry: Entry): void {
  const entries = getContext<Entries | undefined>(key)
  if (entries) onDestroy(entries.add(entry))
}

/** The first marked field gets the focus, also out of a closed section. */
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

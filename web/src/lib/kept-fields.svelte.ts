/**
 * Stores what a person types into the fields of a form as a draft, and restores it when the form is shown again. Only edited
 * fields are stored, so that the others follow the server. Secrets are never stored.
 */
import { tick } from 'svelte'
import { deleteDraft, readDraft, writeDraft } from '../session/drafts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The calendar behind a date field (`type=date`) only repeats its text. */
const all = 'input:not([type=file], [type=search], [type=date]), select, textarea'
/** The private addresses of calendars and webhooks are secrets too. */
const secret = '[type=password], [type=url], [autocomplete=one-time-code]'

const isRadio = (control: Control): boolean => control.type === 'radio'
const isChecked = (control: Control): boolean => (control as HTMLInputElement).checked

/** A key that stays the same across visits, unlike the ids of fields. */
function nameOf(control: Control): string {
  const legend = control.closest('fieldset')?.querySelector('legend')?.textContent ?? ''
  const label =
    control.dataset['field'] ?? control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent ?? ''
  return (isRadio(control) ? legend : label).trim()
}

/** For radio buttons, the selected one counts; its value may be its label. */
const choiceOf = (radio: Control): string =>
  radio.value === 'on' ? (radio.labels?.[0]?.textContent ?? '') : radio.value

function set(control: Control, value: string): void {
  if (control.type === 'checkbox') {
    if (isChecked(control) !== (value === 'on')) control.click()
    return
  }
  control.value = value
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
  // Text is parsed when the field loses focus.
  control.dispatchEvent(new FocusEvent('blur'))
}

export class KeptFields {
  /** There are edits that closing would lose. */
  isEdited = $state(false)
  isRestored = $state(false)
  readonly #draft: string
  #root: HTMLElement | undefined
  /** The values of edited fields from before the edit, by name. */
  #before: Record<string, string> = {}
  readonly #edited = new Set<string>()
  /** Fields are being restored by this class, not edited by the person. */
  #isSetting = false

  /** `draft` names the form and what it edits, such as `airport.17`. */
  constructor(draft: string) {
    this.#draft = draft
  }

  /** An attachment of the form. */
  readonly watch = (root: HTMLElement): (() => void) => {
    this.#root = root
    const stop = new AbortController()
    const { signal } = stop
    for (const type of ['keydown', 'pointerdown', 'beforeinput'])
      root.addEventListener(type, this.#noteBefore, { signal, capture: true })
    for (const type of ['input', 'change']) root.addEventListener(type, this.#noteEdit, { signal })
    // Clicking or leaving a field can change which other fields are shown.
    for (const type of ['click', 'focusout']) root.addEventListener(type, this.#keep, { signal })
    void this.#restore()
    return () => stop.abort()
  }

  /** Called after the form was saved, or at the person's request. */
  discard(): void {
    deleteDraft(this.#draft)
    this.#edited.clear()
    this.isEdited = this.isRestored = false
  }

  /** Discards the draft and restores the previous value of every field. */
  startOver(): void {
    this.#isSetting = true
    for (const name of this.#edited) this.#setByName(name, this.#before[name] ?? '')
    this.#isSetting = false
    this.discard()
  }

  #controls(): Control[] {
    return [...(this.#root?.querySelectorAll<Control>(all) ?? [])]
  }

  #valueOf(control: Control): string {
    if (isRadio(control)) {
      const name = nameOf(control)
      const chosen = this.#controls().find(
        (other) => isRadio(other) && isChecked(other) && nameOf(other) === name,
      )
      return chosen ? choiceOf(chosen) : ''
    }
    return control.type === 'checkbox' ? (isChecked(control) ? 'on' : '') : control.value
  }

  #setByName(name: string, value: string): void {
    const controls = this.#controls().filter((control) => nameOf(control) === name)
    if (controls[0] && isRadio(controls[0])) controls.find((radio) => choiceOf(radio) === value)?.click()
    else if (controls[0]) set(controls[0], value)
  }

  readonly #noteBefore = ({ target }: Event): void => {
    const element = target as HTMLElement
    const control = element.closest('label')?.control ?? element
    if (!control.matches(all)) return
    const name = nameOf(control as Control)
    if (!this.#edited.has(name)) this.#before[name] = this.#valueOf(control as Control)
  }

  readonly #noteEdit = (event: Event): void => {
    const control = event.target as Control
    if (this.#isSetting || !control.matches(all)) return
    this.#edited.add(nameOf(control))
    void this.#keep()
  }

  readonly #keep = async (): Promise<void> => {
    if (this.#isSetting) return
    await tick()
    // Removing the form takes the focus from its fields.
    if (!this.#root?.isConnected) return
    const kept: Record<string, string> = {}
    let isEdited = false
    const controls = this.#controls()
    for (const name of this.#edited) {
      const control = controls.find((one) => nameOf(one) === name)
      const value = control && this.#valueOf(control)
      if (value === undefined || value === this.#before[name]) continue
      isEdited = true
      if (!control!.matches(secret)) kept[name] = value
    }
    this.isEdited = isEdited
    if (Object.keys(kept).length > 0) writeDraft(this.#draft, kept)
    else if (this.#edited.size > 0) deleteDraft(this.#draft)
  }

  /** In the order of editing: a choice may reveal the field that was filled next. */
  async #restore(): Promise<void> {
    const kept = Object.entries(readDraft<Record<string, string>>(this.#draft) ?? {})
    this.#isSetting = true
    await tick()
    // A choice may also fill other fields, so their previous values are stored first.
    for (const [name] of kept) this.#noteFor(name)
    for (const [name, value] of kept) {
      if (!this.#noteFor(name)) continue
      this.#edited.add(name)
      this.#setByName(name, value)
      this.isEdited = this.isRestored = true
      await tick()
    }
    this.#isSetting = false
  }

  /** False if the form does not show the field. */
  #noteFor(name: string): boolean {
    const control = this.#controls().find((one) => nameOf(one) === name)
    if (control) this.#before[name] ??= this.#valueOf(control)
    return control !== undefined
  }
}

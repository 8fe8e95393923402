// HTML by template: every value is escaped, unless it is HTML made the same way.
import { escapeMarkup } from '../domain/formats/xml.ts'

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Content = string | number | Html | readonly Html[] | false | null | undefined

export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(strings.reduce((text, part, index) => text + show(values[index - 1]) + part))
}

function show(value: Content): string {
  if (value === false || value === null || value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((item) => item.text).join('')
  return escapeMarkup(String(value))
}

/** A boolean attribute. */
export const attribute = (name: string, present: boolean): Html => new Html(present ? ` ${name}` : '')

// HTML by template: every value is escaped, unless it is HTML made the same way.
import { escapeMarkup } from '../domain/formats/xml.ts'
import { partsOf, type Values } from '../domain/text/messages.ts'

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

/** A text with HTML in place of its placeholders. */
export function filledWith<S extends string>(text: S, values: Values<S, Content>): Html {
  const given: Readonly<Record<string, Content>> = values
  return new Html(
    partsOf(text)
      .map((part, index) => show(index % 2 === 0 ? part : given[part]))
      .join(''),
  )
}

/** A boolean attribute. */
export const attribute = (name: string, present: boolean): Html => new Html(present ? ` ${name}` : '')

// Texts in several languages. English is TypeScript and the source of the keys: a missing key or a missing {placeholder} does
// not compile. The other languages are JSON, which test/translations.ts compares with English.

/** As English has them. */
type Plural = { readonly one: string; readonly other: string }
/** The forms of any language, by the categories of Intl.PluralRules. */
export type PluralForms = { readonly other: string } & {
  readonly [Category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string
}
export type Message = string | PluralForms

type Placeholders<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

type TextOf<M> = M extends Plural ? M['one'] | M['other'] : M
type NamesOf<M> = TextOf<M> extends infer S ? (S extends string ? Placeholders<S> : never) : never

export type Values<M, Value = string | number> = {
  [K in NamesOf<M> | (M extends Plural ? 'count' : never)]: Value
}
export type Arguments<M> = keyof Values<M> extends never ? [] : [values: Values<M>]

/** The parts of a text: at odd places the name of a placeholder. */
export const partsOf = (text: string): string[] => text.split(/\{(\w+)\}/)

/** A text with its values. A placeholder without a value stays. */
export function fill<S extends string>(
  text: S,
  values: Values<S>,
  shown: (value: number) => string = String,
): string {
  const given: Readonly<Record<string, string | number>> = values
  return partsOf(text)
    .map((part, index) => {
      if (index % 2 === 0) return part
      const value = given[part]
      if (value === undefined) return `{${part}}`
      return typeof value === 'number' ? shown(value) : value
    })
    .join('')
}

/** The form of a plural for a number. */
export const pluralFor = (forms: PluralForms, count: number, rules: Intl.PluralRules): string =>
  forms[rules.select(count)] ?? forms.other

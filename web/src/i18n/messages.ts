/** Types of the catalogue: a missing key or a missing {placeholder} does not compile. */

/** As English has them. */
type Plural = { readonly one: string; readonly other: string }
/** The forms of any language, by the categories of Intl.PluralRules; `other` stands for those that are left out. */
export type PluralForms = { readonly other: string } & {
  readonly [Category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string
}
export type Message = string | PluralForms
type Catalogue = Record<string, Message>

/** The same keys as the English file, in the same kind (plain or plural). */
export type Translation<T extends Catalogue> = {
  readonly [K in keyof T]: T[K] extends Plural ? PluralForms : string
}

type Placeholders<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

type TextOf<M> = M extends Plural ? M['one'] | M['other'] : M
type NamesOf<M> = TextOf<M> extends infer S ? (S extends string ? Placeholders<S> : never) : never

export type Values<M> = { [K in NamesOf<M> | (M extends Plural ? 'count' : never)]: string | number }
export type Arguments<M> = keyof Values<M> extends never ? [] : [values: Values<M>]

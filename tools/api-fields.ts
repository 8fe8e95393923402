// Tables of the fields of a schema, with those of nested objects below them.
import { Marked } from 'marked'
import { attribute, Html, html } from '../server/pages/html.ts'

/** The keywords that our documents use. */
export interface Schema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

const marked = new Marked()
/** Texts of the declarations are Markdown of one paragraph. */
export const inline = (text = ''): Html => new Html(marked.parseInline(text) as string)
export const nameOf = (reference: string) => reference.split('/').at(-1)!
export const requiredMark = html`<small class="required">required</small>`

interface Row {
  name: string
  depth: number
  isRequired: boolean
  schema: Schema
}

const variantsOf = (schema: Schema) =>
  (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null')

/** References lead to `schemas`. */
export function createFields(schemas: Readonly<Record<string, Schema>>) {
  const resolved = (schema: Schema): Schema => (schema.$ref ? schemas[nameOf(schema.$ref)]! : schema)

  function fieldTable(schema: Schema): Html | false {
    const rows = rowsOf(schema, 0, [])
    if (rows.length === 0) return false
    return table(
      ['Field', 'Type', 'Meaning'],
      rows.map(({ name, isRequired, schema: field }) => [
        html`<code>${name}</code> ${isRequired && requiredMark}`,
        html`${typeOf(field)}`,
        meaning(field),
      ]),
      'fields',
      rows.map(({ depth }) => depth),
    )
  }

  /** The fields of an object, of the items of a list, and of each form that a value may have. `within` ends at a cycle. */
  function rowsOf(given: Schema, depth: number, within: readonly string[]): Row[] {
    if (given.$ref && within.includes(given.$ref)) return []
    const path = given.$ref ? [...within, given.$ref] : within
    const schema = resolved(given)
    const variants = variantsOf(schema)
    if (variants.length > 0) return variants.flatMap((variant) => rowsOf(variant, depth, path))
    if (schema.items) return rowsOf(schema.items, depth, path)
    const { properties = {}, required = [], additionalProperties: others } = schema
    const named = Object.entries(properties).flatMap(([name, field]) => [
      { name, depth, isRequired: required.includes(name), schema: field },
      ...rowsOf(field, depth + 1, path),
    ])
    return typeof others === 'object' ? [...named, ...rowsOf(others, depth, path)] : named
  }

  function typeOf(given: Schema): string {
    const schema = resolved(given)
    const variants = variantsOf(schema)
    if (variants.length > 0) {
      const all = [...new Set(variants.map(typeOf))]
      return variants.length < (schema.anyOf ?? schema.oneOf)!.length
        ? `${all.join(' or ')} or null`
        : all.join(' or ')
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.items) return `list of ${typeOf(schema.items)}`
    const kind = [schema.type ?? 'anything'].flat().join(' or ')
    return schema.format && schema.format !== 'int64' ? `${kind}, ${schema.format}` : kind
  }

  /** What a field means, and what is valid in it. */
  function meaning(given: Schema): Html {
    const schema = { ...resolved(given), ...given }
    const inner = variantsOf(schema)[0] ?? schema
    const { description } = schema
    const values = resolved(inner).enum ?? (inner.items && resolved(inner.items).enum)
    const facts = [
      values && `One of ${values.map((value) => `\`${String(value)}\``).join(', ')}.`,
      range(inner.minimum, inner.maximum === Number.MAX_SAFE_INTEGER ? undefined : inner.maximum, ''),
      range(inner.minLength, inner.maxLength, ' characters'),
      range(inner.minItems, inner.maxItems, ' items'),
      schema.default !== undefined &&
        `Default: \`${typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default)}\`.`,
    ].filter((fact) => typeof fact === 'string' && fact !== '')
    return inline([description, ...facts].filter(Boolean).join(' '))
  }

  return { resolved, typeOf, meaning, fieldTable }
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (to === undefined) return from === undefined || from <= 1 ? '' : `At least ${from}${unit}.`
  return from === undefined || (from <= 1 && unit) ? `At most ${to}${unit}.` : `${from} to ${to}${unit}.`
}

/** `depths` indents the rows of nested fields. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly Html[])[],
  kind = '',
  depths: readonly number[] = [],
): Html => html`<table${attribute(`class="${kind}"`, kind !== '')}><thead><tr>${head.map(
  (title) => html`<th scope="col">${title}</th>`,
)}</tr></thead><tbody>
${rows.map(
  (cells, i) =>
    html`<tr${attribute(`class="d${depths[i]}"`, (depths[i] ?? 0) > 0)}>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table>`

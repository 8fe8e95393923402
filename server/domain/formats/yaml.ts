// YAML for backups: every string in double quotes, every nested value on its own lines. Any YAML parser reads it, and no
// string can be mistaken for another type.

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

const bareKey = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** Lines of a map's entries or a list's items, each beginning with `indent`. */
export function yamlLines(
  value: readonly Plain[] | { readonly [key: string]: Plain },
  indent: string,
): string {
  const lines: string[] = []
  writeBlock(value, indent, lines)
  return lines.join('')
}

function writeBlock(value: object, indent: string, lines: string[]): void {
  const isList = Array.isArray(value)
  const entries = isList ? value.map((item) => ['-', item] as const) : Object.entries(value)
  if (entries.length === 0) lines.push(`${indent}${isList ? '[]' : '{}'}\n`)
  for (const [name, inner] of entries) {
    if (inner === undefined) continue
    const head = isList ? '-' : `${bareKey.test(name) ? name : quoted(name)}:`
    if (inner !== null && typeof inner === 'object') {
      lines.push(`${indent}${head}\n`)
      writeBlock(inner, `${indent}  `, lines)
    } else {
      lines.push(`${indent}${head} ${scalar(inner as string | number | boolean | null)}\n`)
    }
  }
}

const scalar = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? quoted(value) : String(value)

/** JSON does not escape some characters that YAML forbids. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

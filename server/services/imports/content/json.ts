// JSON and YAML with limits: input that needs too much memory or recursion is refused before it is parsed.
import { parse } from 'yaml'
import { errorMessage } from '../../../base/errors.ts'

/** Readers walk values recursively. */
const DEPTH_AT_MOST = 100
/** Counted by commas and colons outside strings, and by brackets. */
const VALUES_AT_MOST = 12_000_000
/** A list or an object needs as much memory as this many numbers. */
const VALUES_OF_BRACKET = 4
/** The YAML parser needs about fifty times the size of the text. */
const YAML_AT_MOST = 8 * 2 ** 20
/** An alias expands to a whole value; a few lines of nested aliases could expand to billions. */
const ALIASES_AT_MOST = 100

export type Parsed = { value: unknown } | { refused: 'unreadable_file' | 'too_large'; why: string }

export function parseJson(text: string): Parsed {
  const refused = exceeds(text)
  if (refused) return refused
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { refused: 'unreadable_file', why: `This is not valid JSON: ${messageOf(error)}` }
  }
}

function exceeds(text: string): Parsed | null {
  let [depth, values, inText] = [0, 0, false]
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (inText) {
      if (sign === 92 /* \ */) i++
      else if (sign === 34) inText = false
      continue
    }
    if (sign === 34 /* " */) inText = true
    else if (sign === 44 || sign === 58 /* , : */) values++
    else if (sign === 123 || sign === 91 /* { [ */) {
      depth++
      values += VALUES_OF_BRACKET
    } else if (sign === 125 || sign === 93 /* } ] */) depth--
    if (depth > DEPTH_AT_MOST) return tooDeep('JSON')
  }
  return values > VALUES_AT_MOST ? { refused: 'too_large', why: 'This JSON has too many values.' } : null
}

export function parseYaml(text: string): Parsed {
  if (text.length > YAML_AT_MOST)
    return { refused: 'too_large', why: 'YAML files larger than 8 MB are not read. Export as JSON instead.' }
  try {
    const value: unknown = parse(text, {
      maxAliasCount: ALIASES_AT_MOST,
      logLevel: 'error',
      // The check would compare every key with every other.
      uniqueKeys: false,
    })
    return isDeep(value, DEPTH_AT_MOST) ? tooDeep('YAML') : { value }
  } catch (error) {
    return { refused: 'unreadable_file', why: `This is not valid YAML: ${messageOf(error)}` }
  }
}

const isDeep = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1)))

const tooDeep = (what: string): Parsed => ({
  refused: 'unreadable_file',
  why: `This ${what} is nested more than ${DEPTH_AT_MOST} levels deep.`,
})

const messageOf = (error: unknown): string => errorMessage(error).split('\n')[0]!.slice(0, 200)

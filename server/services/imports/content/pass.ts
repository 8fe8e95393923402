// Passes of Apple Wallet: a zip archive with `pass.json` and its texts in each language. The signature is not verified: it
// proves who issued the pass, not whether the flight was flown.
import type { Pass, Unreadable } from './content.ts'
import { decode } from './decode.ts'
import { parseJson } from './json.ts'
import { BadArchive, type Member } from './zip.ts'

/** Real ones have a few kilobytes. */
const TEXT_AT_MOST = 2 * 2 ** 20
const LANGUAGES_AT_MOST = 60
const STRINGS_AT_MOST = 2_000

export const isPass = (members: readonly Member[]): boolean =>
  members.some(({ name }) => name === 'pass.json')

/** Throws `BadArchive`. */
export function readPass(members: readonly Member[], part: string | null): Pass | Unreadable {
  const text = textOf(members.find(({ name }) => name === 'pass.json')!)
  const parsed = parseJson(text)
  if (!('value' in parsed))
    return { kind: 'unreadable', part, reason: parsed.refused, excerpt: `pass.json: ${parsed.why}` }
  const strings: Record<string, Record<string, string>> = {}
  for (const member of members) {
    const language = /^([A-Za-z][\w-]*)\.lproj\/pass\.strings$/.exec(member.name)?.[1]
    if (language === undefined || Object.keys(strings).length >= LANGUAGES_AT_MOST) continue
    strings[language] = stringsIn(textOf(member))
  }
  return { kind: 'pass', part, value: parsed.value, strings }
}

function textOf(member: Member): string {
  if (member.size > TEXT_AT_MOST)
    throw new BadArchive('too_large', `“${member.name}” of the pass is larger than 2 MB.`)
  return decode(member.unpack())
}

const entry = /"((?:[^"\\]|\\.)*)"\s*=\s*"((?:[^"\\]|\\.)*)"\s*;/gs

/** `"key" = "value";`, with comments between. */
function stringsIn(text: string): Record<string, string> {
  const strings: Record<string, string> = Object.create(null)
  let count = 0
  for (const [, key, value] of text.matchAll(entry)) {
    strings[unescaped(key!)] = unescaped(value!)
    if (++count >= STRINGS_AT_MOST) break
  }
  return strings
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

const unescaped = (text: string): string =>
  text.replace(/\\(?:[uU]([0-9A-Fa-f]{4})|(.))/gs, (_, code: string | undefined, letter: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[letter] ?? letter),
  )

// Airports, airlines and aircraft types as files write them: the codes in a text, and the rest of the text.
import type { Named } from '../reading/source.ts'

/** For sources that give codes and names separately. Null if all parts are empty. */
export function namedBy(
  codes: readonly (string | null | undefined)[],
  name?: string | null,
  text?: string,
): Named | null {
  const known = [...new Set(codes.flatMap((code) => code?.trim().toUpperCase() || []))]
  const plain = name?.trim() || null
  if (known.length === 0 && plain === null) return null
  const written = known.join('/')
  const made = plain === null ? written : written === '' ? plain : `${plain} (${written})`
  return { text: text?.trim() || made, codes: known, name: plain }
}

type Text = string | null | undefined

/** A log of a hundred thousand rows names only a few hundred airports. */
const REMEMBERED_AT_MOST = 5_000
/** No name is longer. Protects the patterns from hostile files. */
const LONGEST = 300

/** Caches results by text. They are shared and must not be changed. */
function remembered(find: (text: string) => Named | null): (text: Text) => Named | null {
  const known = new Map<string, Named | null>()
  return (text) => {
    if (!text) return null
    if (text.length > LONGEST) return { text, codes: [], name: text }
    let named = known.get(text)
    if (named === undefined) {
      named = find(text)
      if (known.size >= REMEMBERED_AT_MOST) known.clear()
      known.set(text, named)
    }
    return named
  }
}

const partOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null

/** A record as exports write it, `{icao, iata, name, lat, lon}`, or `{code}`. Null for other values. */
export function recordNamed(value: unknown): Named | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const given = value as Record<string, unknown>
  const codes = [given['icao'], given['iata'], given['code']].map(partOf)
  const named = namedBy(codes, partOf(given['name']) ?? partOf(given['municipality']))
  const [lat, lon] = [given['lat'] ?? given['latitude'], given['lon'] ?? given['longitude']]
  return named && typeof lat === 'number' && typeof lon === 'number'
    ? { ...named, point: { lat, lon } }
    : named
}

/**
 * `CPH`, `EKCH`, `EKCH/CPH`, `Copenhagen / Kastrup (CPH/EKCH)`, `CPH - Copenhagen/DK`, `CPH (Kastrup)`, `Tokyo HND`, or a name. Codes of
 * four letters come before those of three: fewer airports share them. Codes with digits are the least certain.
 */
export const airportNamed = remembered((text) => {
  const plain = tidy(text)
  if (plain === '') return null
  const alone = codesOf(plain, airportCode)
  if (alone) return { text: plain, codes: byCertainty(alone), name: null }
  const { codes, rest } = takeBracketed(plain, airportCode)
  if (codes.length > 0) return codedName(plain, codes, rest)
  const front =
    /^([A-Z0-9]{3,4})\s*(?:[-–—:,|]\s+|\s[-–—|]\s?)(.+)$/.exec(plain) ??
    /^([A-Z]{3,4})\s*\(([^()]+)\)$/.exec(plain)
  if (front && airportCode(front[1]!)) return codedName(plain, [front[1]!], front[2]!)
  const back = /^(.*\p{Ll}.*?)[\s,–-]+([A-Z]{3,4})$/u.exec(plain)
  if (back && !notCodes.has(back[2]!)) return codedName(plain, [back[2]!], back[1]!)
  return bare(plain)
})

/** `LX`, `SWR`, `Swiss (LX/SWR)`, `Air Malta (KM/)`, or a name. `(/)` means none. */
export const airlineNamed = remembered((text) => {
  const plain = tidy(text)
  const alone = codesOf(plain, airlineCode)
  // KLM and SAS are both names and codes.
  if (alone) return { text: plain, codes: byCertainty(alone), name: alone.length === 1 ? plain : null }
  const { codes, rest } = takeBracketed(plain, airlineCode)
  return codes.length > 0 ? codedName(plain, codes, rest) : bare(plain)
})

/** `B77W`, `77W`, `Boeing 777-300ER (B77W)`, or a name. `()` means none. */
export const aircraftNamed = remembered((text) => {
  const plain = tidy(text)
  const alone = codesOf(plain, typeCode)
  // 787 and A320 are both names of types and codes of several types.
  if (alone) return { text: plain, codes: alone, name: alone.length === 1 ? plain : null }
  const { codes, rest } = takeBracketed(plain, typeCode)
  return codes.length > 0 ? codedName(plain, codes, rest) : bare(plain)
})

/** Country names at the end of places, which are also codes of small airports. */
const notCodes = new Set(['USA', 'UAE'])

const airportCode = (token: string): boolean => /^(?=.*[A-Z])[A-Z0-9]{3,4}$/.test(token)
const airlineCode = (token: string): boolean => /^(?=.*[A-Z])(?:[A-Z0-9]{2}|[A-Z]{3})$/.test(token)
const typeCode = (token: string): boolean => /^[A-Z0-9]{2,4}$/.test(token) && /\d|^[A-Z]{3,4}$/.test(token)

/** Removes empty brackets and words that mean “none”. */
const tidy = (text: string | null | undefined): string => {
  const plain = (text ?? '')
    .replace(/\(\s*[/,;-]?\s*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return /^(?:n\/a|\\n|none|null|unknown|-+|\?+)$/i.test(plain) ? '' : plain
}

/** The parts of the text if all of them are codes: `CPH/EKCH`. */
function codesOf(text: string, isCode: (token: string) => boolean): string[] | null {
  const tokens = text.split(/\s*[/,;|]\s*/).filter((token) => token !== '')
  // Lima and Ulm are places, but LIMA, ULM and ulm may be codes.
  const written = tokens.every((token) => token === token.toUpperCase() || token === token.toLowerCase())
  const codes = tokens.map((token) => token.toUpperCase())
  return tokens.length > 0 && written && codes.every(isCode) ? codes : null
}

/** Codes in brackets, and the text without them. Brackets with anything else are part of the name. */
function takeBracketed(text: string, isCode: (token: string) => boolean): { codes: string[]; rest: string } {
  const codes: string[] = []
  const rest = text.replace(/[([]([^()[\]]*)[)\]]/g, (whole, inner: string) => {
    const tokens = inner.split(/[\s/,;|·-]+/).filter((token) => token !== '')
    if (tokens.length === 0 || !tokens.every(isCode)) return whole
    codes.push(...tokens)
    return ' '
  })
  return { codes, rest }
}

function codedName(text: string, codes: readonly string[], rest: string): Named {
  const name = rest
    .replace(/\s+/g, ' ')
    .replace(/\/[A-Z]{2}$/, '')
    .replace(/^[\s,;/–-]+|[\s,;/–-]+$/g, '')
  return { text, codes: byCertainty([...new Set(codes)]), name: name === '' ? null : name }
}

const bare = (text: string): Named | null => (text === '' ? null : { text, codes: [], name: text })

/** Longer codes first, and those with digits last. */
const byCertainty = (codes: readonly string[]): string[] =>
  [...codes].sort((a, b) => Number(/\d/.test(a)) - Number(/\d/.test(b)) || b.length - a.length)

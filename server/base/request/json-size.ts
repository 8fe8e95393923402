// Measures a JSON text before it is parsed: the parser creates an object for every pair of brackets, without a pause, and
// needs far more memory than the text.

export interface JsonBound {
  /** Nested brackets; code that walks a value recursively may rely on it. */
  levels: number
  /** Counted by commas and opening brackets. */
  values: number
  /** Values with a name, counted by colons. Names cost far more than values, and more so the more there are. */
  members: number
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [TEXT, COMMA, COLON, OPENING, CLOSING] = [1, 2, 3, 4, 5]
/** The role of a byte outside a string. */
const signs = new Uint8Array(256)
signs[QUOTE] = TEXT
for (const comma of ',') signs[comma.charCodeAt(0)] = COMMA
for (const colon of ':') signs[colon.charCodeAt(0)] = COLON
for (const opening of '[{') signs[opening.charCodeAt(0)] = OPENING
for (const closing of ']}') signs[closing.charCodeAt(0)] = CLOSING

/** The bound that the JSON exceeds, if any. Looking at bytes is enough: no byte of a longer UTF-8 character is a sign of JSON. */
export function exceededBound(json: Uint8Array, bound: JsonBound): keyof JsonBound | undefined {
  const { length } = json
  let [levels, values, members] = [0, 0, 0]
  for (let at = 0; at < length; at++) {
    const kind = signs[json[at]!]
    if (!kind) continue
    if (kind === TEXT) at = endOfText(json, at)
    else if (kind === COLON) members++
    else if (kind === CLOSING) levels--
    else if (++values > bound.values) return 'values'
    else if (kind === OPENING && ++levels > bound.levels) return 'levels'
  }
  return members > bound.members ? 'members' : undefined
}

/** The end of the string that begins here; the end of the JSON if the string is not closed. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

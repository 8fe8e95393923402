// Request bodies: bytes until an operation wants JSON. The media type does not matter, except that what a plain HTML
// form can send is never read as JSON: another site could make a browser send it.
import { AppError } from '../base/errors.ts'
import { requireStorableText } from '../base/storable-text.ts'
import { problem } from '../domain/reasons.ts'

/** The most that is read of a request without a credential. */
export const UNAUTHENTICATED_BODY_BYTES = 16 * 1024

const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
/** Escapes that may hide what neither engine can store; a cheap test before the thorough one. */
const suspicious = /\\u(0000|d[89a-f])/i

export function parseJson(
  bytes: unknown,
  contentType: string | undefined,
  membersAtMost: number = MEMBERS_AT_MOST,
  textsCheckedLater?: string,
): unknown {
  if (contentType && formTypes.test(contentType)) {
    throw new AppError('invalid_json', 'json_expected')
  }
  const { text, value } = decodeJson(bytes, membersAtMost)
  if (mayHideNoText(text)) requireStorableText(value, textsCheckedLater)
  return value
}

export function decodeJson(
  bytes: unknown,
  membersAtMost: number = MEMBERS_AT_MOST,
): { text: string; value: unknown } {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength === 0) {
    throw new AppError('invalid_json', 'body_required')
  }
  requireModest(bytes, membersAtMost)
  try {
    const text = decoder.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw new AppError('invalid_json', 'invalid_json')
  }
}

export const mayHideNoText = (text: string): boolean => suspicious.test(text)

/** Deeper than anything we accept; code that walks a body recursively may rely on it. */
const LEVELS_AT_MOST = 100
/** More than a flight with every seat taken. Member names cost far more than values, and more so the more there are. */
const MEMBERS_AT_MOST = 50_000

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, colon] = [code('"'), code('\\'), code(':')]
/** How each byte outside a string changes the depth. */
const steps = new Int8Array(256)
for (const opening of '[{') steps[code(opening)] = 1
for (const closing of ']}') steps[code(closing)] = -1

/**
 * Counts brackets and colons before the JSON is parsed. Bytes are enough: no byte of a longer character equals one of
 * them.
 */
function requireModest(bytes: Uint8Array, membersAtMost: number): void {
  let depth = 0
  let members = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === quote) i = endOfText(bytes, i)
    else if (byte === colon) members++
    else depth += steps[byte]!
    if (depth > LEVELS_AT_MOST) {
      throw new AppError('invalid_json', problem('body_too_deep', { max: LEVELS_AT_MOST }))
    }
  }
  if (members > membersAtMost) {
    throw new AppError('invalid_json', problem('body_too_many_members', { max: membersAtMost }))
  }
}

/** Where the string that begins here ends; the end of the bytes if it is not closed. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

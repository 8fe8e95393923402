// Request bodies: bytes until an operation wants JSON. The media type does not matter, except that what a plain HTML
// form can send is never read as JSON: another site could make a browser send it.
import { setImmediate } from 'node:timers/promises'
import { type BodyBound, bodySizes } from '../base/body-sizes.ts'
import { AppError, tooLarge } from '../base/errors.ts'
import { exceededBound, type JsonBound } from '../base/json-size.ts'
import { type MaybeLater, whenKnown } from '../base/maybe-later.ts'
import { requireStorableText } from '../base/storable-text.ts'
import { problem } from '../domain/reasons.ts'

/** The most that is read of a request without a credential. */
export const UNAUTHENTICATED_BODY_BYTES = 16 * 1024

export const jsonType = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i
const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
/** Escapes that may hide what neither engine can store; a cheap test before the thorough one. */
const suspicious = /\\u(0000|d[89a-f])/i

interface Decoded {
  text: string
  value: unknown
}

/** A small body is parsed immediately, a large one in steps, between which other requests are served. */
export function parseJson(
  bytes: unknown,
  contentType: string | undefined,
  bound: BodyBound = bodySizes.usual,
  textsCheckedLater?: string,
): MaybeLater<unknown> {
  if (contentType && formTypes.test(contentType)) {
    throw new AppError('invalid_json', 'json_expected')
  }
  return whenKnown(decodeJson(bytes, bound), ({ text, value }) => {
    if (mayHideNoText(text)) requireStorableText(value, textsCheckedLater)
    return value
  })
}

export function decodeJson(bytes: unknown, bound: BodyBound): MaybeLater<Decoded> {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength === 0) {
    throw new AppError('invalid_json', 'body_required')
  }
  if (bytes.byteLength > bound.bytes) throw tooLarge(bound.bytes)
  requireModest(bytes, bound)
  return bytes.byteLength < LARGE_BYTES ? decode(bytes) : decodeLarge(bytes)
}

/** Parsing so much takes milliseconds, and so does what comes before and after it. */
const LARGE_BYTES = 256 * 1024

async function decodeLarge(bytes: Uint8Array): Promise<Decoded> {
  await setImmediate()
  const decoded = decode(bytes)
  await setImmediate()
  return decoded
}

function decode(bytes: Uint8Array): Decoded {
  try {
    const text = decoder.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw new AppError('invalid_json', 'invalid_json')
  }
}

export const mayHideNoText = (text: string): boolean => suspicious.test(text)

const excessReasons = {
  levels: 'body_too_deep',
  values: 'body_too_many_values',
  members: 'body_too_many_members',
} as const

/** Before it is parsed: parsing cannot be interrupted. */
function requireModest(bytes: Uint8Array, bound: JsonBound): void {
  const excess = exceededBound(bytes, bound)
  if (excess) throw new AppError('invalid_json', problem(excessReasons[excess], { max: bound[excess] }))
}

// Request bodies: bytes until an operation needs JSON. The media type does not matter, except that the types a plain HTML
// form can send are never parsed as JSON: another site could make a browser send them.
import { setImmediate } from 'node:timers/promises'
import { AppError, tooLarge } from '../base/errors.ts'
import { type MaybeLater, whenKnown } from '../base/maybe-later.ts'
import { type BodyBound, bodySizes } from '../base/request/body-sizes.ts'
import { exceededBound, type JsonBound } from '../base/request/json-size.ts'
import { requireStorableText } from '../base/request/storable-text.ts'
import { problem } from '../domain/reasons.ts'

/** The largest body that is read without a credential. */
export const UNAUTHENTICATED_BODY_BYTES = 16 * 1024

export const jsonType = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i
const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
/** Escapes that may hide characters neither engine can store; a cheap test before the thorough one. */
const suspicious = /\\u(0000|d[89a-f])/i

interface Decoded {
  text: string
  value: unknown
}

/** Parses a small body immediately, and a large one in steps so that other requests are served in between. */
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

/** Parsing this much takes milliseconds, and so do the steps before and after it. */
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

/** Checked before parsing, which cannot be interrupted. */
function requireModest(bytes: Uint8Array, bound: JsonBound): void {
  const excess = exceededBound(bytes, bound)
  if (excess) throw new AppError('invalid_json', problem(excessReasons[excess], { max: bound[excess] }))
}

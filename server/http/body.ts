// Request bodies: bytes until an operation wants JSON. The media type does not matter, except that what a plain HTML
// form can send is never read as JSON: a foreign page could make a browser send it.
import { AppError, type ErrorDetail } from '../errors.ts'

const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
/** Escapes that may hide what neither engine can store; a cheap test before the thorough one. */
const suspicious = /\\u(0000|d[89a-f])/i

export function parseJson(bytes: unknown, contentType: string | undefined): unknown {
  if (contentType && formTypes.test(contentType)) {
    throw new AppError('invalid_json', 'Send the body as JSON (Content-Type: application/json)')
  }
  const { text, value } = decodeJson(bytes)
  if (mayHideNoText(text)) requireStorableText(value)
  return value
}

export function decodeJson(bytes: unknown): { text: string; value: unknown } {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength === 0) {
    throw new AppError('invalid_json', 'A JSON body is required')
  }
  try {
    const text = decoder.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON')
  }
}

export const mayHideNoText = (text: string): boolean => suspicious.test(text)

/** Deeper than anything we ask for; a walk without an end would exhaust the stack. */
const DEPTH_AT_MOST = 100

/** U+0000 and lone surrogates are no text: PostgreSQL refuses them and JSON cannot carry them safely. */
export function requireStorableText(value: unknown): void {
  const details: ErrorDetail[] = []
  const visit = (item: unknown, path: string[]): void => {
    if (typeof item === 'string') {
      if (item.includes('\u0000') || !item.isWellFormed()) {
        details.push({ code: 'custom', path, message: 'Contains characters that are not text' })
      }
    } else if (path.length > DEPTH_AT_MOST) {
      throw new AppError('invalid_json', 'The body is nested too deeply')
    } else if (item !== null && typeof item === 'object') {
      for (const [key, inner] of Object.entries(item)) {
        visit(key, path)
        visit(inner, [...path, key])
      }
    }
  }
  visit(value, [])
  if (details.length > 0) {
    throw new AppError('validation_failed', 'Request validation failed', { details: details.slice(0, 50) })
  }
}

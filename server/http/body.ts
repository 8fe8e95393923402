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
  if (!(bytes instanceof Uint8Array) || bytes.byteLength === 0) {
    throw new AppError('invalid_json', 'A JSON body is required')
  }
  let text: string
  let value: unknown
  try {
    text = decoder.decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON')
  }
  if (suspicious.test(text)) requireStorableText(value)
  return value
}

/** U+0000 and lone surrogates are no text: PostgreSQL refuses them and JSON cannot carry them safely. */
function requireStorableText(value: unknown): void {
  const details: ErrorDetail[] = []
  const visit = (item: unknown, path: string[]): void => {
    if (typeof item === 'string') {
      if (item.includes('\u0000') || !item.isWellFormed()) {
        details.push({ code: 'custom', path, message: 'Contains characters that are not text' })
      }
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

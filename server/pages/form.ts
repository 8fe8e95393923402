// Form bodies and query strings as OAuth wants them: each parameter at most once, empty means absent (RFC 6749 §3.1).
import type { FastifyRequest } from 'fastify'
import { badRequest } from '../base/errors.ts'

/** Parameters by name; a parameter that came twice has all its values. */
export interface Parameters {
  all(name: string): string[]
  /** The value, or undefined if absent or empty. Throws if it came more than once. */
  one(name: string): string | undefined
}

function parametersFrom(pairs: Iterable<[string, string]>): Parameters {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (value === '') continue
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  const all = (name: string) => values.get(name) ?? []
  return {
    all,
    one(name) {
      const [value, ...more] = all(name)
      if (more.length > 0) throw badRequest(`${name} must not be repeated`)
      // U+0000 is no text, and PostgreSQL says so with an error.
      if (value?.includes('\u0000')) throw badRequest(`${name} contains characters that are not text`)
      return value
    },
  }
}

export const queryOf = (request: FastifyRequest): Parameters =>
  parametersFrom(new URLSearchParams(request.raw.url?.split('?').slice(1).join('?') ?? ''))

/** The body of a form post, urlencoded or multipart. Anything else is a bad request. */
export async function formOf(request: FastifyRequest): Promise<Parameters> {
  const type = request.headers['content-type'] ?? ''
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return parametersFrom(new URLSearchParams(Buffer.from(body).toString()))
  }
  if (/^multipart\/form-data\s*;/i.test(type)) return parametersFrom(await multipart(type, body))
  throw badRequest('Send the parameters as application/x-www-form-urlencoded')
}

async function multipart(type: string, body: Uint8Array): Promise<[string, string][]> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    return [...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  } catch {
    throw badRequest('The multipart body cannot be read')
  }
}

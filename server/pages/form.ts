// Form bodies and query strings as OAuth requires them: each parameter at most once, empty means absent (RFC 6749 §3.1).
import type { FastifyRequest } from 'fastify'
import { badRequest } from '../base/errors.ts'
import { problem } from '../domain/reasons.ts'

/** Parameters by name; a repeated parameter has all its values. */
export interface Parameters {
  all(name: string): string[]
  /** The value, or undefined if absent or empty. Throws if it is repeated. */
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
      if (more.length > 0) throw badRequest(problem('parameter_repeated', { parameter: name }))
      // PostgreSQL cannot store U+0000.
      if (value?.includes('\u0000')) throw badRequest(problem('parameter_not_storable', { parameter: name }))
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
  throw badRequest('form_expected')
}

async function multipart(type: string, body: Uint8Array): Promise<[string, string][]> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    return [...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  } catch {
    throw badRequest('multipart_unreadable')
  }
}

// Identifies a browser before sign-in by a random cookie. Stored authorization requests are bound to it, and the token in
// every form is derived from it, so that neither another site nor another browser can send our forms.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomText } from '../base/secret/secrets.ts'
import { readCookie } from './cookies.ts'

const LIFETIME_SECONDS = 86_400
const shape = /^[a-z2-7]{32}$/

export interface BrowserCookie {
  read(request: FastifyRequest): string | undefined
  /** The browser's secret; a new one is set if it has none. */
  ensure(request: FastifyRequest, reply: FastifyReply): string
}

export function createBrowserCookie(origin: string): BrowserCookie {
  const secure = origin.startsWith('https:')
  const name = secure ? '__Host-contrail-browser' : 'contrail-browser'
  const flags = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}; Max-Age=${LIFETIME_SECONDS}`
  const read = (request: FastifyRequest) => {
    const value = readCookie(request.headers.cookie, name)
    return value && shape.test(value) ? value : undefined
  }
  return {
    read,
    ensure(request, reply) {
      const secret = read(request) ?? randomText(32)
      reply.header('set-cookie', `${name}=${secret}; ${flags}`)
      return secret
    },
  }
}

/** Proof that a form was rendered for this browser and purpose, and for nothing else. */
export const formToken = (browser: string, ...purpose: (string | number)[]): string =>
  createHmac('sha256', browser).update(purpose.join('\n')).digest('base64url')

export function formTokenMatches(
  given: string | undefined,
  browser: string | undefined,
  ...purpose: (string | number)[]
): boolean {
  if (given === undefined || browser === undefined) return false
  const expected = Buffer.from(formToken(browser, ...purpose))
  const actual = Buffer.from(given)
  return actual.byteLength === expected.byteLength && timingSafeEqual(actual, expected)
}

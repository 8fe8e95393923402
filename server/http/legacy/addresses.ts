// The addresses of the legacy API and the headers of all its responses, including errors. At start, no other part of it is
// loaded.
import { pathOf } from '../cors.ts'

const legacyPath = /^\/api\/(?:flight(?:\/|$)|stats\/?$)/

export const isLegacyPath = (url: string): boolean => legacyPath.test(pathOf(url))

/** RFC 9745 and RFC 8594. */
const deprecated = {
  deprecation: `@${Date.parse('2026-07-01T00:00:00Z') / 1000}`,
  sunset: new Date('2027-12-31T23:59:59Z').toUTCString(),
}

export const legacyHeaders = (url: string) => ({
  ...deprecated,
  link: `<${successorOf(pathOf(url))}>; rel="successor-version"`,
  'cache-control': 'private, no-store',
})

function successorOf(path: string): string {
  const [, , noun, action, id] = path.split('/')
  if (noun === 'stats') return '/api/v1/stats'
  if (action === 'export') return '/api/v1/flights/export'
  return action === 'get' && id && /^\d+$/.test(id) ? `/api/v1/flights/${id}` : '/api/v1/flights'
}

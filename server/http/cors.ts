// The paths that browsers on any origin may call: those that authenticate from the request and never read a cookie.

const openPaths =
  /^\/api(?:\/v1(?:\/|$)|\/mcp\/?$|\/?$)|^\/feeds\/[^/]+\/?$|^\/oauth\/(?:token|register|revoke)\/?$|^\/\.well-known\/oauth-(?:authorization-server|protected-resource)(?:\/|$)/

export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, Location, Content-Disposition, ETag, Idempotency-Replayed, Deprecation, Sunset, Link, X-Request-Id, Mcp-Session-Id, MCP-Protocol-Version',
}
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name',
  'access-control-max-age': '600',
}

/** The path that the router sees: repeated slashes are collapsed. */
export const pathOf = (url: string): string => url.split('?', 1)[0]!.replaceAll(/\/{2,}/g, '/')

export const isOpenToBrowsers = (url: string): boolean => openPaths.test(pathOf(url))

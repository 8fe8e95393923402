// The redirect URIs that a client may register, and how a presented one is compared (RFC 9700 §2.1, RFC 8252 §7.3).

/** No character that needs escaping in a header or that two parsers could read differently. */
const plain = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/
const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?((?:[/?].*)?)$/
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']

/** Why a client may not register this redirect URI; undefined if it may. */
export function redirectUriFault(uri: string): string | undefined {
  if (uri.length > 2000) return 'A redirect URI must have at most 2000 characters'
  if (uri.includes('#')) return 'A redirect URI must not have a fragment'
  if (uri.includes('*')) return 'A redirect URI must not have a wildcard'
  if (!plain.test(uri) || !URL.canParse(uri)) return 'A redirect URI must be an absolute URL in plain ASCII'
  const url = new URL(uri)
  if (url.username || url.password || /^[a-z]+:\/\/[^/?]*@/i.test(uri))
    return 'A redirect URI must not contain a username or password'
  // The host becomes part of the consent page's Content-Security-Policy.
  if (/[;,]/.test(url.host)) return 'The host of a redirect URI must not contain “;” or “,”'
  if (url.protocol === 'https:' && /^https:\/\/[^/]/i.test(uri)) return undefined
  if (url.protocol === 'http:' && loopbackHosts.includes(url.hostname) && loopback.test(uri)) return undefined
  return 'A redirect URI must use https, or http on localhost, 127.0.0.1 or [::1]'
}

/** Compared character by character, except that a native app may listen on any port of its loopback host. */
export function isRegistered(registered: readonly string[], presented: string): boolean {
  return registered.includes(presented) || registered.some((uri) => sameButForLoopbackPort(uri, presented))
}

function sameButForLoopbackPort(registered: string, presented: string): boolean {
  const known = loopback.exec(registered)
  const given = loopback.exec(presented)
  if (!known || !given || !URL.canParse(presented)) return false
  return known[1] === given[1] && known[3] === given[3]
}

export const isLoopback = (uri: string): boolean => loopback.test(uri)
export const hostOf = (uri: string): string => new URL(uri).host

/** Adds parameters to an address without changing the rest of its text. */
export function withParameters(uri: string, parameters: Record<string, string | null>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, value)
  const joint = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'
  return uri + joint + query.toString()
}

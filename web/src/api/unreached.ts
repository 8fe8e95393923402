/**
 * The definition of "no connection". The service worker, the client and, through the client, the queue share this rule. It has
 * no imports, because the build also puts it into the service worker.
 */

/** After this time without a response, a copy is shown if there is one. The response is still used when it arrives. */
export const COPY_AFTER_MS = 3000

/** Status codes of proxies that cannot reach the server, and of networks that require signing in. */
const away = [502, 503, 504, 511]

type Answer = Pick<Response, 'status' | 'type' | 'redirected' | 'headers'>

/** The response is from a proxy or the sign-in page of a network (a captive portal), not from the server. */
export function isUnreached({ status, type, redirected, headers }: Answer): boolean {
  if (away.includes(status) || status >= 520 || redirected || type === 'opaqueredirect') return true
  // Neither the server's data nor its files are HTML. A proxy's own error, such as 413, stays an error.
  const isHtml = (headers.get('content-type') ?? '').includes('text/html')
  return isHtml && (status < 300 || status === 401 || status === 403)
}

/** The service worker marks a copy that it returns instead of the server's response. */
export const COPY_MARK = 'x-contrail-kept'
export const isCopy = ({ headers }: Pick<Response, 'headers'>): boolean => headers.has(COPY_MARK)

/** The app's own page. A network's sign-in page has neither its marker nor its status. */
export const isOwnPage = ({ status, redirected }: Answer, html: string): boolean =>
  status === 200 &&
  !redirected &&
  html.includes('<div id="app"></div>') &&
  html.includes('<title>Contrail</title>')

/** Limit for the first byte of a response to a GET. A request that takes longer would only block others. */
export const GET_MS = 30_000

/** Rejects if no response starts within the limit. The limit does not apply to the body. */
export async function fetchWithin(limitMs: number, asked: Request | string): Promise<Response> {
  const stop = new AbortController()
  const given = typeof asked === 'string' ? undefined : asked.signal
  const pass = () => stop.abort(given?.reason)
  if (given?.aborted) pass()
  given?.addEventListener('abort', pass)
  const timer = setTimeout(() => stop.abort(new DOMException('No response', 'TimeoutError')), limitMs)
  try {
    return await fetch(asked, { signal: stop.signal })
  } finally {
    clearTimeout(timer)
  }
}

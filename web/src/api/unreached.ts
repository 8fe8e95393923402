/**
 * What counts as no connection. The service worker, the client and, through the client, the queue use this one rule. It has no
 * imports: the build puts it into the service worker too.
 */

/** After this time without a response, a copy is shown if there is one. The response is still used when it comes. */
export const COPY_AFTER_MS = 3000

/** What proxies say of a server that they do not reach, and networks of a device that has not signed in. */
const away = [502, 503, 504, 511]

type Answer = Pick<Response, 'status' | 'type' | 'redirected' | 'headers'>

/** A proxy has responded, or the sign-in page of a network (a captive portal), and not the server. */
export function isUnreached({ status, type, redirected, headers }: Answer): boolean {
  if (away.includes(status) || status >= 520 || redirected || type === 'opaqueredirect') return true
  // Neither the server's data nor its files are HTML. An error of a proxy, such as 413, stays one.
  const isHtml = (headers.get('content-type') ?? '').includes('text/html')
  return isHtml && (status < 300 || status === 401 || status === 403)
}

/** The service worker marks a copy that it sends instead of a response of the server. */
export const COPY_MARK = 'x-contrail-kept'
export const isCopy = ({ headers }: Pick<Response, 'headers'>): boolean => headers.has(COPY_MARK)

/** The app's own page. The sign-in page of a network has neither its mark nor its status. */
export const isOwnPage = ({ status, redirected }: Answer, html: string): boolean =>
  status === 200 &&
  !redirected &&
  html.includes('<div id="app"></div>') &&
  html.includes('<title>Contrail</title>')

/** For the first byte of a response to a GET. Afterwards the request would only keep others from being sent. */
export const GET_MS = 30_000

/** Rejects if no response begins within the limit. The limit does not apply to its body. */
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

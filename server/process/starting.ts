// The responses while the server starts: 503 in the format of the address, and for browsers a page that reloads until the
// server is ready.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Unavailable } from '../base/errors.ts'
import { type Language, preferredLanguage } from '../domain/languages.ts'
import { pathOf } from '../http/cors.ts'
import { isLegacyPath, legacyHeaders } from '../http/legacy/addresses.ts'
import { legacyErrorBody } from '../http/legacy/errors.ts'
import { oauthErrorFrom } from '../http/oauth/errors.ts'
import { headersFor } from '../http/standard-headers.ts'
import { Html, html } from '../pages/html.ts'
import { startingTexts } from './starting-texts.ts'

export interface Starting {
  /** The public address of the server. */
  origin: string
  /** The share of the reference data that is loaded, from 0 to 1; undefined if they are not being loaded. */
  loaded?: number | undefined
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

export function answerWhileStarting(
  starting: Starting,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = request.url ?? '/'
  const { status, headers, body } = answerTo(starting, url, request.headers)
  const standard = headersFor(starting.origin, url)
  for (let i = 0; i < standard.length; i += 2) response.setHeader(standard[i]!, standard[i + 1]!)
  response.writeHead(status, {
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Addresses for programs; a browser that opens one of them gets the same response as a program. */
const ofPrograms = /^\/(?:api|app\/api|healthz|readyz|metrics|\.well-known)(?:\/|$)/
const ofOAuthPrograms = /^\/oauth\/(?:token|register|revoke)\/?$/

function answerTo(starting: Starting, url: string, asked: IncomingMessage['headers']): Answer {
  const path = pathOf(url)
  // The process is alive: a supervisor must not kill it during a migration.
  if (path === '/healthz') return { status: 200, headers: json, body: JSON.stringify({ status: 'alive' }) }
  const error = new Unavailable('server_starting')
  const inJson = (body: object, more: object = {}): Answer => ({
    status: error.status,
    headers: { ...error.headers, ...json, ...more },
    body: JSON.stringify(body),
  })
  if (isLegacyPath(url)) return inJson(legacyErrorBody(error), legacyHeaders(url))
  if (ofOAuthPrograms.test(path)) return inJson(oauthErrorFrom(error)!.body)
  if (ofPrograms.test(path) || !asked.accept?.includes('text/html')) return inJson(error.body)
  const language = preferredLanguage(asked['accept-language'])
  return {
    status: error.status,
    headers: { ...error.headers, ...pageHeaders },
    body: page(language, starting.loaded),
  }
}

const json = { 'content-type': 'application/json' }

const RELOAD_AFTER_SECONDS = 2

/** Inline, because nothing else can be loaded yet. */
const style = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-content:center;justify-items:center;text-align:center;padding:1.5rem;box-sizing:border-box;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f5f6f8,#0d1117);color:light-dark(#141a24,#e8ecf2)}h1{font-size:1.5rem;margin:0 0 .5rem}p{margin:0;max-width:28rem}progress{width:16rem;max-width:100%;margin:1.25rem 0 .25rem}`

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  vary: 'Accept, Accept-Language',
  refresh: String(RELOAD_AFTER_SECONDS),
}

function page(language: Language, loaded: number | undefined): string {
  const { title, reloads, loading } = startingTexts[language]
  const percent = loaded === undefined ? undefined : Math.round(loaded * 100)
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<h1>${title}</h1>
<p>${reloads}</p>
${percent !== undefined && html`<progress max="100" value="${percent}" aria-label="${loading}"></progress><p>${loading}: ${percent} %</p>`}
</body>
</html>
`.text
}

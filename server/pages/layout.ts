// The layout of every server-rendered page, and how it is sent: never cached, never framed, and with no script except that
// of the sign-in page.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Language } from '../domain/languages.ts'
import { attribute, type Content, type Html, html } from './html.ts'
import { commonTexts } from './texts.ts'

/** The fonts, colours and sizes are the web app's. */
const stylesheet = ['../../assets/fonts.css', './pages.css', './digits.css', '../../assets/tokens.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')
const stylesheetHash = createHash('sha256').update(stylesheet).digest('base64url').slice(0, 16)

/** The same for every instance: it shows no data of this log (tools/globe-picture.ts). */
const globe = readFileSync(new URL('../../assets/globe.svg', import.meta.url), 'utf8')
const globeHash = createHash('sha256').update(globe).digest('base64url').slice(0, 16)

export function mountStylesheet(server: FastifyInstance): void {
  const files = { '/pages.css': ['text/css', stylesheet], '/globe.svg': ['image/svg+xml', globe] } as const
  for (const [path, [type, text]] of Object.entries(files)) {
    server.get(path, (_request, reply) =>
      reply
        .headers({
          'content-type': `${type}; charset=utf-8`,
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(text),
    )
  }
}

/** As in the web app: a contrail rising over the limb of the earth. */
const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path class="limb" d="M3.500 25.500a19 19 0 0 1 25 0" /><path d="M5.500 21C9 12.500 15 7.500 24.500 6" /><circle cx="25.500" cy="5.800" r="2.600" /></svg>`

export interface Page {
  title: string
  body: Content
  /** Consent needs more room than sign-in. */
  wide?: boolean
  /** Language of the texts; English by default. */
  language?: Language
  /** A globe with this caption, shown next to the form. */
  awaits?: { title: string; text: string }
  /** Shown below everything: the languages. */
  foot?: Html
  /** Runs `/sign-in.js`. The page works without it, except for passkeys. */
  script?: boolean
  /** The address is a secret: no referrer contains it. */
  hidesAddress?: boolean
  /** One line for search engines; a page without it is noindex. */
  description?: string
}

const scene = ({ title, text }: NonNullable<Page['awaits']>): Html => html`<aside class="awaits">
<img src="/globe.svg?v=${globeHash}" alt="" width="720" height="720">
<p><strong>${title}</strong><br>${text}</p>
</aside>`

const document = (
  { title, body, wide, language = 'en', awaits, foot, script, description }: Page,
  status: number,
): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description ? html`<meta name="description" content="${description}">` : html`<meta name="robots" content="noindex">`}
<title>${status >= 400 && html`${commonTexts[language].error}: `}${title} · Contrail</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pages.css?v=${stylesheetHash}">
${script && html`<script type="module" src="/sign-in.js"></script>`}
</head>
<body${attribute('class="scene"', awaits !== undefined)}>
<header class="brand">${mark}<span>Contrail</span></header>
<main class="${wide ? 'card wide' : 'card'}">
${body}
</main>
${foot && html`<footer class="foot">${foot}</footer>`}
${awaits && scene(awaits)}
</body>
</html>
`

export function sendPage(reply: FastifyReply, status: number, page: Page, formTargets: string[] = []) {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        ...(page.script ? ["script-src 'self'"] : []),
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        // For the script of the page, and for tools that audit a page and fetch /robots.txt from it.
        "connect-src 'self'",
        // Browsers also check the redirect after a form against this list.
        `form-action ${["'self'", ...formTargets].join(' ')}`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
      'x-frame-options': 'DENY',
      // Not no-referrer: that makes browsers send `Origin: null` with our own forms.
      'referrer-policy': page.hidesAddress ? 'strict-origin' : 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(document(page, status).text)
}

/** The texts of an error page and their language. */
interface ErrorPage {
  title: string
  message: string
  language: Language
}

export const sendErrorPage = (reply: FastifyReply, status: number, { title, message, language }: ErrorPage) =>
  sendPage(reply, status, {
    title,
    language,
    body: html`<h1>${title}</h1>
<p class="lead">${message}</p>
<p><a class="button quiet" href="/">${commonTexts[language].goHome}</a></p>
<p><a href="/docs/">${commonTexts[language].documentation}</a></p>`,
  })

/** A redirect that is followed with GET, whatever the method was (RFC 9700 §4.12). */
export const seeOther = (reply: FastifyReply, location: string) =>
  reply
    .code(303)
    .headers({
      location,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'content-length': '0',
    })
    .send()

/** With an id if it describes a field. */
export const problem = (message: string | undefined, id?: string): Html =>
  message === undefined
    ? html``
    : html`<p${attribute(`id="${id}"`, id !== undefined)} class="problem" role="alert">${message}</p>`

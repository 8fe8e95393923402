// The language of a page: the one chosen in its footer, which a cookie remembers, otherwise the browser's preferred one.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Language, languageNames, languages, preferredLanguage } from '../domain/languages.ts'
import { readCookie } from './cookies.ts'
import { queryOf } from './form.ts'
import { attribute, type Html, html } from './html.ts'
import { commonTexts } from './texts.ts'

/** The longest that browsers keep a cookie. */
const LIFETIME_SECONDS = 400 * 86_400
const cookieName = 'contrail-language'

const known = (name: string | undefined): Language | undefined => languages.find((one) => one === name)
const asked = (request: FastifyRequest): Language | undefined => known(queryOf(request).all('lang')[0])

export const languageOf = (request: FastifyRequest): Language =>
  asked(request) ??
  known(readCookie(request.headers.cookie, cookieName)) ??
  preferredLanguage(request.headers['accept-language'])

/** Remembers the language that an address names. It is no secret and affects only the texts. */
export function rememberLanguage(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  const language = asked(request)
  if (!language) return
  const flags = `Path=/; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`
  reply.header('set-cookie', `${cookieName}=${language}; ${flags}; Max-Age=${LIFETIME_SECONDS}`)
}

/** Links to the same page in each language; `addressIn` must be a page that GET shows. */
export const languageLinks = (current: Language, addressIn: (language: Language) => string): Html =>
  html`<nav class="languages" aria-label="${commonTexts[current].language}">${languages.map(
    (language) =>
      html`<a href="${addressIn(language)}" lang="${language}" hreflang="${language}"${attribute('aria-current="true"', language === current)}>${languageNames[language]}</a>`,
  )}</nav>`

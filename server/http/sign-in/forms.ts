// Shared by the pages before sign-in: where they lead next, running an operation with the values of a form, and showing the
// form again with its errors.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors.ts'
import { open } from '../../door/open.ts'
import type { Operation } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import type { Visit } from '../../operations/accounts/sign-in.ts'
import { type BrowserCookie, formTokenMatches } from '../../pages/browser.ts'
import type { SessionCookie } from '../../pages/cookies.ts'
import { formOf, type Parameters } from '../../pages/form.ts'
import { attribute, type Html, html } from '../../pages/html.ts'
import { languageOf } from '../../pages/language.ts'
import type { Authenticator } from '../../services/access/authenticate.ts'
import type { Principal } from '../../services/access/principal.ts'
import { requireSameOrigin, webExchange } from '../rest.ts'
import { explained, type FieldName, type PageTexts, textsIn } from './texts.ts'

export interface PageParts {
  services: Services
  authenticator: Authenticator
  cookie: SessionCookie
  browser: BrowserCookie
}

/** A path on this site; anything else becomes the home page. */
export function safeNext(next: string | undefined, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/'
  const url = new URL(next, origin)
  const path = url.pathname + url.search + url.hash
  return url.origin === origin && !path.startsWith('//') ? path : '/'
}

export const withNext = (path: string, next: string) =>
  next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`

export const hostOf = ({ config }: Pick<Services, 'config'>): string => new URL(config.origin).host

export const textsFor = (request: FastifyRequest): PageTexts => textsIn(languageOf(request))

/** The error of each field, as a sentence. */
export type Mistakes = Partial<Record<FieldName, string>>

/** The first error of each field. */
export function mistakesIn(error: unknown, texts: PageTexts): Mistakes {
  const mistakes: Mistakes = {}
  const details = error instanceof AppError ? (error.details ?? []) : []
  for (const { path, ...problem } of details) {
    const name = path[0] as FieldName
    if (name in texts.labels) mistakes[name] ??= explained(texts, problem)
  }
  return mistakes
}

/** Shows errors that the user can correct with the form; others get the error page. */
export function sendAgain(
  reply: FastifyReply,
  texts: PageTexts,
  error: unknown,
  again: (status: number, message: string) => FastifyReply,
) {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  reply.headers(error.headers)
  return again(error.status, explained(texts, { ...error.problem, message: error.message }))
}

/** The facts about a page request that the operations' rules need. */
export const visitOf = (
  { services, cookie }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Visit => ({
  db: services.store.read,
  now: new Date(services.clock.now()),
  web: webExchange(request, reply, services, cookie),
  services,
})

/** The values of a submitted form. It counts as expired unless this browser got it from us for this purpose. */
export async function sentForm(
  { services, browser }: PageParts,
  request: FastifyRequest,
  ...purpose: string[]
): Promise<{ form: Parameters; isExpired: boolean }> {
  requireSameOrigin(request, services.config.origin)
  const form = await formOf(request)
  return { form, isExpired: !formTokenMatches(form.one('token'), browser.read(request), ...purpose) }
}

/** Runs an operation with the values of a form and puts its session cookies into the reply. */
export async function runFrom(
  { services, cookie }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  op: Operation,
  body: unknown,
  principal?: Principal,
): Promise<void> {
  const web = webExchange(request, reply, services, cookie)
  await (await open(op, services, principal, { body }, { web })).value()
}

interface Field {
  label: string
  name: string
  value?: string | undefined
  type?: 'text' | 'password'
  autocomplete: string
  hint?: string
  mistake?: string | undefined
  /** The id of the message above the form that describes the error of this field. */
  problemId?: string | undefined
  /** Takes the focus. With `desktop`, the page's script sets it only where no on-screen keyboard would cover the page. */
  focus?: boolean | 'desktop'
}

export function field(given: Field): Html {
  const { name, mistake, problemId } = given
  // The error repeats the hint.
  const hint = mistake === undefined ? given.hint : undefined
  const described = [
    problemId,
    mistake !== undefined && `${name}-mistake`,
    hint !== undefined && `${name}-hint`,
  ]
  const ids = described.filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${given.label}</label>
<input class="input" id="${name}" name="${name}" type="${given.type ?? 'text'}" value="${given.value ?? ''}" autocomplete="${given.autocomplete}" autocapitalize="none" spellcheck="false" required${attribute(`aria-describedby="${ids}"`, ids !== '')}${attribute('aria-invalid="true"', mistake !== undefined || problemId !== undefined)}${attribute('autofocus', given.focus === true)}${attribute('data-focus', given.focus === 'desktop')}>
${mistake !== undefined && html`<p class="mistake" id="${name}-mistake">${mistake}</p>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

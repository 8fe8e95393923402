// /sign-in and /setup: plain forms that work without scripts. What they do is done by the account operations.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth/authenticate.ts'
import { AppError } from '../base/errors.ts'
import { preferredLanguage } from '../domain/languages.ts'
import { refuseOtherMethods, requireSameOrigin, webExchange } from '../http/rest.ts'
import { type Operation, open, type Services } from '../operation.ts'
import { setupTokenFor } from '../operations/sessions.ts'
import { setUp } from '../operations/set-up.ts'
import { signIn } from '../operations/sign-in.ts'
import { type BrowserCookie, formToken, formTokenMatches } from '../pages/browser.ts'
import type { SessionCookie } from '../pages/cookies.ts'
import { formOf, queryOf } from '../pages/form.ts'
import { attribute, type Html, html } from '../pages/html.ts'
import { type Page, problem, seeOther, sendPage } from '../pages/layout.ts'
import { ownerExists } from '../store/people.ts'
import { explained, type FieldName, type PageTexts, textsIn } from './texts.ts'

export interface PageParts {
  services: Services
  authenticator: Authenticator
  cookie: SessionCookie
  browser: BrowserCookie
}

export function mountSignIn(server: FastifyInstance, parts: PageParts): void {
  server.get('/sign-in', (request, reply) => showSignIn(parts, request, reply))
  server.post('/sign-in', (request, reply) => submitSignIn(parts, request, reply))
  refuseOtherMethods(server, '/sign-in', ['GET', 'POST'])
  server.get('/setup', (request, reply) => showSetup(parts, request, reply))
  server.post('/setup', (request, reply) => submitSetup(parts, request, reply))
  refuseOtherMethods(server, '/setup', ['GET', 'POST'])
}

/** A path on this site; anything else becomes the home page. */
function safeNext(next: string | undefined, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/'
  const url = new URL(next, origin)
  const path = url.pathname + url.search + url.hash
  return url.origin === origin && !path.startsWith('//') ? path : '/'
}

const withNext = (path: string, next: string) =>
  next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`

const hostOf = ({ config }: Services): string => new URL(config.origin).host

const textsFor = (request: FastifyRequest): PageTexts =>
  textsIn(preferredLanguage(request.headers['accept-language']))

async function showSignIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, authenticator, cookie } = parts
  const next = safeNext(queryOf(request).all('next')[0], services.config.origin)
  if (!(await ownerExists(services.store.read))) return seeOther(reply, withNext('/setup', next))
  if (await authenticator.session(cookie.read(request.headers.cookie))) return seeOther(reply, next)
  const token = formToken(parts.browser.ensure(request, reply), 'sign-in')
  return sendPage(reply, 200, signInPage({ texts: textsFor(request), token, next, host: hostOf(services) }))
}

async function submitSignIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, browser } = parts
  requireSameOrigin(request, services.config.origin)
  const form = await formOf(request)
  const next = safeNext(form.one('next'), services.config.origin)
  const username = (form.one('username') ?? '').slice(0, 200)
  const known = browser.read(request)
  const token = formToken(browser.ensure(request, reply), 'sign-in')
  const texts = textsFor(request)
  const again = (status: number, message: string) =>
    sendPage(reply, status, signInPage({ texts, token, next, host: hostOf(services), username, message }))
  if (!formTokenMatches(form.one('token'), known, 'sign-in')) return again(400, texts.expired)
  try {
    const password = (form.one('password') ?? '').slice(0, 1000)
    await runFrom(parts, request, reply, signIn, { username, password })
  } catch (error) {
    return sendAgain(reply, texts, error, again)
  }
  return seeOther(reply, next)
}

async function showSetup(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services } = parts
  const next = safeNext(queryOf(request).all('next')[0], services.config.origin)
  if (await ownerExists(services.store.read)) return seeOther(reply, withNext('/sign-in', next))
  const token = formToken(parts.browser.ensure(request, reply), 'setup')
  const needsSetupToken = setupTokenOf(parts, request, reply) !== undefined
  return sendPage(reply, 200, setupPage({ texts: textsFor(request), token, next, needsSetupToken }))
}

const setupTokenOf = ({ services, cookie }: PageParts, request: FastifyRequest, reply: FastifyReply) =>
  setupTokenFor({ services, web: webExchange(request, reply, services, cookie) })

/** What is wrong with each field, in a sentence. */
type Mistakes = Partial<Record<FieldName, string>>

async function submitSetup(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, browser } = parts
  requireSameOrigin(request, services.config.origin)
  const form = await formOf(request)
  const next = safeNext(form.one('next'), services.config.origin)
  const setupToken = form.one('setupToken')?.slice(0, 200)
  const typed = { username: form.one('username'), displayName: form.one('displayName') }
  const known = browser.read(request)
  const token = formToken(browser.ensure(request, reply), 'setup')
  const expected = setupTokenOf(parts, request, reply)
  const texts = textsFor(request)
  const again = (status: number, message?: string, mistakes: Mistakes = {}) => {
    const kept = { ...typed, setupToken, needsSetupToken: expected !== undefined }
    return sendPage(reply, status, setupPage({ texts, token, next, ...kept, message, mistakes }))
  }
  if (!formTokenMatches(form.one('token'), known, 'setup')) return again(400, texts.expired)
  try {
    await runFrom(parts, request, reply, setUp, {
      ...typed,
      password: form.one('password'),
      token: setupToken,
    })
  } catch (error) {
    const mistakes = mistakesIn(error, texts)
    // Fields are checked before the token: both are reported together.
    const isWrong = expected !== undefined && !expected.matches(setupToken ?? '')
    if (isWrong) mistakes.setupToken = explained(texts, { reason: 'setup_token_wrong' })
    if (Object.keys(mistakes).length === 0 || !(error instanceof AppError))
      return sendAgain(reply, texts, error, again)
    return again(error.status, undefined, mistakes)
  }
  return seeOther(reply, next)
}

/** The first mistake of each field. */
function mistakesIn(error: unknown, texts: PageTexts): Mistakes {
  const mistakes: Mistakes = {}
  const details = error instanceof AppError ? (error.details ?? []) : []
  for (const { path, ...problem } of details) {
    const name = path[0] as FieldName
    if (name in texts.labels) mistakes[name] ??= explained(texts, problem)
  }
  return mistakes
}

/** Errors that the user can correct are shown with the form; the others get the error page. */
function sendAgain(
  reply: FastifyReply,
  texts: PageTexts,
  error: unknown,
  again: (status: number, message: string) => FastifyReply,
) {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  reply.headers(error.headers)
  return again(error.status, explained(texts, { ...error.problem, message: error.message }))
}

/** Runs an operation with what a form holds; its session cookies go into the reply. */
async function runFrom(
  { services, cookie }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  op: Operation,
  body: unknown,
): Promise<void> {
  const web = webExchange(request, reply, services, cookie)
  await (await open(op, services, undefined, { body }, { web })).value()
}

interface Field {
  label: string
  name: string
  value?: string | undefined
  type?: 'text' | 'password'
  autocomplete: string
  hint?: string
  mistake?: string | undefined
  focus?: boolean
}

function field(given: Field): Html {
  const { name, hint, mistake } = given
  const described = [mistake !== undefined && `${name}-mistake`, hint !== undefined && `${name}-hint`]
  const ids = described.filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${given.label}</label>
<input class="input" id="${name}" name="${name}" type="${given.type ?? 'text'}" value="${given.value ?? ''}" autocomplete="${given.autocomplete}" autocapitalize="none" spellcheck="false" required${attribute(`aria-describedby="${ids}"`, ids !== '')}${attribute('aria-invalid="true"', mistake !== undefined)}${attribute('autofocus', given.focus === true)}>
${mistake !== undefined && html`<p class="mistake" id="${name}-mistake">${mistake}</p>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

interface SignInView {
  texts: PageTexts
  /** Where people are, as their browsers show it. */
  host: string
  token: string
  next: string
  username?: string
  message?: string
}

function signInPage({ texts, token, next, host, username = '', message }: SignInView): Page {
  const { language, awaits, labels, signIn: own } = texts
  return {
    title: own.title,
    description: own.description,
    language,
    awaits,
    body: html`<h1>${own.title}</h1>
<p class="lead">${own.lead(host)}</p>
${next.startsWith('/oauth/') && html`<p class="notice">${own.appWaits}</p>`}
${problem(message)}
<form method="post" action="/sign-in" class="stack">
${hidden('token', token)}${hidden('next', next)}
${field({ label: labels.username, name: 'username', value: username, autocomplete: 'username', focus: username === '' })}
${field({ label: labels.password, name: 'password', type: 'password', autocomplete: 'current-password', focus: username !== '' })}
<button class="button primary" type="submit">${own.submit}</button>
</form>`,
  }
}

interface SetupView {
  texts: PageTexts
  token: string
  next: string
  needsSetupToken: boolean
  username?: string | undefined
  displayName?: string | undefined
  setupToken?: string | undefined
  message?: string | undefined
  mistakes?: Mistakes
}

function setupPage(view: SetupView): Page {
  const { texts, mistakes = {} } = view
  const { language, awaits, labels, setUp: own } = texts
  const names = (Object.keys(labels) as FieldName[]).filter((name) => mistakes[name] !== undefined)
  const labelled = (name: FieldName) => ({
    label: labels[name],
    name,
    hint: own.hints[name],
    mistake: mistakes[name],
    focus: name === (names[0] ?? 'displayName'),
  })
  const message =
    view.message ?? (names.length > 0 ? texts.wrong(names.map((name) => labels[name])) : undefined)
  return {
    title: own.title,
    language,
    awaits,
    body: html`<h1>${own.welcome}</h1>
<p class="lead">${own.lead}</p>
${problem(message)}
<form method="post" action="/setup" class="stack" novalidate>
${hidden('token', view.token)}${hidden('next', view.next)}
${field({ ...labelled('displayName'), value: view.displayName, autocomplete: 'name' })}
${field({ ...labelled('username'), value: view.username, autocomplete: 'username' })}
${field({ ...labelled('password'), type: 'password', autocomplete: 'new-password' })}
${view.needsSetupToken && field({ ...labelled('setupToken'), value: view.setupToken, autocomplete: 'off' })}
<button class="button primary" type="submit">${own.submit}</button>
</form>`,
  }
}

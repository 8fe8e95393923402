// /sign-in and /setup: plain forms that work without scripts. What they do is done by the account operations.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Authenticator } from '../auth/authenticate.ts'
import { AppError } from '../base/errors.ts'
import { refuseOtherMethods, requireSameOrigin, webExchange } from '../http/rest.ts'
import type { Services } from '../operation.ts'
import { DisplayName, NewPassword, setUpWith, signInWith, Username } from '../operations/account.ts'
import { type BrowserCookie, formToken, formTokenMatches } from '../pages/browser.ts'
import type { SessionCookie } from '../pages/cookies.ts'
import { formOf, queryOf } from '../pages/form.ts'
import { attribute, type Html, html } from '../pages/html.ts'
import { problem, seeOther, sendPage } from '../pages/layout.ts'
import { ownerExists } from '../store/people.ts'

export interface PageParts {
  services: Services
  authenticator: Authenticator
  cookie: SessionCookie
  browser: BrowserCookie
}

const STALE = 'This page has expired. Please try again.'

export function mountSignIn(server: FastifyInstance, parts: PageParts): void {
  server.get('/sign-in', (request, reply) => showSignIn(parts, request, reply))
  server.post('/sign-in', (request, reply) => signIn(parts, request, reply))
  refuseOtherMethods(server, '/sign-in', ['GET', 'POST'])
  server.get('/setup', (request, reply) => showSetup(parts, request, reply))
  server.post('/setup', (request, reply) => setUp(parts, request, reply))
  refuseOtherMethods(server, '/setup', ['GET', 'POST'])
}

/** A path on this site and nothing else; everything doubtful is the home page. */
export function safeNext(next: string | undefined, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/'
  const url = new URL(next, origin)
  const path = url.pathname + url.search + url.hash
  return url.origin === origin && !path.startsWith('//') ? path : '/'
}

const withNext = (path: string, next: string) =>
  next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`

async function showSignIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, authenticator, cookie } = parts
  const next = safeNext(queryOf(request).all('next')[0], services.config.origin)
  if (!(await ownerExists(services.store.read))) return seeOther(reply, withNext('/setup', next))
  if (await authenticator.session(cookie.read(request.headers.cookie))) return seeOther(reply, next)
  const token = formToken(parts.browser.ensure(request, reply), 'sign-in')
  return sendPage(reply, 200, signInPage({ token, next }))
}

async function signIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, browser } = parts
  requireSameOrigin(request, services.config.origin)
  const form = await formOf(request)
  const next = safeNext(form.one('next'), services.config.origin)
  const username = (form.one('username') ?? '').slice(0, 200)
  const known = browser.read(request)
  const token = formToken(browser.ensure(request, reply), 'sign-in')
  const again = (status: number, message: string) =>
    sendPage(reply, status, signInPage({ token, next, username, message }))
  if (!formTokenMatches(form.one('token'), known, 'sign-in')) return again(400, STALE)
  try {
    const password = (form.one('password') ?? '').slice(0, 1000)
    await signInWith(callFrom(parts, request, reply), { username, password })
  } catch (error) {
    return sendAgain(reply, error, again)
  }
  return seeOther(reply, next)
}

async function showSetup(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services } = parts
  const next = safeNext(queryOf(request).all('next')[0], services.config.origin)
  if (await ownerExists(services.store.read)) return seeOther(reply, withNext('/sign-in', next))
  const token = formToken(parts.browser.ensure(request, reply), 'setup')
  return sendPage(reply, 200, setupPage({ token, next, asksSetupToken: services.setupToken !== undefined }))
}

const Account = z.object({ username: Username, displayName: DisplayName, password: NewPassword })
const fieldRules: Record<string, string> = {
  username: 'The username must have 3 to 20 letters, digits, dots, underscores or hyphens.',
  displayName: 'The name must have 3 to 100 visible characters.',
  password: 'The password must have at least 8 characters.',
}

async function setUp(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, browser } = parts
  requireSameOrigin(request, services.config.origin)
  const form = await formOf(request)
  const next = safeNext(form.one('next'), services.config.origin)
  const typed = { username: form.one('username'), displayName: form.one('displayName') }
  const known = browser.read(request)
  const token = formToken(browser.ensure(request, reply), 'setup')
  const again = (status: number, message: string, field?: string) => {
    const asksSetupToken = services.setupToken !== undefined
    return sendPage(reply, status, setupPage({ token, next, asksSetupToken, ...typed, message, field }))
  }
  if (!formTokenMatches(form.one('token'), known, 'setup')) return again(400, STALE)
  const account = Account.safeParse({ ...typed, password: form.one('password') })
  if (!account.success) {
    const field = String(account.error.issues[0]!.path[0])
    return again(422, fieldRules[field]!, field)
  }
  try {
    await setUpWith(callFrom(parts, request, reply), { ...account.data, token: form.one('setupToken') })
  } catch (error) {
    return sendAgain(reply, error, again)
  }
  return seeOther(reply, next)
}

/** Refusals a person can mend come back with the form; the rest is the error page's. */
function sendAgain(
  reply: FastifyReply,
  error: unknown,
  again: (status: number, message: string) => FastifyReply,
) {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  reply.headers(error.headers)
  return again(error.status, `${error.message}.`)
}

const callFrom = ({ services, cookie }: PageParts, request: FastifyRequest, reply: FastifyReply) => ({
  services,
  db: services.store.read,
  now: new Date(services.clock.now()),
  web: webExchange(request, reply, services, cookie),
})

interface Field {
  label: string
  name: string
  value?: string | undefined
  type?: 'text' | 'password'
  autocomplete: string
  hint?: string
  invalid?: boolean
  focus?: boolean
}

const field = (given: Field): Html => html`<div class="field">
<label for="${given.name}">${given.label}</label>
<input class="input" id="${given.name}" name="${given.name}" type="${given.type ?? 'text'}" value="${given.value ?? ''}" autocomplete="${given.autocomplete}" autocapitalize="none" spellcheck="false" required${attribute(`aria-describedby="${given.name}-hint"`, given.hint !== undefined)}${attribute('aria-invalid="true"', given.invalid === true)}${attribute('autofocus', given.focus === true)}>
${given.hint !== undefined && html`<p class="hint" id="${given.name}-hint">${given.hint}</p>`}
</div>`

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

interface SignInView {
  token: string
  next: string
  username?: string
  message?: string
}

const signInPage = ({ token, next, username = '', message }: SignInView) => ({
  title: 'Sign in',
  description: 'Sign in to Contrail, a flight log.',
  body: html`<h1>Sign in</h1>
${next.startsWith('/oauth/') && html`<p class="lead">An app wants to connect to your flight log. Sign in to see what it requests.</p>`}
${problem(message)}
<form method="post" action="/sign-in" class="stack">
${hidden('token', token)}${hidden('next', next)}
${field({ label: 'Username', name: 'username', value: username, autocomplete: 'username', focus: username === '' })}
${field({ label: 'Password', name: 'password', type: 'password', autocomplete: 'current-password', focus: username !== '' })}
<button class="button primary" type="submit">Sign in</button>
</form>`,
})

interface SetupView {
  token: string
  next: string
  asksSetupToken: boolean
  username?: string | undefined
  displayName?: string | undefined
  message?: string
  field?: string | undefined
}

const setupPage = (view: SetupView) => ({
  title: 'Set up',
  body: html`<h1>Welcome to Contrail</h1>
<p class="lead">Create the owner’s account. You can add other people later.</p>
${problem(view.message)}
<form method="post" action="/setup" class="stack">
${hidden('token', view.token)}${hidden('next', view.next)}
${field({ label: 'Your name', name: 'displayName', value: view.displayName, autocomplete: 'name', hint: 'Shown to others on flights.', invalid: view.field === 'displayName', focus: true })}
${field({ label: 'Username', name: 'username', value: view.username, autocomplete: 'username', hint: '3 to 20 letters, digits, dots, underscores or hyphens.', invalid: view.field === 'username' })}
${field({ label: 'Password', name: 'password', type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters.', invalid: view.field === 'password' })}
${view.asksSetupToken && field({ label: 'Set-up token', name: 'setupToken', autocomplete: 'off', hint: 'The server prints it to its log at startup, so that only you can create the owner’s account.' })}
<button class="button primary" type="submit">Create account</button>
</form>`,
})

// /sign-in and /setup: plain forms that work without scripts. What they do is done by the account operations.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth/authenticate.ts'
import { AppError } from '../base/errors.ts'
import { isFieldProblem, type Problem } from '../domain/reasons.ts'
import { refuseOtherMethods, requireSameOrigin, webExchange } from '../http/rest.ts'
import { type Operation, open, type Services } from '../operation.ts'
import { setUp } from '../operations/set-up.ts'
import { signIn } from '../operations/sign-in.ts'
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

async function showSignIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, authenticator, cookie } = parts
  const next = safeNext(queryOf(request).all('next')[0], services.config.origin)
  if (!(await ownerExists(services.store.read))) return seeOther(reply, withNext('/setup', next))
  if (await authenticator.session(cookie.read(request.headers.cookie))) return seeOther(reply, next)
  const token = formToken(parts.browser.ensure(request, reply), 'sign-in')
  return sendPage(reply, 200, signInPage({ token, next }))
}

async function submitSignIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
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
    await runFrom(parts, request, reply, signIn, { username, password })
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
  return sendPage(reply, 200, setupPage({ token, next, needsSetupToken: services.setupToken !== undefined }))
}

const fieldLabels: Record<string, string> = {
  username: 'Username',
  displayName: 'Your name',
  password: 'Password',
}

async function submitSetup(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, browser } = parts
  requireSameOrigin(request, services.config.origin)
  const form = await formOf(request)
  const next = safeNext(form.one('next'), services.config.origin)
  const typed = { username: form.one('username'), displayName: form.one('displayName') }
  const known = browser.read(request)
  const token = formToken(browser.ensure(request, reply), 'setup')
  const again = (status: number, message: string, field?: string) => {
    const needsSetupToken = services.setupToken !== undefined
    return sendPage(reply, status, setupPage({ token, next, needsSetupToken, ...typed, message, field }))
  }
  if (!formTokenMatches(form.one('token'), known, 'setup')) return again(400, STALE)
  try {
    const [password, token] = [form.one('password'), form.one('setupToken')?.slice(0, 200)]
    await runFrom(parts, request, reply, setUp, { ...typed, password, token })
  } catch (error) {
    const detail = error instanceof AppError ? error.details?.[0] : undefined
    const label = fieldLabels[detail?.path[0] ?? '']
    if (!detail || label === undefined) return sendAgain(reply, error, again)
    const message = sentence(detail.message)
    return again(422, isFieldProblem(detail as Problem) ? `${label}: ${message}` : message, detail.path[0])
  }
  return seeOther(reply, next)
}

/** Messages of the catalogue end without a full stop, but for one that the contract fixes. */
const sentence = (message: string): string => (message.endsWith('.') ? message : `${message}.`)

/** Errors that the user can correct are shown with the form; the others get the error page. */
function sendAgain(
  reply: FastifyReply,
  error: unknown,
  again: (status: number, message: string) => FastifyReply,
) {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  reply.headers(error.headers)
  return again(error.status, sentence(error.message))
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
  needsSetupToken: boolean
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
${view.needsSetupToken && field({ label: 'Set-up token', name: 'setupToken', autocomplete: 'off', hint: 'Printed in the server’s log when it started, so that only its operator can set it up.' })}
<button class="button primary" type="submit">Create account</button>
</form>`,
})

// /sign-in and /setup: plain forms that work without scripts. What they do is done by the account operations.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth/authenticate.ts'
import { AppError } from '../base/errors.ts'
import { messageOf } from '../domain/reasons.ts'
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

const hostOf = ({ config }: Services): string => new URL(config.origin).host

async function showSignIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, authenticator, cookie } = parts
  const next = safeNext(queryOf(request).all('next')[0], services.config.origin)
  if (!(await ownerExists(services.store.read))) return seeOther(reply, withNext('/setup', next))
  if (await authenticator.session(cookie.read(request.headers.cookie))) return seeOther(reply, next)
  const token = formToken(parts.browser.ensure(request, reply), 'sign-in')
  return sendPage(reply, 200, signInPage({ token, next, host: hostOf(services) }))
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
    sendPage(reply, status, signInPage({ token, next, host: hostOf(services), username, message }))
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
  const needsSetupToken = setupTokenOf(parts, request, reply) !== undefined
  return sendPage(reply, 200, setupPage({ token, next, needsSetupToken }))
}

const setupTokenOf = ({ services, cookie }: PageParts, request: FastifyRequest, reply: FastifyReply) =>
  setupTokenFor({ services, web: webExchange(request, reply, services, cookie) })

const fieldLabels = {
  displayName: 'Your name',
  username: 'Username',
  password: 'Password',
  setupToken: 'Set-up token',
} as const
type FieldName = keyof typeof fieldLabels
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
  const again = (status: number, message?: string, mistakes: Mistakes = {}) => {
    const kept = { ...typed, setupToken, needsSetupToken: expected !== undefined }
    return sendPage(reply, status, setupPage({ token, next, ...kept, message, mistakes }))
  }
  if (!formTokenMatches(form.one('token'), known, 'setup')) return again(400, STALE)
  try {
    await runFrom(parts, request, reply, setUp, {
      ...typed,
      password: form.one('password'),
      token: setupToken,
    })
  } catch (error) {
    const mistakes = mistakesIn(error)
    // Fields are checked before the token: both are reported together.
    const isWrong = expected !== undefined && !expected.matches(setupToken ?? '')
    if (isWrong) mistakes.setupToken = sentence(messageOf('setup_token_wrong'))
    if (Object.keys(mistakes).length === 0 || !(error instanceof AppError))
      return sendAgain(reply, error, again)
    return again(error.status, undefined, mistakes)
  }
  return seeOther(reply, next)
}

/** The first mistake of each field. */
function mistakesIn(error: unknown): Mistakes {
  const mistakes: Mistakes = {}
  const details = error instanceof AppError ? (error.details ?? []) : []
  for (const { path, message } of details) {
    const name = path[0] as FieldName
    if (name in fieldLabels) mistakes[name] ??= sentence(message)
  }
  return mistakes
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
  /** Where people are, as their browsers show it. */
  host: string
  token: string
  next: string
  username?: string
  message?: string
}

const signInPage = ({ token, next, host, username = '', message }: SignInView): Page => ({
  title: 'Sign in',
  description: 'Sign in to Contrail, a flight log.',
  isScene: true,
  body: html`<h1>Sign in</h1>
<p class="lead">to the flight log at ${host}</p>
${next.startsWith('/oauth/') && html`<p class="notice">An app wants to connect to your flight log. Sign in to see what it requests.</p>`}
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
  setupToken?: string | undefined
  message?: string | undefined
  mistakes?: Mistakes
}

function setupPage(view: SetupView): Page {
  const { mistakes = {} } = view
  const names = (Object.keys(fieldLabels) as FieldName[]).filter((name) => mistakes[name] !== undefined)
  const wrong = names.map((name) => `${fieldLabels[name]}: ${mistakes[name]}`).join(' ')
  const labelled = (name: FieldName) => ({
    label: fieldLabels[name],
    name,
    mistake: mistakes[name],
    focus: name === (names[0] ?? 'displayName'),
  })
  return {
    title: 'Set up',
    isScene: true,
    body: html`<h1>Welcome to Contrail</h1>
<p class="lead">Create the owner’s account. You can add other people later.</p>
${problem(view.message ?? (wrong || undefined))}
<form method="post" action="/setup" class="stack" novalidate>
${hidden('token', view.token)}${hidden('next', view.next)}
${field({ ...labelled('displayName'), value: view.displayName, autocomplete: 'name', hint: 'Shown to others on flights.' })}
${field({ ...labelled('username'), value: view.username, autocomplete: 'username', hint: '3 to 20 letters, digits, dots, underscores or hyphens.' })}
${field({ ...labelled('password'), type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters.' })}
${view.needsSetupToken && field({ ...labelled('setupToken'), value: view.setupToken, autocomplete: 'off', hint: 'Printed in the server’s log when it started, so that only its operator can set it up.' })}
<button class="button primary" type="submit">Create account</button>
</form>`,
  }
}

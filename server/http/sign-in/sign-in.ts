// /sign-in: the ways to sign in, in order: passkey, provider, password. While no one has a passkey, the passkey comes last. The
// form works without scripts; the account operations do the work.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors.ts'
import { shortWait } from '../../domain/accounts/sign-in.ts'
import { fill } from '../../domain/text/messages.ts'
import type { Services } from '../../door/services.ts'
import { signIn } from '../../operations/accounts/sign-in.ts'
import { passkeysWork } from '../../operations/accounts/ways-in.ts'
import { formToken } from '../../pages/browser.ts'
import { queryOf } from '../../pages/form.ts'
import { attribute, filledWith, type Html, html } from '../../pages/html.ts'
import { languageLinks } from '../../pages/language.ts'
import { type Page, problem, seeOther, sendPage } from '../../pages/layout.ts'
import { passkeyExists } from '../../store/accounts/passkeys.ts'
import { ownerExists } from '../../store/people/people.ts'
import { refuseOtherMethods } from '../rest.ts'
import { needsScript, passkeyButton, providerButton } from './buttons.ts'
import { mountConfirmMail } from './confirm-mail.ts'
import { forgotLink, mountForgot } from './forgot.ts'
import {
  field,
  hidden,
  hostOf,
  type PageParts,
  runFrom,
  safeNext,
  sendAgain,
  sentForm,
  textsFor,
  withNext,
} from './forms.ts'
import { mountLinks } from './links.ts'
import { linkTexts } from './links-texts.ts'
import { mountProvider } from './oidc.ts'
import { problemTold, providerTexts } from './oidc-texts.ts'
import { mountSecondFactor } from './second-factor.ts'
import { mountSetUp } from './set-up.ts'
import type { PageTexts } from './texts.ts'
import { findWaitingApp } from './waiting-app.ts'

/** Every page before sign-in. */
export function mountSignIn(server: FastifyInstance, parts: PageParts): void {
  server.get('/sign-in', (request, reply) => showSignIn(parts, request, reply))
  server.post('/sign-in', (request, reply) => submitSignIn(parts, request, reply))
  refuseOtherMethods(server, '/sign-in', ['GET', 'POST'])
  mountForgot(server, parts)
  mountLinks(server, parts)
  mountConfirmMail(server, parts)
  mountProvider(server, parts)
  mountSecondFactor(server, parts)
  mountSetUp(server, parts)
}

async function showSignIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, authenticator, cookie } = parts
  const query = queryOf(request)
  const next = safeNext(query.all('next')[0], services.config.origin)
  if (!(await ownerExists(services.store.read))) return seeOther(reply, withNext('/setup', next))
  if (await authenticator.session(cookie.read(request.headers.cookie))) return seeOther(reply, next)
  // `local=1` shows the form: for the owner, and when the provider is down.
  const goesOn = services.config.oidc?.auto === true && query.all('local')[0] !== '1'
  if (goesOn) return seeOther(reply, withNext('/sign-in/oidc', next))
  const view = await viewFor(parts, request, reply, next)
  const notice = query.all('password')[0] === 'set' ? linkTexts[view.texts.language].isSet : undefined
  const missesScript = view.ways.passkeys && query.all('passkey')[0] === '1'
  return sendPage(
    reply,
    200,
    signInPage({ ...view, notice, missesScript, trouble: troubleIn(view, query.all('problem')[0]) }),
  )
}

/** The problem on the way to the provider or back. */
const troubleIn = ({ texts, ways }: SignInView, name: string | undefined): string | undefined =>
  ways.provider && problemTold(providerTexts[texts.language], name, ways.provider.name)

async function submitSignIn(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { form, isExpired } = await sentForm(parts, request, 'sign-in')
  const next = safeNext(form.one('next'), parts.services.config.origin)
  const username = (form.one('username') ?? '').slice(0, 200)
  const view = { ...(await viewFor(parts, request, reply, next)), username }
  const again = (status: number, message: string, wait?: number) =>
    sendPage(reply, status, signInPage({ ...view, message, wait, isWrong: status === 401 }))
  if (isExpired) return again(400, view.texts.expired)
  try {
    const password = (form.one('password') ?? '').slice(0, 1000)
    await runFrom(parts, request, reply, signIn, { username, password })
  } catch (error) {
    if (error instanceof AppError && error.problem.reason === 'second_factor_required')
      return seeOther(reply, withNext('/sign-in/verify', next))
    return sendAgain(reply, view.texts, error, (status, message) => again(status, message, waitIn(error)))
  }
  return seeOther(reply, next)
}

/** The whole seconds to wait, if that is the error. */
function waitIn(error: unknown): number | undefined {
  if (!(error instanceof AppError)) return undefined
  const seconds = Number(error.headers['retry-after'])
  return Number.isInteger(seconds) ? seconds : undefined
}

interface SignInView {
  texts: PageTexts
  /** The host, as browsers show it. */
  host: string
  token: string
  next: string
  ways: Ways
  /** The app with a pending consent request. */
  app: string | undefined
  /** Shown to people who cannot sign in. */
  help: Html
  username?: string
  message?: string
  /** The username or the password is wrong. */
  isWrong?: boolean
  /** A problem at the provider, not with the form. */
  trouble?: string | undefined
  /** A preceding success, such as a new password. */
  notice?: string | undefined
  /** The passkey button was used before its script ran. */
  missesScript?: boolean
  /** Seconds until the next attempt. */
  wait?: number | undefined
}

/** The ways to sign in that this instance offers. */
interface Ways {
  passkeys: boolean
  /** Whether any person has a passkey. */
  passkeyExists: boolean
  provider: { name: string; isDown: boolean } | undefined
  /** `owner`: only the owner may use a password. */
  passwords: 'everyone' | 'owner'
  /** The page redirects to the provider unless the address asks for the form. */
  goesOn: boolean
}

const waysOf = async ({
  config,
  provider,
  store,
}: Pick<Services, 'config' | 'provider' | 'store'>): Promise<Ways> => ({
  passkeys: passkeysWork(config),
  passkeyExists: passkeysWork(config) && (await passkeyExists(store.read)),
  provider: config.oidc && { name: config.oidc.name, isDown: provider?.isDown() ?? false },
  passwords: config.oidc && !config.oidc.passwords ? 'owner' : 'everyone',
  goesOn: config.oidc?.auto ?? false,
})

async function viewFor(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  next: string,
): Promise<SignInView> {
  const { services, browser } = parts
  const app = await findWaitingApp(services, next, browser.read(request))
  const token = formToken(browser.ensure(request, reply), 'sign-in')
  const texts = textsFor(request)
  const help = services.mailer
    ? forgotLink(parts, texts)
    : html`<p class="hint">${texts.signIn.cannotSignIn}</p>`
  return { texts, token, next, host: hostOf(services), ways: await waysOf(services), app, help }
}

function signInPage(view: SignInView): Page {
  const { texts, next, host, ways, app } = view
  const { language, awaits, signIn: own } = texts
  const buttons = [
    ways.passkeyExists ? passkeyButton(texts, next, 'button primary') : html``,
    ways.provider ? providerButton(texts, { ...ways.provider, next }) : html``,
  ]
  const hasOthers = ways.passkeyExists || ways.provider !== undefined
  return {
    title: own.title,
    description: own.description,
    language,
    awaits,
    script: true,
    foot: languageLinks(language, (one) => addressIn(one, view)),
    body: html`${app !== undefined && html`<p class="waits"><bdi>${app}</bdi> ${own.appWaits}</p>`}
<h1>${own.title}</h1>
<p class="lead">${fill(own.lead, { host })}</p>
${view.notice !== undefined && html`<p class="notice" role="status">${view.notice}</p>`}
${problem(view.trouble)}
${view.missesScript === true && needsScript(texts)}
${hasOthers && html`<div class="${ways.provider ? 'ways' : 'ways scripted'}">${buttons}</div>`}
${ways.passwords === 'everyone' ? passwordPart(view, hasOthers) : ownerPart(view)}
${ways.passkeys && !ways.passkeyExists && html`<div class="ways scripted">${passkeyButton(texts, next, 'button')}</div>`}
${view.help}
${!ways.passkeys && html`<p class="hint">${own.noPasskeys}</p>`}`,
  }
}

function addressIn(language: string, { next, ways }: SignInView): string {
  const query = new URLSearchParams({ lang: language })
  if (next !== '/') query.set('next', next)
  if (ways.goesOn) query.set('local', '1')
  return `/sign-in?${query}`
}

const passwordPart = (view: SignInView, hasOthers: boolean): Html =>
  html`${hasOthers && html`<p class="${view.ways.provider ? 'or' : 'or scripted'}"><span>${view.texts.signIn.or}</span></p>`}
${passwordForm(view, hasOthers ? 'button' : 'button primary')}`

const ownerPart = (
  view: SignInView,
): Html => html`<details class="owner"${attribute('open', view.message !== undefined)}>
<summary>${view.texts.signIn.owner}</summary>
<p class="hint">${view.texts.signIn.ownerHint}</p>
${passwordForm(view, 'button')}
</details>`

function passwordForm(view: SignInView, look: string): Html {
  const { texts, token, next, ways, username = '', message } = view
  const { labels, signIn: own } = texts
  const begins = message === undefined ? 'desktop' : true
  // No focus inside a closed <details>.
  const focus = ways.passwords === 'owner' && message === undefined ? false : begins
  return html`${view.wait === undefined ? problem(message, view.isWrong ? 'problem' : undefined) : waitNote(texts, view.wait)}
<form method="post" action="/sign-in" class="stack">
${hidden('token', token)}${hidden('next', next)}
${field({ label: labels.username, name: 'username', value: username, autocomplete: ways.passkeys ? 'username webauthn' : 'username', focus: username === '' && focus })}
${field({ label: labels.password, name: 'password', type: 'password', autocomplete: 'current-password', problemId: view.isWrong ? 'problem' : undefined, focus: username !== '' && focus })}
<button class="${look}" type="submit">${own.submit}</button>
</form>`
}

/** The page's script counts the seconds down. */
const waitNote = ({ signIn: { waitFor, waitOver } }: PageTexts, seconds: number): Html =>
  html`<p class="problem" role="alert" data-over="${waitOver}">${filledWith(waitFor, { wait: html`<span data-countdown="${seconds}">${shortWait(seconds)}</span>` })}</p>`

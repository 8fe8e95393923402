// /invite/{token} and /reset/{token}: plain forms that work without scripts. The address is the credential: it is not logged
// and not sent as a referrer, and every invalid address gets the same page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors.ts'
import { fill } from '../../domain/text/messages.ts'
import { acceptInvitation, requireInvitation } from '../../operations/accounts/invitations.ts'
import { requireResetLink, useResetLink } from '../../operations/accounts/reset-links.ts'
import { formToken } from '../../pages/browser.ts'
import { html } from '../../pages/html.ts'
import { type Page, problem, seeOther, sendPage } from '../../pages/layout.ts'
import { refuseOtherMethods } from '../rest.ts'
import { noIndex } from '../share.ts'
import {
  field,
  hidden,
  hostOf,
  type Mistakes,
  mistakesIn,
  type PageParts,
  runFrom,
  sendAgain,
  sentForm,
  textsFor,
  visitOf,
} from './forms.ts'
import { linkTexts } from './links-texts.ts'
import { explained, type FieldName, type PageTexts, wrongIn } from './texts.ts'

type Kind = 'invite' | 'reset'
type Request = FastifyRequest<{ Params: { token: string } }>

export function mountLinks(server: FastifyInstance, parts: PageParts): void {
  const show = { invite: showInvitation, reset: showReset }
  const submit = { invite: submitInvitation, reset: submitReset }
  for (const kind of ['invite', 'reset'] as const) {
    const path = `/${kind}/:token`
    const orDead =
      (answer: Answer) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        reply.headers(noIndex)
        try {
          return await answer(parts, request as Request, reply)
        } catch (error) {
          if (!isDead(error)) throw error
          return sendPage(reply, 404, deadPage(textsFor(request), kind))
        }
      }
    server.get(path, orDead(show[kind]))
    server.post(path, orDead(submit[kind]))
    refuseOtherMethods(server, path, ['GET', 'POST'])
  }
}

type Answer = (parts: PageParts, request: Request, reply: FastifyReply) => Promise<FastifyReply>

/** Includes links that were made before passwords were switched off. */
const isDead = (error: unknown): boolean =>
  error instanceof AppError && ['link_invalid', 'passwords_off'].includes(error.problem.reason)

function deadPage({ language, awaits }: PageTexts, kind: Kind): Page {
  const { dead } = linkTexts[language]
  return {
    title: dead.title,
    language,
    awaits,
    hidesAddress: true,
    body: html`<h1>${dead.title}</h1>
<p class="lead">${dead[kind]}</p>
<p><a class="button quiet" href="/sign-in?local=1">${dead.signIn}</a></p>`,
  }
}

/** The texts of every form, plus the reasons of these forms. */
export function textsWithReasons(request: FastifyRequest): PageTexts {
  const texts = textsFor(request)
  return { ...texts, reasons: { ...texts.reasons, ...linkTexts[texts.language].reasons } }
}

// Invitations

async function showInvitation(parts: PageParts, request: Request, reply: FastifyReply) {
  const { token } = request.params
  const { inviter } = await requireInvitation(visitOf(parts, request, reply), token)
  const texts = textsWithReasons(request)
  const proof = formToken(parts.browser.ensure(request, reply), 'invite', token)
  const signedIn = await sessionOf(parts, request)
  const signedInAs = signedIn?.user.displayName
  const page = { texts, token, proof, host: hostOf(parts.services), inviter, signedInAs }
  return sendPage(reply, 200, invitationPage(page))
}

const sessionOf = ({ authenticator, cookie }: PageParts, { headers }: FastifyRequest) =>
  authenticator.session(cookie.read(headers.cookie))

async function submitInvitation(parts: PageParts, request: Request, reply: FastifyReply) {
  const { token } = request.params
  const { form, isExpired } = await sentForm(parts, request, 'invite', token)
  const proof = formToken(parts.browser.ensure(request, reply), 'invite', token)
  const texts = textsWithReasons(request)
  const typed = { username: form.one('username'), displayName: form.one('displayName') }
  const { inviter } = await requireInvitation(visitOf(parts, request, reply), token)
  const signedIn = await sessionOf(parts, request)
  const signedInAs = signedIn?.user.displayName
  const again = (status: number, message?: string, mistakes: Mistakes = {}) => {
    const page = {
      texts,
      token,
      proof,
      host: hostOf(parts.services),
      inviter,
      signedInAs,
      ...typed,
      message,
      mistakes,
    }
    return sendPage(reply, status, invitationPage(page))
  }
  if (isExpired) return again(400, texts.expired)
  try {
    const body = { token, ...typed, password: form.one('password') }
    await runFrom(parts, request, reply, acceptInvitation, body, signedIn)
  } catch (error) {
    return sendMistakes(reply, texts, error, again)
  }
  return seeOther(reply, '/')
}

/** Shows correctable errors at their field; a link that has become invalid gets its own page. */
function sendMistakes(
  reply: FastifyReply,
  texts: PageTexts,
  error: unknown,
  again: (status: number, message?: string, mistakes?: Mistakes) => FastifyReply,
): FastifyReply {
  if (!(error instanceof AppError) || isDead(error)) throw error
  const mistakes = mistakesIn(error, texts)
  if (error.problem.reason === 'username_taken') mistakes.username = explained(texts, error.problem)
  if (Object.keys(mistakes).length === 0) return sendAgain(reply, texts, error, again)
  return again(error.status, undefined, mistakes)
}

interface LinkView {
  texts: PageTexts
  token: string
  proof: string
  message?: string | undefined
  mistakes?: Mistakes
}
interface InvitationView extends LinkView {
  host: string
  /** Who invites, if it is a person. */
  inviter: string | undefined
  /** The person whose session in this browser ends with the new account. */
  signedInAs: string | undefined
  username?: string | undefined
  displayName?: string | undefined
}

const wrongFields = ({ labels }: PageTexts, mistakes: Mistakes): FieldName[] =>
  (Object.keys(labels) as FieldName[]).filter((name) => mistakes[name] !== undefined)

function messageOf({ texts, message, mistakes = {} }: LinkView): string | undefined {
  const names = wrongFields(texts, mistakes)
  return (
    message ??
    (names.length > 0
      ? wrongIn(
          texts,
          names.map((name) => texts.labels[name]),
        )
      : undefined)
  )
}

function invitationPage(view: InvitationView): Page {
  const { texts, token, mistakes = {} } = view
  const { language, awaits, labels, setUp } = texts
  const own = linkTexts[language].invite
  const first = wrongFields(texts, mistakes)[0] ?? 'displayName'
  const isAgain = messageOf(view) !== undefined
  const labelled = (name: FieldName) => ({
    label: labels[name],
    name,
    hint:
      name === 'username'
        ? own.usernameHint
        : isAgain && name === 'password'
          ? texts.passwordAgain
          : setUp.hints[name],
    mistake: mistakes[name],
    focus: name === first,
  })
  return {
    title: own.title,
    language,
    awaits,
    hidesAddress: true,
    body: html`<h1>${own.title}</h1>
<p class="lead">${view.inviter === undefined ? fill(own.lead, view) : fill(own.leadBy, { ...view, inviter: view.inviter })}</p>
${view.signedInAs !== undefined && html`<p class="notice">${fill(own.signedIn, { name: view.signedInAs })}</p>`}
${problem(messageOf(view))}
<form method="post" action="/invite/${token}" class="stack" novalidate>
${hidden('token', view.proof)}
${field({ ...labelled('displayName'), value: view.displayName, autocomplete: 'name' })}
${field({ ...labelled('username'), value: view.username, autocomplete: 'username' })}
${field({ ...labelled('password'), type: 'password', autocomplete: 'new-password' })}
<button class="button primary" type="submit">${own.submit}</button>
</form>`,
  }
}

// Reset links

async function showReset(parts: PageParts, request: Request, reply: FastifyReply) {
  const { token } = request.params
  const { username } = await requireResetLink(visitOf(parts, request, reply), token)
  const proof = formToken(parts.browser.ensure(request, reply), 'reset', token)
  return sendPage(reply, 200, resetPage({ texts: textsWithReasons(request), token, proof, username }))
}

async function submitReset(parts: PageParts, request: Request, reply: FastifyReply) {
  const { token } = request.params
  const { form, isExpired } = await sentForm(parts, request, 'reset', token)
  const proof = formToken(parts.browser.ensure(request, reply), 'reset', token)
  const texts = textsWithReasons(request)
  const { username } = await requireResetLink(visitOf(parts, request, reply), token)
  const again = (status: number, message?: string, mistakes: Mistakes = {}) =>
    sendPage(reply, status, resetPage({ texts, token, proof, username, message, mistakes }))
  if (isExpired) return again(400, texts.expired)
  try {
    await runFrom(parts, request, reply, useResetLink, { token, password: form.one('password') })
  } catch (error) {
    return sendMistakes(reply, texts, error, again)
  }
  // Another person's session in this browser ends too: the next page signs in the person whose password was set.
  reply.header('set-cookie', parts.cookie.clear())
  return seeOther(reply, '/sign-in?local=1&password=set')
}

function resetPage(view: LinkView & { username: string }): Page {
  const { texts, token, mistakes = {} } = view
  const { language, awaits, labels } = texts
  const own = linkTexts[language].reset
  const password = { label: labels.password, name: 'password', hint: own.hint, mistake: mistakes.password }
  return {
    title: own.title,
    language,
    awaits,
    hidesAddress: true,
    body: html`<h1>${own.title}</h1>
<p class="lead">${fill(own.lead, view)}</p>
${problem(messageOf(view))}
<form method="post" action="/reset/${token}" class="stack" novalidate>
${hidden('token', view.proof)}
<input type="text" value="${view.username}" autocomplete="username" aria-label="${labels.username}" readonly hidden>
${field({ ...password, type: 'password', autocomplete: 'new-password', focus: true })}
<p class="hint">${own.ends}</p>
<button class="button primary" type="submit">${own.submit}</button>
</form>`,
  }
}

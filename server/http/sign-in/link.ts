// /sign-in/link: the provider has identified someone, and an account here has the same name or address. The password of that
// account proves that it belongs to the same person.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../base/errors.ts'
import { fill } from '../../domain/text/messages.ts'
import { findLinkStep, proveAndLink, registerSeparately } from '../../operations/accounts/provider-sign-in.ts'
import type { Visit } from '../../operations/accounts/sign-in.ts'
import { formToken } from '../../pages/browser.ts'
import type { Parameters } from '../../pages/form.ts'
import { type Html, html } from '../../pages/html.ts'
import { type Page, problem, seeOther, sendPage } from '../../pages/layout.ts'
import { ProviderError, type ProviderProblem } from '../../services/accounts/provider.ts'
import { refuseOtherMethods } from '../rest.ts'
import { field, hidden, type PageParts, sendAgain, sentForm, textsFor, visitOf, withNext } from './forms.ts'
import { type ProviderTexts, providerTexts } from './oidc-texts.ts'
import type { PageTexts } from './texts.ts'

export function mountLink(server: FastifyInstance, parts: PageParts): void {
  server.get('/sign-in/link', (request, reply) => showLink(parts, request, reply))
  server.post('/sign-in/link', (request, reply) => submitLink(parts, request, reply))
  refuseOtherMethods(server, '/sign-in/link', ['GET', 'POST'])
}

/** The sign-in page with the error, without a redirect to the provider. */
export const signInWithProblem = (problem: ProviderProblem, next: string): string =>
  `/sign-in?${new URLSearchParams({ local: '1', problem, ...(next === '/' ? {} : { next }) })}`

function providerVisit(parts: PageParts, request: FastifyRequest, reply: FastifyReply): Visit {
  if (!parts.services.provider) throw notFound('Provider')
  return visitOf(parts, request, reply)
}

type Step = NonNullable<Awaited<ReturnType<typeof findLinkStep>>>

async function showLink(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const step = await findLinkStep(providerVisit(parts, request, reply))
  if (!step) return seeOther(reply, signInWithProblem('state', '/'))
  return sendPage(reply, 200, linkPage(parts, request, reply, step))
}

async function submitLink(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { form, isExpired } = await sentForm(parts, request, 'link')
  const visit = providerVisit(parts, request, reply)
  const step = await findLinkStep(visit)
  if (!step) return seeOther(reply, signInWithProblem('state', '/'))
  const texts = textsFor(request)
  const username = (form.one('username') ?? step.username).slice(0, 200)
  const again = (status: number, message: string) =>
    sendPage(reply, status, linkPage(parts, request, reply, step, { username, message }))
  if (isExpired) return again(400, texts.expired)
  try {
    return seeOther(reply, await goOn(visit, form, step, username))
  } catch (error) {
    if (error instanceof ProviderError) return seeOther(reply, signInWithProblem(error.reason, step.next))
    return sendAgain(reply, texts, error, again)
  }
}

/** The address that follows. */
async function goOn(visit: Visit, form: Parameters, { next }: Step, username: string): Promise<string> {
  if (form.one('separate') === '1') {
    await registerSeparately(visit)
    return next
  }
  const password = (form.one('password') ?? '').slice(0, 1000)
  const done = await proveAndLink(visit, { username, password })
  return done === 'signed in' ? next : withNext('/sign-in/verify', next)
}

function linkPage(
  { services, browser }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  step: Step,
  { username = step.username, message }: { username?: string; message?: string } = {},
): Page {
  const texts = textsFor(request)
  const { name, register } = services.config.oidc!
  const own = providerTexts[texts.language]
  const token = formToken(browser.ensure(request, reply), 'link')
  return {
    title: own.link.title,
    language: texts.language,
    awaits: texts.awaits,
    body: html`<h1>${own.link.title}</h1>
<p class="lead">${step.hasPassword ? told(own, step, name) : fill(own.link.noPassword, { name })}</p>
${problem(message)}
${step.hasPassword && proofForm({ texts, token, username: step.userId === null ? username : undefined, submit: own.link.submit })}
${
  register &&
  html`<p class="hint">${own.link.separateHint}</p>
<form method="post" action="/sign-in/link" class="stack">
${hidden('token', token)}${hidden('separate', '1')}
<button class="button" type="submit">${own.link.separate}</button>
</form>`
}
<p><a href="/sign-in?local=1">${own.toSignIn}</a></p>`,
  }
}

function told({ link }: ProviderTexts, { username, userId }: Step, name: string): string {
  if (username !== '') return fill(link.sameName, { name, username })
  return fill(userId === null ? link.sameAddresses : link.sameAddress, { name })
}

const proofForm = ({
  texts: { labels },
  token,
  username,
  submit,
}: {
  texts: PageTexts
  token: string
  /** Undefined if only one account matches. */
  username: string | undefined
  submit: string
}): Html => html`<form method="post" action="/sign-in/link" class="stack">
${hidden('token', token)}
${username !== undefined && field({ label: labels.username, name: 'username', value: username, autocomplete: 'username', focus: username === '' })}
${field({ label: labels.password, name: 'password', type: 'password', autocomplete: 'current-password', focus: username !== '' })}
<button class="button primary" type="submit">${submit}</button>
</form>`

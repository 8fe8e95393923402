// /sign-in/forgot: requests a mail with a reset link, if this instance sends mail. The next page is the same for every name.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestResetLink } from '../../operations/accounts/mailed-links.ts'
import { formToken } from '../../pages/browser.ts'
import { type Html, html } from '../../pages/html.ts'
import { type Page, problem, seeOther, sendPage } from '../../pages/layout.ts'
import { refuseOtherMethods } from '../rest.ts'
import { field, hidden, type PageParts, runFrom, sendAgain, sentForm } from './forms.ts'
import { textsWithReasons } from './links.ts'
import { linkTexts } from './links-texts.ts'
import type { PageTexts } from './texts.ts'

const PATH = '/sign-in/forgot'

export function mountForgot(server: FastifyInstance, parts: PageParts): void {
  server.get(PATH, (request, reply) => showForgot(parts, request, reply))
  server.post(PATH, (request, reply) => submitForgot(parts, request, reply))
  refuseOtherMethods(server, PATH, ['GET', 'POST'])
}

/** The link on the sign-in page, below the password. */
export const forgotLink = ({ services }: Pick<PageParts, 'services'>, { language }: PageTexts): Html =>
  services.mailer
    ? html`<p class="hint"><a href="${PATH}">${linkTexts[language].forgot.link}</a></p>`
    : html``

async function showForgot(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  if (!parts.services.mailer) return seeOther(reply, '/sign-in')
  const token = formToken(parts.browser.ensure(request, reply), 'forgot')
  return sendPage(reply, 200, forgotPage({ texts: textsWithReasons(request), token }))
}

async function submitForgot(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { form, isExpired } = await sentForm(parts, request, 'forgot')
  const username = (form.one('username') ?? '').slice(0, 200)
  const token = formToken(parts.browser.ensure(request, reply), 'forgot')
  const texts = textsWithReasons(request)
  const again = (status: number, message: string) =>
    sendPage(reply, status, forgotPage({ texts, token, username, message }))
  if (isExpired) return again(400, texts.expired)
  try {
    await runFrom(parts, request, reply, requestResetLink, { username })
  } catch (error) {
    return sendAgain(reply, texts, error, again)
  }
  return sendPage(reply, 200, sentPage(texts))
}

interface ForgotView {
  texts: PageTexts
  token: string
  username?: string
  message?: string
}

function forgotPage({ texts, token, username = '', message }: ForgotView): Page {
  const { language, awaits, labels } = texts
  const own = linkTexts[language].forgot
  return {
    title: own.title,
    language,
    awaits,
    body: html`<h1>${own.title}</h1>
<p class="lead">${own.lead}</p>
${problem(message)}
<form method="post" action="${PATH}" class="stack">
${hidden('token', token)}
${field({ label: labels.username, name: 'username', value: username, autocomplete: 'username', focus: true })}
<button class="button primary" type="submit">${own.submit}</button>
</form>
<p class="hint">${own.else}</p>
<p><a class="button quiet" href="/sign-in?local=1">${own.back}</a></p>`,
  }
}

function sentPage({ language, awaits }: PageTexts): Page {
  const own = linkTexts[language].forgot
  return {
    title: own.sentTitle,
    language,
    awaits,
    body: html`<h1>${own.sentTitle}</h1>
<p class="lead" role="status">${own.sent}</p>
<p class="hint">${own.else}</p>
<p><a class="button quiet" href="/sign-in?local=1">${own.back}</a></p>`,
  }
}

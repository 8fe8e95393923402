// /confirm-mail/{token}: the mailed link that permits notifications to an address. It needs the person's session, and a button,
// because programs that check mails for danger open links.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors.ts'
import { fill } from '../../domain/text/messages.ts'
import { confirmNotificationMail } from '../../operations/push/mail.ts'
import { formToken } from '../../pages/browser.ts'
import { type Html, html } from '../../pages/html.ts'
import { type Page, problem, seeOther, sendPage } from '../../pages/layout.ts'
import { refuseOtherMethods } from '../rest.ts'
import { noIndex } from '../share.ts'
import { hidden, hostOf, type PageParts, runFrom, sentForm, textsFor, withNext } from './forms.ts'
import { linkTexts } from './links-texts.ts'

const PATH = '/confirm-mail/:token'
const PURPOSE = 'confirm-mail'

type Request = FastifyRequest<{ Params: { token: string } }>

export function mountConfirmMail(server: FastifyInstance, parts: PageParts): void {
  server.get(PATH, (request, reply) => show(parts, request as Request, reply))
  server.post(PATH, (request, reply) => submit(parts, request as Request, reply))
  refuseOtherMethods(server, PATH, ['GET', 'POST'])
}

const sessionOf = ({ authenticator, cookie }: PageParts, { headers }: Request) =>
  authenticator.session(cookie.read(headers.cookie))

const toSignIn = (reply: FastifyReply, { params }: Request) =>
  seeOther(reply, withNext('/sign-in', `/confirm-mail/${encodeURIComponent(params.token)}`))

async function show(parts: PageParts, request: Request, reply: FastifyReply, message?: string) {
  reply.headers(noIndex)
  if (!(await sessionOf(parts, request))) return toSignIn(reply, request)
  const proof = formToken(parts.browser.ensure(request, reply), PURPOSE)
  const own = linkTexts[textsFor(request).language].confirmMail
  const lead = fill(own.lead, { host: hostOf(parts.services) })
  return sendPage(
    reply,
    message === undefined ? 200 : 400,
    page(
      request,
      own.title,
      html`<p class="lead">${lead}</p>
${problem(message)}
<form method="post" class="stack">
${hidden('token', proof)}
<button class="button primary" type="submit">${own.submit}</button>
</form>`,
    ),
  )
}

async function submit(parts: PageParts, request: Request, reply: FastifyReply) {
  reply.headers(noIndex)
  const { isExpired } = await sentForm(parts, request, PURPOSE)
  const principal = await sessionOf(parts, request)
  if (!principal) return toSignIn(reply, request)
  const texts = textsFor(request)
  if (isExpired) return show(parts, request, reply, texts.expired)
  const own = linkTexts[texts.language].confirmMail
  try {
    await runFrom(parts, request, reply, confirmNotificationMail, { token: request.params.token }, principal)
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error
    const { dead } = linkTexts[texts.language]
    return sendPage(
      reply,
      404,
      page(request, dead.title, html`<p class="lead">${own.dead}</p>${toSettings(own.settings)}`),
    )
  }
  const done = html`<p class="lead" role="status">${own.done}</p>${toSettings(own.settings)}`
  return sendPage(reply, 200, page(request, own.doneTitle, done))
}

const toSettings = (label: string): Html =>
  html`<p><a class="button quiet" href="/settings/notifications">${label}</a></p>`

function page(request: Request, title: string, body: Html): Page {
  const { language, awaits } = textsFor(request)
  return { title, language, awaits, hidesAddress: true, body: html`<h1>${title}</h1>${body}` }
}

// /sign-in/verify: after the password, the code of an authenticator app or a recovery code, in plain forms that work without
// scripts. They carry the next address along, such as that of a pending consent.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { initialsOf } from '../../domain/text/shown-text.ts'
import { findPending, signInWithSecondFactor } from '../../operations/accounts/second-step.ts'
import { passkeysWork } from '../../operations/accounts/ways-in.ts'
import { formToken } from '../../pages/browser.ts'
import { queryOf } from '../../pages/form.ts'
import { attribute, type Html, html } from '../../pages/html.ts'
import { type Page, problem, seeOther, sendPage } from '../../pages/layout.ts'
import { findWaysIn } from '../../store/accounts/ways-in.ts'
import { refuseOtherMethods } from '../rest.ts'
import {
  field,
  hidden,
  type PageParts,
  runFrom,
  safeNext,
  sendAgain,
  sentForm,
  textsFor,
  visitOf,
  withNext,
} from './forms.ts'
import { secondFactorTexts } from './second-factor-texts.ts'
import type { PageTexts } from './texts.ts'
import { findWaitingApp } from './waiting-app.ts'

const VERIFY = '/sign-in/verify'

export function mountSecondFactor(server: FastifyInstance, parts: PageParts): void {
  server.get(VERIFY, (request, reply) => showStep(parts, request, reply))
  server.post(VERIFY, (request, reply) => submitStep(parts, request, reply))
  refuseOtherMethods(server, VERIFY, ['GET', 'POST'])
}

/** The texts, plus the reasons of this page. */
function ownTexts(request: FastifyRequest): PageTexts {
  const texts = textsFor(request)
  return { ...texts, reasons: { ...texts.reasons, ...secondFactorTexts[texts.language].reasons } }
}

/** The person who has entered their password in this browser, for display. */
async function whoWaits(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  next: string,
): Promise<Waiting | undefined> {
  const { services, browser } = parts
  const visit = visitOf(parts, request, reply)
  const who = await findPending(visit)
  if (!who) return undefined
  const ways = await findWaysIn(visit.db, who.id, services.config.oidc?.issuer)
  return {
    name: who.displayName,
    mayUsePasskey: passkeysWork(services.config) && (ways?.passkeys ?? 0) > 0,
    app: await findWaitingApp(services, next, browser.read(request)),
  }
}

async function showStep(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const query = queryOf(request)
  const next = safeNext(query.all('next')[0], parts.services.config.origin)
  const waiting = await whoWaits(parts, request, reply, next)
  if (!waiting) return seeOther(reply, withNext('/sign-in', next))
  const token = formToken(parts.browser.ensure(request, reply), 'verify')
  const isRecovery = query.all('recovery')[0] === '1'
  return sendPage(reply, 200, stepPage({ texts: ownTexts(request), token, next, waiting, isRecovery }))
}

async function submitStep(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { form, isExpired } = await sentForm(parts, request, 'verify')
  const next = safeNext(form.one('next'), parts.services.config.origin)
  const isRecovery = form.one('way') === 'recovery'
  const trust = form.one('trust') === '1'
  const typed = ((isRecovery ? form.one('recoveryCode') : undefined) ?? form.one('code') ?? '').slice(0, 100)
  const token = formToken(parts.browser.ensure(request, reply), 'verify')
  const texts = ownTexts(request)
  const waiting = await whoWaits(parts, request, reply, next)
  const again = (status: number, message: string) =>
    sendPage(
      reply,
      status,
      waiting
        ? stepPage({ texts, token, next, waiting, isRecovery, trust, message })
        : expiredPage(texts, next, message),
    )
  if (isExpired) return again(400, texts.expired)
  try {
    const proof = isRecovery ? { recoveryCode: typed } : { code: typed }
    await runFrom(parts, request, reply, signInWithSecondFactor, { ...proof, trust })
  } catch (error) {
    return sendAgain(reply, texts, error, again)
  }
  return seeOther(reply, next)
}

interface Waiting {
  name: string
  mayUsePasskey: boolean
  /** The app with a pending consent request. */
  app: string | undefined
}

interface StepView {
  texts: PageTexts
  token: string
  next: string
  waiting: Waiting
  isRecovery: boolean
  trust?: boolean
  message?: string
}

function stepPage(view: StepView): Page {
  const { texts, next, waiting, isRecovery } = view
  const own = secondFactorTexts[texts.language]
  const { title, lead } = isRecovery ? own.recovery : own
  const isWrong = view.message !== undefined
  return {
    title,
    language: texts.language,
    awaits: texts.awaits,
    script: true,
    body: html`${waiting.app !== undefined && html`<p class="waits"><bdi>${waiting.app}</bdi> ${texts.signIn.appWaits}</p>`}
<p class="back"><a href="${signInAgain(next)}">${own.back}</a></p>
<p class="who"><span class="initials" aria-hidden="true">${initialsOf(waiting.name)}</span><span><strong>${waiting.name}</strong><br>${own.accepted}</span></p>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${problem(view.message, 'problem')}
<form method="post" action="${VERIFY}" class="stack">
${hidden('token', view.token)}${hidden('next', next)}${hidden('way', isRecovery ? 'recovery' : 'app')}
${isRecovery ? recoveryField(own.recovery.label, isWrong) : digits(own.code, isWrong)}
<label class="choice trust"><input type="checkbox" name="trust" value="1"${attribute('checked', view.trust === true)}><span>${own.trust}</span></label>
<button class="button primary" type="submit">${own.submit}</button>
</form>
<p class="others"><a href="${otherWay(next, isRecovery)}">${isRecovery ? own.recovery.useApp : own.useRecoveryCode}</a>
${waiting.mayUsePasskey && html`<a href="${signInAgain(next)}">${own.usePasskey}</a>`}</p>`,
  }
}

/** Shows the form even if the instance redirects straight to a provider. */
const signInAgain = (next: string): string =>
  next === '/' ? '/sign-in?local=1' : `/sign-in?local=1&next=${encodeURIComponent(next)}`

function otherWay(next: string, isRecovery: boolean): string {
  const path = withNext(VERIFY, next)
  return isRecovery ? path : `${path}${path.includes('?') ? '&' : '?'}recovery=1`
}

/** One input, drawn as six cells. A code may be pasted with a space in the middle. */
const digits = (label: string, isWrong: boolean): Html => html`<div class="field">
<label class="unseen" for="code">${label}</label>
<div class="digits"><input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="7" required autofocus${attribute('aria-describedby="problem" aria-invalid="true"', isWrong)}><span class="cells" aria-hidden="true"><i></i><i></i><i></i><b></b><i></i><i></i><i></i></span></div>
</div>`

const recoveryField = (label: string, isWrong: boolean): Html =>
  field({
    label,
    name: 'code',
    autocomplete: 'off',
    focus: true,
    problemId: isWrong ? 'problem' : undefined,
  })

/** The step has expired, so the form no longer works. */
function expiredPage(texts: PageTexts, next: string, message: string): Page {
  const { again } = secondFactorTexts[texts.language]
  return {
    title: again.title,
    language: texts.language,
    awaits: texts.awaits,
    body: html`<h1>${again.title}</h1>
${problem(message)}
<p><a class="button primary" href="${signInAgain(next)}">${again.submit}</a></p>`,
  }
}

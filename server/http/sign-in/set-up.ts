// /setup: the first visitor creates the owner's account, in a plain form that works without scripts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors.ts'
import { setupTokenFor } from '../../operations/accounts/sessions.ts'
import { setUp } from '../../operations/accounts/set-up.ts'
import { formToken } from '../../pages/browser.ts'
import { queryOf } from '../../pages/form.ts'
import { html } from '../../pages/html.ts'
import { languageLinks } from '../../pages/language.ts'
import { type Page, problem, seeOther, sendPage } from '../../pages/layout.ts'
import { ownerExists } from '../../store/people/people.ts'
import { refuseOtherMethods } from '../rest.ts'
import {
  field,
  hidden,
  type Mistakes,
  mistakesIn,
  type PageParts,
  runFrom,
  safeNext,
  sendAgain,
  sentForm,
  textsFor,
  visitOf,
  withNext,
} from './forms.ts'
import { explained, type FieldName, type PageTexts, wrongIn } from './texts.ts'

export function mountSetUp(server: FastifyInstance, parts: PageParts): void {
  server.get('/setup', (request, reply) => showSetup(parts, request, reply))
  server.post('/setup', (request, reply) => submitSetup(parts, request, reply))
  refuseOtherMethods(server, '/setup', ['GET', 'POST'])
}

async function showSetup(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services } = parts
  const next = safeNext(queryOf(request).all('next')[0], services.config.origin)
  if (await ownerExists(services.store.read)) return seeOther(reply, withNext('/sign-in', next))
  const token = formToken(parts.browser.ensure(request, reply), 'setup')
  const needsSetupToken = setupTokenOf(parts, request, reply) !== undefined
  return sendPage(reply, 200, setupPage({ texts: textsFor(request), token, next, needsSetupToken }))
}

const setupTokenOf = (parts: PageParts, request: FastifyRequest, reply: FastifyReply) =>
  setupTokenFor(visitOf(parts, request, reply))

async function submitSetup(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { form, isExpired } = await sentForm(parts, request, 'setup')
  const next = safeNext(form.one('next'), parts.services.config.origin)
  const setupToken = form.one('setupToken')?.slice(0, 200)
  const typed = { username: form.one('username'), displayName: form.one('displayName') }
  const token = formToken(parts.browser.ensure(request, reply), 'setup')
  const expected = setupTokenOf(parts, request, reply)
  const texts = textsFor(request)
  const again = (status: number, message?: string, mistakes: Mistakes = {}) => {
    const kept = { ...typed, setupToken, needsSetupToken: expected !== undefined }
    return sendPage(reply, status, setupPage({ texts, token, next, ...kept, message, mistakes }))
  }
  if (isExpired) return again(400, texts.expired)
  try {
    await runFrom(parts, request, reply, setUp, {
      ...typed,
      password: form.one('password'),
      token: setupToken,
    })
  } catch (error) {
    const mistakes = mistakesIn(error, texts)
    // The token is checked after the fields; both are reported together.
    const isWrong = expected !== undefined && !expected.matches(setupToken ?? '')
    if (isWrong) mistakes.setupToken = explained(texts, { reason: 'setup_token_wrong' })
    if (Object.keys(mistakes).length === 0 || !(error instanceof AppError))
      return sendAgain(reply, texts, error, again)
    return again(error.status, undefined, mistakes)
  }
  return seeOther(reply, next)
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
  const isAgain = names.length > 0 || view.message !== undefined
  const labelled = (name: FieldName) => ({
    label: labels[name],
    name,
    hint: isAgain && name === 'password' ? texts.passwordAgain : own.hints[name],
    mistake: mistakes[name],
    focus: name === (names[0] ?? 'displayName'),
  })
  const message =
    view.message ??
    (names.length > 0
      ? wrongIn(
          texts,
          names.map((name) => labels[name]),
        )
      : undefined)
  return {
    title: own.title,
    language,
    awaits,
    foot: languageLinks(language, (one) => `/setup?${new URLSearchParams({ lang: one, next: view.next })}`),
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

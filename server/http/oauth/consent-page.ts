// The page a user sees before an app gets access: which app, where it redirects to, and what it may be allowed to do.
import { readOnlyScopes, type Scope } from '../../domain/access/access.ts'
import type { Language } from '../../domain/languages.ts'
import { fill } from '../../domain/text/messages.ts'
import { attribute, filledWith, type Html, html } from '../../pages/html.ts'
import type { Page } from '../../pages/layout.ts'
import { appFaultIn, type ConsentTexts, consentTexts } from './consent-texts.ts'
import { hostOf, isLoopback } from './redirect-uris.ts'

interface ConsentView {
  language: Language
  requestId: string
  token: string
  username: string
  client: { id: string; name: string; source: 'registration' | 'document'; redirectUris: string[] }
  redirectUri: string
  /** The title is missing if this server no longer has the address. */
  resource: { title?: string; url: string }
  requested: readonly Scope[]
  /** The scopes that the user's role can grant. */
  grantable: readonly Scope[]
  /** The scopes that the same app already has; undefined if it is new. */
  granted: readonly Scope[] | undefined
  /** The user's choice before they had to confirm who they are; empty at first. */
  chosen: readonly Scope[]
}

const areas: readonly { title: keyof ConsentTexts['areas']; has: (scope: Scope) => boolean }[] = [
  { title: 'ownFlights', has: (scope) => scope.startsWith('flight.') && scope.endsWith('.own') },
  { title: 'allFlights', has: (scope) => scope.startsWith('flight.') && scope.endsWith('.any') },
  { title: 'statistics', has: (scope) => /^(stats|tracks)\./.test(scope) },
  { title: 'countries', has: (scope) => scope.startsWith('visited_countries.') },
  { title: 'shares', has: (scope) => scope.startsWith('shares.') },
  { title: 'profile', has: (scope) => /^(profile|preferences)\./.test(scope) },
  { title: 'reference', has: (scope) => /^(reference_data|custom_fields)\./.test(scope) },
  { title: 'people', has: (scope) => /^(users|roles)\./.test(scope) },
]

export function consentPage(view: ConsentView): Page {
  const { client, requested, grantable, language } = view
  const texts = consentTexts[language]
  const offered = grantable.filter((scope) => requested.includes(scope))
  const more = grantable.filter((scope) => !requested.includes(scope))
  const refused = requested.filter((scope) => !grantable.includes(scope))
  const named = refused.map((scope) => texts.scopes[scope]).join(', ')
  return {
    title: texts.title,
    language,
    wide: true,
    body: html`<h1><bdi>${client.name}</bdi> ${texts.wants}</h1>
<p class="lead">${filledWith(texts.lead, { name: html`<strong>${view.username}</strong>` })}</p>
${facts(view)}
${warnings(view)}
<form method="post" action="/oauth/consent" class="stack">
<input type="hidden" name="id" value="${view.requestId}"><input type="hidden" name="token" value="${view.token}">
${offered.length > 0 ? html`<h2>${texts.requests}</h2>${picker(view, offered, true)}` : html`<p>${texts.requestsNothing}</p>`}
${more.length > 0 && html`<details${attribute('open', offered.length === 0 || more.some((scope) => view.chosen.includes(scope)))}><summary>${texts.more}</summary>${picker(view, more, false)}</details>`}
${refused.length > 0 && html`<p class="hint">${fill(texts.leftOut, { permissions: named })}</p>`}
<div class="decision"><button class="button" type="submit" name="decision" value="deny">${texts.deny}</button><button class="button primary" type="submit" name="decision" value="approve">${texts.approve}</button></div>
</form>
<p class="hint">${texts.ends}</p>`,
  }
}

function facts({ client, redirectUri, resource, language }: ConsentView): Html {
  const texts = consentTexts[language]
  return html`<dl class="facts">
${client.source === 'document' && html`<div><dt>${texts.identifiedBy}</dt><dd>${new URL(client.id).host}</dd></div>`}
<div><dt>${texts.redirectsTo}</dt><dd>${hostOf(redirectUri)}</dd></div>
<div><dt>${texts.accessTo}</dt><dd>${resource.title ?? texts.thisServer} <span class="hint">${resource.url.replace(/^https?:\/\//, '')}</span></dd></div>
</dl>`
}

function warnings({ client, redirectUri, granted, requested, grantable, language }: ConsentView): Html {
  const texts = consentTexts[language]
  const fresh = requested.filter((scope) => grantable.includes(scope) && !granted?.includes(scope))
  return html`${isLoopback(redirectUri) && html`<p class="warning"><strong>${texts.runsHere}</strong> ${filledWith(texts.couldBeAny, { app: html`<bdi>${client.name}</bdi>` })}</p>`}
${granted !== undefined && html`<p class="notice">${texts.connected} ${fresh.length > 0 ? texts.newOnes : texts.noneNew} ${texts.replaces}</p>`}`
}

const picker = (view: ConsentView, offered: readonly Scope[], requested: boolean): Html =>
  html`<div class="areas">${areas.map(({ title, has }) => {
    const here = offered.filter(has)
    return here.length === 0
      ? html``
      : html`<fieldset><legend>${consentTexts[view.language].areas[title]}</legend>${here.map((scope) => choice(view, scope, requested))}</fieldset>`
  })}</div>`

function choice({ granted, language, chosen }: ConsentView, scope: Scope, requested: boolean): Html {
  const texts = consentTexts[language]
  const readOnly = readOnlyScopes.includes(scope)
  const checked = chosen.length > 0 ? chosen.includes(scope) : requested
  const isNew = requested && granted !== undefined && !granted.includes(scope)
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${attribute('checked', checked)}><span>${texts.scopes[scope]}</span>${isNew && html`<span class="tag new">${texts.isNew}</span>`}<span class="${readOnly ? 'tag' : 'tag write'}">${readOnly ? texts.read : texts.write}</span></label>`
}

/** The error response of a client that no user has approved: the user sees where it leads before following it. */
export function refusalPage(language: Language, refusal: { back: string; message: string }): Page {
  const texts = consentTexts[language]
  return {
    title: texts.cannotConnect,
    language,
    body: html`<h1>${texts.cannotConnect}</h1>
<p class="lead">${appFaultIn(language, refusal)}</p>
<p class="hint">${texts.returnHint}</p>
<p><a class="button quiet" rel="noreferrer" href="${refusal.back}">${fill(texts.returnTo, { host: hostOf(refusal.back) })}</a></p>`,
  }
}

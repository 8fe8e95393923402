// What a user sees before an app gets access: which app, where it returns to, and what it can be allowed to do.
import { readOnlyScopes, type Scope, scopeDescription } from '../domain/access.ts'
import { attribute, type Html, html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { hostOf, isLoopback } from './redirect-uris.ts'

interface ConsentView {
  requestId: string
  token: string
  username: string
  client: { id: string; name: string; source: 'registration' | 'document'; redirectUris: string[] }
  redirectUri: string
  resource: { title: string; url: string }
  requested: readonly Scope[]
  /** What the user's role can grant. */
  grantable: readonly Scope[]
  /** What the same app may do already; undefined if it is new. */
  granted: readonly Scope[] | undefined
}

const areas: readonly { title: string; has: (scope: Scope) => boolean }[] = [
  { title: 'Your flights', has: (scope) => scope.startsWith('flight.') && scope.endsWith('.own') },
  { title: 'All users’ flights', has: (scope) => scope.startsWith('flight.') && scope.endsWith('.any') },
  { title: 'Statistics and tracks', has: (scope) => /^(stats|tracks)\./.test(scope) },
  { title: 'Visited countries', has: (scope) => scope.startsWith('visited_countries.') },
  { title: 'Public shares', has: (scope) => scope.startsWith('shares.') },
  { title: 'Profile and preferences', has: (scope) => /^(profile|preferences)\./.test(scope) },
  { title: 'Reference data', has: (scope) => /^(reference_data|custom_fields)\./.test(scope) },
  { title: 'People and roles', has: (scope) => /^(users|roles)\./.test(scope) },
]

export function consentPage(view: ConsentView): Page {
  const { client, requested, grantable } = view
  const offered = grantable.filter((scope) => requested.includes(scope))
  const more = grantable.filter((scope) => !requested.includes(scope))
  const refused = requested.filter((scope) => !grantable.includes(scope))
  return {
    title: 'Allow access',
    wide: true,
    body: html`<h1><bdi>${client.name}</bdi> wants to connect</h1>
<p class="lead">You are signed in as <strong>${view.username}</strong>. Choose what this app may do with your flight log.</p>
${facts(view)}
${warnings(view)}
<form method="post" action="/oauth/consent" class="stack">
<input type="hidden" name="id" value="${view.requestId}"><input type="hidden" name="token" value="${view.token}">
${offered.length > 0 ? html`<h2>It requests permission to</h2>${picker(view, offered, true)}` : html`<p>The app does not ask for anything specific. Choose below what it may do.</p>`}
${more.length > 0 && html`<details${attribute('open', offered.length === 0)}><summary>Allow more than it requests</summary>${picker(view, more, false)}</details>`}
${refused.length > 0 && html`<p class="hint">Left out, because your role does not permit it: ${refused.map(scopeDescription).join(', ')}.</p>`}
<div class="decision"><button class="button" type="submit" name="decision" value="deny">Deny</button><button class="button primary" type="submit" name="decision" value="approve">Approve</button></div>
</form>
<p class="hint">You can end this access at any time in Settings under Connected apps.</p>`,
  }
}

const facts = ({ client, redirectUri, resource }: ConsentView): Html => html`<dl class="facts">
${client.source === 'document' && html`<div><dt>App identified by</dt><dd>${new URL(client.id).host}</dd></div>`}
<div><dt>Redirects to</dt><dd>${hostOf(redirectUri)}</dd></div>
<div><dt>Gives access to</dt><dd>${resource.title} <span class="hint">${resource.url.replace(/^https?:\/\//, '')}</span></dd></div>
</dl>`

function warnings({ client, redirectUri, granted, requested, grantable }: ConsentView): Html {
  const fresh = requested.filter((scope) => grantable.includes(scope) && !granted?.includes(scope))
  return html`${isLoopback(redirectUri) && html`<p class="warning"><strong>This app runs on your own computer.</strong> Any program there could call itself “<bdi>${client.name}</bdi>”. Approve only if you just started this connection yourself.</p>`}
${granted !== undefined && html`<p class="notice">This app is already connected. ${fresh.length > 0 ? 'What it asks for in addition is marked “new”.' : 'It asks for nothing new.'} Your choice here replaces the earlier one.</p>`}`
}

const picker = (view: ConsentView, offered: readonly Scope[], checked: boolean): Html =>
  html`<div class="areas">${areas.map(({ title, has }) => {
    const here = offered.filter(has)
    return here.length === 0
      ? html``
      : html`<fieldset><legend>${title}</legend>${here.map((scope) => choice(view, scope, checked))}</fieldset>`
  })}</div>`

function choice({ granted }: ConsentView, scope: Scope, checked: boolean): Html {
  const readOnly = readOnlyScopes.includes(scope)
  const isNew = checked && granted !== undefined && !granted.includes(scope)
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${attribute('checked', checked)}><span>${scopeDescription(scope)}</span>${isNew && html`<span class="tag new">new</span>`}<span class="${readOnly ? 'tag' : 'tag write'}">${readOnly ? 'read' : 'write'}</span></label>`
}

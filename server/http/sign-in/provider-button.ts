// The button for this instance's identity provider. If the provider is not responding, the button stays and says so.
import { fill } from '../../domain/text/messages.ts'
import { type Html, html } from '../../pages/html.ts'
import { withNext } from './forms.ts'
import type { PageTexts } from './texts.ts'

const icon = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M13.500 4.500H6.500a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h7M10 12h10M16.500 8.500 20 12l-3.500 3.500" /></svg>`

export const providerButton = (
  { signIn }: PageTexts,
  { name, next, isDown }: { name: string; next: string; isDown: boolean },
): Html =>
  html`<a class="button provider" href="${withNext('/sign-in/oidc', next)}">${icon}<span>${fill(isDown ? signIn.providerDown : signIn.provider, { name })}</span></a>`

// The buttons of the sign-in page besides its form.
import { fill } from '../../domain/text/messages.ts'
import { type Html, html } from '../../pages/html.ts'
import { hidden, withNext } from './forms.ts'
import { passkeyTexts } from './passkey-texts.ts'
import type { PageTexts } from './texts.ts'

const passkeyIcon = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="9.500" cy="7.500" r="4" /><path d="M2.500 20c0-3.600 3-6 7-6 1.100 0 2.100.200 3 .500" /><circle cx="18" cy="13.500" r="2.800" /><path d="M18 16.300V21l1.500-1.300M18 19.200h1.400" /></svg>`

/**
 * First on the page once someone has a passkey, last until then. The page's script (web/…/sign-in) does the rest with the texts
 * from here. Without scripts the stylesheet hides the button; if the script did not load, the button leads to a line that says so.
 */
export function passkeyButton({ language, signIn }: PageTexts, next: string, look: string): Html {
  const { cancelled, refused, expired, wait, unsupported, failed } = passkeyTexts[language]
  return html`<form class="passkey" method="get" action="/sign-in" data-passkey data-next="${next}" data-cancelled="${cancelled}" data-refused="${refused}" data-expired="${expired}" data-wait="${wait}" data-unsupported="${unsupported}" data-failed="${failed}">
${hidden('passkey', '1')}${hidden('next', next)}${hidden('local', '1')}
<button class="${look}" type="submit">${passkeyIcon}${signIn.passkey}</button>
</form>`
}

/** Shown if the button was used before its script ran; the script removes the line. */
export const needsScript = ({ language }: PageTexts): Html =>
  html`<p class="problem" role="alert" data-needs-script>${passkeyTexts[language].needsScript}</p>`

const providerIcon = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M13.500 4.500H6.500a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h7M10 12h10M16.500 8.500 20 12l-3.500 3.500" /></svg>`

/** For this instance's identity provider. If the provider is not responding, the button stays and says so. */
export const providerButton = (
  { signIn }: PageTexts,
  { name, next, isDown }: { name: string; next: string; isDown: boolean },
): Html =>
  html`<a class="button provider" href="${withNext('/sign-in/oidc', next)}">${providerIcon}<span>${fill(isDown ? signIn.providerDown : signIn.provider, { name })}</span></a>`

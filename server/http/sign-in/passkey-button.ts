// The passkey button: first on the page once someone has a passkey, last until then. The page's script (web/…/sign-in) does
// the rest with the texts from here. Without scripts the stylesheet hides the button; if the script did not load, the button
// leads to a line that says so.
import { type Html, html } from '../../pages/html.ts'
import { hidden } from './forms.ts'
import { passkeyTexts } from './passkey-texts.ts'
import type { PageTexts } from './texts.ts'

const icon = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="9.500" cy="7.500" r="4" /><path d="M2.500 20c0-3.600 3-6 7-6 1.100 0 2.100.200 3 .500" /><circle cx="18" cy="13.500" r="2.800" /><path d="M18 16.300V21l1.500-1.300M18 19.200h1.400" /></svg>`

export function passkeyButton({ language, signIn }: PageTexts, next: string, look: string): Html {
  const { cancelled, refused, expired, wait, unsupported, failed } = passkeyTexts[language]
  return html`<form class="passkey" method="get" action="/sign-in" data-passkey data-next="${next}" data-cancelled="${cancelled}" data-refused="${refused}" data-expired="${expired}" data-wait="${wait}" data-unsupported="${unsupported}" data-failed="${failed}">
${hidden('passkey', '1')}${hidden('next', next)}${hidden('local', '1')}
<button class="${look}" type="submit">${icon}${signIn.passkey}</button>
</form>`
}

/** Shown if the button was used before its script ran; the script removes the line. */
export const needsScript = ({ language }: PageTexts): Html =>
  html`<p class="problem" role="alert" data-needs-script>${passkeyTexts[language].needsScript}</p>`

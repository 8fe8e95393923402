/** The script of the sign-in page. */
import { beginTyping, countDown } from './countdown.ts'
import { watchDigits } from './digits.ts'
import { offerPasskeys } from './passkey-form.ts'

countDown(document)
watchDigits(document)
beginTyping(document, matchMedia('(min-width: 56.25rem) and (pointer: fine)').matches)
document.querySelector('[data-needs-script]')?.remove()
const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
if (form) offerPasskeys(form)

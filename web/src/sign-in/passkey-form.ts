/** Passkeys on the sign-in page: with the button, and in the list that browsers show while the username is typed. */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
} from '@simplewebauthn/browser'
import { PASSKEY_CHALLENGE_MS, shortWait } from '../../../server/domain/accounts/sign-in.ts'

/** While the page is open, its challenge is replaced before it expires. */
const RENEW_MS = PASSKEY_CHALLENGE_MS - 60_000

/** The server's refusal. */
class Refusal extends Error {
  readonly reason: string
  readonly seconds: number
  constructor(reason: string, seconds: number) {
    super(reason)
    this.reason = reason
    this.seconds = seconds
  }
}

async function post(path: string, body: object = {}) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`/app/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  const json = text ? JSON.parse(text) : undefined
  if (response.ok) return json?.data
  throw new Refusal(json?.error?.reason ?? '', Number(response.headers.get('retry-after')))
}

export function offerPasskeys(form: HTMLFormElement): void {
  const texts = form.dataset
  /** Only the last ceremony counts: the button aborts the one that belongs to the username field. */
  let latest = 0
  let isAsked = false

  async function run(useBrowserAutofill: boolean): Promise<void> {
    const own = ++latest
    isAsked = !useBrowserAutofill
    try {
      const optionsJSON = await post('/sign-in/passkey/options')
      if (own !== latest) return
      const response = await startAuthentication({ optionsJSON, useBrowserAutofill })
      await post('/sign-in/passkey', { response })
      location.assign(texts.next ?? '/')
    } catch (error) {
      if (own !== latest) return
      const isByItself = useBrowserAutofill && (!(error instanceof Refusal) || error.seconds > 0)
      // The person did not ask for the list, so its failure is not reported.
      if (isByItself) return
      show(form, textFor(error, texts))
      // After a refused choice the list is not reopened automatically: something may choose without the person.
      if (!useBrowserAutofill && (await browserSupportsWebAuthnAutofill())) void run(true)
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    show(form, '')
    if (browserSupportsWebAuthn()) void run(false)
    else show(form, texts.unsupported ?? '')
  })
  void offerWhileTyping(async () => {
    if (!isAsked) await run(true)
  })
}

async function offerWhileTyping(run: () => Promise<void>): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  void run()
  setInterval(() => void run(), RENEW_MS)
}

function textFor(error: unknown, texts: DOMStringMap): string {
  if (error instanceof Refusal) {
    if (error.seconds > 0) return (texts.wait ?? '').replace('{time}', shortWait(error.seconds))
    if (error.reason === 'passkey_expired') return texts.expired ?? ''
    return (error.reason === 'passkey_refused' ? texts.refused : texts.failed) ?? ''
  }
  const isCancelled = error instanceof Error && error.name === 'NotAllowedError'
  return (isCancelled ? texts.cancelled : texts.failed) ?? ''
}

/** The error line of the page; screen readers announce it when it is inserted. */
function show(form: HTMLFormElement, text: string): void {
  for (const old of document.querySelectorAll('.problem:not(:has([data-countdown]))')) old.remove()
  if (!text) return
  const line = document.createElement('p')
  line.className = 'problem'
  line.setAttribute('role', 'alert')
  line.textContent = text
  form.parentElement?.before(line)
}

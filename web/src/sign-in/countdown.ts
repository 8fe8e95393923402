/** What the script adds to the sign-in page apart from passkeys: a countdown, and the focus where there is room. */
import { shortWait } from '../../../server/domain/accounts/sign-in.ts'

/** Uses the clock: timers of a page in the background are late. */
export function countDown(page: Document, now: () => number = Date.now): void {
  const shown = page.querySelector<HTMLElement>('[data-countdown]')
  const note = shown?.parentElement
  if (!shown || !note) return
  const ends = now() + Number(shown.dataset.countdown) * 1000
  // A live region would be announced every second.
  note.removeAttribute('role')
  const timer = setInterval(() => {
    const seconds = Math.ceil((ends - now()) / 1000)
    if (seconds > 0) {
      shown.textContent = shortWait(seconds)
      return
    }
    clearInterval(timer)
    note.setAttribute('role', 'status')
    note.className = 'notice'
    note.textContent = note.dataset.over ?? ''
  }, 250)
}

/** On a phone the keyboard would cover the other ways to sign in. */
export function beginTyping(page: Document, wide: boolean): void {
  if (wide) page.querySelector<HTMLElement>('[data-focus]')?.focus()
}

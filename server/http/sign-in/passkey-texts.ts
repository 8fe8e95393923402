// The texts of the passkey button and its script.
import { translated } from '../../domain/translated.ts'

export const passkeyTexts = await translated(
  {
    /** Shown on the page that the button leads to if its script did not run. */
    needsScript:
      'Passkeys need JavaScript, which did not run on this page. Sign in another way, or try again.',
    /** The person closed the browser’s dialog or had no passkey to choose. */
    cancelled: 'No passkey was used. Try again, or sign in another way.',
    refused:
      'This passkey was not accepted. If it was removed from your account, remove it from your device too.',
    expired: 'That took too long. Please try again.',
    /** The script fills in the time that is left. */
    wait: 'Too many attempts. Try again in {time}.',
    unsupported: 'This browser does not support passkeys.',
    failed: 'Signing in with a passkey did not work. Please try again.',
  },
  import.meta.url,
)

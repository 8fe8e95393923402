// The texts of the page for the second step of a sign-in.
import { sentence } from '../../domain/reasons.ts'
import { translated } from '../../domain/translated.ts'

export const secondFactorTexts = await translated(
  {
    title: 'Enter the six digits',
    lead: 'Your authenticator app shows them for Contrail.',
    code: 'Code',
    accepted: 'Password accepted',
    trust: 'Trust this browser for 30 days',
    /** The contract fixes the English word. */
    submit: 'Verify',
    useRecoveryCode: 'Use a recovery code',
    usePasskey: 'Use a passkey',
    back: 'Back to sign in',
    recovery: {
      title: 'Enter a recovery code',
      lead: 'You got ten of them when you set up the second factor. Each works once.',
      label: 'Recovery code',
      useApp: 'Use the authenticator app',
    },
    again: {
      title: 'Please sign in again',
      submit: 'Sign in',
    },
    reasons: {
      second_factor_wrong: sentence('second_factor_wrong'),
      second_factor_expired: sentence('second_factor_expired'),
      second_factor_unreadable: sentence('second_factor_unreadable'),
    },
  },
  import.meta.url,
)

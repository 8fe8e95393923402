// The texts of the pages on the way to the identity provider and back.
import { fill } from '../../domain/text/messages.ts'
import { translated } from '../../domain/translated.ts'
import type { ProviderProblem } from '../../services/accounts/provider.ts'

export const providerTexts = await translated(
  {
    problems: {
      away: '{name} is not responding. Try again in a moment, or sign in another way.',
      cancelled:
        '{name} did not sign you in, because the sign-in was cancelled there. Try again, or sign in another way.',
      error: '{name} reported an error. Try again, or sign in another way.',
      settings:
        '{name} and this flight log are not set up to work together. Please tell the person who runs this flight log.',
      late: 'This sign-in has expired or was started in another browser. Please try again.',
      clock:
        'The clocks of {name} and of this server differ by more than a minute. Please tell the person who runs this flight log.',
      untrusted:
        'The response from {name} could not be verified, so you were not signed in. Try again. If it happens again, tell the person who runs this flight log.',
      notFresh: '{name} did not ask you to sign in again. Confirm with your password or a passkey instead.',
    },
    failed: 'That did not work',
    goOn: 'Go to Contrail',
    toSignIn: 'Back to sign-in',
    toSecurity: 'Settings: Security',
    link: {
      title: 'Is this your account?',
      sameName:
        'There is an account “{username}” here that is not linked with {name}. If it is yours, enter its password once to link them.',
      sameAddress:
        'There is an account here with the same e-mail address that is not linked with {name}. If it is yours, enter its password once to link them.',
      /** Several accounts have the address. */
      sameAddresses:
        'There are accounts here with the same e-mail address that are not linked with {name}. If one of them is yours, enter its username and password once to link it.',
      submit: 'Link and sign in',
      noPassword:
        'There is an account here with the same name or e-mail address, without a password. If it is yours, sign in to it as you usually do and link it with {name} in Settings: Security.',
      separateHint: 'If it belongs to someone else, you get an account of your own under another username.',
      separate: 'Create a separate account',
    },
    notRegistered: {
      title: 'No account yet',
      text: '{name} knows you, but you have no account in this flight log. Ask the person who runs it for an invitation.',
    },
    taken:
      'This account at {name} is linked to another account here. Sign in with that one and unlink it first, or choose another account at {name}.',
    otherPerson:
      'This is not the account at {name} that is linked to yours. Please try again with the linked one.',
    notFromHere:
      'You can only link accounts in your settings, within five minutes of signing in or confirming that it is you.',
    tooMany: 'Too many attempts. Please try again in a minute.',
  },
  import.meta.url,
)

export type ProviderTexts = (typeof providerTexts)['en']

/** Several problems share a text, because the person can do the same about them. */
const told: Record<ProviderProblem, keyof ProviderTexts['problems']> = {
  unreachable: 'away',
  other_issuer: 'settings',
  denied: 'cancelled',
  refused: 'error',
  client: 'settings',
  state: 'late',
  issuer: 'untrusted',
  audience: 'untrusted',
  signature: 'untrusted',
  algorithm: 'untrusted',
  nonce: 'untrusted',
  clock: 'clock',
  not_fresh: 'notFresh',
  token: 'untrusted',
  userinfo: 'untrusted',
}

/** The sentence for a problem; undefined if there is no such problem. */
export const problemTold = (
  { problems }: ProviderTexts,
  problem: string | undefined,
  name: string,
): string | undefined =>
  problem !== undefined && Object.hasOwn(told, problem)
    ? fill(problems[told[problem as ProviderProblem]], { name })
    : undefined

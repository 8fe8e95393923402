// The texts of the sign-in and set-up pages. German uses "du", French "vous", as in the web app.
import type { Language } from '../../domain/languages.ts'
import { asSentence, messageOf, type PlainReason, type Reason, sentence } from '../../domain/reasons.ts'
import { fill } from '../../domain/text/messages.ts'
import { translated } from '../../domain/translated.ts'

export const texts = await translated(
  {
    labels: {
      displayName: 'Your name',
      username: 'Username',
      password: 'Password',
      setupToken: 'Set-up token',
    },
    awaits: {
      title: 'Every flight you have taken, on one globe',
      text: 'Kept on a server of your own',
    },
    expired: 'This page has expired. Please try again.',
    /** Above a form with errors, which are shown at their fields. */
    wrong: 'Please check: {fields}.',
    /** The page never contains the password, so the field is empty when the form is shown again. */
    passwordAgain: 'Enter your password again.',
    signIn: {
      title: 'Sign in',
      description: 'Sign in to Contrail, a flight log.',
      lead: 'to the flight log at {host}',
      /** Follows the name of the app. */
      appWaits: 'wants to connect to your flight log. Sign in to see what it requests.',
      passkey: 'Sign in with a passkey',
      noPasskeys: 'Passkeys need an https address, and this log does not have one.',
      provider: 'Sign in with {name}',
      providerDown: '{name} is not responding',
      or: 'or with your password',
      submit: 'Sign in',
      /** Opens the form that only the owner can use. */
      owner: 'Owner',
      ownerHint: 'Only the owner signs in with a password here.',
      cannotSignIn: 'Can’t sign in? The person who runs this log can give you a link.',
      waitFor: 'Too many attempts. Try again in {wait}.',
      waitOver: 'You can try again now.',
    },
    setUp: {
      title: 'Set up',
      welcome: 'Welcome to Contrail',
      lead: 'Create the owner’s account. You can add other people later.',
      hints: {
        displayName: 'Shown to others on flights.',
        username: '3 to 20 letters, digits, dots, underscores or hyphens.',
        password: 'At least 8 characters.',
        setupToken: 'Printed in the server’s log when it started, so that only its operator can set it up.',
      },
      submit: 'Create account',
    },
    /** Why a form was refused; any other reason is shown in English. */
    reasons: {
      required: sentence('required'),
      not_storable: sentence('not_storable'),
      too_short: 'Must have at least {min} characters.',
      too_long: 'Must have at most {max} characters.',
      username_form: sentence('username_form'),
      name_has_invisible: sentence('name_has_invisible'),
      name_has_no_visible: sentence('name_has_no_visible'),
      wrong_credentials: sentence('wrong_credentials'),
      passwords_off: sentence('passwords_off'),
      too_many_attempts: 'Too many attempts; try again in {wait}.',
      already_set_up: sentence('already_set_up'),
      setup_token_wrong: sentence('setup_token_wrong'),
    },
  },
  import.meta.url,
)

type Texts = (typeof texts)['en']
export type FieldName = keyof Texts['labels']
export interface PageTexts extends Omit<Texts, 'reasons'> {
  language: Language
  /** Pages add the reasons of their own forms. */
  reasons: Readonly<Record<string, string>>
}

export const textsIn = (language: Language): PageTexts => ({ ...texts[language], language })

/** The problem in one or more sentences. */
export function explained(
  { reasons, language }: PageTexts,
  { reason, params = {}, message }: { reason: Reason; params?: object | undefined; message?: string },
): string {
  const text = reasons[reason]
  if (text === undefined) return asSentence(message ?? messageOf(reason as PlainReason))
  const { seconds = 0 } = params as { seconds?: number }
  return fill<string>(text, { ...params, wait: waitIn(language, seconds) })
}

/** The labels of fields with errors, in a sentence. */
export const wrongIn = ({ wrong, language }: PageTexts, labels: readonly string[]): string =>
  fill(wrong, { fields: new Intl.ListFormat(language).format(labels) })

/** In whole minutes if longer than two. */
function waitIn(language: Language, seconds: number): string {
  const inSeconds = seconds <= 120
  const format = { style: 'unit', unit: inSeconds ? 'second' : 'minute', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language, format).format(inSeconds ? seconds : Math.ceil(seconds / 60))
}

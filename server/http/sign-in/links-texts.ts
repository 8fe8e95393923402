// The texts of the pages for invitations, reset links and forgotten passwords.
import { sentence } from '../../domain/reasons.ts'
import { translated } from '../../domain/translated.ts'

export const linkTexts = await translated(
  {
    invite: {
      title: 'Create your account',
      lead: 'You are invited to the flight log at {host}.',
      leadBy: '{inviter} invites you to the flight log at {host}.',
      submit: 'Create account',
      usernameHint: 'Used to sign in. 3 to 20 letters, digits, dots, underscores or hyphens.',
      /** Above the form. */
      signedIn: 'You are signed in as {name}. Creating an account here signs you out.',
    },
    reset: {
      title: 'Set a new password',
      lead: 'for the account {username}',
      hint: 'At least 8 characters.',
      ends: 'Setting a new password signs you out everywhere.',
      submit: 'Set password',
    },
    /** Above the sign-in form, after a new password was set. */
    isSet: 'Your new password is set. Sign in with it.',
    dead: {
      title: 'This link no longer works',
      invite:
        'An invitation works once and for 7 days, and can be revoked. Ask the person who gave it to you for a new one.',
      reset:
        'A link to set a password works once and for 24 hours, and a newer one replaces it. Ask the person who gave it to you for a new one.',
      signIn: 'Go to sign-in',
    },
    confirmMail: {
      title: 'Get notifications by e-mail',
      lead: 'The flight log at {host} will send your notifications to this address.',
      submit: 'Confirm the address',
      doneTitle: 'Address confirmed',
      done: 'Choose in the settings which notifications you get by e-mail.',
      dead: 'The link works once and for 24 hours, for the account that asked for it. Ask for a new one in the settings.',
      settings: 'Notification settings',
    },
    forgot: {
      /** On the sign-in page. */
      link: 'Forgot your password?',
      title: 'Forgot your password?',
      lead: 'Enter your username. If your profile has an e-mail address, we’ll send you a link to set a new password.',
      submit: 'Send the link',
      sentTitle: 'Check your e-mail',
      sent: 'If there is an account with this username, a password and an e-mail address, a link is on its way. It is valid for 24 hours.',
      else: 'No e-mail? An administrator of this flight log can also give you a link.',
      back: 'Back to sign-in',
    },
    /** Reasons that only these forms have. */
    reasons: {
      username_taken: sentence('username_taken'),
      too_many_at_once: 'Too many concurrent requests; try again in {wait}.',
      mail_off: sentence('mail_off'),
    },
  },
  import.meta.url,
)

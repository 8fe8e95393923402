// The mails of this instance.
import type { Language } from '../languages.ts'
import { fill } from '../text/messages.ts'
import { translated } from '../translated.ts'

// No mail contains a name that a person chose freely: strangers can cause mails, and a name can be a line with a link.
interface Facts {
  host: string
  url: string
}
interface AccountFacts extends Facts {
  username: string
}
interface MailText {
  subject: string
  text: string
}

export const mailTexts = await translated(
  {
    reset: {
      subject: 'Set a new password',
      text: `Hello,

someone, probably you, asked for a new password for the account {username} of the flight log at {host}.

Set it here within 24 hours:
{url}

Your sessions end when you do. If you did not ask for it, ignore this mail: your password stays as it is.
`,
    },
    verification: {
      subject: 'Confirm your e-mail address',
      text: `Hello,

someone, probably you, entered this address in the flight log at {host}.

Confirm it within 24 hours:
{url}

The link works only for that person, signed in. If it was not you, ignore this mail: the address is not used.
`,
    },
  },
  import.meta.url,
)

/** For people who requested a new password. */
export function resetMail(language: Language, facts: AccountFacts): MailText {
  const { subject, text } = mailTexts[language].reset
  return { subject, text: fill(text, facts) }
}

/** For an address that a person entered in their profile. */
export function verificationMail(language: Language, facts: Facts): MailText {
  const { subject, text } = mailTexts[language].verification
  return { subject, text: fill(text, facts) }
}

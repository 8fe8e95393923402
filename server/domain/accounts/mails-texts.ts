// Subjects and texts of the e-mails.
import { translated } from '../translated.ts'

export const mailTexts = await translated(
  {
    reset: {
      subject: 'Set a new password',
      text: `Hello,

someone, probably you, asked for a new password for the account {username} of the flight log at {host}.

Set it here within 24 hours:
{url}

Setting it signs you out everywhere. If you did not ask for it, ignore this e-mail. Your password stays as it is.
`,
    },
    verification: {
      subject: 'Confirm your e-mail address',
      text: `Hello,

someone, probably you, entered this address in the flight log at {host}.

Confirm it within 24 hours:
{url}

The link works only while you are signed in to that account. If it was not you, ignore this e-mail. The address will not be used.
`,
    },
  },
  import.meta.url,
)

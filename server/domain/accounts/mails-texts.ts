// Subjects and texts of the mails.
import { translated } from '../translated.ts'

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

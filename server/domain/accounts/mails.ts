// The mails of this instance.
import type { Language } from '../languages.ts'
import { fill } from '../text/messages.ts'
import { mailTexts } from './mails-texts.ts'

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

// Notifications as e-mails: the same texts, with a link.
import type { Language } from '../../domain/languages.ts'
import { fill } from '../../domain/text/messages.ts'
import type { ShownMessage } from './message.ts'
import { pushTexts } from './texts.ts'

interface Text {
  subject: string
  text: string
}

export function mailOf({ title, body, lang, navigate }: ShownMessage, origin: string): Text {
  const footer = fill(pushTexts[lang].mail.footer, { url: navigate, host: new URL(origin).host })
  return { subject: title, text: `${[title, body].filter(Boolean).join('\n')}\n\n${footer}` }
}

/** For an address to which a person wants notifications. */
export function confirmationMail(language: Language, facts: { host: string; url: string }): Text {
  const { subject, text } = pushTexts[language].mail.confirm
  return { subject, text: fill(text, facts) }
}

// Notifications as e-mails: the same texts, with a link; only to the address that is confirmed and still theirs, and so many a day.
import type { Language } from '../../domain/languages.ts'
import { fill } from '../../domain/text/messages.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { findEmail } from '../../store/people/people.ts'
import { countMail } from '../../store/push/settings.ts'
import type { Mail } from '../accounts/mailer.ts'
import type { ShownMessage } from './message.ts'
import { pushTexts } from './texts.ts'

const MAILS_A_DAY = 20

type Text = Pick<Mail, 'subject' | 'text'>

export function mailOf({ title, body, lang, navigate }: ShownMessage, origin: string): Text {
  const footer = fill(pushTexts[lang].mail.footer, { url: navigate, host: new URL(origin).host })
  return { subject: title, text: `${[title, body].filter(Boolean).join('\n')}\n\n${footer}` }
}

/** For an address to which a person wants notifications. */
export function confirmationMail(language: Language, facts: { host: string; url: string }): Text {
  const { subject, text } = pushTexts[language].mail.confirm
  return { subject, text: fill(text, facts) }
}

/** The mail to send, which counts; undefined if none may be sent. */
export async function takeMail(
  tx: Executor,
  userId: string,
  { subject, text }: Text,
  now: number,
): Promise<Mail | undefined> {
  const to = await countMail(tx, { userId, day: utcDate(now), most: MAILS_A_DAY })
  if (to === undefined) return undefined
  const email = await findEmail(tx, userId)
  return email?.address === to ? { to, subject, text } : undefined
}

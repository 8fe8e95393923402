// The mails of one person: only to the address that is confirmed and still theirs, and so many a day.
import { utcDate } from '../../domain/time/calendar.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { findEmail } from '../../store/people/people.ts'
import { countMail } from '../../store/push/settings.ts'
import type { Mail } from '../accounts/mailer.ts'

const MAILS_A_DAY = 20

/** The mail to send, which counts; undefined if none may be sent. */
export async function takeMail(
  tx: Executor,
  userId: string,
  { subject, text }: Pick<Mail, 'subject' | 'text'>,
  now: number,
): Promise<Mail | undefined> {
  const to = await countMail(tx, { userId, day: utcDate(now), most: MAILS_A_DAY })
  if (to === undefined) return undefined
  const email = await findEmail(tx, userId)
  return email?.address === to ? { to, subject, text } : undefined
}

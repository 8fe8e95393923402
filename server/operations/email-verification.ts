// A new e-mail address is used only after its owner has opened the link that is mailed there. The link counts for the person
// who entered the address, signed in: a stranger who receives it by a typing error can do nothing with it.
import * as z from 'zod'
import { tooMany } from '../auth/limits.ts'
import type { Mail } from '../auth/mailer.ts'
import { AppError } from '../base/errors.ts'
import { hashSecret, randomText } from '../base/secrets.ts'
import { type Language, preferredLanguage } from '../domain/languages.ts'
import { verificationMail } from '../domain/mails.ts'
import { type Call, operation, person, type Services } from '../operation.ts'
import { insertOneTime, listEmailLinkEnds, takeOneTime } from '../store/one-time.ts'
import { findEmail, lockPerson, verifyEmail } from '../store/people.ts'
import { authorOf, recordBy } from './authority.ts'
import { mailLanguage } from './mailed-links.ts'
import { nothing } from './schemas.ts'

const LINK_MS = 24 * 60 * 60_000
/** To whatever addresses: a member must not use this server to flood a mailbox. */
const MAILS_A_DAY = 5

interface Recipient {
  userId: string
  now: Date
  /** Of the request, for people who have chosen none. */
  language: Language
}

export const sendEmailVerification = operation({
  id: 'send-email-verification',
  method: 'POST',
  path: '/me/email/verification',
  door: 'app',
  tag: 'Account',
  summary: 'Ask for another mail with the link that confirms your e-mail address',
  description: 'Does nothing if you have no address, or if it is confirmed.',
  access: person(),
  output: nothing,
  status: 204,
  errors: ['conflict', 'too_many_requests'],
  managesTransaction: true,
  async run(call) {
    const { services } = call
    const { mailer, background } = services
    if (!mailer) throw new AppError('conflict', 'mail_off')
    const { waitSeconds, mail } = await prepareMail(services, recipientOf(call))
    if (waitSeconds) throw tooMany('too_many_attempts', waitSeconds)
    if (mail) background.start('verification mail', () => mailer.send(mail))
  },
})

export const verifyMyEmail = operation({
  id: 'verify-email',
  method: 'PUT',
  path: '/me/email/verification',
  door: 'app',
  tag: 'Account',
  summary: 'Confirm your e-mail address with the token of the mailed link',
  access: person(),
  body: z.object({ token: z.string().max(100) }),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db, now } = call
    const wanted = { purpose: 'email', hash: hashSecret(input.token), now: now.toISOString() } as const
    const link = await takeOneTime<{ email: string }>(db, wanted)
    const isOwn = link?.userId === principal.user.id
    // An error undoes that it was taken: the link of another person stays valid.
    if (!isOwn || !(await verifyEmail(db, principal.user.id, link.data.email)))
      throw new AppError('not_found', 'link_invalid')
    await recordBy(authorOf(call), db, 'user.updated', { details: { emailVerified: true } })
  },
})

/** After the response, and so after the commit: the address has just changed. Beyond the limit the person can ask later. */
export function mailVerificationAfterwards(call: Pick<Call, 'principal' | 'now' | 'web' | 'services'>): void {
  const { services, web } = call
  const { mailer, background } = services
  if (!mailer) return
  const recipient = recipientOf(call)
  const send = () =>
    background.start('verification mail', async () => {
      const { mail } = await prepareMail(services, recipient)
      if (mail) await mailer.send(mail)
    })
  if (web) web.onDisconnect(send)
  else send()
}

const recipientOf = ({ principal, now, web }: Pick<Call, 'principal' | 'now' | 'web'>): Recipient => ({
  userId: principal.user.id,
  now,
  language: preferredLanguage(web?.languages),
})

/** The mail, if there is an address to verify; or the time to wait for it. */
const prepareMail = ({ store, config }: Services, { userId, now, language }: Recipient) =>
  store.transaction(async (tx): Promise<{ waitSeconds?: number; mail?: Mail }> => {
    await lockPerson(tx, userId)
    const email = await findEmail(tx, userId)
    if (!email || email.isVerified) return {}
    const ends = await listEmailLinkEnds(tx, userId, now.toISOString())
    if (ends.length >= MAILS_A_DAY)
      return { waitSeconds: Math.ceil((Date.parse(ends[0]!) - now.getTime()) / 1000) }
    const token = randomText(32)
    await insertOneTime(tx, {
      purpose: 'email',
      hash: hashSecret(token),
      browser: null,
      userId,
      data: { email: email.address },
      expiresAt: new Date(now.getTime() + LINK_MS).toISOString(),
    })
    const url = `${config.origin}/settings/profile?verify=${token}`
    const facts = { host: new URL(config.origin).host, url }
    const said = verificationMail(await mailLanguage(tx, userId, language), facts)
    return { mail: { to: email.address, ...said } }
  })

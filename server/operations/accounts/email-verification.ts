// A new e-mail address is used only after its owner opened the link mailed to it. The link only works for the person
// who entered the address, signed in: a stranger who receives it because of a typo can do nothing with it.
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { verificationMail } from '../../domain/accounts/mails.ts'
import { type Language, preferredLanguage } from '../../domain/languages.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { tooMany } from '../../services/access/limits.ts'
import type { Mail } from '../../services/accounts/mailer.ts'
import { findEmail, lockPerson, verifyEmail } from '../../store/people/people.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { nothing } from '../wire/schemas.ts'
import { createAddressLink, linkInvalid, takeAddressLink } from './address-links.ts'
import { languageFor } from './mailed-links.ts'

interface Recipient {
  userId: string
  now: Date
  /** The language of the request, for people who have chosen none. */
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
  transaction: 'own',
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
  body: takes(z.object({ token: z.string().max(100) })),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db, now } = call
    const { id } = principal.user
    const email = await takeAddressLink(db, { purpose: 'email', userId: id, now }, input.token)
    if (!(await verifyEmail(db, { id, email }))) throw linkInvalid()
    await recordBy(authorOf(call), db, 'user.updated', { details: { emailVerified: true } })
  },
})

/** After the commit, because the address has just changed. Above the limit, the person can request the mail later. */
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

/** The mail if there is an address to verify, or how long to wait for it. */
const prepareMail = (
  { store, config }: Pick<Services, 'store' | 'config'>,
  { userId, now, language }: Recipient,
) =>
  store.transaction(async (tx): Promise<{ waitSeconds?: number; mail?: Mail }> => {
    await lockPerson(tx, userId)
    const email = await findEmail(tx, userId)
    if (!email || email.isVerified) return {}
    const { waitSeconds, token } = await createAddressLink(
      tx,
      { purpose: 'email', userId, now },
      email.address,
    )
    if (waitSeconds !== undefined) return { waitSeconds }
    const url = `${config.origin}/settings/profile?verify=${token}`
    const facts = { host: new URL(config.origin).host, url }
    const said = verificationMail(await languageFor(tx, userId, language), facts)
    return { mail: { to: email.address, ...said } }
  })

// Notifications by mail: only to the person's address, after its owner opened the link that was mailed there. Only in the web app,
// because a confirmed address makes this instance send mails on its own.
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { preferredLanguage } from '../../domain/languages.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import { tooMany } from '../../services/access/limits.ts'
import { confirmationMail } from '../../services/push/mail.ts'
import { incrementRevisions, NOTIFICATIONS } from '../../store/engine/revisions.ts'
import { findEmail, lockPerson } from '../../store/people/people.ts'
import {
  findNotificationSettings,
  lockNotificationSettings,
  updateNotificationMail,
} from '../../store/push/settings.ts'
import type { Executor } from '../../store/store.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { createAddressLink, linkInvalid, takeAddressLink } from '../accounts/address-links.ts'
import { languageFor } from '../accounts/mailed-links.ts'
import { nothing, single } from '../wire/schemas.ts'

const purpose = 'notification-mail'

const common = { door: 'app', tag: 'Notifications', path: '/notification-mail', access: person() } as const

export const getNotificationMail = operation({
  ...common,
  id: 'get-notification-mail',
  method: 'GET',
  summary: 'Read whether notifications can be sent to your e-mail address',
  output: single(
    z.object({
      available: z.boolean().describe('This server sends mails.'),
      address: z.string().nullable().describe('Of your profile.'),
      isConfirmed: z.boolean().describe('Notifications may be sent there.'),
    }),
  ),
  async run({ principal, db, services }) {
    const email = await findEmail(db, principal.user.id)
    const { mail } = await findNotificationSettings(db, principal.user.id)
    const isConfirmed = email !== null && email.address === mail
    return {
      data: { available: services.mailer !== undefined, address: email?.address ?? null, isConfirmed },
    }
  },
})

export const requestNotificationMail = operation({
  ...common,
  id: 'request-notification-mail',
  method: 'POST',
  summary: 'Ask for a mail with the link that permits notifications to your e-mail address',
  description: 'The link works once, for 24 hours and while you are signed in.',
  output: nothing,
  status: 204,
  errors: ['conflict', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { services } = call
    const { mailer, background, store } = services
    if (!mailer) throw new AppError('conflict', 'mail_off')
    const mail = await store.transaction((tx) => prepareMail({ ...call, db: tx }))
    background.start('confirmation mail', () => mailer.send(mail))
  },
})

async function prepareMail({ principal, db, now, web, services }: Call & { db: Executor }) {
  const userId = principal.user.id
  await lockPerson(db, userId)
  const email = await findEmail(db, userId)
  if (!email) throw new AppError('conflict', 'email_required')
  const { waitSeconds, token } = await createAddressLink(db, { purpose, userId, now }, email.address)
  if (waitSeconds !== undefined) throw tooMany('too_many_attempts', waitSeconds)
  const { origin } = services.config
  const language = await languageFor(db, userId, preferredLanguage(web?.languages))
  const facts = { host: new URL(origin).host, url: `${origin}/confirm-mail/${token}` }
  return { to: email.address, ...confirmationMail(language, facts) }
}

export const confirmNotificationMail = operation({
  ...common,
  id: 'confirm-notification-mail',
  method: 'PUT',
  summary: 'Permit notifications to your e-mail address with the token of the mailed link',
  body: takes(z.object({ token: z.string().max(100) })),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db, now } = call
    const userId = principal.user.id
    await incrementRevisions(db, [NOTIFICATIONS])
    const address = await takeAddressLink(db, { purpose, userId, now }, input.token)
    if ((await findEmail(db, userId))?.address !== address) throw linkInvalid()
    await lockNotificationSettings(db, userId)
    await updateNotificationMail(db, { userId, mail: address })
    await recordBy(authorOf(call), db, 'mail.confirmed')
  },
})

export const deleteNotificationMail = operation({
  ...common,
  id: 'delete-notification-mail',
  method: 'DELETE',
  summary: 'Stop sending notifications to your e-mail address',
  output: nothing,
  status: 204,
  async run({ principal, db }) {
    await incrementRevisions(db, [NOTIFICATIONS])
    await lockNotificationSettings(db, principal.user.id)
    await updateNotificationMail(db, { userId: principal.user.id, mail: null })
  },
})

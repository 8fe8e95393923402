// A person who forgot their password asks for a link by mail, where this instance can send mails. The response is the same
// for every name, and sent before anything is looked up.
import * as z from 'zod'
import { AppError } from '../base/errors.ts'
import { createSecret } from '../base/secrets.ts'
import { type Language, preferredLanguage } from '../domain/languages.ts'
import { resetMail } from '../domain/mails.ts'
import { RESET_LINK_MS } from '../domain/sign-in.ts'
import { everyone, operation, type Services } from '../operation.ts'
import { insertAccountLink, listMailedAt } from '../store/account-links.ts'
import { findEmail, findPersonByUsername, findPreferences, lockPerson } from '../store/people.ts'
import type { Executor } from '../store/store.ts'
import { recordBy } from './authority.ts'
import { nothing } from './schemas.ts'
import { passwordsAllowed } from './sign-in.ts'

const MINUTE_MS = 60_000
/** To one person. Earlier links stay valid, so strangers who ask for more take nothing from anyone. */
const MAILS_APART_MS = 5 * MINUTE_MS
const OPEN_AT_MOST = 5

export const requestResetLink = operation({
  id: 'request-reset-link',
  method: 'POST',
  path: '/sign-in/forgot',
  door: 'app',
  tag: 'Account',
  summary: 'Ask for a mail with a link to set a new password',
  description:
    'The response is the same whether there is such a person or not, and whether they have a confirmed e-mail address.',
  access: everyone,
  body: z.object({ username: z.string().max(200) }),
  output: nothing,
  status: 204,
  errors: ['conflict', 'too_many_requests'],
  managesTransaction: true,
  async run({ input, services, now, web }) {
    if (!services.mailer) throw new AppError('conflict', 'mail_off')
    services.limits.resetMail(web?.address)
    const asked = {
      username: input.username,
      now,
      address: web?.address,
      language: preferredLanguage(web?.languages),
    }
    // After the response, so that it takes the same time for every name.
    const send = () => services.background.start('reset mail', () => mailLink(services, asked))
    if (web) web.onDisconnect(send)
    else send()
  },
})

interface Asked {
  username: string
  now: Date
  address: string | undefined
  /** Of the request, for people who have chosen none. */
  language: Language
}

async function mailLink(services: Services, asked: Asked): Promise<void> {
  const { store, mailer } = services
  const mail = await store.transaction((tx) => prepareMail(tx, services, asked))
  if (mail) await mailer?.send(mail)
}

/** The mail, if there is someone to send it to. */
async function prepareMail(tx: Executor, { config }: Services, { username, now, address, language }: Asked) {
  const found = await findPersonByUsername(tx, username)
  // A mailed link replaces a password; who has none does not get another way in.
  if (!found?.passwordHash || !passwordsAllowed(config, found)) return undefined
  const email = await findEmail(tx, found.id)
  if (!email?.isVerified) return undefined
  await lockPerson(tx, found.id)
  const [last, ...earlier] = await listMailedAt(tx, found.id, now.toISOString())
  const isTooSoon = last !== undefined && now.getTime() - Date.parse(last) < MAILS_APART_MS
  if (isTooSoon || earlier.length + 1 >= OPEN_AT_MOST) return undefined
  const { secret, hash } = createSecret('resetLink')
  await insertAccountLink(tx, {
    purpose: 'mailed-reset',
    hash,
    userId: found.id,
    roleId: null,
    createdBy: null,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + RESET_LINK_MS).toISOString(),
    endApiKeys: false,
    endApps: false,
    endSecondFactor: false,
  })
  const author = { now, address, actor: null }
  await recordBy(author, tx, 'reset-link.created', { subject: found, details: { via: 'mail' } })
  const url = `${config.origin}/reset/${secret}`
  const facts = { username: found.username, host: new URL(config.origin).host, url }
  return { to: email.address, ...resetMail(await mailLanguage(tx, found.id, language), facts) }
}

/** The one that the person has chosen, otherwise that of the request. */
export async function mailLanguage(tx: Executor, userId: string, asked: Language): Promise<Language> {
  const chosen = (await findPreferences(tx, userId))?.language ?? 'auto'
  return chosen === 'auto' ? asked : chosen
}

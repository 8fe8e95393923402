// A person who forgot their password requests a link by mail, where this instance can send mail. The response is the
// same for every name, and is sent before anything is looked up.
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { createSecret } from '../../base/secret/secrets.ts'
import { resetMail } from '../../domain/accounts/mails.ts'
import { RESET_LINK_MS } from '../../domain/accounts/sign-in.ts'
import { type Language, preferredLanguage } from '../../domain/languages.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import { everyone, operation, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { insertAccountLink, listMailedAt } from '../../store/accounts/links.ts'
import { findEmail, findPersonByUsername, findPreferences, lockPerson } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { recordBy } from '../access/authority.ts'
import { nothing } from '../wire/schemas.ts'
import { passwordsAllowed } from './sign-in.ts'

/** Per person. Earlier links stay valid, so strangers who request more do no harm. */
const MAILS_APART_MS = 5 * MINUTE
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
  body: takes(z.object({ username: z.string().max(200) })),
  output: nothing,
  status: 204,
  errors: ['conflict', 'too_many_requests'],
  transaction: 'own',
  async run({ input, services, now, web }) {
    if (!services.mailer) throw new AppError('conflict', 'mail_off')
    services.limits.resetMail(web?.address)
    const asked = {
      username: input.username,
      now,
      address: web?.address,
      language: preferredLanguage(web?.languages),
    }
    // Runs after the response, so that the response takes the same time for every name.
    const send = () => services.background.start('reset mail', () => mailLink(services, asked))
    if (web) web.onDisconnect(send)
    else send()
  },
})

interface Asked {
  username: string
  now: Date
  address: string | undefined
  /** The language of the request, for people who have chosen none. */
  language: Language
}

async function mailLink(services: Services, asked: Asked): Promise<void> {
  const { store, mailer } = services
  const mail = await store.transaction((tx) => prepareMail(tx, services, asked))
  if (mail) await mailer?.send(mail)
}

/** The mail, if there is a person to send it to. */
async function prepareMail(
  tx: Executor,
  { config }: Pick<Services, 'config'>,
  { username, now, address, language }: Asked,
) {
  const found = await findPersonByUsername(tx, username)
  // A mailed link replaces a password; it does not give one to people who have none.
  if (!found?.passwordHash || !passwordsAllowed(config, found)) return undefined
  const email = await findEmail(tx, found.id)
  if (!email?.isVerified) return undefined
  await lockPerson(tx, found.id)
  const [last, ...earlier] = await listMailedAt(tx, { userId: found.id, now: now.toISOString() })
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
  return { to: email.address, ...resetMail(await languageFor(tx, found.id, language), facts) }
}

/** The person's chosen language, otherwise that of the request. */
export async function languageFor(tx: Executor, userId: string, asked: Language): Promise<Language> {
  const chosen = (await findPreferences(tx, userId))?.language ?? 'auto'
  return chosen === 'auto' ? asked : chosen
}

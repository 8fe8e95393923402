// Reset links: an administrator or the operator gives someone a link, and that person chooses a new password. The
// link works once, and only as long as its creator could still act on the account.
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import { AppError, forbidden, notFound } from '../../base/errors.ts'
import { createSecret, hashSecret, secretKind } from '../../base/secret/secrets.ts'
import { covers, mayManage } from '../../domain/access/access.ts'
import { RESET_LINK_MS } from '../../domain/accounts/sign-in.ts'
import { type Call, everyone, operation, person, takes } from '../../door/operation.ts'
import { hashPassword } from '../../services/accounts/passwords.ts'
import {
  deleteResetLink,
  type EndsWithReset,
  findResetLink,
  insertAccountLink,
  takeResetLink,
} from '../../store/accounts/links.ts'
import { deleteSecondFactor } from '../../store/accounts/second-factors.ts'
import { findPerson, lockAuthority, type Person } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import {
  type Author,
  authorityOf,
  authorOf,
  recordBy,
  requireAuthority,
  requireManageable,
} from '../access/authority.ts'
import { NewPassword } from '../people/create.ts'
import { nothing, single, textId } from '../wire/schemas.ts'
import { endAccessShape } from './end-access.ts'
import { keepBrowserKnown } from './sessions.ts'
import { passwordsAllowed, type Visit } from './sign-in.ts'
import { resetPassword } from './users.ts'

const tag = 'Administration'

export const createResetLink = operation({
  id: 'create-reset-link',
  method: 'POST',
  path: '/users/{id}/reset-link',
  door: 'app',
  tag,
  summary: 'Make a link by which a person sets a new password',
  description:
    'It is valid for 24 hours, works once and replaces an earlier one. When it is used, all sessions of the person end.',
  access: person(['users.update']),
  confirms: true,
  params: textId,
  body: takes(
    z.object({
      ...endAccessShape,
      endSecondFactor: z
        .boolean()
        .default(false)
        .describe('Also removes the second factor, for a person who has lost it.'),
    }),
    { optional: true },
  ),
  output: single(
    z.object({
      url: z.string().describe('The link itself. It is returned only once.'),
      expiresAt: z.string().meta({ format: 'date-time' }),
    }),
  ),
  status: 201,
  errors: ['not_found', 'conflict'],
  returnsSecret: true,
  async run(call) {
    const { input, db, services } = call
    const subject = await requireResettable(call, input.id)
    if (!passwordsAllowed(services.config, subject)) throw new AppError('conflict', 'passwords_off')
    const { url, expiresAt } = await issueResetLink(db, subject, input, services.config, authorOf(call))
    return { data: { url, expiresAt } }
  },
})

export const deleteResetLinkOf = operation({
  id: 'delete-reset-link',
  method: 'DELETE',
  path: '/users/{id}/reset-link',
  door: 'app',
  tag,
  summary: 'Revoke a person’s reset link',
  access: person(['users.update']),
  params: textId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { input, db, now } = call
    const subject = await requireResettable(call, input.id)
    if (!(await deleteResetLink(db, subject.id, now.toISOString()))) throw notFound('Reset link')
    await recordBy(authorOf(call), db, 'reset-link.revoked', { subject })
  },
})

async function requireResettable(
  { principal, db }: Pick<Call, 'principal' | 'db'>,
  id: string,
): Promise<Person> {
  const actor = await requireAuthority(db, principal, ['users.update'])
  if (id === principal.user.id) throw forbidden('own_password_in_settings')
  return requireManageable(db, actor, id)
}

/** Stores the hash of the link and its event. Returns the link, which cannot be shown again. */
export async function issueResetLink(
  tx: Executor,
  subject: Person,
  { endApiKeys, endApps, endSecondFactor }: EndsWithReset,
  { origin }: Pick<Config, 'origin'>,
  author: Author,
): Promise<{ url: string; expiresAt: string }> {
  const { secret, hash } = createSecret('resetLink')
  const ends = { endApiKeys, endApps, endSecondFactor }
  const expiresAt = new Date(author.now.getTime() + RESET_LINK_MS).toISOString()
  await deleteResetLink(tx, subject.id, author.now.toISOString())
  await insertAccountLink(tx, {
    purpose: 'reset',
    hash,
    userId: subject.id,
    roleId: null,
    createdBy: author.actor?.id ?? null,
    createdAt: author.now.toISOString(),
    expiresAt,
    ...ends,
  })
  await recordBy(author, tx, 'reset-link.created', { subject, details: ends })
  return { url: `${origin}/reset/${secret}`, expiresAt }
}

export const useResetLink = operation({
  id: 'use-reset-link',
  method: 'POST',
  path: '/reset-links/use',
  door: 'app',
  tag: 'Account',
  summary: 'Set a new password with a reset link',
  description: 'Ends all sessions of the account; sign in with the new password afterwards.',
  access: everyone,
  body: takes(
    z.object({
      token: z.string().max(200).describe('The last part of the link.'),
      password: NewPassword,
    }),
  ),
  output: nothing,
  status: 204,
  errors: ['not_found', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { input, services } = call
    // Checked before the password is hashed: a guess must not cost more than a lookup.
    await requireResetLink(call, input.token)
    const passwordHash = await hashPassword(input.password)
    await services.store.transaction((tx) => setByLink({ ...call, db: tx }, input.token, passwordHash))
  },
})

/** The person whose password the link sets. Clients that keep sending unknown tokens are delayed. */
export async function requireResetLink({ db, now, web, services }: Visit, token: string): Promise<Person> {
  const found =
    secretKind(token) === 'resetLink'
      ? await findResetLink(db, hashSecret(token), now.toISOString())
      : undefined
  const subject = found && (await subjectStillGiven(db, found, services.config))
  if (subject) return subject
  services.limits.unknownLink(web?.address)
  throw new AppError('not_found', 'link_invalid')
}

async function setByLink({ db, now, web, services }: Visit, token: string, passwordHash: string) {
  // Locks the permissions of the creator and of the person as read here.
  await lockAuthority(db)
  const taken = await takeResetLink(db, hashSecret(token), now.toISOString())
  const subject = taken && (await subjectStillGiven(db, taken, services.config))
  if (!subject) throw new AppError('not_found', 'link_invalid')
  const { endApiKeys, endApps, endSecondFactor } = taken
  const author: Author = { now, actor: subject, address: web?.address }
  await resetPassword(db, subject, { passwordHash, endApiKeys, endApps }, author)
  if (endSecondFactor) await deleteSecondFactor(db, subject.id)
  // The link may be the only way in: strangers who try this name must not delay the sign-in that follows.
  await keepBrowserKnown({ db, now, web }, subject.id)
  await recordBy(author, db, 'reset-link.used', { details: { endApiKeys, endApps, endSecondFactor } })
}

/**
 * The person whose password a link sets. Undefined if its creator could no longer act on them: a link must not open
 * the account of a person who was promoted since.
 */
async function subjectStillGiven(
  db: Executor,
  { userId, createdBy }: { userId: string; createdBy: string | null },
  config: Config,
): Promise<Person | undefined> {
  const subject = await findPerson(db, { id: userId })
  if (!subject || !passwordsAllowed(config, subject)) return undefined
  if (createdBy === null) return subject
  const maker = await findPerson(db, { id: createdBy })
  if (!maker) return undefined
  const actor = authorityOf(maker)
  return covers(actor.permissions, 'users.update') && mayManage(actor, authorityOf(subject))
    ? subject
    : undefined
}

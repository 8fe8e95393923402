// Invitations: an administrator gives someone a link, and that person chooses name and password. The link is shown once, works
// once, and only as long as the person who made it could still give the role.
import * as z from 'zod'
import { hashPassword } from '../auth/passwords.ts'
import type { Config } from '../base/config.ts'
import { AppError, notFound } from '../base/errors.ts'
import { createSecret, hashSecret, secretKind } from '../base/secrets.ts'
import { covers, holdsAll, type Permission } from '../domain/access.ts'
import { INVITATION_MS } from '../domain/sign-in.ts'
import { everyone, operation, person } from '../operation.ts'
import {
  deleteInvitation,
  findInvitation,
  insertAccountLink,
  type ListedInvitation,
  listInvitations as listStoredInvitations,
  takeInvitation,
} from '../store/account-links.ts'
import { findPerson, lockAuthority } from '../store/people.ts'
import { findRole, type Role } from '../store/roles.ts'
import type { Executor } from '../store/store.ts'
import {
  type Author,
  authorityOf,
  authorOf,
  orTaken,
  recordBy,
  requireAssignable,
  requireAuthority,
} from './authority.ts'
import { createPerson, DisplayName, NewPassword, requireDefaultRole, Username } from './people.ts'
import { list, nothing, onePage, pathId, single, TextId } from './schemas.ts'
import { completeSignIn, passwordsAllowed, type Visit } from './sign-in.ts'

const tag = 'Administration'
const needed: Permission[] = ['users.create', 'users.roles.assign']

const Invitation = z
  .object({
    id: z.int(),
    roleId: z.string().nullable().describe('null: the role that is the default when the link is used.'),
    roleName: z.string(),
    createdBy: z.string().nullable().describe('A username; null if it was made at the command line.'),
    createdAt: z.string().meta({ format: 'date-time' }),
    expiresAt: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Invitation' })

export const listInvitations = operation({
  id: 'list-invitations',
  method: 'GET',
  path: '/invitations',
  door: 'app',
  tag,
  summary: 'List the invitations that can still be used',
  access: person(needed),
  output: list(Invitation),
  async run({ db, now }) {
    const byDefault = (await requireDefaultRole(db)).name
    const open = await listStoredInvitations(db, now.toISOString())
    return onePage(open.map((invitation) => show(invitation, byDefault)))
  },
})

const show = (
  { id, roleId, roleName, createdByName, createdAt, expiresAt }: ListedInvitation,
  byDefault: string,
): z.input<typeof Invitation> => ({
  id,
  roleId,
  roleName: roleName ?? byDefault,
  createdBy: createdByName,
  createdAt,
  expiresAt,
})

export const createInvitation = operation({
  id: 'create-invitation',
  method: 'POST',
  path: '/invitations',
  door: 'app',
  tag,
  summary: 'Invite a person by a link',
  description: 'The person opens the link within 7 days and chooses username, name and password.',
  access: person(needed),
  confirms: true,
  body: z.object({
    roleId: TextId.optional().describe(
      'Defaults to the default role. It can only contain permissions that you have yourself.',
    ),
  }),
  bodyIsOptional: true,
  output: single(
    Invitation.extend({ url: z.string().describe('The link itself. It is returned only once.') }),
  ),
  status: 201,
  errors: ['conflict'],
  returnsSecret: true,
  async run(call) {
    const { principal, input, db, services } = call
    requireForNewPeople(services.config)
    const actor = await requireAuthority(db, principal, needed)
    const role = await requireAssignable(db, actor, input.roleId ?? (await requireDefaultRole(db)).id)
    const isChosen = input.roleId !== undefined
    return { data: await issueInvitation(db, { role, isChosen }, services.config, authorOf(call)) }
  },
})

/** Those who come by an invitation sign in with a password. */
export function requireForNewPeople(config: Config): void {
  if (!passwordsAllowed(config, { isOwner: false })) throw new AppError('conflict', 'passwords_off')
}

/** Stores the link's hash, with its event, and returns the link itself, which cannot be shown again. */
export async function issueInvitation(
  tx: Executor,
  { role, isChosen }: { role: Role; isChosen: boolean },
  { origin }: Pick<Config, 'origin'>,
  author: Author,
) {
  const { secret, hash } = createSecret('invitation')
  const createdAt = author.now.toISOString()
  const expiresAt = new Date(author.now.getTime() + INVITATION_MS).toISOString()
  const roleId = isChosen ? role.id : null
  const id = await insertAccountLink(tx, {
    purpose: 'invite',
    hash,
    userId: null,
    roleId,
    createdBy: author.actor?.id ?? null,
    createdAt,
    expiresAt,
    endApiKeys: false,
    endApps: false,
    endSecondFactor: false,
  })
  await recordBy(author, tx, 'invitation.created', { details: { invitation: id, role: role.name } })
  const url = `${origin}/invite/${secret}`
  const createdBy = author.actor?.username ?? null
  return { id, roleId, roleName: role.name, createdBy, createdAt, expiresAt, url }
}

export const deleteInvitationById = operation({
  id: 'delete-invitation',
  method: 'DELETE',
  path: '/invitations/{id}',
  door: 'app',
  tag,
  summary: 'Revoke an invitation',
  access: person(needed),
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db, now } = call
    await requireAuthority(db, principal, needed)
    if (!(await deleteInvitation(db, input.id, now.toISOString()))) throw notFound('Invitation')
    await recordBy(authorOf(call), db, 'invitation.revoked', { details: { invitation: input.id } })
  },
})

export const acceptInvitation = operation({
  id: 'accept-invitation',
  method: 'POST',
  path: '/invitations/accept',
  door: 'app',
  tag: 'Account',
  summary: 'Create your account with an invitation, and sign in',
  description: 'If someone is signed in already, their session ends.',
  access: everyone,
  body: z.object({
    token: z.string().max(200).describe('The last part of the link.'),
    username: Username,
    displayName: DisplayName,
    password: NewPassword,
  }),
  output: nothing,
  status: 204,
  errors: ['not_found', 'conflict', 'too_many_requests'],
  managesTransaction: true,
  async run(call) {
    const { input, services, db } = call
    // Before the password is hashed: guesses must not cost more than a lookup.
    await requireInvitation({ ...call, db }, input.token)
    const passwordHash = await hashPassword(input.password)
    await services.store.transaction((tx) => useInvitation({ ...call, db: tx }, { ...input, passwordHash }))
  },
})

type Account = Record<'token' | 'username' | 'displayName' | 'passwordHash', string>

/** What the link gives, and who invites. A client that sends unknown ones again and again has to wait. */
export async function requireInvitation({ db, now, web, services }: Visit, token: string): Promise<Given> {
  requireForNewPeople(services.config)
  const found =
    secretKind(token) === 'invitation'
      ? await findInvitation(db, hashSecret(token), now.toISOString())
      : undefined
  const given = found && (await stillGiven(db, found))
  if (given) return given
  services.limits.unknownLink(web?.address)
  throw new AppError('not_found', 'link_invalid')
}

/** The link is spent only if everything else succeeds. */
async function useInvitation(visit: Visit, { token, username, displayName, passwordHash }: Account) {
  const { db, now, web } = visit
  // The maker's permissions and the role stay as they are read here.
  await lockAuthority(db)
  const taken = await takeInvitation(db, hashSecret(token), now.toISOString())
  const given = taken && (await stillGiven(db, taken))
  if (!given) throw new AppError('not_found', 'link_invalid')
  const { role } = given
  const account = { username, displayName, passwordHash, role, roleByHand: taken.roleId !== null }
  const author = { now, address: web?.address }
  const created = await orTaken(createPerson(db, account, author), 'username_taken')
  await recordBy({ ...author, actor: created }, db, 'invitation.used', {
    details: { invitation: taken.id, role: role.name },
  })
  await completeSignIn(visit, created, { way: 'account' })
}

interface Given {
  role: Role
  /** Undefined if it was made at the command line. */
  inviter?: string
}

/**
 * The role of an invitation, unless its maker could not give it any more: they may be gone or have lost permissions, or the
 * role may have gained some. Undefined then.
 */
async function stillGiven(
  db: Executor,
  { roleId, createdBy }: { roleId: string | null; createdBy: string | null },
): Promise<Given | undefined> {
  const role = roleId === null ? await requireDefaultRole(db) : await findRole(db, roleId)
  if (!role) return undefined
  if (createdBy === null) return { role }
  const maker = await findPerson(db, createdBy)
  if (!maker) return undefined
  const { permissions, ...rest } = authorityOf(maker)
  const mayInvite = needed.every((permission) => covers(permissions, permission))
  const mayGive = mayInvite && holdsAll({ permissions, ...rest }, role.permissions)
  return mayGive ? { role, inviter: maker.displayName } : undefined
}

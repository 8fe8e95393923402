// Invitations: an administrator gives someone a link, and that person chooses a name and a password. The link is
// shown once, works once, and only as long as its creator could still assign the role.
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import { AppError, notFound } from '../../base/errors.ts'
import { createSecret, hashSecret, secretKind } from '../../base/secret/secrets.ts'
import { covers, holdsAll, type Permission } from '../../domain/access/access.ts'
import { INVITATION_MS } from '../../domain/accounts/sign-in.ts'
import { RowId } from '../../domain/row-id.ts'
import { everyone, operation, person, takes } from '../../door/operation.ts'
import { hashPassword } from '../../services/accounts/passwords.ts'
import { findRole, type Role } from '../../store/access/roles.ts'
import {
  deleteInvitation,
  findInvitation,
  insertAccountLink,
  type ListedInvitation,
  listInvitations as listStoredInvitations,
  takeInvitation,
} from '../../store/accounts/links.ts'
import { findPerson, lockAuthority } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import {
  type Author,
  authorityOf,
  authorOf,
  orTaken,
  recordBy,
  requireAssignable,
  requireAuthority,
} from '../access/authority.ts'
import { createPerson, DisplayName, NewPassword, requireDefaultRole, Username } from '../people/create.ts'
import { list, nothing, onePage, pathId, single, TextId } from '../wire/schemas.ts'
import { completeSignIn, passwordsAllowed, type Visit } from './sign-in.ts'

const tag = 'Administration'
const needed: Permission[] = ['users.create', 'users.roles.assign']

const Invitation = z
  .object({
    id: RowId,
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
    const open = await listStoredInvitations(db, { now: now.toISOString() })
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
  body: takes(
    z.object({
      roleId: TextId.optional().describe(
        'Defaults to the default role. It can only contain permissions that you have yourself.',
      ),
    }),
    { optional: true },
  ),
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

/** People who accept an invitation sign in with a password. */
export function requireForNewPeople(config: Config): void {
  if (!passwordsAllowed(config, { isOwner: false })) throw new AppError('conflict', 'passwords_off')
}

/** Stores the hash of the link and its event. Returns the link, which cannot be shown again. */
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
    if (!(await deleteInvitation(db, { id: input.id, now: now.toISOString() }))) throw notFound('Invitation')
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
  body: takes(
    z.object({
      token: z.string().max(200).describe('The last part of the link.'),
      username: Username,
      displayName: DisplayName,
      password: NewPassword,
    }),
  ),
  output: nothing,
  status: 204,
  errors: ['not_found', 'conflict', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { input, services, db } = call
    // Checked before the password is hashed: a guess must not cost more than a lookup.
    await requireInvitation({ ...call, db }, input.token)
    const passwordHash = await hashPassword(input.password)
    await services.store.transaction((tx) => useInvitation({ ...call, db: tx }, { ...input, passwordHash }))
  },
})

type Account = Record<'token' | 'username' | 'displayName' | 'passwordHash', string>

/** What the link grants, and who invites. Clients that keep sending unknown tokens are delayed. */
export async function requireInvitation({ db, now, web, services }: Visit, token: string): Promise<Given> {
  requireForNewPeople(services.config)
  const found =
    secretKind(token) === 'invitation'
      ? await findInvitation(db, { hash: hashSecret(token), now: now.toISOString() })
      : undefined
  const given = found && (await stillGiven(db, found))
  if (given) return given
  services.limits.unknownLink(web?.address)
  throw new AppError('not_found', 'link_invalid')
}

/** The link is used up only if everything succeeds. */
async function useInvitation(visit: Visit, { token, username, displayName, passwordHash }: Account) {
  const { db, now, web } = visit
  // Locks the creator's permissions and the role as read here.
  await lockAuthority(db)
  const taken = await takeInvitation(db, { hash: hashSecret(token), now: now.toISOString() })
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
  /** Undefined if it was created on the command line. */
  inviter?: string
}

/**
 * The role of an invitation. Undefined if its creator could no longer assign it: they were deleted or lost
 * permissions, or the role gained some.
 */
async function stillGiven(
  db: Executor,
  { roleId, createdBy }: { roleId: string | null; createdBy: string | null },
): Promise<Given | undefined> {
  const role = roleId === null ? await requireDefaultRole(db) : await findRole(db, { id: roleId })
  if (!role) return undefined
  if (createdBy === null) return { role }
  const maker = await findPerson(db, { id: createdBy })
  if (!maker) return undefined
  const { permissions, ...rest } = authorityOf(maker)
  const mayInvite = needed.every((permission) => covers(permissions, permission))
  const mayGive = mayInvite && holdsAll({ permissions, ...rest }, role.permissions)
  return mayGive ? { role, inviter: maker.displayName } : undefined
}

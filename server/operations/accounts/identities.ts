// Accounts at the identity provider that are linked to an account here.
import * as z from 'zod'
import { notFound } from '../../base/errors.ts'
import { RowId } from '../../domain/row-id.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import { operation, person } from '../../door/operation.ts'
import {
  deleteIdentity as deleteStoredIdentity,
  insertIdentity,
  listIdentities as listStoredIdentities,
} from '../../store/accounts/identities.ts'
import { deleteSessionsOfIdentity } from '../../store/accounts/sessions.ts'
import { lockPerson } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { type Author, authorOf, type NamedPerson, orTaken, recordBy } from '../access/authority.ts'
import { list, nothing, onePage, pathId, single, timestamp } from '../wire/schemas.ts'
import { requireWayLeft } from './ways-in.ts'

const tag = 'Account'

/** The time between the button and the first request. */
const LINK_BEGINS_MS = MINUTE

export const listIdentities = operation({
  id: 'list-identities',
  method: 'GET',
  path: '/identities',
  door: 'app',
  tag,
  summary: 'List your accounts at the identity provider',
  access: person(),
  output: list(
    z.object({
      id: RowId,
      label: z.string().describe('How the provider names you.'),
      issuer: z.string(),
      current: z.boolean().describe('false: this instance uses another provider now.'),
      createdAt: timestamp('When it was linked.'),
      lastUsedAt: timestamp('When you last signed in with it.'),
    }),
  ),
  async run({ principal, db, services: { config } }) {
    const identities = await listStoredIdentities(db, { userId: principal.user.id })
    return onePage(
      identities.map((identity) => ({ ...identity, current: identity.issuer === config.oidc?.issuer })),
    )
  },
})

export const beginLinking = operation({
  id: 'begin-linking',
  method: 'POST',
  path: '/identities',
  door: 'app',
  tag,
  summary: 'Begin to link your account at the identity provider',
  description: 'The browser then goes to `location`.',
  access: person(),
  confirms: true,
  output: single(z.object({ location: z.string() })),
  errors: ['not_found'],
  async run(call) {
    if (!call.services.provider) throw notFound('Provider')
    // Other sites cannot set this cookie: on plain http, browsers do not report which site a request comes from.
    call.web?.keepStep('link-begun', '1', LINK_BEGINS_MS)
    return { data: { location: '/sign-in/oidc?next=/settings/security' } }
  },
})

export const deleteIdentity = operation({
  id: 'delete-identity',
  method: 'DELETE',
  path: '/identities/{id}',
  door: 'app',
  tag,
  summary: 'Unlink an account at the identity provider',
  description: 'The last way to sign in stays.',
  access: person(),
  confirms: true,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found', 'conflict'],
  async run(call) {
    const { principal, input, db, services } = call
    // Sessions that began with the identity end with it, because it may belong to another person.
    await lockPerson(db, principal.user.id)
    if ((await listStoredIdentities(db, { userId: principal.user.id })).some(({ id }) => id === input.id))
      await deleteSessionsOfIdentity(db, { identityId: input.id, keep: Number(principal.credentialId) })
    const removed = await deleteStoredIdentity(db, { userId: principal.user.id, id: input.id })
    if (!removed) throw notFound('Identity')
    await requireWayLeft(db, { id: principal.user.id, isOwner: principal.isOwner }, services.config)
    await recordBy(authorOf(call), db, 'identity.unlinked', { details: { identity: removed.label } })
  },
})

/** What the provider proved, to be linked to an account whose owner still has to prove it. */
export interface IdentityToLink {
  issuer: string
  subject: string
  label: string
  /** The provider's id of the session. */
  session: string | null
  /** Encrypted. */
  idToken: string | null
}

/**
 * Links the identity to a person in the caller's transaction; both sides have been proved. Returns what a session
 * that starts with it stores about it. An identity that is already linked to someone is a conflict.
 */
export async function linkIdentity(
  tx: Executor,
  owner: NamedPerson,
  { issuer, subject, label, session, idToken }: IdentityToLink,
  author: Pick<Author, 'now' | 'address'>,
): Promise<{ identityId: number; session: string | null; idToken: string | null }> {
  const now = author.now.toISOString()
  const identityId = await orTaken(
    insertIdentity(tx, { userId: owner.id, issuer, subject, label, now }),
    'identity_taken',
  )
  const actor = { id: owner.id, username: owner.username }
  await recordBy({ ...author, actor }, tx, 'identity.linked', { details: { identity: label } })
  return { identityId, session, idToken }
}

// Accounts at the identity provider that belong to an account here.
import * as z from 'zod'
import { notFound } from '../base/errors.ts'
import { operation, person } from '../operation.ts'
import {
  deleteIdentity as deleteStoredIdentity,
  insertIdentity,
  listIdentities as listStoredIdentities,
} from '../store/identities.ts'
import { lockPerson } from '../store/people.ts'
import { deleteSessionsOfIdentity } from '../store/sessions.ts'
import type { Executor } from '../store/store.ts'
import { type Author, authorOf, type NamedPerson, orTaken, recordBy } from './authority.ts'
import { list, nothing, onePage, pathId, single, timestamp } from './schemas.ts'
import { requireWayLeft } from './ways-in.ts'

const tag = 'Account'

/** From the button to the first request. */
const LINK_BEGINS_MS = 60_000

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
      id: z.int(),
      label: z.string().describe('How the provider names you.'),
      issuer: z.string(),
      current: z.boolean().describe('false: this instance uses another provider now.'),
      createdAt: timestamp('When it was linked.'),
      lastUsedAt: timestamp('When you last signed in with it.'),
    }),
  ),
  async run({ principal, db, services: { config } }) {
    const identities = await listStoredIdentities(db, principal.user.id)
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
    // No other site can set it: on plain http, browsers do not say which site a request comes from.
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
    // What began with it ends with it: it may be someone else's.
    await lockPerson(db, principal.user.id)
    if ((await listStoredIdentities(db, principal.user.id)).some(({ id }) => id === input.id))
      await deleteSessionsOfIdentity(db, input.id, Number(principal.credentialId))
    const removed = await deleteStoredIdentity(db, principal.user.id, input.id)
    if (!removed) throw notFound('Identity')
    await requireWayLeft(db, { id: principal.user.id, isOwner: principal.isOwner }, services.config)
    await recordBy(authorOf(call), db, 'identity.unlinked', { details: { identity: removed.label } })
  },
})

/** What the provider proved, for the account that is still to prove itself. */
export interface IdentityToLink {
  issuer: string
  subject: string
  label: string
  /** How the provider knows the session. */
  session: string | null
  /** Sealed. */
  idToken: string | null
}

/**
 * Links it to a person, in the caller's transaction; both sides have been proved. Returns what a session that begins with it
 * keeps of it. One that someone has already is a conflict.
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

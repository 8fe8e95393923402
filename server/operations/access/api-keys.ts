// API keys: how programs sign in for a person.
import * as z from 'zod'
import { AppError, forbidden, notFound } from '../../base/errors.ts'
import { createSecret } from '../../base/secret/secrets.ts'
import { isScope, permissionForScope, scopes } from '../../domain/access/access.ts'
import { legacyFormats } from '../../domain/enums.ts'
import { problem } from '../../domain/reasons.ts'
import { RowId } from '../../domain/row-id.ts'
import { operation, person, takes } from '../../door/operation.ts'
import { credentialMay, roleMay } from '../../services/access/principal.ts'
import {
  deleteApiKey as deleteStoredKey,
  insertApiKey,
  listApiKeys as listStoredKeys,
} from '../../store/access/api-keys.ts'
import type { Executor } from '../../store/store.ts'
import { list, nothing, onePage, pathId, single } from '../wire/schemas.ts'
import { type Author, authorOf, type NamedPerson, recordBy } from './authority.ts'

const tag = 'Account'

const ApiKey = z
  .object({
    id: RowId,
    name: z.string(),
    lastFour: z.string().describe('The last characters of the key, to distinguish keys.'),
    scopes: z.array(z.enum(scopes)),
    legacyFormat: z.enum(legacyFormats),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })

/** Also used by the command line. */
export const ApiKeyInput = z.object({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(z.enum(scopes)),
  legacyFormat: z
    .enum(legacyFormats)
    .default('codes')
    .describe(
      'How the legacy API returns airlines and aircraft; `objects` for programs written for AirTrail.',
    ),
})

export const listApiKeys = operation({
  id: 'list-api-keys',
  method: 'GET',
  path: '/api-keys',
  door: 'app',
  tag,
  summary: 'List your API keys',
  access: person(),
  output: list(ApiKey),
  async run({ principal, db }) {
    const keys = await listStoredKeys(db, { userId: principal.user.id })
    return onePage(keys.map((key) => ({ ...key, scopes: key.scopes.filter(isScope) })))
  },
})

/** Per person. */
const KEYS_AT_MOST = 100

export const createApiKey = operation({
  id: 'create-api-key',
  method: 'POST',
  path: '/api-keys',
  door: 'app',
  tag,
  summary: 'Create an API key',
  access: person(),
  confirms: true,
  body: takes(ApiKeyInput),
  output: single(ApiKey.extend({ key: z.string().describe('The key itself. It is returned only once.') })),
  status: 201,
  errors: ['forbidden', 'conflict'],
  async run(call) {
    const { principal, input, db } = call
    const beyond = input.scopes.find((scope) => {
      const permission = permissionForScope(scope)
      return !credentialMay(principal, scope) || (permission !== null && !roleMay(principal, permission))
    })
    if (beyond) throw forbidden(problem('scope_not_permitted', { scope: beyond }))
    if ((await listStoredKeys(db, { userId: principal.user.id })).length >= KEYS_AT_MOST) {
      throw new AppError('conflict', problem('too_many_keys', { max: KEYS_AT_MOST }))
    }
    return { data: await issueApiKey(db, principal.user, input, authorOf(call)) }
  },
})

/** Stores the hash of a new key and its event. Returns it with the key, which cannot be shown again. */
export async function issueApiKey(
  tx: Executor,
  holder: NamedPerson,
  { name, scopes: wanted, legacyFormat }: z.output<typeof ApiKeyInput>,
  author: Author,
) {
  const { secret, hash } = createSecret('apiKey')
  const key = await insertApiKey(tx, {
    userId: holder.id,
    name,
    hash,
    lastFour: secret.slice(-4),
    scopes: [...new Set(wanted)],
    legacyFormat,
    createdAt: author.now.toISOString(),
  })
  const details = { key: key.id, name, scopes: key.scopes }
  await recordBy(author, tx, 'api-key.created', { subject: holder, details })
  return { ...key, key: secret }
}

export const deleteApiKey = operation({
  id: 'delete-api-key',
  method: 'DELETE',
  path: '/api-keys/{id}',
  door: 'app',
  tag,
  summary: 'Delete an API key',
  access: person(),
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db } = call
    if (!(await deleteStoredKey(db, { userId: principal.user.id, id: input.id }))) throw notFound('API key')
    await recordBy(authorOf(call), db, 'api-key.deleted', { details: { key: input.id } })
  },
})

// The caller: who they are and what this credential may do on their behalf.
import * as z from 'zod'
import { effectivePermissions, permissions, scopes } from '../../domain/access/access.ts'
import { anyCredential, operation } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import { single } from '../wire/schemas.ts'

export const Me = z
  .object({
    id: z.string(),
    username: z.string(),
    displayName: z.string(),
    role: z.object({ id: z.string(), name: z.string() }).nullable().describe('null for the owner.'),
    isOwner: z.boolean(),
    permissions: z.array(z.enum(permissions)).describe('Permissions of the role, including implied ones.'),
    credential: z.object({
      kind: z.enum(['apiKey', 'oauth', 'session']),
      scopes: z.array(z.enum(scopes)),
    }),
  })
  .meta({ id: 'Me' })

export const showMe = (principal: Principal): z.input<typeof Me> => ({
  id: principal.user.id,
  username: principal.user.username,
  displayName: principal.user.displayName,
  role: principal.role,
  isOwner: principal.isOwner,
  permissions: effectivePermissions(principal.permissions),
  credential: { kind: principal.kind, scopes: [...principal.scopes] },
})

export const getMe = operation({
  id: 'get-me',
  method: 'GET',
  path: '/me',
  tag: 'Personal data',
  summary: 'Read the caller’s profile, role and permissions',
  access: anyCredential,
  output: single(Me),
  tool: {
    title: 'Who and what is allowed',
    description: 'The person’s name and role, and what you may do here: the scopes of this key or app.',
    brief: ({ data: { permissions: _permissions, ...data } }) => ({ data }),
    says: ({ data }) => meInWords(data),
  },
  run: async ({ principal }) => ({ data: showMe(principal) }),
})

function meInWords({ displayName, username, isOwner, role, credential }: z.output<typeof Me>): string {
  const position = isOwner ? 'owner of this instance' : `role ${role?.name ?? 'unknown'}`
  const by = credential.kind === 'oauth' ? 'app' : 'key'
  return `${displayName} (@${username}), ${position}. Scopes of this ${by}: ${credential.scopes.join(', ')}.`
}

// The rules, from the instance's settings, that assign roles by the claims of the identity provider.
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { type Claims, matchingRule, type RoleRule } from '../../domain/access/role-rules.ts'
import { storedLowerCase } from '../../domain/text/fold.ts'
import { operation, person } from '../../door/operation.ts'
import { listRoles, type Role } from '../../store/access/roles.ts'
import {
  findPerson,
  isRoleByHand,
  lockAuthority,
  type Person,
  updatePersonRole,
} from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { type Author, recordBy } from '../access/authority.ts'
import { single } from '../wire/schemas.ts'
import { requireDefaultRole } from './create.ts'

/** The rules with the roles that they assign. Rules whose role does not exist are left out. */
const resolved = (
  { oidc }: Pick<Config, 'oidc'>,
  roles: readonly Role[],
): { rule: RoleRule; role: Role | undefined }[] =>
  (oidc?.roles ?? []).map((rule) => ({
    rule,
    role: roles.find(({ name }) => storedLowerCase(name) === storedLowerCase(rule.role)),
  }))

/** The number of rules that assign each role, by the role's id. */
export function countRules(config: Pick<Config, 'oidc'>, roles: readonly Role[]): Map<string, number> {
  const known = resolved(config, roles).flatMap(({ role }) => role ?? [])
  return new Map(roles.map(({ id }) => [id, known.filter((role) => role.id === id).length]))
}

/** The role of the first matching rule, skipping rules with an unknown role; the default role if none matches. */
export async function roleFor(db: Executor, config: Pick<Config, 'oidc'>, claims: Claims): Promise<Role> {
  const rules = resolved(config, await listRoles(db)).filter(({ role }) => role !== undefined)
  const matching = matchingRule(
    rules.map(({ rule }) => rule),
    claims,
  )
  return rules.find(({ rule }) => rule === matching)?.role ?? (await requireDefaultRole(db))
}

/** At every sign-in with the provider, except for the owner and for people whose role was chosen by a person. */
export async function applyRoleRules(
  tx: Executor,
  config: Pick<Config, 'oidc'>,
  userId: string,
  claims: Claims,
  author: Pick<Author, 'now' | 'address'>,
): Promise<void> {
  if (config.oidc === undefined || config.oidc.roles.length === 0) return
  const wanted = await roleFor(tx, config, claims)
  if (!(await needsRole(tx, userId, wanted))) return
  await lockAuthority(tx)
  // Checked again: an administrator may have chosen a role meanwhile.
  const subject = await needsRole(tx, userId, wanted)
  if (!subject || !(await updatePersonRole(tx, userId, wanted.id, false))) return
  const details = { from: subject.roleName, to: wanted.name }
  await recordBy({ ...author, actor: null, via: 'provider' }, tx, 'user.role-changed', { subject, details })
}

async function needsRole(db: Executor, userId: string, wanted: Role): Promise<Person | undefined> {
  const found = await findPerson(db, { id: userId })
  const isFree = found && !found.isOwner && found.roleId !== wanted.id && !(await isRoleByHand(db, userId))
  return isFree ? found : undefined
}

/** At the start: otherwise a typo in a role's name would only be noticed by the people whom it locks out. */
export async function logUnknownRoles(db: Executor, config: Config, log: Logger): Promise<void> {
  const unknown = resolved(config, await listRoles(db)).filter(({ role }) => role === undefined)
  for (const { rule } of unknown)
    log.warn('OIDC_ROLES: skipping a rule whose role does not exist', { ...rule })
}

export const listRoleRules = operation({
  id: 'list-role-rules',
  method: 'GET',
  path: '/role-rules',
  door: 'app',
  tag: 'Administration',
  summary: 'Read which roles people get by what the identity provider says',
  description: 'The rules are the setting `OIDC_ROLES`, in its order: the first that matches decides.',
  access: person(['roles.manage']),
  output: single(
    z.object({
      provider: z
        .object({ name: z.string(), issuer: z.string(), scope: z.string() })
        .nullable()
        .describe('null: people cannot sign in with a provider here.'),
      rules: z.array(
        z.object({
          claim: z.string().describe('A JSON Pointer into the claims.'),
          contains: z.string(),
          role: z.string(),
          roleExists: z.boolean().describe('false: the rule is skipped.'),
        }),
      ),
    }),
  ),
  async run({ db, services: { config } }) {
    const { oidc } = config
    const rules = resolved(config, await listRoles(db))
    return {
      data: {
        provider: oidc ? { name: oidc.name, issuer: oidc.issuer, scope: oidc.scope } : null,
        rules: rules.map(({ rule, role }) => ({ ...rule, roleExists: role !== undefined })),
      },
    }
  },
})

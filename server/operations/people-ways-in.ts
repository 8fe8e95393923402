// Who can sign in how, for administrators.
import * as z from 'zod'
import { type Principal, roleMay } from '../auth/principal.ts'
import { forbidden } from '../base/errors.ts'
import type { Permission } from '../domain/access.ts'
import { operation, person } from '../operation.ts'
import { listOpenResetLinks } from '../store/account-links.ts'
import { listWaysIn } from '../store/ways-in.ts'
import { list, onePage } from './schemas.ts'
import { Ways } from './ways-in.ts'

/** One of these: with none of them there is nothing to administer. */
const administration: Permission[] = ['users.create', 'users.update', 'users.delete', 'users.roles.assign']

export const listWaysInOfPeople = operation({
  id: 'list-ways-in',
  method: 'GET',
  path: '/users/ways-in',
  door: 'app',
  tag: 'Administration',
  summary: 'List how each person can sign in',
  access: person(['users.directory.read'], administration),
  output: list(
    Ways.extend({
      userId: z.string(),
      resetLinkUntil: z
        .string()
        .nullable()
        .describe('Until then a reset link is open that someone made for this person.')
        .meta({ format: 'date-time' }),
    }).meta({ id: 'PersonWaysIn' }),
  ),
  check({ principal }) {
    if (!mayAdministrate(principal)) throw forbidden()
  },
  async run({ db, now, services }) {
    const links = await listOpenResetLinks(db, now.toISOString())
    const ways = await listWaysIn(db, services.config.oidc?.issuer)
    return onePage(
      [...ways].map(([userId, own]) => ({ userId, ...own, resetLinkUntil: links.get(userId) ?? null })),
    )
  },
})

const mayAdministrate = (principal: Principal): boolean =>
  administration.some((permission) => roleMay(principal, permission))

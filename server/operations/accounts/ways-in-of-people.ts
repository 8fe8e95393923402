// How each person can sign in, for administrators.
import * as z from 'zod'
import { forbidden } from '../../base/errors.ts'
import type { Permission } from '../../domain/access/access.ts'
import { operation, person } from '../../door/operation.ts'
import { type Principal, roleMay } from '../../services/access/principal.ts'
import { listOpenResetLinks } from '../../store/accounts/links.ts'
import { listWaysIn } from '../../store/accounts/ways-in.ts'
import { list, onePage } from '../wire/schemas.ts'
import { Ways } from './ways-in.ts'

/** At least one of these is required: without any, the caller cannot administer anything. */
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

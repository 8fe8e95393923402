// How a person can sign in, and the rule that at least one way remains.
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import { AppError } from '../../base/errors.ts'
import { passkeysWorkAt, type WaysIn } from '../../domain/accounts/sign-in.ts'
import { operation, person } from '../../door/operation.ts'
import { confirmedUntil } from '../../services/access/confirmed.ts'
import { findWaysIn } from '../../store/accounts/ways-in.ts'
import { findEmail, lockPerson } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { single } from '../wire/schemas.ts'
import { passwordsAllowed } from './sign-in.ts'

export const Ways = z
  .object({
    password: z.boolean(),
    passkeys: z.int(),
    identities: z.int().describe('Accounts at the identity provider.'),
    secondFactor: z.boolean().describe('Whether a code is asked for after the password.'),
  })
  .meta({ id: 'WaysIn' })

export const passkeysWork = ({ origin }: Pick<Config, 'origin'>): boolean => passkeysWorkAt(origin)

export const getAccount = operation({
  id: 'get-account',
  method: 'GET',
  path: '/account',
  door: 'app',
  tag: 'Account',
  summary: 'Read how you can sign in',
  access: person(),
  output: single(
    z.object({
      email: z.string().nullable(),
      emailVerified: z
        .boolean()
        .describe('Whether a mailed link has shown that the address is yours. Until then it is not used.'),
      waysIn: Ways,
      mayUsePassword: z.boolean().describe('false: this instance accepts passwords of the owner only.'),
      passkeysWork: z.boolean().describe('Passkeys need https, or localhost.'),
      provider: z
        .object({
          name: z.string(),
          redirectUri: z.string(),
          postLogoutRedirectUri: z.string(),
          backChannelLogoutUri: z.string(),
        })
        .nullable()
        .describe('The identity provider of this instance, and the addresses to be registered there.'),
      sendsMail: z.boolean().describe('Whether this instance can send mails.'),
      confirmedUntil: z
        .string()
        .nullable()
        .describe('Until then you are not asked again who you are.')
        .meta({ format: 'date-time' }),
    }),
  ),
  async run(call) {
    const { principal, db, services } = call
    const { config } = services
    const email = await findEmail(db, principal.user.id)
    return {
      data: {
        email: email?.address ?? null,
        emailVerified: email?.isVerified ?? false,
        waysIn: await requireWays(db, principal.user.id, config),
        mayUsePassword: passwordsAllowed(config, principal),
        passkeysWork: passkeysWork(config),
        provider: config.oidc ? { name: config.oidc.name, ...addressesToRegister(config) } : null,
        sendsMail: config.smtp !== undefined,
        confirmedUntil: (await confirmedUntil(call))?.toISOString() ?? null,
      },
    }
  },
})

/** Where the provider sends browsers, and where it reports that someone signed out. */
export const addressesToRegister = ({ origin }: Pick<Config, 'origin'>) => ({
  redirectUri: `${origin}/sign-in/oidc/callback`,
  postLogoutRedirectUri: `${origin}/sign-in/signed-out`,
  backChannelLogoutUri: `${origin}/sign-in/oidc/backchannel-logout`,
})

async function requireWays(db: Executor, userId: string, { oidc }: Config): Promise<WaysIn> {
  const ways = await findWaysIn(db, userId, oidc?.issuer)
  if (!ways) throw new AppError('unauthorized', 'account_deleted')
  return ways
}

/**
 * Call it in the same transaction after removing a way to sign in: throws if none is left. Locks the person, so that
 * two requests cannot remove one each.
 */
export async function requireWayLeft(
  tx: Executor,
  who: { id: string; isOwner: boolean },
  config: Config,
): Promise<void> {
  await lockPerson(tx, who.id)
  const { password, passkeys, identities } = await requireWays(tx, who.id, config)
  const ways = [
    password && passwordsAllowed(config, who),
    passkeys > 0 && passkeysWork(config),
    identities > 0 && config.oidc !== undefined,
  ]
  if (!ways.includes(true)) throw new AppError('conflict', 'last_way_in')
}

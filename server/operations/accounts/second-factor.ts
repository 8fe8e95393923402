// The second factor of one's own account: an authenticator app and recovery codes. Required only after a password: a
// passkey or the provider counts as both factors.
import * as z from 'zod'
import { AppError, invalidField } from '../../base/errors.ts'
import { Unreadable } from '../../base/secret/instance-secret.ts'
import { hashSecret, randomText } from '../../base/secret/secrets.ts'
import { RECOVERY_CODES, USED_CODE_MS } from '../../domain/accounts/sign-in.ts'
import { operation, person, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { knownGuesser } from '../../services/access/limits.ts'
import { createTotpSecret, otpauthUri, stepsOfCode, totpSealPurpose } from '../../services/accounts/totp.ts'
import { deletePendingSignIns, insertUsedCode } from '../../store/accounts/one-time.ts'
import {
  countRecoveryCodes,
  deleteSecondFactor,
  enableSecondFactor as enableStoredFactor,
  findSecondFactor,
  insertSecondFactor,
  listTrustedBrowsers,
  replaceRecoveryCodes,
} from '../../store/accounts/second-factors.ts'
import { findPasswordHash } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { nothing, single } from '../wire/schemas.ts'

const tag = 'Account'
const path = '/second-factor'

/** Shown once; stored as hashes. */
const RecoveryCodes = single(
  z.object({
    recoveryCodes: z
      .array(z.string())
      .describe('Each takes the place of a code of the app once. They are not shown again.'),
  }),
)

export const getSecondFactor = operation({
  id: 'get-second-factor',
  method: 'GET',
  path,
  door: 'app',
  tag,
  summary: 'Read whether a code is asked for after your password',
  access: person(),
  output: single(
    z.object({
      enabled: z.boolean(),
      enabledAt: z.string().nullable().meta({ format: 'date-time' }),
      recoveryCodesLeft: z.int(),
      trustedBrowsers: z.int().describe('Browsers in which no code is asked for.'),
      readable: z
        .boolean()
        .describe('false: the secret of this instance was lost, and no code of the app is accepted.'),
    }),
  ),
  async run({ principal, db, now, services }) {
    const userId = principal.user.id
    const found = await findSecondFactor(db, { userId })
    const enabledAt = found?.enabledAt ?? null
    return {
      data: {
        enabled: enabledAt !== null,
        enabledAt,
        recoveryCodesLeft: await countRecoveryCodes(db, userId),
        trustedBrowsers: (await listTrustedBrowsers(db, { userId, now: now.toISOString() })).length,
        readable: !found || enabledAt === null || unsealed(services, userId, found.secret) !== undefined,
      },
    }
  },
})

export const startSecondFactor = operation({
  id: 'start-second-factor',
  method: 'POST',
  path,
  door: 'app',
  tag,
  summary: 'Start to set up a second factor',
  description:
    'Returns the secret for an authenticator app. It is asked for only once `POST /second-factor/enable` has got a code of the app.',
  access: person(),
  confirms: true,
  output: single(
    z.object({
      secret: z.string().describe('In base32, to type it into the app.'),
      uri: z.string().describe('The same as an `otpauth:` address, for a QR code.'),
    }),
  ),
  returnsSecret: true,
  errors: ['conflict'],
  async run(call) {
    const { principal, db, now, services } = call
    const { id, username } = principal.user
    if ((await findPasswordHash(db, id)) === null)
      throw new AppError('conflict', 'second_factor_needs_password')
    const secret = createTotpSecret()
    const sealed = services.secret.seal(totpSealPurpose(id), secret)
    if (!(await insertSecondFactor(db, id, sealed, now.toISOString())))
      throw new AppError('conflict', 'second_factor_on')
    const issuer = `Contrail (${new URL(services.config.origin).hostname})`
    return { data: { secret, uri: otpauthUri(secret, issuer, username) } }
  },
})

export const enableSecondFactor = operation({
  id: 'enable-second-factor',
  method: 'POST',
  path: `${path}/enable`,
  door: 'app',
  tag,
  summary: 'Turn on the second factor with a code of the app',
  access: person(),
  confirms: true,
  body: takes(z.object({ code: z.string().max(20) })),
  output: RecoveryCodes,
  returnsSecret: true,
  errors: ['conflict', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { principal, input, db, now, services } = call
    const userId = principal.user.id
    const found = await findSecondFactor(db, { userId })
    if (!found) throw new AppError('conflict', 'second_factor_not_started')
    if (found.enabledAt !== null) throw new AppError('conflict', 'second_factor_on')
    const secret = unsealed(services, userId, found.secret)
    if (secret === undefined) throw new AppError('conflict', 'second_factor_not_started')
    const guesser = knownGuesser(`session ${principal.credentialId}`, userId)
    const taken = await services.limits.takeCodeTry(userId, guesser)
    const steps = stepsOfCode(secret, input.code, now.getTime())
    if (steps.length === 0) throw invalidField(['code'], 'second_factor_wrong')
    await taken.giveBack()
    return services.store.transaction(async (tx) => {
      const given = { userId, secret: found.secret, now: now.toISOString() }
      const isEnabled = (await enableStoredFactor(tx, given)) && (await takeSteps(tx, userId, steps, now))
      if (!isEnabled) throw new AppError('conflict', 'second_factor_not_started')
      await recordBy(authorOf(call), tx, 'second-factor.enabled')
      return { data: { recoveryCodes: await replaceCodes(tx, userId) } }
    })
  },
})

export const createRecoveryCodes = operation({
  id: 'create-recovery-codes',
  method: 'POST',
  path: `${path}/recovery-codes`,
  door: 'app',
  tag,
  summary: 'Make new recovery codes in place of the old ones',
  access: person(),
  confirms: true,
  output: RecoveryCodes,
  returnsSecret: true,
  errors: ['conflict'],
  async run(call) {
    const { principal, db } = call
    if (!(await findSecondFactor(db, { userId: principal.user.id }))?.enabledAt)
      throw new AppError('conflict', 'second_factor_off')
    await recordBy(authorOf(call), db, 'recovery-codes.created')
    return { data: { recoveryCodes: await replaceCodes(db, principal.user.id) } }
  },
})

export const disableSecondFactor = operation({
  id: 'disable-second-factor',
  method: 'DELETE',
  path,
  door: 'app',
  tag,
  summary: 'Turn off the second factor',
  description: 'Deletes the recovery codes, and forgets the browsers in which no code was asked for.',
  access: person(),
  confirms: true,
  output: nothing,
  status: 204,
  errors: ['conflict'],
  async run(call) {
    if (!(await endSecondFactor(call.db, call.principal.user.id)))
      throw new AppError('conflict', 'second_factor_off')
    await recordBy(authorOf(call), call.db, 'second-factor.disabled')
  },
})

/** Turns the second factor off. False if it was off already; the caller writes the event. */
async function endSecondFactor(tx: Executor, userId: string): Promise<boolean> {
  await deletePendingSignIns(tx, userId)
  return deleteSecondFactor(tx, userId)
}

/** The secret of the app; undefined if it was encrypted with another instance secret. */
export function unsealed(
  { secret }: Pick<Services, 'secret'>,
  userId: string,
  sealed: string,
): string | undefined {
  try {
    return secret.unseal(totpSealPurpose(userId), sealed)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/**
 * Uses up the code of these time steps. False if there are none, or if the code was used before. Rarely, two steps
 * have the same code: it is then used up for both.
 */
export async function takeSteps(
  tx: Executor,
  userId: string,
  steps: readonly number[],
  now: Date,
): Promise<boolean> {
  const expiresAt = new Date(now.getTime() + USED_CODE_MS).toISOString()
  const isNew: boolean[] = []
  for (const step of steps)
    isNew.push(await insertUsedCode(tx, { hash: hashSecret(`code ${userId} ${step}`), userId, expiresAt }))
  return isNew.length > 0 && !isNew.includes(false)
}

/** 80 random bits, in groups that are easy to copy from paper. */
const createRecoveryCode = (): string => randomText(16).replaceAll(/.{4}(?=.)/g, '$&-')

async function replaceCodes(tx: Executor, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode)
  await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
  return codes
}

/** Accepts what people type from paper: spaces, capitals, and digits in place of similar letters. */
export const hashRecoveryCode = (typed: string): string =>
  hashSecret(
    typed
      .toLowerCase()
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
      .replaceAll('8', 'b')
      .replaceAll(/[^a-z2-7]/g, ''),
  )

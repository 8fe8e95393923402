// The second step of a sign-in with a password: a code of the authenticator app, or a recovery code. The browser's
// cookie identifies the step: it survives wrong codes and ends with the right one or after ten minutes.
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import { hashSecret, secretKind } from '../../base/secret/secrets.ts'
import { WRONG_CODES_NOTICED } from '../../domain/accounts/sign-in.ts'
import { DAY } from '../../domain/time/durations.ts'
import { everyone, operation, takes } from '../../door/operation.ts'
import { ProviderError } from '../../services/accounts/provider.ts'
import { isCode, stepsOfCode } from '../../services/accounts/totp.ts'
import { countFailedSignIns, recordEvent } from '../../store/access/audit.ts'
import { findOneTime, takeOneTime } from '../../store/accounts/one-time.ts'
import {
  countRecoveryCodes,
  findSecondFactor,
  takeRecoveryCode,
} from '../../store/accounts/second-factors.ts'
import { hasNoticeSince, insertNotice } from '../../store/people/notices.ts'
import { findPerson, findSecretsOf, lockPerson, type Person } from '../../store/people/people.ts'
import { nothing } from '../wire/schemas.ts'
import { linkAndSignIn } from './provider-sign-in.ts'
import { hashRecoveryCode, takeSteps, unsealed } from './second-factor.ts'
import { completeSignIn, guesserFor, recordFailedSignIn, type Visit } from './sign-in.ts'
import { trustThisBrowser } from './trusted-browsers.ts'

const Proof = z
  .object({
    code: z
      .string()
      .max(100)
      .optional()
      .describe('Six digits of the authenticator app. Anything else counts as a recovery code.'),
    recoveryCode: z.string().max(100).optional(),
    trust: z
      .boolean()
      .default(false)
      .describe('For 30 days no code is asked for in this browser after the password.'),
  })
  .refine(
    ({ code, recoveryCode }) => (code === undefined) !== (recoveryCode === undefined),
    because('code_or_recovery_code'),
  )
type Proof = z.output<typeof Proof>

export const signInWithSecondFactor = operation({
  id: 'sign-in-with-second-factor',
  method: 'POST',
  path: '/sign-in/second-factor',
  door: 'app',
  tag: 'Account',
  summary: 'Finish a sign-in with the code of the second factor',
  description: 'Within ten minutes of the password, in the same browser.',
  access: everyone,
  body: takes(Proof),
  output: nothing,
  status: 204,
  errors: ['unauthorized', 'conflict', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { services, input } = call
    const who = await requirePending(call)
    const secrets = await findSecretsOf(call.db, { id: who.id })
    const guesser = guesserFor(call, who.username, secrets && { id: who.id, ...secrets })
    const taken = await services.limits.takeCodeTry(who.id, guesser)
    let isWrong = false
    try {
      isWrong = !(await services.store.transaction((tx) => finish({ ...call, db: tx }, who, input)))
    } finally {
      if (!isWrong) await taken.giveBack()
    }
    if (!isWrong) return
    await recordWrongCode(call, who)
    throw new AppError('unauthorized', 'second_factor_wrong')
  },
})

/** The client knows the password. The person gets a notice after ten wrong codes, at most once a day. */
async function recordWrongCode(visit: Visit, who: Person): Promise<void> {
  const { now, web, services } = visit
  const details = { step: 'second factor' }
  const since = new Date(now.getTime() - DAY).toISOString()
  await recordFailedSignIn(visit, who, details)
  await services.store.transaction(async (tx) => {
    // If two wrong codes arrive concurrently, one of them writes the notice.
    await lockPerson(tx, who.id)
    const codes = await countFailedSignIns(tx, who.id, details, since)
    const kind = 'second-factor.failed'
    if (codes < WRONG_CODES_NOTICED || (await hasNoticeSince(tx, { userId: who.id, kind, since }))) return
    const data = { codes, address: web?.address ?? null }
    await insertNotice(tx, { userId: who.id, kind, at: now.toISOString(), data, flightId: null })
  })
}

const wanted = (secret: string, now: Date) => ({
  purpose: 'second-factor' as const,
  hash: hashSecret(secret),
  now: now.toISOString(),
})

/** The person whose password was right in this browser; undefined if that was too long ago. */
export async function findPending({ db, now, web }: Visit): Promise<Person | undefined> {
  const secret = web?.step('pending')
  if (secret === undefined || secretKind(secret) !== 'step') return undefined
  const found = await findOneTime(db, wanted(secret, now))
  return found?.userId == null ? undefined : findPerson(db, { id: found.userId })
}

async function requirePending(visit: Visit): Promise<Person> {
  const who = await findPending(visit)
  if (!who) throw new AppError('unauthorized', 'second_factor_expired')
  return who
}

/** False if the code is wrong; nothing has changed then. */
async function finish(visit: Visit, who: Person, proof: Proof): Promise<boolean> {
  const { db, now, web } = visit
  // Locked before any other row: a request that ends all sessions uses the same order.
  await lockPerson(db, who.id)
  if (!(await takeProof(visit, who, proof))) return false
  // Another request may have finished the step with another code.
  const pending = wanted(web?.step('pending') ?? '', now)
  const taken = await takeOneTime<{ proven?: string }>(db, pending)
  if (taken?.userId !== who.id) throw new AppError('unauthorized', 'second_factor_expired')
  await signInWith(visit, who, taken.data.proven)
  if (proof.trust) await trustThisBrowser(visit, who.id)
  web?.keepStep('pending', undefined)
  return true
}

/** `proven`: the provider's account that the password and the code are to link. */
async function signInWith(visit: Visit, who: Person, proven: string | undefined): Promise<void> {
  if (proven === undefined) return completeSignIn(visit, who, { way: 'password' })
  try {
    await linkAndSignIn(visit, who, proven)
  } catch (error) {
    throw error instanceof ProviderError ? new AppError('unauthorized', 'second_factor_expired') : error
  }
}

/** Uses up the code if it is right. */
async function takeProof(visit: Visit, who: Person, { code = '', ...proof }: Proof): Promise<boolean> {
  const { db, now, web, services } = visit
  const recoveryCode = proof.recoveryCode ?? (isCode(code) ? undefined : code)
  if (recoveryCode !== undefined) {
    if (
      !(await takeRecoveryCode(db, {
        userId: who.id,
        hash: hashRecoveryCode(recoveryCode),
        now: now.toISOString(),
      }))
    )
      return false
    const actor = { id: who.id, username: who.username }
    const details = { left: await countRecoveryCodes(db, who.id) }
    await recordEvent(db, { kind: 'recovery-code.used', now, actor, address: web?.address, details })
    return true
  }
  const found = await findSecondFactor(db, { userId: who.id })
  if (!found?.enabledAt) return false
  const secret = unsealed(services, who.id, found.secret)
  if (secret === undefined) throw new AppError('conflict', 'second_factor_unreadable')
  return takeSteps(db, who.id, stepsOfCode(secret, code, now.getTime()), now)
}

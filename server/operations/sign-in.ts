// Signing in and out of the web app.
import * as z from 'zod'
import { checkPassword } from '../auth/check-password.ts'
import { findKnownBrowser } from '../auth/known-browsers.ts'
import { AppError } from '../base/errors.ts'
import { type Call, everyone, operation, person } from '../operation.ts'
import { hasSignedIn, recordEvent } from '../store/audit.ts'
import { insertNoticeOnce } from '../store/notices.ts'
import { findPersonByUsername } from '../store/people.ts'
import { deleteSession, listSessions } from '../store/sessions.ts'
import type { Executor } from '../store/store.ts'
import { authorOf, recordBy } from './authority.ts'
import { nothing } from './schemas.ts'
import { startSession } from './sessions.ts'

const tag = 'Account'

export const signIn = operation({
  id: 'sign-in',
  method: 'POST',
  path: '/sign-in',
  door: 'app',
  tag,
  summary: 'Sign in',
  access: everyone,
  body: z.object({ username: z.string().max(200), password: z.string().max(1000) }),
  output: nothing,
  status: 204,
  errors: ['unauthorized', 'too_many_requests'],
  managesTransaction: true,
  async run(call) {
    const { services, input, db, web, now } = call
    const found = await findPersonByUsername(db, input.username)
    const address = web?.address
    const known = found && findKnownBrowser(web?.browserProofs, found, now.getTime())
    const guesser =
      known === undefined ? { address, username: input.username } : { known: `browser ${known}` }
    const matches = await checkPassword(services.limits, guesser, found?.passwordHash, input.password)
    if (!found || !matches) {
      // An unknown name is not stored: people type passwords into the wrong field.
      const subject = found ? { id: found.id, username: found.username } : null
      await services.store.transaction((tx) =>
        recordEvent(tx, { kind: 'sign-in.failed', now, actor: null, subject, address }),
      )
      throw new AppError('unauthorized', 'wrong_credentials')
    }
    await services.store.transaction(async (tx) => {
      if (known === undefined) await noticeNewBrowser(tx, call, found.id)
      await startSession({ ...call, db: tx }, found.id)
      await recordEvent(tx, { kind: 'sign-in', now, actor: found, address })
    })
  },
})

/** The first time that a person signs in at all is no news to them. */
async function noticeNewBrowser(
  tx: Executor,
  { web, now }: Pick<Call, 'web' | 'now'>,
  userId: string,
): Promise<void> {
  const at = now.toISOString()
  const isFirst = (await listSessions(tx, userId, at)).length === 0 && !(await hasSignedIn(tx, userId))
  if (isFirst) return
  const data = { userAgent: web?.userAgent?.slice(0, 300) ?? null, address: web?.address ?? null }
  await insertNoticeOnce(tx, { userId, kind: 'session.new', at, data, flightId: null })
}

export const signOut = operation({
  id: 'sign-out',
  method: 'POST',
  path: '/sign-out',
  door: 'app',
  tag,
  summary: 'Sign out',
  access: person(),
  output: nothing,
  status: 204,
  async run(call) {
    const { principal, db, web } = call
    await deleteSession(db, principal.user.id, Number(principal.credentialId))
    await recordBy(authorOf(call), db, 'sign-out')
    web?.endSession()
  },
})

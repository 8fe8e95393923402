// Links that are mailed to an address, to show that the person reads what arrives there.
import { AppError } from '../../base/errors.ts'
import { hashSecret, randomText } from '../../base/secret/secrets.ts'
import { DAY } from '../../domain/time/durations.ts'
import { insertOneTime, listMailLinkEnds, takeOneTime } from '../../store/accounts/one-time.ts'
import type { Executor } from '../../store/store.ts'

const LINK_MS = DAY
/** Of each kind, across all addresses: a member must not use this server to flood a mailbox. */
const LINKS_A_DAY = 5

interface AddressLink {
  purpose: 'email' | 'notification-mail'
  userId: string
  now: Date
}

/** The token of a new link to this address, or how long to wait for one. Lock the person first. */
export async function createAddressLink(
  tx: Executor,
  { purpose, userId, now }: AddressLink,
  address: string,
): Promise<{ waitSeconds: number; token?: never } | { token: string; waitSeconds?: never }> {
  const ends = await listMailLinkEnds(tx, { userId, purpose, now: now.toISOString() })
  if (ends.length >= LINKS_A_DAY)
    return { waitSeconds: Math.ceil((Date.parse(ends[0]!) - now.getTime()) / 1000) }
  const token = randomText(32)
  await insertOneTime(tx, {
    purpose,
    hash: hashSecret(token),
    browser: null,
    userId,
    data: { email: address },
    expiresAt: new Date(now.getTime() + LINK_MS).toISOString(),
  })
  return { token }
}

/** Uses the link and returns its address. The error rolls that back: another person's link stays valid. */
export async function takeAddressLink(
  tx: Executor,
  { purpose, userId, now }: AddressLink,
  token: string,
): Promise<string> {
  const link = await takeOneTime<{ email: string }>(tx, {
    purpose,
    hash: hashSecret(token),
    now: now.toISOString(),
  })
  if (link?.userId !== userId) throw linkInvalid()
  return link.data.email
}

export const linkInvalid = () => new AppError('not_found', 'link_invalid')

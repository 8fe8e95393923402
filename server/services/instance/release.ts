// Looks for a newer version once a day, after the owner turned that on. The host learns the address of this instance and nothing
// else; nothing is downloaded or installed.
import * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { type GetOptions, getFrom } from '../../base/network/get.ts'
import { publicOnly } from '../../base/network/outbound.ts'
import { version } from '../../base/version.ts'
import { isNewer, LatestRelease, type ReleaseState } from '../../domain/instance/release.ts'
import { DAY, MINUTE, SECOND } from '../../domain/time/durations.ts'
import { findSetting, lockSetting, writeSetting } from '../../store/instance/settings.ts'
import { insertNotice } from '../../store/people/notices.ts'
import type { Executor, Store } from '../../store/store.ts'
import { listAdministrators } from './administrators.ts'

/** What is stored of the looks. */
const Kept = z.object({
  /** When the next one is due. */
  nextAt: z.number().default(0),
  checkedAt: z.number().optional(),
  hasFailed: z.boolean().default(false),
  found: LatestRelease.optional(),
  /** The version that administrators were told of. */
  told: z.string().optional(),
})
type Kept = z.output<typeof Kept>

const nothingYet: Kept = { nextAt: 0, hasFailed: false }
const parseKept = (stored: string | undefined): Kept =>
  stored === undefined ? nothingYet : (Kept.safeParse(JSON.parse(stored)).data ?? nothingYet)

export interface ReleaseFacts {
  current: string
  latest: string | null
  notes: string | null
  security: boolean
  checkedAt: number | null
  state: ReleaseState
  isNewer: boolean
}

type Address = Pick<Config, 'docsAddress'>

/** Whether the owner turned it on. It has no effect while the project has no public address. */
export const isLooking = async (db: Executor, { docsAddress }: Address): Promise<boolean> =>
  docsAddress !== undefined && (await findSetting(db, { name: 'updateCheck' })) === 'true'

export async function readRelease(db: Executor, config: Address): Promise<ReleaseFacts> {
  const off = {
    current: version,
    latest: null,
    notes: null,
    security: false,
    checkedAt: null,
    isNewer: false,
  }
  if (!(await isLooking(db, config))) return { ...off, state: 'off' }
  const { found, checkedAt = null, hasFailed } = parseKept(await findSetting(db, { name: 'latestRelease' }))
  const isAvailable = found !== undefined && isNewer(found.version, version)
  const known = found && {
    latest: found.version,
    notes: found.notes,
    security: isAvailable && found.security,
  }
  const state = hasFailed ? 'unreachable' : isAvailable ? 'newer' : 'current'
  return { ...off, ...known, checkedAt, state, isNewer: isAvailable }
}

// Looking

interface Look {
  store: Store
  config: Address
  clock: Clock
  log: Pick<Logger, 'info'>
  /** How the host is reached; tests have one of their own. */
  host?: Pick<GetOptions, 'rules' | 'ca'>
}

const limits = { timeoutMs: 5 * SECOND, bytesAtMost: 4 * 1024 }

/** Looks if that is due. Of several processes and machines, the one that claims the look makes it. */
export async function lookForRelease(look: Look): Promise<void> {
  const { store, config, clock, log } = look
  if (!(await isLooking(store.read, config)) || !(await claim(store, clock.now()))) return
  const result = await fetchLatest(config.docsAddress!, look.host).catch((error: unknown) => ({
    reason: errorMessage(error),
  }))
  const failedBefore = await store.transaction(async (tx) => {
    const before = parseKept(await lockSetting(tx, 'latestRelease', '{}'))
    const checkedAt = clock.now()
    const after =
      'reason' in result
        ? { ...before, checkedAt, hasFailed: true }
        : {
            ...before,
            checkedAt,
            hasFailed: false,
            found: result,
            told: await tell(tx, before, result, checkedAt),
          }
    await writeSetting(tx, { name: 'latestRelease', value: JSON.stringify(after) })
    return before.hasFailed
  })
  if ('reason' in result && !failedBefore) log.info('could not look for a newer version', result)
}

/** The next look is a day later, at another minute, so that instances that started together do not ask together. */
async function claim(store: Store, now: number): Promise<boolean> {
  const isDue = ({ nextAt }: Kept) => now >= nextAt || nextAt > now + 2 * DAY
  if (!isDue(parseKept(await findSetting(store.read, { name: 'latestRelease' })))) return false
  return store.transaction(async (tx) => {
    const kept = parseKept(await lockSetting(tx, 'latestRelease', '{}'))
    if (!isDue(kept)) return false
    const nextAt = now + DAY + Math.round((Math.random() - 0.5) * 60) * MINUTE
    await writeSetting(tx, { name: 'latestRelease', value: JSON.stringify({ ...kept, nextAt }) })
    return true
  })
}

async function fetchLatest(docsAddress: string, host: Look['host']): Promise<LatestRelease> {
  const address = `${docsAddress}latest.json`
  const { status, body } = await getFrom(address, { rules: publicOnly, ...host, ...limits })
  if (status !== 200) throw new Error(`${address} responded with status ${status}`)
  const release = LatestRelease.safeParse(JSON.parse(body)).data
  // Administrators follow the link.
  if (!release?.notes.startsWith(docsAddress)) throw new Error(`${address} has another form than expected`)
  return release
}

/** One notice for each version. Returns the newest version that administrators know of. */
async function tell(
  tx: Executor,
  { told }: Kept,
  { version: found, security }: LatestRelease,
  at: number,
): Promise<string | undefined> {
  if (found === told || !isNewer(found, version)) return told
  const notice = { kind: 'release.available', at: new Date(at).toISOString(), flightId: null } as const
  for (const userId of await listAdministrators(tx))
    await insertNotice(tx, { ...notice, userId, data: { version: found, security } })
  return found
}

// Tells administrators that the instance was upgraded, with a link to what changed.
import { version } from '../../base/version.ts'
import { isNewer } from '../../domain/instance/release.ts'
import { insertNotice } from '../../store/people/notices.ts'
import type { Executor } from '../../store/store.ts'
import { listAdministrators } from './administrators.ts'

/** In the transaction that records the version. A downgrade is no news to the person who made it. */
export async function notifyOfUpgrade(tx: Executor, from: string, at: Date, to = version): Promise<void> {
  if (!isNewer(to, from)) return
  const notice = { kind: 'instance.upgraded', at: at.toISOString(), flightId: null } as const
  for (const userId of await listAdministrators(tx))
    await insertNotice(tx, { ...notice, userId, data: { from, to } })
}

// Who hears of the instance itself: failed backups, upgrades, newer versions.
import { covers } from '../../domain/access/access.ts'
import { listPeople } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'

/** The ids of the owner and of everyone whose role may look for new versions. */
export const listAdministrators = async (db: Executor): Promise<string[]> =>
  (await listPeople(db))
    .filter(({ isOwner, permissions }) => isOwner || covers(new Set(permissions), 'instance.release.check'))
    .map(({ id }) => id)

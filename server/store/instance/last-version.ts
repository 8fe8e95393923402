// The version that last ran on these data.
import { version } from '../../base/version.ts'
import type { Transaction } from '../engine/engine.ts'
import { ownerExists } from '../people/people.ts'
import type { Executor, Store } from '../store.ts'
import { findSetting, lockSetting, writeSetting } from './settings.ts'

/** Versions before 1.0.0 did not record themselves. */
const UNRECORDED = '0.1.0'

/** Undefined on a new instance: one without an owner, on which no version has recorded itself. */
export const findLastVersion = async (db: Executor): Promise<string | undefined> =>
  (await findSetting(db, { name: 'lastVersion' })) || ((await ownerExists(db)) ? UNRECORDED : undefined)

/**
 * Records that this version runs. Returns the version that ran before, if it was another one; `onChange` runs in the same
 * transaction, so that of several servers that start together one does it, and a killed one leaves it to the next.
 */
export const recordVersion = (
  store: Pick<Store, 'transaction'>,
  onChange: (tx: Transaction, from: string) => Promise<void> = async () => {},
): Promise<string | undefined> =>
  store.transaction(async (tx) => {
    await lockSetting(tx, 'lastVersion', '')
    const from = await findLastVersion(tx)
    if (from === version) return undefined
    await writeSetting(tx, { name: 'lastVersion', value: version })
    if (from !== undefined) await onChange(tx, from)
    return from
  })

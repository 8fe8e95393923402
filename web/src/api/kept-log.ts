/**
 * The signed-in person's log, stored in this browser between visits. It is a copy: where it cannot be stored, as in a private
 * window or on a full disk, each visit loads the log from the server.
 */

import type { LogPayload } from './flights-of-log.ts'
import { settled } from './indexed-db.ts'
import type { PackedLog } from './packed-log.ts'

/** Whose log it is, and the server version that it came from; a log with other values is not returned. */
interface Keeper {
  userId: string
  version: string
}

/** A log and its later changes, in order: a packed log is not packed again for every change. */
export interface KeptLog {
  token: string
  log: LogPayload | PackedLog
  later: readonly LogPayload[]
}

interface Kept extends Keeper, KeptLog {}

const store = 'log'
const key = 'mine'

/** The result of one request to the store; undefined if the browser refuses it. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Result> | undefined,
): Promise<Result | undefined> {
  let database: IDBDatabase | undefined
  try {
    const opening = indexedDB.open('contrail', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(store)
    database = await settled(opening)
    const request = run(database.transaction(store, mode).objectStore(store))
    return request && (await settled(request))
  } catch {
    return undefined
  } finally {
    database?.close()
  }
}

export async function readKeptLog({ userId, version }: Keeper): Promise<KeptLog | undefined> {
  const kept = await inStore<Kept | undefined>('readonly', (logs) => logs.get(key))
  return kept?.userId === userId && kept.version === version && kept.log.of === userId && kept.later
    ? kept
    : undefined
}

/**
 * `isCurrent` is called when the database is open, in the same task as the write. A person who signs out in another tab is no
 * longer current before the log is erased there, so the write cannot come after that.
 */
export const keepLog = (keeper: Keeper, log: KeptLog, isCurrent: () => boolean) =>
  inStore('readwrite', (logs) =>
    isCurrent() ? logs.put({ ...keeper, ...log } satisfies Kept, key) : undefined,
  )

export const eraseKeptLog = () => inStore('readwrite', (logs) => logs.clear())

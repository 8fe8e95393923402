/**
 * Unsent changes, stored in this browser for each person. They stay when the person signs out, unless they delete them, and
 * the app never shows them to anyone else. All functions reject where the browser stores nothing, as in some private windows
 * or on a full disk.
 */

import { settled } from '../api/indexed-db.ts'
import type { Change, Waiting } from './write.ts'

const store = 'writes'

async function inStore<Result>(
  mode: IDBTransactionMode,
  run: (writes: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const opening = indexedDB.open('contrail-writes', 1)
  opening.onupgradeneeded = () => {
    const writes = opening.result.createObjectStore(store, { keyPath: 'seq', autoIncrement: true })
    writes.createIndex('userId', 'userId')
  }
  const database = await settled(opening)
  try {
    const transaction = database.transaction(store, mode, { durability: 'strict' })
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    const [result] = await Promise.all([run(transaction.objectStore(store)), done])
    return result
  } finally {
    database.close()
  }
}

const allOf = (writes: IDBObjectStore, userId: string): Promise<Waiting[]> =>
  settled(writes.index('userId').getAll(userId) as IDBRequest<Waiting[]>)

/** In the order in which they were made. */
export const listWrites = (userId: string): Promise<Waiting[]> =>
  inStore('readonly', (writes) => allOf(writes, userId))

/** Returns the list after the change. Reads and writes in one transaction, because another tab may have changed it. */
export const changeWrites = (userId: string, change: (list: Waiting[]) => Change): Promise<Waiting[]> =>
  inStore('readwrite', async (writes) => {
    const { put, remove } = change(await allOf(writes, userId))
    for (const seq of remove) writes.delete(seq)
    for (const one of put) writes.put(one)
    return allOf(writes, userId)
  })

/** All unsent changes of a person. */
export const eraseWrites = (userId: string): Promise<Waiting[]> =>
  changeWrites(userId, (list) => ({ put: [], remove: list.map(({ seq }) => seq) }))

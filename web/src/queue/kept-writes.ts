/**
 * What waits to be sent, kept in this browser for each person. It stays when the person signs out, unless they
 * delete it, and the app reads it for no one else. All functions reject where the browser keeps nothing, as in some private windows or on a full disk.
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

/** The list afterwards. Reads and writes in one transaction: another tab may have changed it meanwhile. */
export const changeWrites = (userId: string, change: (list: Waiting[]) => Change): Promise<Waiting[]> =>
  inStore('readwrite', async (writes) => {
    const { put, remove } = change(await allOf(writes, userId))
    for (const seq of remove) writes.delete(seq)
    for (const one of put) writes.put(one)
    return allOf(writes, userId)
  })

/** All of a person's. */
export const eraseWrites = (userId: string): Promise<Waiting[]> =>
  changeWrites(userId, (list) => ({ put: [], remove: list.map(({ seq }) => seq) }))

// Ids that must never change: assigned once, stored in a committed map of key to id, never given to another record.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export interface IdMap {
  /** The id of the first key already known, else a new one; all keys map to it from then on. */
  idFor(keys: string[]): number
  /** Ids assigned by any run so far. */
  all(): Set<number>
  save(): void
}

export function openIdMap(name: string, firstId: number): IdMap {
  const path = `${import.meta.dirname}/ids/${name}.json`
  const ids = new Map<string, number>(
    existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, 'utf8'))) : [],
  )
  const claimed = new Map<number, string>()
  let next = Math.max(firstId - 1, ...ids.values()) + 1
  return {
    idFor(keys) {
      const known = keys.find((key) => ids.has(key))
      const id = known === undefined ? next++ : (ids.get(known) ?? 0)
      const rival = claimed.get(id)
      if (rival !== undefined)
        throw new Error(`${keys.join(', ')} and ${rival} would share the id ${id} of ${name}`)
      claimed.set(id, keys.join(', '))
      for (const key of keys) if (!ids.has(key)) ids.set(key, id)
      return id
    },
    all: () => new Set(ids.values()),
    save: () =>
      writeFileSync(path, `${JSON.stringify(Object.fromEntries([...ids].sort(byIdThenKey)), null, 2)}\n`),
  }
}

const byIdThenKey = ([keyA, a]: [string, number], [keyB, b]: [string, number]) =>
  a - b || (keyA < keyB ? -1 : 1)

// The search indexes of the shipped records. They take a second to make and milliseconds to read: the process that loads a
// set keeps them as files, and every other process reads these. Only a process that finds none, or a damaged one, makes its own and keeps it.
import { hash } from 'node:crypto'
import { errorMessage } from '../../base/errors.ts'
import { collectGarbage } from '../../base/garbage-collection.ts'
import type { Logger } from '../../base/log.ts'
import { version } from '../../base/version.ts'
import type { OwnRecords } from '../../store/entry/own-records.ts'
import { findSetting } from '../../store/instance/settings.ts'
import { listSearchTexts } from '../../store/reference/search-texts.ts'
import { type Executor, onceCommitted } from '../../store/store.ts'
import { once } from './once.ts'
import { createIndexFiles, indexFolder } from './search/file.ts'
import { type IndexLists, indexRows } from './search/rows.ts'
import { openSearchIndex, type SearchIndex } from './search/search.ts'

export type Kind = keyof OwnRecords
export const tables = { airports: 'airport', airlines: 'airline', aircraft: 'aircraft' } as const
const kinds = ['airports', 'airlines', 'aircraft'] as const

/**
 * Identifies the shipped records of a database, and the program that read them. Records are never deleted, so the sets that
 * were loaded one after the other say which there are.
 */
async function findKey(db: Executor): Promise<string> {
  const loaded = await findSetting(db, { name: 'referenceSets' })
  const format = await findSetting(db, { name: 'searchFormat' })
  return hash('sha256', JSON.stringify([version, loaded, format]), 'base64url')
}

export interface ShippedIndexes {
  get(db: Executor, kind: Kind): Promise<SearchIndex>
}

interface Place {
  dataDir: string
  log: Logger
}

/** Kept in memory until another set is loaded. Without a place, there are no files. */
export function createShippedIndexes(place?: Place): ShippedIndexes {
  const files = place && createIndexFiles(indexFolder(place.dataDir))
  let key: string | undefined
  let indexes: Partial<Record<Kind, Promise<SearchIndex>>> = {}

  const keep = async (kind: Kind, of: string, index: IndexLists) =>
    files?.keep(kind, of, index).catch((error) => {
      place!.log.warn('cannot keep a search index: each process makes its own', {
        folder: indexFolder(place!.dataDir),
        reason: errorMessage(error),
      })
    })

  return {
    async get(db, kind) {
      const loaded = await findKey(db)
      const here = loaded === key ? indexes : {}
      onceCommitted(db, () => {
        ;[key, indexes] = [loaded, here]
      })
      return once(db, here, kind, async () => {
        const kept = await files?.find(kind, loaded)
        if (kept) return openSearchIndex(kept)
        const made = await indexRows(listSearchTexts(db, tables[kind], 'shipped'))
        // A transaction may have loaded records that are never committed.
        onceCommitted(db, () => void keep(kind, loaded, made))
        collectGarbage()
        return openSearchIndex(made)
      })
    },
  }
}

export async function hasIndexes(db: Executor, dataDir: string): Promise<boolean> {
  const files = createIndexFiles(indexFolder(dataDir))
  const key = await findKey(db)
  return kinds.every((kind) => files.has(kind, key))
}

/**
 * Reads what the indexes are made from, if files are missing, and returns the function that makes and keeps them: it needs no
 * database, so a start does not wait for it.
 */
export async function readForIndexes(db: Executor, dataDir: string): Promise<() => Promise<void>> {
  const files = createIndexFiles(indexFolder(dataDir))
  const key = await findKey(db)
  const missing: { kind: Kind; texts: string[] }[] = []
  for (const kind of kinds) {
    if (files.has(kind, key)) continue
    const texts: string[] = []
    for await (const text of listSearchTexts(db, tables[kind], 'shipped')) texts.push(text)
    missing.push({ kind, texts })
  }
  return async () => {
    for (const { kind, texts } of missing) await files.keep(kind, key, await indexRows(texts))
  }
}

// Which set comes with the program, and whether the store has it. Every start asks; what reads and loads a set is imported only
// where one is loaded.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SEARCH_FORMAT } from '../domain/search-text.ts'
import { findSetting } from '../store/settings.ts'
import type { Executor } from '../store/store.ts'

export interface Manifest {
  /** A hash of the three files' contents. */
  version: string
  counts: { airports: number; airlines: number; aircraft: number }
  /** The date of the data; a later date is newer. */
  snapshot: string
}

export const shippedFile = (name: string): string => fileURLToPath(new URL(`./data/${name}`, import.meta.url))

export const shippedManifest = (): Manifest => JSON.parse(readFileSync(shippedFile('manifest.json'), 'utf8'))

/**
 * Whether the store has the shipped set, or a newer one that the operator loaded. A set that an older version of the
 * program loaded has search texts of another form, and the shipped one replaces it.
 */
export async function isLoaded(db: Executor): Promise<boolean> {
  const { version, snapshot } = shippedManifest()
  if ((await findSetting(db, 'searchFormat')) !== SEARCH_FORMAT) return false
  return (
    (await findSetting(db, 'referenceVersion')) === version ||
    ((await findSetting(db, 'referenceSnapshot')) ?? '') > snapshot
  )
}

// The set that comes with the program, and whether the store has it. Every start checks this; the code that reads and loads sets
// is imported only when needed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SEARCH_FORMAT } from '../../domain/text/search-text.ts'
import { findSetting } from '../../store/instance/settings.ts'
import type { Executor } from '../../store/store.ts'

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
 * Whether the store has the shipped set or a newer one from the operator. A set that an older version of the program loaded has
 * search texts in another format, and the shipped one replaces it.
 */
export async function isLoaded(db: Executor): Promise<boolean> {
  const { version, snapshot } = shippedManifest()
  if ((await findSetting(db, { name: 'searchFormat' })) !== SEARCH_FORMAT) return false
  return (
    (await findSetting(db, { name: 'referenceVersion' })) === version ||
    ((await findSetting(db, { name: 'referenceSnapshot' })) ?? '') > snapshot
  )
}

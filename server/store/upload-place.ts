// Where the files that people send are kept, in a place that every process of the instance shares: a folder, the database or
// an S3-compatible store.
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Executor } from './engine.ts'
import type { Store } from './store.ts'
import { keptInDatabase } from './uploads-database.ts'
import { keptInFolder } from './uploads-folder.ts'
import { keptInS3 } from './uploads-s3.ts'

/** Pictures of airlines, which anyone may see, and files that are being imported, which only their owner may. */
export const uploadFolders = ['airlines', 'imports'] as const
export type UploadFolder = (typeof uploadFolders)[number]

/** Every path that reaches it has the form of one: a folder and a name. */
export interface UploadPlace {
  write(path: string, bytes: Uint8Array, tx?: Executor): Promise<void>
  /** From the database with this transaction, if there is one: a second connection could be waited for in vain. */
  read(path: string, tx?: Executor): Promise<Buffer | undefined>
  remove(path: string): Promise<void>
  /** What is in a folder, unfinished files included, with when it was written by the place's own clock. */
  list(folder: UploadFolder): Promise<{ path: string; writtenAt: number }[]>
}

export interface UploadParts {
  config: Pick<Config, 'dataDir' | 'uploads' | 's3'>
  store: Store
  clock: Clock
}

export function openUploadPlace({ config, store, clock }: UploadParts): UploadPlace {
  if (config.uploads === 'database') return keptInDatabase(store)
  return config.uploads === 's3' && config.s3 ? keptInS3(config.s3, clock) : keptInFolder(config.dataDir)
}

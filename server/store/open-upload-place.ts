// Chooses where the files that people send are kept, so that every process of the instance shares them.
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Store } from './store.ts'
import type { UploadPlace } from './upload-place.ts'
import { keptInDatabase } from './uploads-database.ts'
import { keptInFolder } from './uploads-folder.ts'
import { keptInS3 } from './uploads-s3.ts'

export interface UploadParts {
  config: Pick<Config, 'dataDir' | 'uploads' | 's3'>
  store: Store
  clock: Clock
}

export function openUploadPlace({ config, store, clock }: UploadParts): UploadPlace {
  if (config.uploads === 'database') return keptInDatabase(store)
  return config.uploads === 's3' && config.s3 ? keptInS3(config.s3, clock) : keptInFolder(config.dataDir)
}

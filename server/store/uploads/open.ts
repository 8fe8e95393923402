// Chooses where uploads are stored, so that all processes of the instance share them.
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { Store } from '../store.ts'
import { keptInDatabase } from './database.ts'
import { keptInFolder } from './folder.ts'
import type { UploadPlace } from './place.ts'
import { keptInS3 } from './s3.ts'

export interface UploadParts {
  config: Pick<Config, 'dataDir' | 'uploads' | 's3'>
  store: Store
  clock: Clock
}

export function openUploadPlace({ config, store, clock }: UploadParts): UploadPlace {
  if (config.uploads === 'database') return keptInDatabase(store)
  return config.uploads === 's3' && config.s3 ? keptInS3(config.s3, clock) : keptInFolder(config.dataDir)
}

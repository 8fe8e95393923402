// A process that reads one import and is killed meanwhile: `node test/imports/reading-process.ts SETTINGS`.
import { systemClock } from '../../server/base/clock.ts'
import { createLogger } from '../../server/base/log.ts'
import { createImports } from '../../server/services/imports/verdicts/runner.ts'
import { createReference } from '../../server/services/reference/reference.ts'
import { createImportFiles } from '../../server/store/imports/files.ts'
import { openStore } from '../../server/store/store.ts'

const { databaseUrl, dataDir, id, userId, lease } = JSON.parse(process.argv[2]!)
const log = createLogger('error')
const store = await openStore({ databaseUrl, dataDir }, log)
const config = { dataDir, uploads: 'folder' as const, s3: undefined }
const files = createImportFiles({ config, store, clock: systemClock })
const reference = createReference()
const imports = createImports({ store, files, reference, clock: systemClock, log })
await imports.evaluate({ id, userId }, lease)
process.stdout.write('done\n')

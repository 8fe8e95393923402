// A child process that loads the shipped reference data and makes their search indexes: the two hundred megabytes that this
// needs are freed when it exits. It reports its progress, that the data are loaded, or its failure to the parent process, which
// does not wait for the indexes. It exits when the parent does.
import { readConfig } from '../base/config.ts'
import { errorMessage } from '../base/errors.ts'
import { createLogger } from '../base/log.ts'
import { loadReference } from '../services/reference/load.ts'
import { readForIndexes } from '../services/reference/shipped-indexes.ts'
import { openStore } from '../store/store.ts'

export type FromLoader = { share: number } | { isLoaded: true } | { problem: string }

const tell = (message: FromLoader) => process.send?.(message)

async function load(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLogger(config.logLevel)
  const store = await openStore(config, log)
  await loadReference(store, log, (share) => tell({ share }))
  const makeIndexes = await readForIndexes(store.read, config.dataDir)
  await store.close()
  tell({ isLoaded: true })
  await makeIndexes().catch((error) => {
    log.warn('cannot keep the search indexes', { reason: errorMessage(error) })
  })
}

process.on('disconnect', () => process.exit(1))
try {
  await load()
} catch (error) {
  tell({ problem: errorMessage(error) })
  process.exitCode = 1
}
process.removeAllListeners('disconnect')
process.disconnect?.()

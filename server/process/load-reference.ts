// A child process that loads the shipped reference data: the two hundred megabytes that this needs are freed when it exits.
// It reports its progress or its failure to the parent process, and exits when the parent does.
import { readConfig } from '../base/config.ts'
import { errorMessage } from '../base/errors.ts'
import { createLogger } from '../base/log.ts'
import { loadReference } from '../services/reference/load.ts'
import { openStore } from '../store/store.ts'

export type FromLoader = { share: number } | { problem: string }

const tell = (message: FromLoader) => process.send?.(message)

async function load(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLogger(config.logLevel)
  const store = await openStore(config, log)
  await loadReference(store, log, (share) => tell({ share }))
  await store.close()
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

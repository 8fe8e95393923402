// Everything remembered. Opens the engine that the settings name, brings its tables up to date, and hands out
// executors; the queries live beside this file, one file per noun.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export { foreignKeyViolation, uniqueViolation } from './dialect.ts'
export type { Executor } from './engine.ts'
export type Store = Engine

type StoreConfig = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseConnections'>>

export async function openStore(config: StoreConfig, log: Log): Promise<Store> {
  const engine = config.databaseUrl
    ? openPostgres(config.databaseUrl, config.databaseConnections ?? 10, log)
    : openSqlite(join(config.dataDir, 'contrail.sqlite'))
  try {
    await migrate(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}

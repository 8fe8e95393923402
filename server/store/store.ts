// Everything remembered. Opens the engine that the settings name, brings its tables up to date, and hands out
// executors; the queries live beside this file, one file per noun.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Engine } from './engine.ts'
import { explainPostgres, explainSqlite } from './explain.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export { fileProblem, foreignKeyViolation, uniqueViolation } from './dialect.ts'
export type { Executor } from './engine.ts'
export type Store = Engine

type Place = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseConnections'>>

/** Whatever stops it is told in one line that names the place. */
export async function openStore(config: Place, log: Log): Promise<Store> {
  try {
    return await openEngine(config, log)
  } catch (error) {
    const { databaseUrl, dataDir } = config
    const reason = databaseUrl ? explainPostgres(databaseUrl, error) : explainSqlite(dataDir, error)
    throw new Error(reason, { cause: error })
  }
}

async function openEngine(config: Place, log: Log): Promise<Engine> {
  const { databaseUrl, databaseConnections = 10, dataDir } = config
  const engine = databaseUrl
    ? openPostgres(databaseUrl, databaseConnections, log)
    : openSqlite(join(dataDir, 'contrail.sqlite'))
  try {
    await migrate(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}

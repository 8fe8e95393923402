// Opens the engine that the settings select and migrates its tables. The queries are in the folders, by room.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../base/config.ts'
import { placesIn } from '../base/database-url.ts'
import type { Logger } from '../base/log.ts'
import { hasNoTable, isDamage } from './engine/dialect.ts'
import type { Engine } from './engine/engine.ts'
import { explainPostgres, explainSqlite } from './engine/explain.ts'
import { openPostgres } from './engine/postgres.ts'
import { openSqlite } from './engine/sqlite.ts'
import {
  FailedMigration,
  type KeepBefore,
  listApplied,
  migrate,
  migrations,
  NotKept,
  requireKnown,
} from './migrations/migrate.ts'

export { fileProblem, foreignKeyViolation, storageProblem, uniqueViolation } from './engine/dialect.ts'
export { type Executor, onceCommitted, requireCommitted, type Transaction } from './engine/engine.ts'
export type Store = Engine

type Place = Pick<Config, 'databaseUrl' | 'dataDir'> &
  Partial<Pick<Config, 'databaseConnections' | 'databaseReadUrl' | 'databasePrepare'>>

/** If it fails, the error names the database and the cause in one line. */
export const openStore = (config: Place, log: Logger, keepBefore?: KeepBefore): Promise<Store> =>
  withExplanation(config, () => openEngine(config, log, (engine) => migrate(engine, migrations, keepBefore)))

/**
 * Opens the store without migrating it, for a backup: a backup must not change what it saves, and a server of an older
 * version may be running. Throws if there is no database or if a newer version made it.
 */
export const openStoreAsItIs = (config: Place, log: Logger): Promise<Store> =>
  withExplanation(config, () => {
    if (!config.databaseUrl && !existsSync(sqliteFile(config))) throw new Error('there is no database in it')
    return openEngine(config, log, async (engine) => requireKnown(await listAppliedIfAny(engine)))
  })

async function withExplanation<Result>(config: Place, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    throw new Error(whyNotOpened(config, error), { cause: error })
  }
}

/** Empty if the file is damaged: the backup then finds and reports the damage. */
async function listAppliedIfAny(engine: Engine): Promise<string[]> {
  try {
    const applied = await listApplied(engine.read)
    if (applied.length === 0) throw new Error('it has no Contrail tables')
    return applied
  } catch (error) {
    if (isDamage(error)) return []
    throw hasNoTable(error) ? new Error('it has no Contrail tables') : error
  }
}

export const sqliteFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'contrail.sqlite')

async function openEngine(
  config: Place,
  log: Logger,
  prepare: (engine: Engine) => Promise<void>,
): Promise<Engine> {
  const { databaseUrl, databaseReadUrl, databasePrepare, databaseConnections = 10 } = config
  const engine = databaseUrl
    ? openPostgres(
        {
          url: databaseUrl,
          readUrl: databaseReadUrl,
          connections: databaseConnections,
          prepare: databasePrepare,
        },
        log,
      )
    : openSqlite(sqliteFile(config))
  try {
    await prepare(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  return withAfterCommit(engine, log)
}

function withAfterCommit(engine: Engine, log: Logger): Engine {
  return {
    ...engine,
    async transaction(work) {
      let waiting: ((log: Logger) => void)[] = []
      const result = await engine.transaction((tx) => {
        // The engine may run the work again.
        waiting = []
        return work({ ...tx, afterCommit: (later) => void waiting.push(later) })
      })
      for (const later of waiting) later(log)
      return result
    },
  }
}

/** The problem and what to do about it, in one line. */
export function whyNotOpened({ databaseUrl, dataDir }: Place, error: unknown): string {
  if (error instanceof FailedMigration || error instanceof NotKept) return error.message
  return databaseUrl ? explainPostgres(databaseUrl, error) : explainSqlite(dataDir, error)
}

/** SQLite finds out when it opens its file. With PostgreSQL, the secret, uploads and backups would fail only later. */
export function requireDataFolder({ dataDir }: Place): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(explainSqlite(dataDir, error))
  }
}

/** Without the password in the URL. */
export const placeOf = ({ databaseUrl, dataDir }: Place): string =>
  databaseUrl ? `PostgreSQL at ${placesIn(databaseUrl)}` : `the data folder ${dataDir}`

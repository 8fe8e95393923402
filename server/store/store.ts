// Everything remembered. Opens the engine that the settings name, brings its tables up to date, and hands out
// executors; the queries live beside this file, one file per noun.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import { hasNoTable, isDamage } from './dialect.ts'
import type { Engine } from './engine.ts'
import { explainPostgres, explainSqlite } from './explain.ts'
import { listApplied, migrate, requireKnown } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export { fileProblem, foreignKeyViolation, storageProblem, uniqueViolation } from './dialect.ts'
export type { Executor } from './engine.ts'
export type Store = Engine

type Place = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseConnections'>>

/** Whatever stops it is told in one line that names the place. */
export const openStore = (config: Place, log: Logger): Promise<Store> =>
  namingThePlace(config, () => openEngine(config, log, migrate))

/**
 * Without bringing the tables up to date, for a backup: it must not change what it saves, and a server of an older
 * version may be running. Throws if there is no database or a newer version made it.
 */
export const openStoreAsItIs = (config: Place, log: Logger): Promise<Store> =>
  namingThePlace(config, () => {
    if (!config.databaseUrl && !existsSync(sqliteFile(config))) throw new Error('there is no database in it')
    return openEngine(config, log, async (engine) => requireKnown(await listAppliedIfAny(engine)))
  })

async function namingThePlace<Result>(config: Place, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    throw new Error(whyNotOpened(config, error), { cause: error })
  }
}

/** Damage is found and described by the backup itself. */
async function listAppliedIfAny(engine: Engine): Promise<string[]> {
  try {
    const applied = await listApplied(engine.read)
    if (applied.length === 0) throw new Error('there are no tables of Contrail in it')
    return applied
  } catch (error) {
    if (isDamage(error)) return []
    throw hasNoTable(error) ? new Error('there are no tables of Contrail in it') : error
  }
}

export const sqliteFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'contrail.sqlite')

async function openEngine(
  config: Place,
  log: Logger,
  prepare: (engine: Engine) => Promise<void>,
): Promise<Engine> {
  const { databaseUrl, databaseConnections = 10 } = config
  const engine = databaseUrl
    ? openPostgres(databaseUrl, databaseConnections, log)
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

/** In one line for people: what is wrong and what to do. */
export const whyNotOpened = ({ databaseUrl, dataDir }: Place, error: unknown): string =>
  databaseUrl ? explainPostgres(databaseUrl, error) : explainSqlite(dataDir, error)

/** Without the password that the address holds. */
export const placeOf = ({ databaseUrl, dataDir }: Place): string =>
  databaseUrl && URL.canParse(databaseUrl)
    ? `PostgreSQL at ${new URL(databaseUrl).host}`
    : (databaseUrl && 'the PostgreSQL in DATABASE_URL') || `the data folder ${dataDir}`

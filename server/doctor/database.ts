// Checks of the database and its configuration, on either engine.
import { availableParallelism } from 'node:os'
import type { Config } from '../base/config.ts'
import { isDamage } from '../store/engine/dialect.ts'
import type { Executor } from '../store/engine/engine.ts'
import {
  type PostgresFacts,
  type ReplicaFacts,
  schemaState,
  sqliteFaults,
} from '../store/instance/inspect.ts'
import { type Finding, fail, ok, reasonOf, sizeOf, warn } from './finding.ts'

/** The statement timeout that Contrail itself uses. */
const STATEMENT_TIMEOUT_MS = 30_000
const OLDEST_POSTGRES = 140_000
const FAR_BEHIND_BYTES = 16 * 1024 ** 2

export async function checkSchema(db: Executor): Promise<Finding> {
  const state = await schemaState(db)
  if (!state) return warn('schema', 'there are no tables yet', 'the first start of the server creates them')
  if (state.unknown.length > 0) {
    return fail(
      'schema',
      `the database was made by a newer Contrail (it has ${state.unknown.join(', ')})`,
      'update this program, or restore a backup from before the update',
    )
  }
  return state.waiting.length > 0
    ? warn(
        'schema',
        `migrations to apply: ${state.waiting.join(', ')}`,
        'make a backup; the next start of the server applies them',
      )
    : ok('schema', 'up to date')
}

export async function checkSqlite(db: Executor): Promise<Finding> {
  const advice =
    'stop the server, save what can be read with `contrail backup FILE`, then restore the newest complete backup'
  try {
    const faults = await sqliteFaults(db)
    if (faults.length === 0) return ok('integrity', 'quick_check and foreign_key_check found no errors')
    const more = faults.length > 1 ? ` and ${faults.length - 1} more` : ''
    return fail('integrity', `the database file is damaged: ${faults[0]}${more}`, advice)
  } catch (error) {
    if (!isDamage(error)) throw error
    return fail('integrity', `the database file is damaged: ${reasonOf(error)}`, advice)
  }
}

/** An ordinary role cannot check tables; PostgreSQL only counts pages with a wrong checksum. */
export function checkPostgresIntegrity(facts: PostgresFacts): Finding {
  if (facts.checksumFailures > 0) {
    return fail(
      'integrity',
      `PostgreSQL has found ${facts.checksumFailures} damaged pages in this database`,
      'check the disk and restore a backup',
    )
  }
  if (facts.invalidIndexes.length > 0) {
    return warn(
      'integrity',
      `these indexes are not valid: ${facts.invalidIndexes.join(', ')}`,
      'REINDEX them',
    )
  }
  return ok(
    'integrity',
    facts.hasChecksums ? 'no damaged pages found so far' : 'unknown: this PostgreSQL has no page checksums',
  )
}

export function checkPostgresRights(facts: PostgresFacts): Finding {
  const owner = 'make the role the owner of the database: alter database … owner to …'
  if (facts.isStandby)
    return fail('rights', 'this PostgreSQL is a standby and accepts no writes', 'use the primary')
  if (facts.unusable.length > 0) {
    return fail('rights', `the role may not read and write ${facts.unusable.join(', ')}`, owner)
  }
  if (!facts.mayCreate) return fail('rights', 'the role may not create tables', owner)
  if (facts.foreign.length > 0) {
    return warn(
      'rights',
      `another role owns ${facts.foreign.join(', ')}: an upgrade could not change them`,
      owner,
    )
  }
  return ok('rights', 'the role may create, read and write')
}

export function checkPostgresSettings(facts: PostgresFacts): Finding {
  const problems = [
    facts.encoding !== 'UTF8' && {
      level: 'fail' as const,
      text: `the encoding is ${facts.encoding}: some names cannot be stored; create the database with encoding 'UTF8'`,
    },
    facts.fsync !== 'on' && {
      level: 'fail' as const,
      text: 'fsync is off: a power failure can destroy the database; turn it on',
    },
    facts.version < OLDEST_POSTGRES && {
      level: 'warn' as const,
      text: `version ${Math.floor(facts.version / 10_000)} is no longer supported; update PostgreSQL`,
    },
    facts.synchronousCommit === 'off' && {
      level: 'warn' as const,
      text: 'synchronous_commit is off: a crash loses writes that were acknowledged; turn it on',
    },
    facts.isolation !== 'read committed' && {
      level: 'warn' as const,
      text: `default_transaction_isolation is ${facts.isolation}; set it to 'read committed'`,
    },
    facts.statementTimeoutMs > 0 &&
      facts.statementTimeoutMs < STATEMENT_TIMEOUT_MS && {
        level: 'warn' as const,
        text: `statement_timeout is ${facts.statementTimeoutMs} ms; set it to 0 or at least 30 s for this role`,
      },
  ].filter((problem) => problem !== false)
  const name = 'postgresql'
  if (problems.length === 0) return ok(name, `version ${Math.floor(facts.version / 10_000)}, UTF8`)
  const level = problems.some((problem) => problem.level === 'fail') ? 'fail' : 'warn'
  return { level, name, found: problems.map(({ text }) => text).join('; ') }
}

/** Whether all connections that the server may open fit; some of them may be open already. */
export function checkConnections(config: Config, facts: PostgresFacts, isPooled: boolean): Finding {
  const processes = config.workers === 'auto' ? availableParallelism() : config.workers
  // With several workers, the primary process has its own pool, and so has the command line.
  const wanted = (processes > 1 ? processes + 1 : 1) * config.databaseConnections + 5
  const found = `${facts.connections} of ${facts.maxConnections} in use, this server may open ${wanted}`
  const advice = 'lower DATABASE_CONNECTIONS or WORKERS, or raise max_connections'
  if (facts.connections >= facts.maxConnections - 3) return fail('connections', found, advice)
  // A pooler opens as many as it is configured to.
  return wanted > facts.maxConnections && !isPooled
    ? warn('connections', found, advice)
    : ok('connections', found)
}

export const checkPooler = ({ databasePrepare }: Config): Finding =>
  ok(
    'pooler',
    databasePrepare === 'true'
      ? 'there is a pooler, and DATABASE_PREPARE is true: the pooler must support prepared statements'
      : 'there is a pooler; statements are not prepared',
  )

/** Without a replica the primary is used, so the only failure here is a replica of another instance. */
export function checkReplica(facts: ReplicaFacts): Finding {
  const name = 'replica'
  if (!facts.isOfPrimary)
    return fail(name, 'it belongs to another primary server', 'correct DATABASE_READ_URL')
  if (!facts.isStandby)
    return warn(name, 'the server in DATABASE_READ_URL is not a standby and is not used', 'name a standby')
  if (facts.isOnTimeline === null)
    return warn(name, 'it is not replicating and is not used for now', 'check its replication')
  if (!facts.isOnTimeline)
    return warn(
      name,
      'it is not on the timeline of the primary server and is not used for now',
      'let it follow the new primary server, and grant pg_read_all_stats to the role so that this is detected immediately',
    )
  return facts.behindBytes > FAR_BEHIND_BYTES
    ? warn(name, `it is ${sizeOf(facts.behindBytes)} behind and is not used for now`, 'check its replication')
    : ok(name, 'follows the primary server')
}

// A read replica: a standby that follows the primary server. It is only used once it has replayed everything that was
// committed when the request arrived, so that callers see their own writes, whichever process made them, and no response is
// cached under a revision that is newer than its data. Positions are only comparable within one timeline: after a failover, a
// standby of the old primary may be ahead of the new one and still lack its writes. If the replica is too far behind or
// unavailable, the primary serves the read.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../base/log.ts'
import {
  isAbortedForOther,
  mayRetry,
  NO_STANDBY,
  OTHER_TIMELINE,
  replicaFails,
  timelineOfPrimary,
  timelineOfStandby,
} from './dialect.ts'
import type { Executor, ReadSide } from './engine.ts'
import { type Connection, type Pool, queryOnce } from './postgres-pool.ts'

/** How long a request waits for a replica that is behind, in steps. */
const WAITS_MS = [0, 10, 30, 60]
/** How long the primary then serves without waiting for a replica that was behind or unavailable. */
const BEHIND_MS = 1_000
const AWAY_MS = 10_000

interface Parts {
  pool: Pool
  primary: ReadSide
  /** Reads through the connections of a pool, and repeats them after these failures. */
  readSide(pool: Pick<Pool, 'connect' | 'learnFrom'>, mayRepeat: (error: unknown) => boolean): ReadSide
  log: Logger
}

export function createReplica({ pool, primary, readSide, log }: Parts): () => Promise<ReadSide | undefined> {
  const state = createState(log)

  /** Reads from the replica that has caught up, and from the primary if that replica is lost in the meantime. */
  function sideAt(generation: number): ReadSide {
    // What conflicts with the replay of changes would again; the primary serves it.
    const replica = readSide(
      { connect: () => connectTo(pool, generation), learnFrom: pool.learnFrom },
      (error) => mayRetry(error) && !isAbortedForOther(error),
    )
    const orPrimary = async <Result>(
      ask: (side: ReadSide) => Promise<Result>,
      mayRepeat = () => true,
    ): Promise<Result> => {
      try {
        return await ask(replica)
      } catch (error) {
        if (!replicaFails(error)) throw error
        state.away(error)
        if (mayRepeat()) return ask(primary)
        throw error
      }
    }
    return {
      read: {
        kind: primary.read.kind,
        query: (sql, parameters) => orPrimary(({ read }) => read.query(sql, parameters)),
      },
      snapshot(work) {
        // Once `work` has begun, it may already have sent something.
        let hasBegun = false
        const begin = (db: Executor) => {
          hasBegun = true
          return work(db)
        }
        return orPrimary(
          ({ snapshot }) => snapshot(begin),
          () => !hasBegun,
        )
      },
    }
  }

  return async () => {
    if (state.isResting()) return undefined
    const position = await positionOf(primary)
    try {
      const generation = await generationAt(pool, position)
      if (generation === undefined) return void state.behind()
      state.used()
      return sideAt(generation)
    } catch (error) {
      return void state.away(error)
    }
  }
}

interface Position {
  timeline: number
  lsn: string
}

/** The position of the last commit. With asynchronous commits, a commit may be ahead of what is on disk. */
async function positionOf({ read }: ReadSide): Promise<Position> {
  const sql = `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end)::text as lsn, ${timelineOfPrimary} as timeline`
  const [row] = await read.query(sql, [])
  return { timeline: row!['timeline'] as number, lsn: row!['lsn'] as string }
}

/** The generation of the pool whose replica has replayed the position; undefined if that takes too long. */
async function generationAt(pool: Pool, { timeline, lsn }: Position): Promise<number | undefined> {
  const text = `select pg_is_in_recovery() as "isStandby", ${timelineOfStandby} as timeline,
    coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isCaughtUp"`
  for (const ms of WAITS_MS) {
    if (ms > 0) await pause(ms)
    const { generation } = pool
    const [row] = (await queryOnce(pool, { text, values: [lsn] })).rows
    // It was promoted, or follows an old primary. Its connections stay open.
    const isOther = row.timeline !== null && row.timeline !== timeline
    if (!row.isStandby || isOther) {
      pool.leave()
      throw new Error(row.isStandby ? OTHER_TIMELINE : NO_STANDBY)
    }
    if (row.isCaughtUp && row.timeline === timeline && generation === pool.generation) return generation
  }
  return undefined
}

async function connectTo(pool: Pool, generation: number): Promise<Connection> {
  const client = await pool.connect()
  if (client.generation === generation) return client
  client.release()
  throw new Error('Connection terminated: switched to another replica')
}

/** Whether the replica is used. Logs one line whenever that changes for long. */
function createState(log: Logger) {
  let restsUntil = 0
  let isAway = false
  return {
    isResting: () => performance.now() < restsUntil,
    behind() {
      restsUntil = performance.now() + BEHIND_MS
    },
    away(error: unknown) {
      restsUntil = performance.now() + AWAY_MS
      const reason =
        error instanceof Error ? (error.cause instanceof Error ? error.cause : error).message : ''
      if (!isAway) log.warn('the read replica is not used; the primary serves', { reason })
      isAway = true
    },
    used() {
      if (isAway) log.info('the read replica is used again')
      isAway = false
    },
  }
}

// Loaded where TEST_CONFLICTS=aborted: every tenth statement of requests, and of work that they start, fails as on a
// database that aborts one transaction in favour of another (40001). The error comes from the server, which has aborted the transaction.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import pg from 'pg'

type Client = pg.Client & { connectionParameters: { application_name?: string } }
type Send = (this: Client, query: string | pg.QueryConfig, ...rest: unknown[]) => Promise<pg.QueryResult>

const EVERY = 10
const ABORT = "/* test */ do $$ begin raise exception 'aborted for the test' using errcode = '40001'; end $$"

/** After a failure none follows in the same request until it has saved something: long transactions would never end. */
interface Caller {
  isSpared: boolean
}
const callers = new AsyncLocalStorage<Caller>()
subscribe('http.server.request.start', () => callers.enterWith({ isSpared: false }))

/** PostgreSQL aborts no statement of a read-only snapshot after its first, and none is repeated: what it read may have been sent. */
const snapshots = new WeakMap<Client, 'begun' | 'read'>()
let [statements, aborted] = [0, 0]
export const countAborted = (): number => aborted

const { prototype } = pg.Client as unknown as { prototype: { query: Send } }
const send = prototype.query
prototype.query = function (query, ...rest) {
  const text = typeof query === 'string' ? query : query.text
  const isOurs = this.connectionParameters.application_name === 'contrail'
  return isOurs && mustFail(this, text) ? abort(this, text) : send.call(this, query, ...rest)
}

function mustFail(client: Client, text: string): boolean {
  const isCommit = text === 'commit'
  const snapshot = snapshots.get(client)
  if (/^begin.* read only/.test(text)) snapshots.set(client, 'begun')
  else if (isCommit || text === 'rollback') snapshots.delete(client)
  else if (snapshot) snapshots.set(client, 'read')
  const caller = callers.getStore()
  if (!caller || snapshot === 'read') return false
  // What touches no table conflicts with nothing.
  if (!isCommit && !/\b(?:from|into|update)\b/.test(text)) return false
  const fails = ++statements % EVERY === 0 && !caller.isSpared
  if (fails) aborted++
  if (fails || isCommit) caller.isSpared = fails
  return fails
}

function abort(client: Client, text: string): Promise<pg.QueryResult> {
  const failed = send.call(client, { text: ABORT })
  // A commit that fails ends the transaction too.
  if (text === 'commit') void send.call(client, { text: 'rollback' })
  return failed
}

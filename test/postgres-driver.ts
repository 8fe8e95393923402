// What the application sends through the driver of PostgreSQL in test processes: noted, and with TEST_ABORT_EVERY=10 every tenth
// statement fails as on a database that aborts a transaction in favour of another one (40001). The error comes from the server,
// which has aborted the transaction.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import pg from 'pg'
import { noteSent } from './sent-sql.ts'

type Send = (this: Client, query: string | pg.QueryConfig, ...rest: unknown[]) => Promise<pg.QueryResult>
type Client = pg.Client & { connectionParameters: { application_name?: string } }

const ABORT = "do $$ begin raise exception 'aborted for the test' using errcode = '40001'; end $$"
const every = Number(process.env['TEST_ABORT_EVERY'] ?? Number.POSITIVE_INFINITY)
let [statements, aborted] = [0, 0]
const inTransaction = new WeakSet<Client>()
/** After a failure none follows in the same request until it has saved or read something: long transactions would never end. */
interface Caller {
  isSpared: boolean
}
const callers = new AsyncLocalStorage<Caller>()
const others: Caller = { isSpared: false }
if (every < Number.POSITIVE_INFINITY)
  subscribe('http.server.request.start', () => callers.enterWith({ isSpared: false }))

const { prototype } = pg.Client as unknown as { prototype: { query: Send } }
const send = prototype.query
prototype.query = function (query, ...rest) {
  const { application_name: name = '' } = this.connectionParameters
  const text = typeof query === 'string' ? query : query.text
  // Not a connection of the tests themselves.
  if (name.startsWith('contrail')) noteSent(text)
  return name === 'contrail' && mustFail(this, text) ? abort(this, text) : send.call(this, query, ...rest)
}

function mustFail(client: Client, text: string): boolean {
  const caller = callers.getStore() ?? others
  const isCommit = text === 'commit'
  if (/^begin(?!.*read only)/.test(text)) inTransaction.add(client)
  else if (isCommit || text === 'rollback') inTransaction.delete(client)
  // What reads and writes no table conflicts with nothing.
  // Reads are not repeated.
  if (!isCommit && !inTransaction.has(client)) return false
  if (!isCommit && !/\b(?:from|into|update)\b/.test(text)) return false
  const fails = ++statements % every === 0 && !caller.isSpared
  if (fails) aborted++
  if (fails || !inTransaction.has(client)) caller.isSpared = fails
  return fails
}

function abort(client: Client, text: string): Promise<pg.QueryResult> {
  const failed = send.call(client, { text: ABORT })
  // A commit that fails ends the transaction too.
  if (text === 'commit') void send.call(client, { text: 'rollback' })
  return failed
}

export const requireAborted = (): void => assert.ok(aborted > 0, 'no statement was aborted')

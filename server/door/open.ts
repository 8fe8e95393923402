// The one door: every caller goes through `open()`, which makes all checks. The caller then takes the result as a
// value here, or as a response or stream from responses.ts.
import type * as z from 'zod'
import { AppError, forbidden, insufficientScope, justDeleted } from '../base/errors.ts'
import type { MaybeLater } from '../base/maybe-later.ts'
import type { IncomingFile } from '../base/request/incoming-files.ts'
import { parseAddress, parseBody } from '../base/request/input.ts'
import { isReadOnly, type Permission, type Scope } from '../domain/access/access.ts'
import type { Condition } from '../domain/flights/conditions.ts'
import { requireConfirmed } from '../services/access/confirmed.ts'
import {
  credentialMay,
  type Principal,
  requireGiven,
  requirePermission,
  requireScope,
  roleMayUse,
} from '../services/access/principal.ts'
import { findSetting } from '../store/instance/settings.ts'
import { type Executor, foreignKeyViolation } from '../store/store.ts'
import type { Attempt } from './idempotency.ts'
import { type Call, isConditionalWrite, isWrite, type Operation, type WebExchange } from './operation.ts'
import type { Services } from './services.ts'

/** Input as sent, not yet validated. The body may be read late: an invalid address is reported before it. */
export interface RawInput {
  params?: unknown
  query?: unknown
  body?: unknown
  readBody?: () => MaybeLater<unknown>
  file?: Uint8Array | undefined
  upload?: IncomingFile | undefined
  condition?: Condition | undefined
}

export type AnyCall = Call<Record<string, unknown>>

/** Credential, then scopes, then role, all before any input is read. */
export function requireAccess(op: Operation, principal: Principal | undefined): void {
  const { access } = op
  if (access.who === 'everyone') return
  if (!principal) throw new AppError('unauthorized', 'unauthorized')
  if (access.who === 'credential with') {
    for (const scope of access.scopes) requireScope(principal, scope, access.scopes)
    if (access.oneOf) requireOneOf(principal, access.oneOf)
    if (access.permissions) requireOfRole(principal, access.permissions)
  }
  if (access.who === 'person') {
    if (principal.kind !== 'session') throw forbidden('web_app_only')
    for (const permission of access.permissions) requirePermission(principal, permission)
  }
}

function requireOneOf(principal: Principal, oneOf: readonly Scope[]): void {
  const carried = oneOf.filter((scope) => credentialMay(principal, scope))
  if (carried.length === 0) throw insufficientScope(oneOf[0]!, oneOf)
  if (!carried.some((scope) => roleMayUse(principal, scope))) throw forbidden()
}

function requireOfRole(principal: Principal, permissions: readonly Permission[]): void {
  if ([...principal.scopes].every((scope) => isReadOnly(scope))) throw forbidden('credential_only_reads')
  for (const permission of permissions) requirePermission(principal, permission)
}

interface Opening {
  web?: WebExchange | undefined
  /** Replaces the operation's own check where an older contract has different rules. */
  check?(call: AnyCall): void | Promise<void>
  /** The caller's protocol has no conditional requests, so none can be required. */
  isUnconditional?: boolean
}

/**
 * Checks a call in this order: access, confirmation, path and query, the condition, the body, `check`, confirmation
 * where it depends on the input, the target. Path and query problems are request errors; body problems carry details.
 */
export async function open<Op extends Operation>(
  op: Op,
  services: Services,
  principal: Principal | undefined,
  raw: RawInput,
  { web, check = op.check, isUnconditional = false }: Opening = {},
): Promise<OpenCall<Op>> {
  requireAccess(op, principal)
  const call: AnyCall = {
    // Undefined only for operations that are open to everyone and declare it; access was checked above.
    principal: principal as Principal,
    input: {},
    target: undefined,
    condition: raw.condition,
    validator: {},
    file: raw.file,
    upload: raw.upload,
    db: services.store.read,
    now: new Date(services.clock.now()),
    outcome: {},
    services,
    web,
  }
  if (op.confirms === true) await requireProof(call)
  if (op.params) Object.assign(call.input, parseAddress(op.params, raw.params))
  if (op.query) Object.assign(call.input, parseAddress(op.query, raw.query))
  if (op.cached?.mayLag && services.store.replica) await readFromReplica(op, call)
  if (!isUnconditional && isConditionalWrite(op) && (await needsCondition(call)))
    call.condition = { ...raw.condition, isRequired: true }
  if (call.condition) await op.target?.requireState?.(withoutTarget(call))
  if (op.body?.schema && raw.file === undefined && raw.upload === undefined)
    Object.assign(call.input, parseBody(op.body.schema, raw.readBody ? await raw.readBody() : raw.body))
  if (check) await check(call)
  if (typeof op.confirms === 'function' && (await op.confirms(call))) await requireProof(call)
  if (op.target?.find && !isTransaction(op)) call.target = await findTarget(op, call)
  return new OpenCall(op, call)
}

/** API keys and tokens were created after a confirmation and have fewer rights than their person. */
async function requireProof(call: AnyCall): Promise<void> {
  if (call.principal.kind === 'session') await requireConfirmed(call)
}

/** Sends all reads of the call to the replica, if it has everything that was committed when the call arrived. */
async function readFromReplica({ cached }: Operation, call: AnyCall): Promise<void> {
  const mayLag = cached!.mayLag!
  if (mayLag !== true && !mayLag(call.input)) return
  const { store } = call.services
  const replica = await store.replica!()
  if (!replica) return
  call.services = { ...call.services, store: { ...store, ...replica } }
  call.db = replica.read
}

/** The target of a call that has no body, or whose body has not been read yet. */
const findTarget = (op: Operation, call: AnyCall): unknown => op.target!.find!(withoutTarget(call))
const withoutTarget = (call: AnyCall) => call as Call<Record<string, unknown>, Principal, undefined>

/** Whether a conditional write must name the version that was read. The web app is trusted to do so. */
const needsCondition = async ({ services, principal, condition }: AnyCall): Promise<boolean> =>
  condition?.match === undefined &&
  principal.kind !== 'session' &&
  (await isConditionRequired(services.store.read, services))

/** The setting `requireIfMatch`, from the environment or set by the owner. */
export const isConditionRequired = async (
  db: Executor,
  { config }: Pick<Services, 'config'>,
): Promise<boolean> => config.requireIfMatch || (await findSetting(db, { name: 'requireIfMatch' })) === 'true'

/** Whether the operation runs in one transaction. */
const isTransaction = (op: Operation): boolean => isWrite(op) && op.transaction !== 'own'

/** A call that passed every check. Only `open` creates it. */
class OpenCall<Op extends Operation> {
  readonly call: AnyCall
  readonly op: Op

  constructor(op: Op, call: AnyCall) {
    this.op = op
    this.call = call
  }

  /** Runs the operation and returns its output. A write runs in one transaction, in which `attempt` stores the response. */
  async value(attempt?: Attempt): Promise<z.output<Op['output']>> {
    const { op, call } = this
    const { onOutput } = call.services
    try {
      const output = isTransaction(op)
        ? await this.#inTransaction(attempt)
        : await (attempt?.across((progress) => run(op, { ...call, progress })) ?? run(op, call))
      onOutput?.(op, output)
      return output as z.output<Op['output']>
    } catch (error) {
      // A row that the request names existed when it was checked, and another request deleted it before the write.
      if (!foreignKeyViolation(error)) throw error
      throw justDeleted()
    }
  }

  async #inTransaction(attempt: Attempt | undefined): Promise<unknown> {
    const prepared = await this.op.prepare?.(this.call)
    return this.call.services.store.transaction((tx) => {
      const isEnd = this.op.transaction === 'recorded last' && !attempt
      const db = isEnd ? { ...tx, last: tx.end } : tx
      const work = () => runInside(this.op, { ...this.call, prepared, db })
      return attempt ? attempt.inside(tx, work) : work()
    })
  }
}

/** A write finds its target inside its transaction. */
async function runInside(op: Operation, call: AnyCall): Promise<unknown> {
  if (op.target?.find) call.target = await findTarget(op, call)
  if (op.gives) requireGiven(call.principal, op.gives(call))
  return run(op, call)
}

/** The only place where an operation runs (test/door.test.ts). */
const run = (op: Operation, call: AnyCall): Promise<unknown> => op.run(call)

export type { OpenCall }

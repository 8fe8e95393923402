// Many writes in one request: in chunks, so that readers and other writers can run in between, or all in one transaction.
import type * as z from 'zod'
import { AppError, detail } from '../../../base/errors.ts'
import { inSteps } from '../../../base/in-steps.ts'
import type { Scope } from '../../../domain/access/access.ts'
import { isConditionRequired } from '../../../door/open.ts'
import { type Call, credentialWithOneOf, operation, takes } from '../../../door/operation.ts'
import { requireScope } from '../../../services/access/principal.ts'
import type { Transaction } from '../../../store/store.ts'
import { orDryRun } from '../../wire/dry-run.ts'
import { writeConditions } from '../flights.ts'
import { BulkRun, type Done } from './run.ts'
import { type BulkOperation, BulkRequest, BulkResponse, bulkOutcomes } from './schema.ts'

/** Operations per transaction. */
const CHUNK = 50

type BulkCall = Call<z.output<typeof BulkRequest>>

export const bulkFlights = operation({
  id: 'bulk-flights',
  method: 'POST',
  path: '/flights/bulk',
  tag: 'Flights',
  summary: 'Create, replace, change and delete many flights',
  example: {
    body: {
      operations: [
        {
          op: 'upsert',
          externalId: { source: 'tripit', value: '79' },
          flight: { date: '2026-03-01', from: 'CPH', to: 'JFK', flightNumber: 'SK915' },
        },
        { op: 'delete', id: 5 },
      ],
    },
  },
  description:
    'Up to 500 operations, each like a single call and each with its own result. They run in transactions of 50, or all in one with `atomic`: then a failure undoes everything and is reported as 409. To be able to repeat a request, use `upsert` with an external id, or an Idempotency-Key: a repeat then continues where the first one was interrupted.',
  access: credentialWithOneOf(
    ['flight.create.own', 'flight.update.own', 'flight.delete.own'],
    ['flight.create.any', 'flight.update.any', 'flight.delete.any', ...writeConditions],
  ),
  body: takes(BulkRequest, { size: 'many' }),
  output: BulkResponse,
  transaction: 'own',
  check: ({ principal, input }) => {
    const needed = [...new Set(input.operations.flatMap(({ op }) => scopesOf[op]))]
    for (const scope of needed) requireScope(principal, scope, needed)
  },
  async run(call) {
    const { atomic, dryRun } = call.input
    const done = await (atomic || dryRun ? runTogether(call) : runInChunks(call))
    return { data: done.map(({ item }) => item), summary: summaryOf(done) }
  },
})

const scopesOf: Record<BulkOperation['op'], Scope[]> = {
  create: ['flight.create.own'],
  upsert: ['flight.create.own', 'flight.update.own'],
  replace: ['flight.update.own'],
  patch: ['flight.update.own'],
  delete: ['flight.delete.own'],
}

/** Skips what an earlier attempt of the request has done. */
async function runInChunks(call: BulkCall): Promise<Done[]> {
  const { operations } = call.input
  const done = doneBefore(call)
  const options = await optionsOf(call)
  for (let start = done.length; start < operations.length; start += CHUNK) {
    const chunk = operations.slice(start, start + CHUNK)
    const made = await inTurn(call, async (tx) => {
      const run = new BulkRun(call, tx, options)
      const made = await run.write(chunk, start)
      await call.progress?.save(tx, [...done, ...made])
      await run.record()
      return made
    })
    done.push(...made)
  }
  return done
}

/** One transaction for all operations; a dry run or a failure rolls it back. */
async function runTogether(call: BulkCall): Promise<Done[]> {
  const { dryRun, atomic } = call.input
  const before = doneBefore(call)
  if (before.length > 0) return before
  const hasFailed = (done: Done[]) => done.some(({ outcome }) => outcome === 'failed')
  const done = await orDryRun<Done[]>(
    dryRun,
    (work) => inTurn(call, work),
    async (tx) => {
      const all = await runAll(call, tx)
      if (dryRun) return all.done
      if (hasFailed(all.done)) throw failedTogether(all.done)
      await call.progress?.save(tx, all.done)
      await all.run.record()
      return all.done
    },
  )
  if (dryRun && atomic && hasFailed(done)) throw failedTogether(done)
  return done
}

async function runAll(call: BulkCall, tx: Transaction): Promise<{ run: BulkRun; done: Done[] }> {
  const { operations } = call.input
  const run = new BulkRun(call, tx, await optionsOf(call))
  const done: Done[] = []
  // SQLite returns without waiting: without steps, no other request would be read until the end.
  const write = async (some: readonly BulkOperation[], start: number) => {
    done.push(...(await run.write(some, start)))
  }
  await inSteps(operations, write, { size: CHUNK })
  return { run, done }
}

/** Limited, because requests of one person block each other and must not hold all connections meanwhile. */
const inTurn = ({ services }: BulkCall, work: (tx: Transaction) => Promise<Done[]>): Promise<Done[]> =>
  services.bulkTurns(() => services.store.transaction(work))

/** The web app is trusted to send conditions. */
const optionsOf = async ({ input, principal, services }: BulkCall) => ({
  isDryRun: input.dryRun,
  requiresCondition:
    principal.kind !== 'session' && (await isConditionRequired(services.store.read, services)),
})

const doneBefore = ({ progress }: BulkCall): Done[] => [...((progress?.done as Done[] | null) ?? [])]

/** All results as the details of one error. Flights that would have been created do not exist. */
const failedTogether = (done: readonly Done[]) =>
  new AppError('conflict', 'bulk_failed', {
    details: done.map(({ item, outcome }) => {
      const { index, ref, status, error } = item
      const path = ['operations', index]
      if (!error) {
        const id = outcome === 'created' ? {} : { id: item.id }
        return { ...detail(path, 'bulk_undone', 'bulk_undone'), index, ref, status, ...id }
      }
      const { code, reason, message, params } = error
      const problem = { code, reason, message, ...(params === undefined ? {} : { params }) }
      return { ...item, ...problem, path: path.map(String) } as never
    }),
  })

const summaryOf = (done: readonly Done[]) =>
  Object.fromEntries(
    bulkOutcomes.map((outcome) => [outcome, done.filter((one) => one.outcome === outcome).length]),
  ) as z.output<typeof BulkResponse>['summary']

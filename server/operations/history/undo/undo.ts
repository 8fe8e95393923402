// Undoes changes of flights, newest first: added flights go to the bin, changed values are put back, deleted flights
// are restored. Values that someone else changed since are kept and named (docs/decisions/008).
import * as z from 'zod'
import { notFound } from '../../../base/errors.ts'
import { because } from '../../../base/request/validation.ts'
import type { Scope } from '../../../domain/access/access.ts'
import { binnedAfter } from '../../../domain/flights/bin.ts'
import { GivenRowId } from '../../../domain/row-id.ts'
import { type Call, credentialWithOneOf, operation, takes } from '../../../door/operation.ts'
import { credentialMay } from '../../../services/access/principal.ts'
import { MAX_ID } from '../../../store/engine/codecs.ts'
import { findHistory, listUndoable, type SeenEntry } from '../../../store/history/history.ts'
import { listImports } from '../../../store/imports/imports.ts'
import { orDryRun } from '../../wire/dry-run.ts'
import { DateTime } from '../../wire/schemas.ts'
import { hasContentFor, onlyId, showRoutes } from '../view.ts'
import { briefly, CHANGES_AT_MOST, inWords, UndoAnswer } from './response.ts'
import type { Taken } from './verdict.ts'
import { Undoing } from './writing.ts'

const IMPORTS_AT_MOST = 20

const anyWrite: Scope[] = ['flight.create.own', 'flight.update.own', 'flight.delete.own', 'flight.import.own']
const conditions: Scope[] = [
  'flight.create.any',
  'flight.update.any',
  'flight.delete.any',
  'flight.passengers.manage.own',
  'flight.passengers.manage.any',
  'tracks.write',
  'flight.import.any',
]

const UndoInput = z
  .strictObject({
    changeId: GivenRowId.optional().describe('One change, as listed or as a write returned it.'),
    since: DateTime.optional()
      .describe('Everything from this RFC 3339 time on.')
      .meta({ example: '2026-03-01T09:00:00Z' }),
    before: GivenRowId.optional().describe(
      'With since: only changes below this number, to go on after `summary.next`.',
    ),
    dryRun: z.boolean().default(false).describe('Only says what would happen.'),
  })
  .refine(
    ({ changeId, since, before }) =>
      (changeId === undefined) !== (since === undefined) && (before === undefined || since !== undefined),
    because('change_or_since'),
  )

export const undo = operation({
  id: 'undo',
  method: 'POST',
  path: '/history/undo',
  tag: 'History',
  summary: 'Take changes back',
  description: `Takes back one change, or all since a time, newest first: added flights go to the bin, changed ones get their values back, deleted ones are restored. A key or an app takes back only what it did itself; in the web app a person takes back what they did in any way, and single changes that others made to their flights. What was changed since by others is left and named. At most ${CHANGES_AT_MOST} changes a call. An undo is a change like any other, and can be undone.`,
  example: { body: { since: '2026-03-01T09:00:00Z', dryRun: true } },
  access: credentialWithOneOf(anyWrite, conditions),
  body: takes(UndoInput),
  output: UndoAnswer,
  errors: ['not_found'],
  transaction: 'own',
  tool: {
    title: 'Undo changes',
    description:
      'Take back what you did to flights, newest first: added ones go to the bin, changed and deleted ones are as before. Give changeId for one change, or since: "undo everything you did today" is {"since": "2026-03-01T00:00:00Z"}. What others changed since is left and named: tell the person. Shares, countries and preferences are not covered.',
    destructive: true,
    quotes: ['data[].message', 'imports[].filename'],
    brief: briefly,
    says: inWords,
  },
  async run(call) {
    const { dryRun } = call.input
    const answer = await orDryRun<UndoAnswer>(
      dryRun,
      (work) => call.services.store.transaction(work),
      async (tx) => {
        const taken = await takeBack({ ...call, db: tx, outcome: {} })
        if (!dryRun) await call.progress?.respond(tx, taken)
        return taken
      },
    )
    return dryRun ? asDryRun(answer) : answer
  },
})
type UndoCall = Call<z.output<typeof UndoInput>>

/** A dry run makes no change, so there is none to undo. */
const asDryRun = ({ data, summary, ...output }: UndoAnswer): UndoAnswer => ({
  ...output,
  data: data.map(({ undoneBy: _none, ...item }) => item),
  summary: { ...summary, undone: 0, wouldUndo: summary.undone },
  changeId: null,
})

async function takeBack(call: UndoCall): Promise<UndoAnswer> {
  const { input } = call
  const found =
    input.since === undefined
      ? [await requireChange(call)]
      : await changesSince(call, input.since, input.before)
  const undoing = new Undoing(call, { isSingle: input.since === undefined })
  const taken: Taken[] = []
  const entries = found.slice(0, CHANGES_AT_MOST)
  await undoing.lock(entries)
  for (const entry of entries) taken.push(await undoing.takeBack(entry))
  const flights = await showRoutes(call, entries)
  const data = taken.map((one) => ({ ...one, flight: flights.get(one.flightId) ?? onlyId(one.flightId) }))
  const undone = data.filter(({ action }) => action !== 'left')
  const hasMore = found.length > CHANGES_AT_MOST
  return {
    data,
    summary: {
      undone: undone.length,
      left: data.length - undone.length,
      hasMore,
      ...(hasMore ? { next: entries.at(-1)!.changeId } : {}),
    },
    imports: found.length > CHANGES_AT_MOST ? await importsAmong(call, found) : [],
    changeId: undone.length === 1 ? (undone[0]!.undoneBy ?? null) : null,
  }
}

async function requireChange({ db, principal, input, now }: UndoCall): Promise<SeenEntry> {
  const entry = await findHistory(db, input.changeId!, principal.user.id, binnedAfter(now.getTime()))
  if (!entry || !hasContentFor(principal.user.id, entry)) throw notFound('Change')
  return entry
}

/** Slightly earlier, because both ends are included. */
const justBefore = (moment: string): string => new Date(Date.parse(moment) - 1).toISOString()

/** The caller's own changes since then that are still in effect. */
async function changesSince(
  { db, principal, now }: UndoCall,
  since: string,
  before = MAX_ID,
): Promise<SeenEntry[]> {
  const oldest = binnedAfter(now.getTime())
  const after = justBefore(since) > oldest ? justBefore(since) : oldest
  const { kind: via, credentialId } = principal
  const credential = via === 'session' ? null : { via, credential: String(credentialId) }
  const page = {
    userId: principal.user.id,
    before,
    number: 0,
    after,
    limit: CHANGES_AT_MOST + 1,
  }
  return listUndoable(db, page, credential)
}

/** A large import is undone as a whole, by its own undo. */
async function importsAmong(
  { db, principal }: UndoCall,
  found: readonly SeenEntry[],
): Promise<UndoAnswer['imports']> {
  if (!credentialMay(principal, 'flight.import.own')) return []
  const ids = new Set(found.flatMap(({ importId }) => importId ?? []))
  const userId = principal.user.id
  const recent = await listImports(db, { userId, before: MAX_ID, limit: IMPORTS_AT_MOST })
  return recent.flatMap(({ id, filename, undoneAt, createdCount, updatedCount }) => {
    const flights = createdCount + updatedCount
    return ids.has(id) && undoneAt === null && flights > 0 ? [{ importId: id, filename, flights }] : []
  })
}

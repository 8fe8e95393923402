// Who changed flights, and how: for one flight, and for all flights that the caller sees. Kept for 30 days
// (docs/decisions/008).
import * as z from 'zod'
import { notFound, resyncRequired } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import { binnedAfter } from '../../domain/flights/bin.ts'
import { shortDifferences } from '../../domain/text/shown-text.ts'
import { isDateTime } from '../../domain/time/time.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import { requireFlightAccess } from '../../services/access/principal.ts'
import { EVERYONE } from '../../store/engine/revisions.ts'
import { findFlight, type StoredFlight } from '../../store/flights/flights.ts'
import {
  listDone,
  listFlightHistory,
  listHistory as listStored,
  type SeenEntry,
} from '../../store/history/history.ts'
import { reachOf } from '../flights/writing.ts'
import { readToken } from '../wire/change-tokens.ts'
import { createIdCursors } from '../wire/cursors.ts'
import { Limit, list, pathId, strictQuery } from '../wire/schemas.ts'
import { HistoryEntry, hasContentFor, routeInWords, showHistory } from './view.ts'

const tag = 'History'
const cursors = createIdCursors('h1')

/** A time, or a token of the change feed. */
const Since = z
  .string()
  .transform((text, context) => {
    if (isDateTime(text))
      return { after: new Date(Date.parse(text) - 1).toISOString(), number: 0, epoch: null }
    const token = readToken(text)
    if (token) return { after: '', number: token.number, epoch: token.epoch }
    context.addIssue({ code: 'custom', message: because('not_a_moment') })
    return z.NEVER
  })
  .optional()
  .describe('From then on: an RFC 3339 time, or a token of the change feed.')
  .meta({ type: 'string', example: '2026-03-01T09:00:00Z' })

export const getFlightHistory = operation({
  id: 'get-flight-history',
  method: 'GET',
  path: '/flights/{id}/history',
  tag,
  summary: 'Read the history of a flight',
  description:
    'What was done to the flight in the last 30 days, by whom and through what, newest first; and when it was logged. What happened before you were on it is left out.',
  example: { params: { id: 1 } },
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  params: pathId,
  query: strictQuery({ limit: Limit, cursor: cursors.Cursor }),
  output: list(HistoryEntry),
  errors: ['not_found'],
  tool: {
    title: 'Read the history of a flight',
    description: 'What was done to one flight in the last 30 days, by whom, with values before and after.',
    isForPrograms: true,
    quotes: ['data[].changed', 'data[].by'],
    brief: ({ data, page }) => ({ data: data.map(briefEntry), page }),
    says: (output) => entriesInWords(output),
  },
  async run(call) {
    const { principal, db, input, now } = call
    const flight = await findFlight(db, input.id)
    const reach = reachOf(principal, flight)
    requireFlightAccess(principal, 'read', reach)
    if (!flight) throw notFound('Flight')
    const viewer = reach === 'own' ? principal.user.id : EVERYONE
    const page = { viewer, actor: principal.user.id, after: binnedAfter(now.getTime()) }
    const { rows, nextCursor } = await readPage(call, input, (part) =>
      listFlightHistory(db, input.id, { ...page, ...part }),
    )
    const shown = await showHistory(call, rows)
    // Callers who only have access to all flights can undo only their own changes.
    const mayUndo = ({ by }: HistoryEntry) => reach === 'own' || by.userId === principal.user.id
    const data = shown.map((entry) => ({ ...entry, canUndo: entry.canUndo && mayUndo(entry) }))
    const hasAddition = rows.some(({ kind }) => kind === 'added')
    if (nextCursor === null && !hasAddition) data.push(await additionOf(call, flight))
    return { data, page: { nextCursor } }
  },
})

interface Part {
  before: number
  limit: number
}
/** A page of the changes that have content for the caller. */
async function readPage(
  { principal }: Call,
  { cursor, limit }: { cursor: number; limit: number },
  listPart: (part: Part) => Promise<SeenEntry[]>,
) {
  const seen: SeenEntry[] = []
  let [before, hasMore] = [cursor, true]
  while (hasMore && seen.length <= limit) {
    const part = await listPart({ before, limit: limit + 1 })
    seen.push(...part.filter((entry) => hasContentFor(principal.user.id, entry)))
    hasMore = part.length > limit
    before = part.at(-1)?.changeId ?? 0
  }
  return cursors.cut(seen.slice(0, limit + 1), limit, ({ changeId }) => changeId)
}

/** When the flight was logged, and by which import, is known even after the change itself was deleted. */
async function additionOf(call: Call, flight: StoredFlight): Promise<HistoryEntry> {
  const entry: SeenEntry = {
    changeId: 0,
    flightId: flight.id,
    kind: 'added',
    version: 1,
    at: flight.createdAt,
    userId: null,
    via: 'system',
    credential: null,
    importId: flight.importId,
    edit: null,
    undoneBy: null,
    isInSight: true,
    isInBin: false,
    isFirst: false,
  }
  const [shown] = await showHistory(call, [entry])
  return { ...shown!, changeId: null, canUndo: false }
}

export const listHistory = operation({
  id: 'list-history',
  method: 'GET',
  path: '/history',
  tag,
  summary: 'List what was done to flights',
  description:
    'What was added, changed, deleted and restored in the last 30 days on your flights, newest first, with the values before and after. Pass a `changeId` to undo.',
  example: { query: { by: 'me', limit: 10 } },
  access: credentialWith(['flight.read.own']),
  query: strictQuery({
    since: Since,
    by: z
      .enum(['me', 'thisKey'])
      .optional()
      .describe('me: the person, in the app or by any key; thisKey: you. If omitted: everyone.'),
    limit: Limit,
    cursor: cursors.Cursor,
  }),
  output: list(HistoryEntry),
  errors: ['gone'],
  tool: {
    name: 'list_changes',
    title: 'List changes',
    description:
      'What was added, changed or deleted in the last 30 days, newest first: who did it and by which app, values before and after, changeId for undo. "What did you change today?" is by: "thisKey" with since.',
    quotes: ['data[].changed', 'data[].by'],
    brief: ({ data, page }) => ({ data: data.map(briefEntry), page }),
    says: (output) => entriesInWords(output),
  },
  async run(call) {
    const { principal, db, input } = call
    const { by, since } = input
    if (since && since.epoch !== null && since.epoch !== principal.revisions.epoch) throw resyncRequired()
    const range = rangeOf(call, since)
    const userId = principal.user.id
    const credential = { via: principal.kind, credential: String(principal.credentialId) }
    const { rows, nextCursor } = await readPage(call, input, (part) =>
      by
        ? listDone(db, { ...range, ...part, userId }, by === 'me' ? null : credential)
        : listStored(db, { ...range, ...part, viewer: userId, actor: userId }),
    )
    return { data: await showHistory(call, rows), page: { nextCursor } }
  },
})

/** Changes older than the bin's period are not shown, even if the cleanup has not run yet. */
function rangeOf({ now }: Call, since: z.output<typeof Since>): { after: string; number: number } {
  const oldest = binnedAfter(now.getTime())
  const { after = oldest, number = 0 } = since ?? {}
  return { after: after > oldest ? after : oldest, number }
}

type Entry = z.output<typeof HistoryEntry>

/** Leaves out empty members, and the author where it was this credential: most entries are its own. */
const briefEntry = ({ changeId, at, kind, flight, by, changed, canUndo, undoneBy }: Entry) => ({
  changeId,
  at,
  kind,
  flight: filled(flight),
  ...(by.isThisCredential ? {} : { by: filled({ ...by, isThisCredential: null }) }),
  ...(changed && { changed: shortDifferences(changed) }),
  ...(canUndo ? {} : { canUndo }),
  ...(undoneBy !== null && { undoneBy }),
})

const filled = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

const entriesInWords = ({ data }: { data: Entry[] }): string =>
  [`${data.length} ${data.length === 1 ? 'change' : 'changes'}.`, ...data.map(entryLine)].join('\n')

const entryLine = ({ changeId, kind, flight }: Entry): string =>
  [`${changeId ?? '–'} ${kind} flight ${flight.id}`, routeInWords(flight)].filter(Boolean).join(': ')

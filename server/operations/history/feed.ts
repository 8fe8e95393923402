// The change feed: everything as it is now, then the changes since a token. It reads the change sequence
// (store/history/changes.ts). Delivery is at least once, and each item has its newest state.
import { hash } from 'node:crypto'
import * as z from 'zod'
import { badRequest, resyncRequired } from '../../base/errors.ts'
import type { Scope } from '../../domain/access/access.ts'
import {
  CHANGES_AT_MOST,
  CHANGES_USUALLY,
  type ChangeType,
  changeTypes,
  removalReasons,
  WAIT_SECONDS_AT_MOST,
} from '../../domain/history/changes.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import { requireScope } from '../../services/access/principal.ts'
import {
  CHANGES,
  EPOCH,
  EVERYONE,
  flightsOf,
  forgottenFor,
  PRESENTATION,
  REFERENCE,
  readRevisions,
} from '../../store/engine/revisions.ts'
import { START } from '../../store/flights/flights.ts'
import type { Counters } from '../../store/history/change-waiters.ts'
import { type Change, listChanges as listStored } from '../../store/history/changes.ts'
import { audienceOf, namesRevision, requireKnownAudience } from '../flights/audience.ts'
import { CustomField } from '../flights/custom-fields.ts'
import { Preferences } from '../people/preferences.ts'
import { Share } from '../sharing/shares.ts'
import { VisitedCountry } from '../statistics/visited-countries.ts'
import { Trip } from '../trips/trips.ts'
import {
  type Point,
  Since,
  SnapshotCursor,
  type SnapshotPlace,
  writeCursor,
  writeToken,
} from '../wire/change-tokens.ts'
import { Audience, Flight, list, strictQuery, timestamp } from '../wire/schemas.ts'
import { findItems, type Item, listItems } from './feed-items.ts'

const Entry = z
  .object({
    type: z.enum(changeTypes),
    id: RowId.describe('The record’s id. Preferences are one record, with the id 1.'),
    change: z.enum(['upserted', 'removed']),
    version: z
      .int()
      .describe('Rises with every change of the record. Ignore an entry whose version you have already.'),
    at: timestamp('When it changed.'),
    reason: z
      .enum(removalReasons)
      .optional()
      .describe('Of a removed record: `deleted`, or `unlisted` if only you no longer see it.'),
    externalIds: z
      .record(z.string(), z.string())
      .optional()
      .describe('Of a removed flight: the external ids that you gave it, by source.'),
    flight: Flight.optional(),
    visitedCountry: VisitedCountry.optional(),
    share: Share.optional(),
    preferences: Preferences.optional(),
    customField: CustomField.optional(),
    trip: Trip.optional(),
  })
  .meta({ id: 'Change' })
type Entry = z.input<typeof Entry>

const wholeNumber = (from: number, to: number, usual: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(from).max(to))
    .default(usual)
    .meta({ type: 'integer', minimum: from, maximum: to, default: usual })

const Types = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(changeTypes)).min(1))
  .transform((given) => changeTypes.filter((type) => given.includes(type)))
  .default(['flight'])
  .describe(`Which records, separated by commas: ${changeTypes.join(', ')}.`)
  .meta({ type: 'string', default: 'flight', example: 'flight,preferences' })

/** The scope that each type needs besides the scope for flights. */
const scopeOfType: Record<Exclude<ChangeType, 'flight' | 'trip'>, Scope> = {
  visited_country: 'visited_countries.read',
  share: 'shares.read',
  preferences: 'profile.read',
  custom_field: 'custom_fields.read',
}
/** A trip is a selection of flights, so it needs only the scope for flights. */
const scopesFor = (type: ChangeType): Scope[] =>
  type === 'flight' || type === 'trip' ? [] : [scopeOfType[type]]

const Query = strictQuery({
  since: Since,
  ...Audience,
  limit: wholeNumber(1, CHANGES_AT_MOST, CHANGES_USUALLY),
  include: z.enum(['flights', 'ids']).default('flights').describe('`ids`: without the records themselves.'),
  wait: wholeNumber(0, WAIT_SECONDS_AT_MOST, 0).describe(
    'With `since`: if nothing changed yet, respond when something does, at the latest after this many seconds.',
  ),
  cursor: SnapshotCursor,
  types: Types,
})
type Input = z.output<typeof Query>

const page = list(Entry)
const Output = z.object({
  ...page.shape,
  page: z.object({
    ...page.shape.page.shape,
    hasMore: z.boolean().describe('More follows: call again at once.'),
  }),
  sync: z.object({
    token: z.string().describe('Pass it as `since` to get what changes from here on.'),
    reset: z
      .boolean()
      .describe('True on the first page without `since`: forget your copy before you apply it.'),
  }),
})
type Response = z.input<typeof Output>

export const listChanges = operation({
  id: 'list-changes',
  method: 'GET',
  path: '/changes',
  tag: 'Flights',
  summary: 'List what changed',
  description: `For programs that keep a copy. The first call, without \`since\`, returns everything as it is now, newest first; follow \`page.nextCursor\` to the last page and store its \`sync.token\`. Later calls with \`since\` return what changed after it, oldest first, each record once and as it is now; while \`page.hasMore\` is true, call again with the new token. A record may come twice: ignore versions that you have. \`gone\` (410) means that the token is too old or from before a restore: start again without \`since\`. \`scope\` and \`userId\` choose the flights; all other types are your own, or the instance’s custom fields.`,
  access: credentialWith(['flight.read.own'], ['flight.read.any', ...Object.values(scopeOfType)]),
  query: Query,
  output: Output,
  errors: ['gone', 'conflict'],
  async check(call) {
    await requireKnownAudience(call, 'read')
    const needed = call.input.types.flatMap(scopesFor)
    for (const scope of needed) requireScope(call.principal, scope, ['flight.read.own', ...needed])
  },
  target: { find: openView },
  cached: {
    key({ principal, input, target }) {
      const { limit, include, since, cursor } = input
      const state = `${target.view}/${seenOf(target.counters)}/${target.names}.${principal.revisions.epoch}`
      return `${state}/${limit}/${include}/${since?.text ?? ''}/${cursor?.text ?? ''}`
    },
    seldom: true,
  },
  run: (call) => (call.input.since ? readChanges(call, call.input.since) : readPresent(call)),
})

// Views: whose changes, and of what

interface Source {
  type: ChangeType
  /** The user under whom the changes are recorded. */
  viewer: string
}
interface View {
  /** Tokens are bound to this view. */
  view: string
  sources: readonly Source[]
  counters: Counters
  /** The revision of the records that the flights refer to. */
  names: string
}
type FeedCall = Call<Input, Call['principal'], View>

/** Opens the view of a request: checks that the token belongs to it, and waits until there is something to return. */
async function openView(call: Call<Input, Call['principal'], undefined>): Promise<View> {
  const { principal, input } = call
  const { since, cursor } = input
  const audience = audienceOf(principal, input)
  // Includes the caller, because external ids differ per user.
  const names = [principal.user.id, input.scope, audience ?? EVERYONE, ...input.types]
  const view = hash('sha256', names.join('/'), 'base64url').slice(0, 12)
  if (cursor && (since || cursor.view !== view)) throw badRequest('invalid_cursor')
  if (since && since.view !== view) throw badRequest('invalid_token')
  if ((since ?? cursor ?? principal.revisions).epoch !== principal.revisions.epoch) throw resyncRequired()
  const sources = input.types.map((type): Source => {
    if (type === 'flight') return { type, viewer: audience ?? EVERYONE }
    return { type, viewer: type === 'custom_field' ? EVERYONE : principal.user.id }
  })
  const counters = await countersOf(call, sources)
  const shown = { view, sources, names: await namesRevision(call) }
  if (!since || input.wait === 0) return { ...shown, counters }
  return { ...shown, counters: await waitForChange(call, since, sources, counters) }
}

/** The counters that increment when something in these sources changes. Most are known from the credential's query. */
async function countersOf({ principal, db }: Pick<Call, 'principal' | 'db'>, sources: readonly Source[]) {
  const known = new Map([
    [flightsOf(principal.user.id), principal.revisions.flights],
    [PRESENTATION, principal.revisions.presentation],
  ])
  const names = new Set(
    sources.map(({ type, viewer }) => {
      if (type === 'custom_field') return PRESENTATION
      return viewer === EVERYONE ? CHANGES : flightsOf(viewer)
    }),
  )
  const unknown = [...names].filter((name) => !known.has(name))
  const values = unknown.length > 0 ? await readRevisions(db, unknown) : []
  return new Map([...names].map((name) => [name, known.get(name) ?? values[unknown.indexOf(name)]!]))
}

const seenOf = (counters: Counters): string => [...counters.values()].join('.')

/** Returns the counters as of the end of the wait. */
async function waitForChange(
  {
    principal,
    input,
    db,
    services,
    web,
  }: Pick<Call<Input>, 'principal' | 'input' | 'db' | 'services' | 'web'>,
  since: Point,
  sources: readonly Source[],
  counters: Counters,
): Promise<Counters> {
  const until = performance.now() + input.wait * 1000
  const onDisconnect = disconnectOf(web)
  let current = counters
  for (;;) {
    const mayHaveMore = seenOf(current) !== since.seen
    if (mayHaveMore && (await hasChanges(db, sources, since))) return current
    const isChanged = await services.changeWaiters.wait({
      credential: `${principal.kind}:${principal.credentialId}`,
      counters: current,
      milliseconds: until - performance.now(),
      onDisconnect,
    })
    if (!isChanged) return current
    const names = [...current.keys()]
    const values = await readRevisions(db, names)
    current = new Map(names.map((name, i) => [name, values[i]!]))
  }
}

/** Calls the newest listener when the client disconnects, immediately if it already has. */
function disconnectOf(web: Call['web']): (listener: () => void) => void {
  let isGone = false
  let notify = () => {}
  web?.onDisconnect(() => {
    isGone = true
    notify()
  })
  return (listener) => {
    notify = listener
    if (isGone) listener()
  }
}

async function hasChanges(db: Call['db'], sources: readonly Source[], since: Point): Promise<boolean> {
  for (const { viewer, type } of sources) {
    if ((await listStored(db, viewer, type, since.number, 1)).length > 0) return true
  }
  await requireComplete(db, sources, since)
  return false
}

/**
 * Rejects a token whose changes are no longer complete: issued before a restore, with a number that does not exist
 * yet, or older than a removal whose record was deleted. Call it after reading the changes, so that none was deleted
 * in between. Returns the current revision of the reference data.
 */
async function requireComplete(db: Call['db'], sources: readonly Source[], since: Point): Promise<number> {
  const viewers = [...new Set(sources.map(({ viewer }) => forgottenFor(viewer)))]
  const [epoch, current, reference, ...forgotten] = await readRevisions(db, [
    EPOCH,
    CHANGES,
    REFERENCE,
    ...viewers,
  ])
  const isTooOld = forgotten.some((number) => number > since.number)
  if (epoch !== since.epoch || since.number > current! || isTooOld) throw resyncRequired()
  return reference!
}

// Changes since a token

async function readChanges(call: FeedCall, since: Point & { text: string }): Promise<Response> {
  const { input, target, db, principal } = call
  const nothingNew = { data: [], page: { nextCursor: null, hasMore: false }, sync: syncAt(since.text) }
  const seen = seenOf(target.counters)
  if (since.seen === seen) return nothingNew
  const found = await changesAfter(db, target.sources, since.number, input.limit + 1)
  const reference = await requireComplete(db, target.sources, since)
  const changes = found.slice(0, input.limit)
  if (changes.length === 0) return nothingNew
  // Definitions and records that arrived with these changes must be known when the changes are shown.
  const revisions = { ...principal.revisions, reference }
  const reader = { ...call, principal: { ...principal, revisions } }
  const items = await findItems(reader, target.sources, changes, input.include === 'flights')
  const hasMore = found.length > changes.length
  const last = { ...since, number: changes.at(-1)!.number, seen: hasMore ? '' : seen }
  return {
    data: changes.flatMap((change) => toEntry(change, items.get(change), call) ?? []),
    page: { nextCursor: null, hasMore },
    sync: syncAt(writeToken(last)),
  }
}

const syncAt = (token: string, reset = false) => ({ token, reset })

/** Of all sources, in order. They are read one after another, so changes recorded meanwhile are left out. */
async function changesAfter(
  db: Call['db'],
  sources: readonly Source[],
  after: number,
  limit: number,
): Promise<Change[]> {
  const [upTo] = sources.length > 1 ? await readRevisions(db, [CHANGES]) : [Number.POSITIVE_INFINITY]
  const found: Change[] = []
  for (const { viewer, type } of sources) found.push(...(await listStored(db, viewer, type, after, limit)))
  return found
    .filter(({ number }) => number <= upTo!)
    .sort((a, b) => a.number - b.number)
    .slice(0, limit)
}

/**
 * Undefined for an item that has left the view since its change was read: the later change is delivered separately. A
 * flight that changed again is shown as it is now, and is delivered once more.
 */
function toEntry(change: Change, item: Item | 'hidden' | undefined, { principal, input }: FeedCall) {
  const { type, id, at, removed } = change
  // Only flights have a version.
  const version = type === 'flight' ? change.version : change.number
  if (removed !== null || item === 'hidden') {
    const own = type === 'flight' ? { externalIds: change.externalIds[principal.user.id] ?? {} } : {}
    return { type, id, change: 'removed', reason: removed ?? 'unlisted', version, at, ...own } satisfies Entry
  }
  return item && upserted({ type, id, version, at }, item, input)
}

function upserted(
  entry: Pick<Entry, 'type' | 'id' | 'version' | 'at'>,
  item: Item,
  { include }: Input,
): Entry {
  const shown = include === 'ids' ? {} : item.shown
  return { ...entry, version: item.version ?? entry.version, change: 'upserted', ...shown }
}

// The current state

/** Every page carries the token taken before the first page was read, so later writes are not missed. */
async function readPresent(call: FeedCall): Promise<Response> {
  const { input, target } = call
  const start: SnapshotPlace = input.cursor ?? (await startOf(call))
  const rest = target.sources.slice(target.sources.findIndex(({ type }) => type === start.type))
  const found: { type: ChangeType; item: Item }[] = []
  for (const source of rest) {
    const position = source.type === start.type ? start.position : START
    const items = await listItems(call, source, position, input.limit + 1 - found.length)
    found.push(...items.map((item) => ({ type: source.type, item })))
    if (found.length > input.limit) break
  }
  const shown = found.slice(0, input.limit)
  const last = shown.at(-1)
  const nextCursor =
    last && found.length > shown.length
      ? writeCursor({ ...start, type: last.type, position: last.item.position })
      : null
  const at = call.now.toISOString()
  return {
    data: shown.map(({ type, item }) =>
      upserted({ type, id: item.position.id, version: start.number, at: item.at ?? at }, item, input),
    ),
    page: { nextCursor, hasMore: nextCursor !== null },
    sync: syncAt(writeToken(start), input.cursor === undefined),
  }
}

/** One statement reads the number and the counters: while the counters are unchanged, no change has a higher number. */
async function startOf({ target, db }: FeedCall): Promise<SnapshotPlace> {
  const { view, sources, counters } = target
  const [epoch, number, ...values] = await readRevisions(db, [EPOCH, CHANGES, ...counters.keys()])
  const seen = values.join('.')
  return { view, epoch: epoch!, number: number!, seen, type: sources[0]!.type, position: START }
}

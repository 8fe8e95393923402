// Feeds: flights at a secret address that a calendar, a map or another program reads without a credential. The
// address is returned once, when the feed is created; feed-page.ts serves its content.
import * as z from 'zod'
import { AppError, invalidField, notFound } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import { createSecret } from '../../base/secret/secrets.ts'
import { FEEDS_AT_MOST } from '../../domain/limits.ts'
import { problem } from '../../domain/reasons.ts'
import { RowId } from '../../domain/row-id.ts'
import {
  DELAY_HOURS_AT_MOST,
  feedEndings,
  feedKinds,
  redactions,
  showsNothing,
} from '../../domain/sharing/feed.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import {
  deleteFeed as deleteStoredFeed,
  findFeed,
  insertFeed,
  listFeeds as listStoredFeeds,
  type Feed as StoredFeed,
  updateFeedAddress,
  updateFeed as updateStoredFeed,
} from '../../store/sharing/feeds.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { FlightFilters, filterReader, resolveFilters } from '../flights/filters.ts'
import { list, nothing, onePage, pathId, single } from '../wire/schemas.ts'

const tag = 'Personal data'
const access = credentialWith(['feeds.manage', 'flight.read.own'])

const redact = z
  .array(z.enum(redactions))
  .describe('What is left out: your seat, notes, registrations, or everyone else on the flight.')

const Feed = z
  .object({
    id: RowId,
    kind: z.enum(feedKinds),
    name: z.string(),
    filters: z.record(z.string(), z.unknown()).describe('As for `GET /flights`.'),
    delayHours: z.int(),
    past: z.boolean(),
    upcoming: z.boolean(),
    redact,
    lastFour: z.string().describe('The last characters of the secret in its address, to distinguish feeds.'),
    createdAt: z.string(),
    updatedAt: z.string(),
    lastReadAt: z.string().nullable().describe('When a program last read it, to the minute.'),
  })
  .meta({ id: 'Feed' })

const NewFeed = Feed.extend({
  url: z.string().describe('The secret address. It is returned only once.').meta({ format: 'uri' }),
})

const FeedInput = z
  .strictObject({
    kind: z
      .enum(feedKinds)
      .describe('`ical`: a calendar. `geojson`: lines for a map. `json`: as `GET /flights`.'),
    name: z.string().trim().min(1).max(100).describe('The name that calendars show.'),
    filters: FlightFilters.default({}).describe('As for `GET /flights`.'),
    delayHours: z
      .int()
      .min(0)
      .max(DELAY_HOURS_AT_MOST)
      .default(0)
      .describe(
        'Shows a flight only this many hours after its arrival, else its departure, else the end of its date. 0: no delay.',
      ),
    past: z.boolean().default(true).describe('Flown flights.'),
    upcoming: z.boolean().default(true).describe('Flights to come; a feed with a delay never has any.'),
    redact: redact.default([]),
  })
  .refine((feed) => !showsNothing(feed), { path: ['past'], message: because('feed_shows_nothing') })
  .meta({ id: 'FeedInput' })

export const listFeeds = operation({
  id: 'list-feeds',
  method: 'GET',
  path: '/feeds',
  tag,
  summary: 'List your feeds',
  description: 'Newest first. The addresses are secret and not included.',
  access,
  output: list(Feed),
  run: async ({ principal, db }) => onePage(await listStoredFeeds(db, { userId: principal.user.id })),
})

export const createFeed = operation({
  id: 'create-feed',
  method: 'POST',
  path: '/feeds',
  tag,
  summary: 'Create a feed at a secret address',
  example: { body: { kind: 'ical', name: 'My flights', past: false } },
  returnsSecret: true,
  description:
    'Programs that know the address read your flights there without a credential: a calendar (`.ics`), a map (`.geojson`) or any other (`.json`). Booking references and prices are never included.',
  access,
  confirms: true,
  body: takes(FeedInput, { size: 'long' }),
  output: single(NewFeed),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/feeds/${data.id}`,
  async run(call) {
    const { principal, input, db, now } = call
    await requireMeaning(call, input.filters)
    if ((await listStoredFeeds(db, { userId: principal.user.id })).length >= FEEDS_AT_MOST) {
      throw new AppError('conflict', problem('too_many_feeds', { max: FEEDS_AT_MOST }))
    }
    const { secret, ...address } = newAddress()
    const feed = await insertFeed(
      db,
      principal.user.id,
      { ...input, ...address, redact: [...new Set(input.redact)] },
      now.toISOString(),
    )
    await record(call, 'feed.created', feed)
    return { data: withUrl(call, feed, secret) }
  },
})

export const getFeed = operation({
  id: 'get-feed',
  method: 'GET',
  path: '/feeds/{id}',
  tag,
  summary: 'Read the settings of a feed',
  example: { params: { id: 1 } },
  access,
  params: pathId,
  output: single(Feed),
  errors: ['not_found'],
  target: { find: ownFeed },
  run: async ({ target }) => ({ data: target }),
})

export const updateFeed = operation({
  id: 'update-feed',
  method: 'PUT',
  path: '/feeds/{id}',
  tag,
  summary: 'Replace the settings of a feed',
  example: { params: { id: 1 }, body: { kind: 'ical', name: 'All my flights' } },
  description: 'The address stays, and so does the kind. Omitted fields return to their defaults.',
  access,
  confirms: true,
  params: pathId,
  body: takes(FeedInput, { size: 'long' }),
  output: single(Feed),
  errors: ['not_found'],
  target: { find: ownFeed },
  async run(call) {
    const { principal, input, target, db, now } = call
    if (input.kind !== target.kind) throw invalidField(['kind'], 'feed_kind_fixed')
    await requireMeaning(call, input.filters)
    const settings = { ...input, redact: [...new Set(input.redact)] }
    const feed = await updateStoredFeed(db, principal.user.id, input.id, settings, now.toISOString())
    if (!feed) throw notFound('Feed')
    await record(call, 'feed.updated', feed)
    return { data: feed }
  },
})

export const rotateFeed = operation({
  id: 'rotate-feed',
  method: 'POST',
  path: '/feeds/{id}/rotate',
  tag,
  summary: 'Give a feed another address',
  example: { params: { id: 1 } },
  returnsSecret: true,
  description: 'The address that it had stops working at once.',
  access,
  confirms: true,
  params: pathId,
  output: single(NewFeed),
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db, now } = call
    const { secret, ...address } = newAddress()
    const feed = await updateFeedAddress(db, {
      ...address,
      userId: principal.user.id,
      id: input.id,
      now: now.toISOString(),
    })
    if (!feed) throw notFound('Feed')
    await record(call, 'feed.rotated', feed)
    return { data: withUrl(call, feed, secret) }
  },
})

export const deleteFeed = operation({
  id: 'delete-feed',
  method: 'DELETE',
  path: '/feeds/{id}',
  tag,
  summary: 'Delete a feed',
  example: { params: { id: 2 } },
  description: 'Its address stops working at once.',
  access,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  target: { find: ownFeed },
  async run(call) {
    const { principal, input, target, db } = call
    if (!(await deleteStoredFeed(db, { userId: principal.user.id, id: input.id }))) throw notFound('Feed')
    await record(call, 'feed.deleted', target)
  },
})

async function ownFeed({ principal, input, db }: Call<{ id: number }>): Promise<StoredFeed> {
  const feed = await findFeed(db, { userId: principal.user.id, id: input.id })
  if (!feed) throw notFound('Feed')
  return feed
}

function newAddress() {
  const { secret, hash } = createSecret('feed')
  return { secret, hash, lastFour: secret.slice(-4) }
}

const withUrl = ({ services }: Call, feed: StoredFeed, secret: string) => ({
  ...feed,
  url: `${services.config.origin}/feeds/${secret}.${feedEndings[feed.kind]}`,
})

const record = (
  call: Call,
  kind: 'feed.created' | 'feed.updated' | 'feed.rotated' | 'feed.deleted',
  { id, name }: StoredFeed,
) => recordBy(authorOf(call), call.db, kind, { details: { feed: id, name } })

/** Rejects new filters that match no known record, like a list does. */
async function requireMeaning(call: Call, filters: FlightFilters): Promise<void> {
  try {
    await resolveFilters(filterReader(call), filters)
  } catch (error) {
    if (!(error instanceof AppError) || error.problem.reason !== 'parameter_matches_nothing') throw error
    throw invalidField(['filters', error.problem.params.parameter], error.problem)
  }
}

// Public shares: what people without an account may see. page.ts serves them to visitors.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { invalidField, notFound } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import { randomText } from '../../base/secret/secrets.ts'
import { SLUG_CHARACTERS_AT_MOST } from '../../domain/limits.ts'
import { RowId } from '../../domain/row-id.ts'
import { type ShareSettings, type ShareSubject, showsMore, visitorSees } from '../../domain/sharing/words.ts'
import { instantOf } from '../../domain/time/time.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { isPublishable } from '../../store/flights/log.ts'
import { recordChanges } from '../../store/history/changes.ts'
import {
  deleteShare as deleteStoredShare,
  findShare,
  insertShare,
  listShares as listStoredShares,
  type Share as StoredShare,
  updateShare as updateStoredShare,
} from '../../store/sharing/shares.ts'
import { findTrip } from '../../store/trips/trips.ts'
import { orTaken } from '../access/authority.ts'
import { CalendarDate, DateTime, list, nothing, onePage, pathId, single } from '../wire/schemas.ts'
import { noticePublished } from './notices.ts'

const tag = 'Personal data'
const SLUG_LENGTH = 12
export const slugPattern = new RegExp(`^[a-zA-Z0-9_-]{1,${SLUG_CHARACTERS_AT_MOST}}$`)

export const Share = z
  .object({
    id: RowId,
    slug: z.string().describe('The page is at /share/{slug}.'),
    expiresAt: z.string().nullable().meta({ format: 'date-time' }),
    createdAt: z.string().meta({ format: 'date-time' }),
    showMap: z.boolean(),
    showStats: z.boolean(),
    showFlightList: z.boolean(),
    dateFrom: z.string().nullable(),
    dateTo: z.string().nullable(),
    showFlightNumbers: z.boolean(),
    showAirlines: z.boolean(),
    showAircraft: z.boolean(),
    showTimes: z.boolean(),
    showTracks: z.boolean(),
    showDates: z.boolean(),
    showSeat: z.boolean(),
    flightId: RowId.nullable().describe('The flight that it is about, if it is one alone.'),
    tripId: RowId.nullable().describe('The trip that it is about, if it is one alone.'),
  })
  .meta({ id: 'Share' })

const LinkedShare = z
  .object({
    ...Share.shape,
    url: z.string().describe('The link to send.'),
    visitorSees: z.string().describe('What anyone who has the link sees, in a sentence.'),
  })
  .meta({ id: 'LinkedShare' })

/** With its link, and the content that visitors see. */
const withLink = ({ services, now }: Pick<Call, 'services' | 'now'>, share: StoredShare) => ({
  ...share,
  url: `${services.config.origin}/share/${share.slug}`,
  visitorSees: visitorSees(share, now.getTime()),
})

/** A share as text for tools. */
const sayShare = ({ data }: { data: z.output<typeof LinkedShare> }): string =>
  `${data.url}\n${data.visitorSees}`

const sayShares = ({ data }: { data: z.output<typeof LinkedShare>[] }): string =>
  data.length === 0
    ? 'There are no public shares.'
    : [
        `${data.length} public ${data.length === 1 ? 'share' : 'shares'}.`,
        ...data.map(({ id, url, visitorSees }) => `${id}: ${url} ${visitorSees}`),
      ].join('\n')

/** If omitted: the whole log for a new share, unchanged in an update. */
const subjectId = RowId.nullable().optional()

export const ShareInput = z
  .object({
    slug: z
      .string()
      .trim()
      .min(1)
      .max(SLUG_CHARACTERS_AT_MOST)
      .regex(/^[a-zA-Z0-9_-]+$/, because('slug_form'))
      .nullable()
      .default(null)
      .describe('The last part of the link. If omitted: random, or as it was.'),
    expiresAt: DateTime.nullable().default(null).describe('When the page stops being available.'),
    showMap: z.boolean().default(true),
    showStats: z.boolean().default(false),
    showFlightList: z.boolean().default(false),
    dateFrom: CalendarDate.nullable().default(null).describe('Only flights from this day on.'),
    dateTo: CalendarDate.nullable().default(null).describe('Only flights up to this day.'),
    showFlightNumbers: z.boolean().default(true),
    showAirlines: z.boolean().default(true),
    showAircraft: z.boolean().default(false).describe('Aircraft type and registration.'),
    showTimes: z.boolean().default(false),
    showTracks: z.boolean().default(false).describe('Needs `showMap`; false without it.'),
    showDates: z.boolean().default(true),
    showSeat: z.boolean().default(false).describe('Your own seat and class.'),
    flightId: subjectId.describe('Share this flight alone.'),
    tripId: subjectId.describe('Share this trip alone.'),
  })
  .refine(({ flightId, tripId }) => !flightId || !tripId, {
    path: ['tripId'],
    message: because('share_of_two'),
  })
  .refine(({ dateFrom, dateTo }) => dateFrom === null || dateTo === null || dateFrom <= dateTo, {
    path: ['dateTo'],
    message: because('last_day_before_first'),
  })
  .meta({ id: 'ShareInput' })
export type ShareInput = z.output<typeof ShareInput>

export const listShares = operation({
  id: 'list-shares',
  method: 'GET',
  path: '/shares',
  tag,
  summary: 'List your public shares',
  description:
    'Newest first, expired ones included: they stay until you delete them, but can no longer be opened.',
  access: credentialWith(['shares.read']),
  output: list(LinkedShare),
  tool: { title: 'List public shares', says: sayShares },
  run: async (call) => {
    const shares = await listStoredShares(call.db, { userId: call.principal.user.id })
    return onePage(shares.map((share) => withLink(call, share)))
  },
})

export const getShare = operation({
  id: 'get-share',
  method: 'GET',
  path: '/shares/{id}',
  tag,
  summary: 'Read a public share',
  example: { params: { id: 1 } },
  access: credentialWith(['shares.read']),
  params: pathId,
  output: single(LinkedShare),
  errors: ['not_found'],
  tool: { title: 'Read a public share', isForPrograms: true, says: sayShare },
  target: { find: ownShare },
  run: async (call) => ({ data: withLink(call, call.target) }),
})

export const createShare = operation({
  id: 'create-share',
  method: 'POST',
  path: '/shares',
  tag,
  summary: 'Share your flights publicly',
  example: { body: { showMap: true, showStats: true } },
  description:
    'Anyone with the address can see what you enable here, and nothing else. With `flightId` or `tripId` the page is about one flight or trip alone.',
  access: credentialWith(['shares.write']),
  body: takes(ShareInput),
  output: single(LinkedShare),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/shares/${data.id}`,
  tool: {
    title: 'Create a public share',
    description:
      'Make a public page of the person’s flights; answers with the link (url) and what a visitor sees there. By default it shows the map alone; ask which parts to show unless the person said so. Example: {"showStats": true, "showDates": false, "expiresAt": "2027-01-01T00:00:00Z"}.',
    says: sayShare,
  },
  async run(call) {
    const { principal, input, db, now } = call
    const subject = { flightId: input.flightId ?? null, tripId: input.tripId ?? null }
    await requireSubject(call, subject)
    const share = { ...toStored(input, input.slug ?? randomText(SLUG_LENGTH)), ...subject }
    const at = now.toISOString()
    const data = await orTaken(insertShare(db, principal.user.id, share, at), slugTaken)
    await recordChanges(db, principal.user.id, [{ type: 'share', id: data.id, kind: 'created' }], at)
    await noticePublished(call, data.id, 'created')
    return { data: withLink(call, data) }
  },
})

export const updateShare = operation({
  id: 'update-share',
  method: 'PUT',
  path: '/shares/{id}',
  tag,
  summary: 'Replace a public share',
  example: { params: { id: 1 }, body: { showFlightList: true } },
  description:
    'Omitted fields return to their defaults; only the slug is kept, and which flight or trip it is about.',
  access: credentialWith(['shares.write']),
  params: pathId,
  body: takes(ShareInput),
  output: single(LinkedShare),
  errors: ['not_found', 'conflict'],
  tool: {
    title: 'Replace a public share',
    description:
      'Change what a public page shows or until when. Send every field as list_shares gives it, with the change: one that is left out returns to the default of create_share, and may show what was hidden. Only the slug stays.',
    describedBy: 'create_share',
    destructive: true,
    says: sayShare,
  },
  target: { find: ownShare },
  async run(call) {
    const { principal, input, target, db, now } = call
    const { id: userId } = principal.user
    requireSameSubject(target, input)
    const share = toStored(input, input.slug ?? target.slug)
    const updated = await orTaken(updateStoredShare(db, userId, input.id, share), slugTaken)
    if (!updated) throw notFound('Share')
    if (!isDeepStrictEqual(updated, target)) {
      await recordChanges(db, userId, [{ type: 'share', id: updated.id, kind: 'updated' }], now.toISOString())
    }
    if (showsMore(target, updated)) await noticePublished(call, updated.id, 'widened')
    return { data: withLink(call, updated) }
  },
})

export const deleteShare = operation({
  id: 'delete-share',
  method: 'DELETE',
  path: '/shares/{id}',
  tag,
  summary: 'Delete a public share',
  example: { params: { id: 2 } },
  access: credentialWith(['shares.write']),
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  tool: {
    title: 'Delete a public share',
    description:
      'Stop sharing: the link no longer works, for good. list_shares has the ids; ask the person first.',
    destructive: true,
  },
  async run({ principal, input, db, now }) {
    const { id: userId } = principal.user
    if (!(await deleteStoredShare(db, { userId, id: input.id }))) throw notFound('Share')
    await recordChanges(db, userId, [{ type: 'share', id: input.id, kind: 'deleted' }], now.toISOString())
  },
})

async function ownShare({ principal, input, db }: Call<{ id: number }>): Promise<StoredShare> {
  const share = await findShare(db, { userId: principal.user.id, id: input.id })
  if (!share) throw notFound('Share')
  return share
}

/** Gives the same error for another person's flight or trip as for one that does not exist. */
async function requireSubject(
  { principal, db }: Pick<Call, 'principal' | 'db'>,
  { flightId, tripId }: ShareSubject,
): Promise<void> {
  const { id: userId } = principal.user
  if (flightId !== null && !(await isPublishable(db, { userId, flightId })))
    throw invalidField(['flightId'], 'flight_not_found')
  if (tripId !== null && !(await findTrip(db, { userId, id: tripId })))
    throw invalidField(['tripId'], 'trip_not_found')
}

/** A link that people already have must not suddenly show something different, least of all the whole log. */
function requireSameSubject(
  share: ShareSubject,
  given: Partial<Record<keyof ShareSubject, number | null | undefined>>,
) {
  for (const name of ['flightId', 'tripId'] as const) {
    if (given[name] !== undefined && given[name] !== share[name])
      throw invalidField([name], 'share_subject_fixed')
  }
}

function toStored(input: ShareInput, slug: string) {
  return {
    slug,
    expiresAt: input.expiresAt && new Date(instantOf(input.expiresAt)).toISOString(),
    settings: settingsOf(input),
  }
}

/** What a share shows, without its address and lifetime. */
export const settingsOf = (given: ShareSettings): ShareSettings => ({
  showMap: given.showMap,
  showStats: given.showStats,
  showFlightList: given.showFlightList,
  dateFrom: given.dateFrom,
  dateTo: given.dateTo,
  showFlightNumbers: given.showFlightNumbers,
  showAirlines: given.showAirlines,
  showAircraft: given.showAircraft,
  showTimes: given.showTimes,
  showTracks: given.showTracks && given.showMap,
  showDates: given.showDates,
  showSeat: given.showSeat,
})

const slugTaken = 'slug_taken'

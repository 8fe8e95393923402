// The page of a public share: who may see it, its link preview and its data, cached as bytes until something changes.
// contents.ts creates the data.
import * as z from 'zod'
import { notFound } from '../../base/errors.ts'
import { covers } from '../../domain/access/access.ts'
import type { ShareSettings, ShareSubject } from '../../domain/sharing/words.ts'
import { byDeparture } from '../../domain/trips/journey.ts'
import { type Call, everyone, operation, person, takes } from '../../door/operation.ts'
import { flightsOf, namesOn, PRESENTATION, REFERENCE, readRevisions } from '../../store/engine/revisions.ts'
import { isPublishable } from '../../store/flights/log.ts'
import { findPerson, type Person } from '../../store/people/people.ts'
import { findShareBySlug, type Share } from '../../store/sharing/shares.ts'
import type { Executor } from '../../store/store.ts'
import { findTrip, listFlightsOfTrip } from '../../store/trips/trips.ts'
import { type FlownLog, loadKeptLog, nextCompletion } from '../flights/flown.ts'
import { legOf } from '../trips/journeys.ts'
import { single } from '../wire/schemas.ts'
import { createSharePage } from './contents.ts'
import { SharedSubject, SharePage } from './schema.ts'
import { ShareInput, settingsOf, slugPattern } from './shares.ts'

const tag = 'Personal data'

/** Text that cannot be a slug becomes empty, which is the slug of no share. */
export const slugInPath = z.object({
  slug: z.string().transform((text) => (slugPattern.test(text) ? text : '')),
})

interface ServedShare {
  share: Share
  /** Null: the whole log. */
  subject: SharedSubject | null
  owner: Person
}

/** Throws not_found if the share does not exist, has expired or is no longer permitted, or if its flight or trip is gone. */
export async function servedShare({ input, db, now }: Call<{ slug: string }, unknown>): Promise<ServedShare> {
  const found = input.slug === '' ? undefined : await findShareBySlug(db, input.slug)
  const owner = found && (await findPerson(db, { id: found.userId }))
  if (!found || !owner || isExpired(found.share, now) || !maySharePublicly(owner)) throw notFound('Share')
  const subject = await findSubject(db, owner.id, found.share)
  if (subject === undefined) throw notFound('Share')
  return { share: found.share, owner, subject }
}

const isExpired = ({ expiresAt }: Share, now: Date) =>
  expiresAt !== null && Date.parse(expiresAt) <= now.getTime()

/** By the current role, not the role at the time the share was created. */
function maySharePublicly(owner: Person): boolean {
  const held = new Set<string>(owner.permissions)
  return owner.isOwner || (covers(held, 'flight.read.own') && covers(held, 'flight.share.own'))
}

export const describeShare = operation({
  id: 'describe-share',
  method: 'GET',
  path: '/share/{slug}',
  door: 'page',
  tag,
  summary: 'Read what the page of a public share and its link preview say',
  access: everyone,
  params: slugInPath,
  output: single(
    z.object({
      slug: z.string(),
      displayName: z.string().describe('Whose flights they are.'),
      showMap: z.boolean(),
      showStats: z.boolean(),
      showFlightList: z.boolean(),
      subject: SharedSubject.nullable().describe('The one flight or trip that it is about.'),
    }),
  ),
  errors: ['not_found'],
  cached: { control: 'no-store' },
  target: { find: servedShare },
  async run({ target: { share, owner, subject } }) {
    const { slug, showMap, showStats, showFlightList } = share
    const shown = { showMap, showStats, showFlightList }
    // If no part is enabled, a visitor sees a person's name but not a trip's.
    const isAny = Object.values(shown).some(Boolean)
    return { data: { slug, displayName: owner.displayName, ...shown, subject: isAny ? subject : null } }
  },
})

export const readSharePage = operation({
  id: 'read-share-page',
  method: 'GET',
  path: '/share/{slug}/data',
  door: 'page',
  tag,
  summary: 'Read a public share as a visitor',
  access: everyone,
  params: slugInPath,
  output: single(SharePage),
  errors: ['not_found'],
  target: {
    async find(call) {
      const { share, owner } = await servedShare(call)
      return contentsOf(await publishedLog(call, owner), settingsOf(share), share)
    },
  },
  cached: { key: ({ target }) => target.key, control: 'no-store', mayLag: true },
  run: async ({ target }) => ({ data: await target.page() }),
})

export const previewShare = operation({
  id: 'preview-share',
  method: 'POST',
  path: '/share-preview',
  door: 'app',
  tag,
  summary: 'Preview what visitors of a share with these settings can read',
  description: 'The same data that the public page would get. Nothing is stored or published.',
  errors: ['not_found'],
  access: person(['flight.read.own', 'flight.share.own']),
  body: takes(ShareInput),
  output: single(SharePage),
  transaction: 'own',
  target: {
    async find(call) {
      const owner = await findPerson(call.db, { id: call.principal.user.id })
      if (!owner) throw notFound('User')
      return publishedLog(call, owner)
    },
  },
  cached: { key: async ({ target, input }) => (await previewed(target, input)).key },
  run: async ({ target, input }) => ({ data: await (await previewed(target, input)).page() }),
})

async function previewed(log: PublishedLog, input: ShareInput): Promise<Contents> {
  const about = { flightId: input.flightId ?? null, tripId: input.tripId ?? null }
  if ((await findSubject(log.call.db, log.owner.id, about)) === undefined) throw notFound('Share')
  return contentsOf(log, settingsOf(input), about)
}

interface PublishedLog {
  owner: Person
  /** The revision of the log and of everything it refers to. */
  revision: string
  load(): Promise<FlownLog>
  call: Pick<Call, 'db' | 'now' | 'services'>
}

/** The publishable part of the owner's log at its current revision; loaded at most once. */
export async function publishedLog(call: PublishedLog['call'], owner: Person): Promise<PublishedLog> {
  const counters = [flightsOf(owner.id), namesOn(owner.id), PRESENTATION, REFERENCE]
  const [reference, ...shown] = (await readRevisions(call.db, counters)).reverse()
  let loading: Promise<FlownLog> | undefined
  const load = () => {
    loading ??= loadKeptLog(call, owner.id, reference!)
    return loading
  }
  return { owner, revision: `${owner.id}@${shown.join('.')}`, load, call }
}

export interface Contents {
  /** The cache key: covers everything that the page depends on. */
  key: string
  page(): Promise<SharePage>
}

export async function contentsOf(
  log: PublishedLog,
  settings: ShareSettings,
  { flightId, tripId }: ShareSubject,
): Promise<Contents> {
  const { owner, revision, load, call } = log
  const about = { flightId, tripId }
  const now = call.now.getTime()
  const next = await nextCompletion(call.services, revision, now, load)
  return {
    key: `${JSON.stringify([settings, about])}/${revision}/${next}`,
    async page() {
      const subject = (await findSubject(call.db, owner.id, about)) ?? null
      const shown = await logOfSubject(call.db, owner.id, about, await load())
      return createSharePage({ settings, owner, subject, log: shown, now, db: call.db })
    },
  }
}

/** The subject as the page shows it. Null: the whole log. Undefined: deleted, or no longer the owner's. */
async function findSubject(
  db: Executor,
  ownerId: string,
  { flightId, tripId }: ShareSubject,
): Promise<SharedSubject | null | undefined> {
  if (flightId !== null)
    return (await isPublishable(db, { userId: ownerId, flightId })) ? { kind: 'flight' } : undefined
  if (tripId === null) return null
  const trip = await findTrip(db, { userId: ownerId, id: tripId })
  return trip && { kind: 'trip', name: trip.name, colour: trip.colour }
}

/** The part of the log that the share shows, in flight order. */
async function logOfSubject(
  db: Executor,
  ownerId: string,
  { flightId, tripId }: ShareSubject,
  log: FlownLog,
): Promise<FlownLog> {
  if (flightId === null && tripId === null) return log
  const ids = new Set(
    flightId !== null ? [flightId] : await listFlightsOfTrip(db, { userId: ownerId, tripId: tripId! }),
  )
  const kept = log.flights
    .map((flight, i) => ({ flight, completion: log.completions[i]! }))
    .filter(({ flight }) => ids.has(flight.id))
    .map((one) => ({ ...one, leg: legOf(one.flight, log.records) }))
    .sort((a, b) => byDeparture(a.leg, b.leg))
  return {
    flights: kept.map(({ flight }) => flight),
    records: log.records,
    completions: Float64Array.from(kept, ({ completion }) => completion),
  }
}

// The page of a public share: who may see it, what its link preview says and the data it shows, kept as bytes for as
// long as nothing changes. What the data consists of is in share-contents.ts.
import * as z from 'zod'
import { notFound } from '../base/errors.ts'
import { covers } from '../domain/access.ts'
import type { ShareSettings, ShareSubject } from '../domain/share-words.ts'
import { type Call, everyone, operation, person } from '../operation.ts'
import { findPerson, type Person } from '../store/people.ts'
import { flightsOf, namesOn, PRESENTATION, REFERENCE, readRevisions } from '../store/revisions.ts'
import { findShareBySlug, type Share } from '../store/shares.ts'
import { type FlownLog, loadKeptLog, nextCompletion } from './flown-flights.ts'
import { single } from './schemas.ts'
import { createSharePage } from './share-contents.ts'
import { SharedSubject, SharePage } from './share-schema.ts'
import { findSubject, logOfSubject } from './share-subject.ts'
import { ShareInput, settingsOf, slugPattern } from './shares.ts'

const tag = 'Personal data'

/** Anything that cannot be a slug is the slug of no share. */
export const slugInPath = z.object({
  slug: z.string().transform((text) => (slugPattern.test(text) ? text : '')),
})

interface ServedShare {
  share: Share
  /** Null: the whole log. */
  subject: SharedSubject | null
  owner: Person
}

/** A share that does not exist, has expired, is no longer permitted or whose flight is gone is not found. */
export async function servedShare({ input, db, now }: Call<{ slug: string }, unknown>): Promise<ServedShare> {
  const found = input.slug === '' ? undefined : await findShareBySlug(db, input.slug)
  const owner = found && (await findPerson(db, found.userId))
  if (!found || !owner || isExpired(found.share, now) || !maySharePublicly(owner)) throw notFound('Share')
  const subject = await findSubject(db, owner.id, found.share)
  if (subject === undefined) throw notFound('Share')
  return { share: found.share, owner, subject }
}

const isExpired = ({ expiresAt }: Share, now: Date) =>
  expiresAt !== null && Date.parse(expiresAt) <= now.getTime()

/** By the role of today, not of the day on which the share was made. */
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
  cacheControl: 'no-store',
  target: servedShare,
  async run({ target: { share, owner, subject } }) {
    const { slug, showMap, showStats, showFlightList } = share
    const shown = { showMap, showStats, showFlightList }
    // Where no part is enabled, a visitor sees the name of a person and not that of a trip.
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
  cacheControl: 'no-store',
  mayLag: true,
  async target(call) {
    const { share, owner } = await servedShare(call)
    return contentsOf(await publishedLog(call, owner), settingsOf(share), share)
  },
  cacheKey: ({ target }) => target.key,
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
  body: ShareInput,
  output: single(SharePage),
  managesTransaction: true,
  async target(call) {
    const owner = await findPerson(call.db, call.principal.user.id)
    if (!owner) throw notFound('User')
    return publishedLog(call, owner)
  },
  cacheKey: async ({ target, input }) => (await previewed(target, input)).key,
  run: async ({ target, input }) => ({ data: await (await previewed(target, input)).page() }),
})

async function previewed(log: PublishedLog, input: ShareInput): Promise<Contents> {
  const about = { flightId: input.flightId ?? null, tripId: input.tripId ?? null }
  if ((await findSubject(log.call.db, log.owner.id, about)) === undefined) throw notFound('Share')
  return contentsOf(log, settingsOf(input), about)
}

interface PublishedLog {
  owner: Person
  /** Of the log and of everything it refers to. */
  revision: string
  load(): Promise<FlownLog>
  call: Pick<Call, 'db' | 'now' | 'services'>
}

/** The owner's log as it may be published, at its present revision; loaded at most once. */
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
  /** Everything the page depends on: what is made of it may be kept under this. */
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

// The page of a public share: who may see it, its data and the picture under its link, each kept as bytes for as long
// as nothing changes. What the data consists of is in share-data.ts.
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { notFound } from '../base/errors.ts'
import { covers } from '../domain/access.ts'
import { type Call, everyone, operation, person, type Services } from '../operation.ts'
import type { Draw } from '../preview/drawer.ts'
import type { FlownMap } from '../preview/picture.ts'
import { findPerson, type Person } from '../store/people.ts'
import { flightsOf, PEOPLE, REFERENCE, readRevisions } from '../store/revisions.ts'
import { findShareBySlug, type Share, type ShareSettings } from '../store/shares.ts'
import { type FlownLog, loadKeptLog, nextCompletion } from './flown-flights.ts'
import { single } from './schemas.ts'
import { createSharePage, SharePage } from './share-data.ts'
import { ShareInput, settingsOf, slugPattern } from './shares.ts'

const tag = 'Personal data'

export interface ServedShare {
  share: Share
  owner: Person
}

/** A share that is not there, expired or no longer permitted is not found. */
export async function findServedShare({ store, clock }: Services, slug: string): Promise<ServedShare> {
  const found = slugPattern.test(slug) ? await findShareBySlug(store.read, slug) : undefined
  const owner = found && (await findPerson(store.read, found.userId))
  if (!found || !owner || isExpired(found.share, clock.now()) || !maySharePublicly(owner)) {
    throw notFound('Share')
  }
  return { share: found.share, owner }
}

const isExpired = (share: Share, now: number) =>
  share.expiresAt !== null && Date.parse(share.expiresAt) <= now

/** Judged by the role of today, not of the day on which the share was made. */
function maySharePublicly(owner: Person): boolean {
  const held = new Set<string>(owner.permissions)
  return owner.isOwner || (covers(held, 'flight.read.own') && covers(held, 'flight.share.own'))
}

export const readSharePage = operation({
  id: 'read-share-page',
  method: 'GET',
  path: '/share/{slug}/data',
  door: 'page',
  tag,
  summary: 'Read a public share as a visitor',
  access: everyone,
  // What cannot be an address is one that is not there.
  params: z.object({ slug: z.string().transform((text) => (slugPattern.test(text) ? text : '')) }),
  output: single(SharePage),
  errors: ['not_found'],
  cacheControl: 'no-store',
  cacheKey: async (call) => (await contentOf(call, () => servedContent(call.services, call.input.slug))).key,
  run: async (call) => ({
    data: await (await contentOf(call, () => servedContent(call.services, call.input.slug))).page(),
  }),
})

export const previewShare = operation({
  id: 'preview-share',
  method: 'POST',
  path: '/share-preview',
  door: 'app',
  tag,
  summary: 'Preview what visitors of a share with these settings can read',
  description: 'The same data that the public page would receive. Nothing is stored or published.',
  access: person(['flight.read.own', 'flight.share.own']),
  body: ShareInput,
  output: single(SharePage),
  managesTransaction: true,
  cacheKey: async (call) => (await contentOf(call, () => previewedContent(call))).key,
  run: async (call) => ({ data: await (await contentOf(call, () => previewedContent(call))).page() }),
})

async function servedContent(services: Services, slug: string): Promise<Content> {
  const { share, owner } = await findServedShare(services, slug)
  return createContent(services, settingsOf(share), owner)
}

async function previewedContent({ services, principal, input }: Call<ShareInput>): Promise<Content> {
  const owner = await findPerson(services.store.read, principal.user.id)
  if (!owner) throw notFound('User')
  return createContent(services, settingsOf(input), owner)
}

interface Content {
  /** Everything the page depends on: under it, what is made of it may be kept. */
  key: string
  page(): Promise<SharePage>
}

/** What the call's cache key had to look up already. */
const contents = new WeakMap<object, Promise<Content>>()

function contentOf(call: object, create: () => Promise<Content>): Promise<Content> {
  const content = contents.get(call) ?? create()
  contents.set(call, content)
  return content
}

async function createContent(services: Services, settings: ShareSettings, owner: Person): Promise<Content> {
  const { store, clock, cache } = services
  const db = store.read
  const now = clock.now()
  const names = [flightsOf(owner.id), PEOPLE, REFERENCE]
  const [flights, people, reference] = (await readRevisions(db, names)) as [number, number, number]
  let log: FlownLog | undefined
  const load = async () => {
    log ??= await loadKeptLog({ db, services }, owner.id, reference)
    return log
  }
  const revision = `${owner.id}@${flights}.${people}.${reference}`
  const next = await nextCompletion(cache, revision, now, load)
  return {
    key: `${JSON.stringify(settings)}/${revision}/${next}`,
    page: async () => createSharePage({ settings, owner, log: await load(), now, db }),
  }
}

// The picture

export interface Picture {
  bytes: Buffer
  /** Made of the picture itself: it must not tell that something changed which is not shown. */
  tag: string
}

/** The map as a picture, drawn by `draw`; undefined if it cannot be drawn now. Not found where no map is shown. */
export async function sharePicture(
  services: Services,
  slug: string,
  draw: Draw,
): Promise<Picture | undefined> {
  const { share, owner } = await findServedShare(services, slug)
  if (!share.showMap) throw notFound('Share')
  // Tracks and rows are not drawn; without them the map is the same and made sooner.
  const settings = { ...settingsOf(share), showTracks: false, showFlightList: false }
  const content = await createContent(services, settings, owner)
  const kept = `${services.version}/share-picture/${content.key}`
  let bytes = services.cache.get(kept)
  if (!bytes) {
    const drawing = drawingsOf(services)
    let picture = drawing.get(kept)
    if (!picture) {
      picture = draw(flownMap(await content.page())).finally(() => drawing.delete(kept))
      drawing.set(kept, picture)
    }
    bytes = await picture
    if (!bytes) return undefined
    services.cache.set(kept, bytes)
  }
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }
}

/** Pictures being drawn: who asks meanwhile gets the same one. */
const drawings = new WeakMap<Services, Map<string, Promise<Buffer | undefined>>>()

function drawingsOf(services: Services) {
  const known = drawings.get(services) ?? new Map<string, Promise<Buffer | undefined>>()
  drawings.set(services, known)
  return known
}

/** Only what the page shows too; figures where statistics are ticked. */
function flownMap({ airports, map, statistics }: SharePage): FlownMap {
  const place = (id: number) => {
    const { latitude, longitude } = airports[id - 1]!
    return { latitude, longitude }
  }
  const codeOf = (id: number) => {
    const { iata, icao } = airports[id - 1]!
    return (iata ?? icao).toUpperCase()
  }
  const totals = statistics?.totals
  return {
    routes: (map?.routes ?? [])
      .filter(({ a, b }) => a !== b)
      .map(({ a, b, flown, planned = 0 }) => ({ from: place(a), to: place(b), flights: flown + planned })),
    airports: (map?.airports ?? []).map(({ id, visits }) => ({ ...place(id), code: codeOf(id), visits })),
    figures: totals
      ? [
          { value: totals.flights, name: 'FLIGHTS' },
          { value: totals.distanceKm, name: 'KILOMETRES' },
          { value: totals.airports, name: 'AIRPORTS' },
          { value: totals.countries, name: 'COUNTRIES' },
        ]
      : [],
  }
}

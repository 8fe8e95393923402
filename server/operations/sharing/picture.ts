// The image for link previews of a public share: its map, drawn by services/preview.
import * as z from 'zod'
import { notFound } from '../../base/errors.ts'
import { defaultPreferences, type Preferences } from '../../domain/people/preferences.ts'
import { pick } from '../../domain/pick.ts'
import { type Call, everyone, operation } from '../../door/operation.ts'
import type { FlownMap } from '../../services/preview/picture.ts'
import type { Picture } from '../../services/preview/previews.ts'
import { findPreferences } from '../../store/people/people.ts'
import { single } from '../wire/schemas.ts'
import { type Contents, contentsOf, publishedLog, servedShare, slugInPath } from './page.ts'
import type { SharePage } from './schema.ts'
import { settingsOf } from './shares.ts'

export const drawShare = operation({
  id: 'draw-share',
  method: 'GET',
  path: '/share/{slug}/preview.png',
  door: 'page',
  tag: 'Personal data',
  summary: 'Read the picture of a public share',
  access: everyone,
  params: slugInPath,
  output: single(
    z
      .object({ tag: z.string(), byteLength: z.int() })
      .nullable()
      .describe('What is known of the PNG, or null if it cannot be drawn now.'),
  ),
  errors: ['not_found'],
  // 304 if the client has it, 302 to the general image if this one cannot be drawn.
  otherStatuses: [304, 302],
  cached: {
    // Requested each time: when the share is deleted, its image must disappear too.
    control: 'no-cache',
    mayLag: true,
  },
  target: {
    async find(call) {
      const { share, owner, subject } = await servedShare(call)
      if (!share.showMap) throw notFound('Share')
      // Tracks and rows are not drawn, so the map is created faster without them. One row gives a flight its title.
      const showFlightList = share.showFlightList && subject?.kind === 'flight'
      const settings = { ...settingsOf(share), showTracks: false, showFlightList }
      const contents = await contentsOf(await publishedLog(call, owner), settings, share)
      const preferences = (await findPreferences(call.db, owner.id)) ?? defaultPreferences
      return { ...contents, preferences }
    },
  },
  async run(call) {
    const picture = await pictureOf(call)
    return { data: picture ? { tag: picture.tag, byteLength: picture.bytes.byteLength } : null }
  },
  sends: {
    async stream(call) {
      const picture = await pictureOf(call)
      return picture
        ? { headers: { etag: `"${picture.tag}"`, 'content-type': 'image/png' }, body: picture.bytes }
        : { status: 302, headers: { location: '/preview.jpg' }, body: Buffer.alloc(0) }
    },
  },
})

interface Drawable extends Contents {
  preferences: Preferences
}

function pictureOf({ target, services }: Call<unknown, unknown, Drawable>): Promise<Picture | undefined> {
  const { distanceUnit, language } = target.preferences
  const key = `${services.version}/share-picture/${distanceUnit}/${language}/${target.key}`
  return services.previews.picture(key, async () => flownMap(await target.page(), target.preferences))
}

/** Only content of the page itself; figures only if statistics are ticked. */
function flownMap(
  { owner, subject, airports, map, statistics, flights }: SharePage,
  { distanceUnit, language }: Preferences,
): FlownMap {
  const place = (id: number) => {
    const { latitude, longitude } = airports[id - 1]!
    return { latitude, longitude }
  }
  const codeOf = (id: number) => {
    const { iata, icao } = airports[id - 1]!
    return (iata ?? icao).toUpperCase()
  }
  const totals = statistics?.totals
  const title = titleOf(subject, flights, codeOf)
  return {
    routes: (map?.routes ?? [])
      .filter(({ a, b }) => a !== b)
      .map(({ a, b, flown, planned = 0 }) => ({ from: place(a), to: place(b), flights: flown + planned })),
    airports: (map?.airports ?? []).map(({ id, visits }) => ({ ...place(id), code: codeOf(id), visits })),
    ...(totals && {
      figures: pick(totals, ['flights', 'distanceKm', 'airports', 'countries']),
    }),
    ...(title && { title }),
    sharer: { displayName: owner.displayName, distanceUnit, language },
  }
}

/** The name of a trip, or the route of a flight if its row is shown. */
function titleOf(
  subject: SharePage['subject'],
  flights: SharePage['flights'],
  codeOf: (id: number) => string,
): FlownMap['title'] {
  if (subject?.kind === 'trip') return { kind: 'trip', text: subject.name }
  const { from, to } = (subject && flights?.[0]) ?? {}
  return from && to ? { kind: 'flight', text: `${codeOf(from)} – ${codeOf(to)}` } : undefined
}

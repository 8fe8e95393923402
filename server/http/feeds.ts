// Feeds at their secret addresses. The address is the credential: it is read from the path only, is never logged, and
// opens one feed. Shared caches must not store the response, and search engines must not list it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import { namesTag } from '../domain/flights/conditions.ts'
import { MINUTE, SECOND } from '../domain/time/durations.ts'
import { open } from '../door/open.ts'
import type { Services } from '../door/services.ts'
import { noteFeedRead, readFeed } from '../operations/sharing/feed-page.ts'
import { type Allowance, quotaHeaders, tooMany } from '../services/access/limits.ts'
import { clientAddress } from './client-address.ts'
import { sendDocument } from './document.ts'
import { refuseOtherMethods } from './rest.ts'
import { noIndex } from './share.ts'

const url = readFeed.path.replace('{file}', ':file')

export function mountFeeds(app: FastifyInstance, services: Services): void {
  app.get(url, async (request, reply) => {
    reply.headers({ ...noIndex, 'cache-control': readFeed.cached?.control, vary: 'accept-encoding' })
    const opened = await open(readFeed, services, undefined, { params: request.params }).catch((error) => {
      countUnknown(error, request, services)
      throw error
    })
    const feed = opened.call.target as Awaited<
      ReturnType<NonNullable<NonNullable<typeof readFeed.target>['find']>>
    >
    const allowance = services.limits.feed(feed.feedId)
    reply.headers(limitHeaders(allowance))
    if (allowance.waitSeconds > 0) throw tooMany('too_many_calls', allowance.waitSeconds)
    noteFeedRead(services, feed)
    reply.headers({ etag: feed.etag, 'last-modified': shownTime(feed.lastModified, services.clock.now()) })
    if (isUnchanged(request, feed)) return reply.code(304).send()
    const headers = { 'content-type': feed.mediaType }
    return sendDocument(feed, { headers, zipFrom: ZIP_FROM_BYTES, etag: feed.etag }, request, reply)
  })
  refuseOtherMethods(app, url, ['GET'])
}

/** Limits guessing per client address; readers of an existing feed are not affected. */
function countUnknown(
  error: unknown,
  request: FastifyRequest,
  { limits, config }: Pick<Services, 'limits' | 'config'>,
): void {
  if (error instanceof AppError && error.code === 'not_found')
    limits.unknownFeed(clientAddress(request, config))
}

const limitHeaders = ({ limit, remaining, resetSeconds }: Allowance) =>
  quotaHeaders([{ name: 'feed', count: limit, ms: MINUTE }], remaining, resetSeconds)

/**
 * The first whole second after the change: two changes within one second must not look like one. While that second is still
 * in the future, the current time is sent instead (RFC 9110 §8.8.2.1); it is older, so the next request gets the feed again.
 */
const wholeSecond = (instant: number): number => (Math.floor(instant / SECOND) + 1) * SECOND
const shownTime = (lastModified: number, now: number): string =>
  new Date(Math.min(wholeSecond(lastModified), now)).toUTCString()

interface Validators {
  etag: string
  lastModified: number
}

function isUnchanged({ headers }: FastifyRequest, { etag, lastModified }: Validators): boolean {
  if (headers['if-none-match'] !== undefined) return namesTag(headers['if-none-match'], etag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return !Number.isNaN(since) && wholeSecond(lastModified) <= since
}

/** Calendar programs poll every hour, so compressing even a short feed pays off. */
const ZIP_FROM_BYTES = 1024

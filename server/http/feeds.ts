// Feeds at their secret addresses. The address is the credential: it is read from the path alone, is never logged, and
// opens one feed. Caches between us and the reader must not keep it, and search engines must not list it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Allowance, quotaHeaders, tooMany } from '../auth/limits.ts'
import { AppError } from '../base/errors.ts'
import { namesTag } from '../domain/conditions.ts'
import { open, type Services } from '../operation.ts'
import { noteFeedRead, readFeed } from '../operations/feed-page.ts'
import { clientAddress } from './client-address.ts'
import { sendDocument } from './document.ts'
import { refuseOtherMethods } from './rest.ts'
import { noIndex } from './share.ts'

const url = readFeed.path.replace('{file}', ':file')

export function mountFeeds(app: FastifyInstance, services: Services): void {
  app.get(url, async (request, reply) => {
    reply.headers({ ...noIndex, 'cache-control': readFeed.cacheControl, vary: 'accept-encoding' })
    const opened = await open(readFeed, services, undefined, { params: request.params }).catch((error) => {
      countUnknown(error, request, services)
      throw error
    })
    const feed = opened.call.target as Awaited<ReturnType<NonNullable<typeof readFeed.target>>>
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

/** Guessing is limited for each address; a reader with a right address is not affected. */
function countUnknown(error: unknown, request: FastifyRequest, { limits, config }: Services): void {
  if (error instanceof AppError && error.code === 'not_found')
    limits.unknownFeed(clientAddress(request, config))
}

const limitHeaders = ({ limit, remaining, resetSeconds }: Allowance) =>
  quotaHeaders([{ name: 'feed', count: limit, ms: 60_000 }], remaining, resetSeconds)

const SECOND = 1000
/**
 * The first whole second after the change: two changes within one second must not look like one. It lies in the future for
 * a moment; then the present is sent instead (RFC 9110 §8.8.2.1), which is older, so that the next request gets it again.
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

/** A calendar program asks every hour: even a short one is worth it. */
const ZIP_FROM_BYTES = 1024

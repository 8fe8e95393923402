// Large JSON bodies stay in memory until their request ends, so the number received concurrently is limited. A body is
// refused by its Content-Length before it is read; without one, as soon as it becomes large. Small bodies are never refused.
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { HttpError } from '../base/errors.ts'
import { bodySizes } from '../base/request/body-sizes.ts'
import { createOpenBodies, type OpenBodies } from '../base/request/open-bodies.ts'
import { jsonType } from './body.ts'

const LARGE_BYTES = bodySizes.long.bytes

/** Options for routes that authenticate before the body is read. */
export type LargeBodies = (bodyLimit: number) => { preParsing?: preParsingHookHandler }

export function createLargeBodies(): LargeBodies {
  const bodies = createOpenBodies('too_many_at_once')
  const preParsing: preParsingHookHandler = (request, reply, payload, done) => {
    const take = () => takeUntilClosed(bodies, request, reply)
    const length = request.headers['content-length']
    if (isFile(request)) return done(null, payload)
    if (length === undefined) return done(null, counted(payload as IncomingMessage, take))
    try {
      if (Number(length) > LARGE_BYTES) take()
      return done(null, payload)
    } catch (error) {
      return done(error as Error)
    }
  }
  return (bodyLimit) => (bodyLimit > LARGE_BYTES ? { preParsing } : {})
}

/** Files are written to disk and have their own limits (`incoming-files.ts`). */
const isFile = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.operation?.body?.file?.isLarge === true && !jsonType.test(headers['content-type'] ?? '')

function takeUntilClosed(bodies: OpenBodies, request: FastifyRequest, reply: FastifyReply): void {
  const release = bodies.take(request.principal!.user.id)
  reply.raw.once('close', release)
}

function counted(payload: IncomingMessage, take: () => void): Readable {
  let bytes = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      const isSmall = bytes <= LARGE_BYTES
      bytes += chunk.byteLength
      try {
        if (isSmall && bytes > LARGE_BYTES) take()
        next(null, chunk)
      } catch (error) {
        // The client gets the response only if the rest is read and dropped.
        payload.unpipe(counter)
        payload.resume()
        next(Object.assign(error as HttpError, { statusCode: (error as HttpError).status }))
      }
    },
  })
  payload.once('error', (error) => counter.destroy(error))
  return payload.pipe(counter)
}

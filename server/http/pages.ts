// The scope of the server-rendered pages: errors there are pages too.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError, Unavailable } from '../base/errors.ts'
import type { Services } from '../operation.ts'
import { mountStylesheet, sendErrorPage } from '../pages/layout.ts'
import { logFailure } from './request-id.ts'

export function mountPages(
  server: FastifyInstance,
  services: Services,
  mount: (pages: FastifyInstance) => void,
): void {
  server.register(async (pages) => {
    pages.setErrorHandler<FastifyError>((error, request, reply) =>
      sendFailurePage(services, error, request, reply),
    )
    mountStylesheet(pages)
    mount(pages)
  })
}

export function sendFailurePage(
  services: Services,
  error: FastifyError | HttpError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = statusOf(error)
  if (error instanceof HttpError) reply.headers(error.headers)
  if (status < 500) {
    return sendErrorPage(reply, status, 'That did not work', messageOf(error, status))
  }
  logFailure(services, request, error)
  return error instanceof Unavailable
    ? sendErrorPage(
        reply,
        status,
        'Not available right now',
        `${error.message}. Please try again in a moment.`,
      )
    : sendErrorPage(reply, 500, 'Something went wrong', 'It has been logged. Please try again.')
}

function messageOf(error: FastifyError | HttpError, status: number): string {
  if (error instanceof HttpError) return `${error.message}.`
  return status === 413 ? 'What was sent is too large.' : 'The request is malformed.'
}

function statusOf(error: FastifyError | HttpError): number {
  if (error instanceof HttpError) return error.status
  return error.statusCode !== undefined && error.statusCode >= 400 ? error.statusCode : 500
}

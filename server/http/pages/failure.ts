// What a person sees in place of a page that could not be made.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, Unavailable } from '../../errors.ts'
import { OAuthError } from '../../oauth/errors.ts'
import type { Services } from '../../operation.ts'
import { logFailure, nameAnswer } from '../request-name.ts'
import { sendErrorPage } from './layout.ts'

export function sendFailurePage(
  { log }: Services,
  error: FastifyError | AppError | OAuthError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = statusOf(error)
  nameAnswer(request, reply)
  if (error instanceof AppError || error instanceof OAuthError) reply.headers(error.headers)
  if (status < 500) {
    return sendErrorPage(reply, status, 'That did not work', messageOf(error, status))
  }
  logFailure(log, request, error)
  return error instanceof Unavailable
    ? sendErrorPage(
        reply,
        status,
        'Not available right now',
        `${error.message}. Please try again in a moment.`,
      )
    : sendErrorPage(reply, 500, 'Something went wrong', 'It has been logged. Please try again.')
}

function messageOf(error: FastifyError | AppError | OAuthError, status: number): string {
  if (error instanceof AppError || error instanceof OAuthError) return `${error.message}.`
  return status === 413 ? 'What was sent is too large.' : 'The request is malformed.'
}

function statusOf(error: FastifyError | AppError | OAuthError): number {
  if (error instanceof AppError || error instanceof OAuthError) return error.status
  return error.statusCode !== undefined && error.statusCode >= 400 ? error.statusCode : 500
}

// The server-rendered pages: sign-in, set-up and the OAuth flow, in a scope of their own whose errors are pages too.
import type { FastifyError, FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { mountOAuthPages, type OAuthParts } from '../oauth/endpoints.ts'
import { OAuthError } from '../oauth/errors.ts'
import { mountStylesheet, sendErrorPage } from './pages/layout.ts'
import { mountSignIn } from './pages/sign-in.ts'
import { logFailure, nameAnswer } from './request-name.ts'

export function mountPages(server: FastifyInstance, parts: OAuthParts): void {
  server.register(async (pages) => {
    pages.setErrorHandler<FastifyError>((error, request, reply) => {
      const status = statusOf(error)
      nameAnswer(request, reply)
      if (status < 500) {
        if (error instanceof AppError) reply.headers(error.headers)
        return sendErrorPage(reply, status, 'That did not work', messageOf(error, status))
      }
      logFailure(parts.services.log, request, error)
      return sendErrorPage(reply, 500, 'Something went wrong', 'It has been logged. Please try again.')
    })
    mountStylesheet(pages)
    mountSignIn(pages, parts)
    mountOAuthPages(pages, parts)
  })
}

function messageOf(error: FastifyError | AppError | OAuthError, status: number): string {
  if (error instanceof AppError || error instanceof OAuthError) return `${error.message}.`
  return status === 413 ? 'What was sent is too large.' : 'The request is malformed.'
}

function statusOf(error: FastifyError | AppError | OAuthError): number {
  if (error instanceof AppError || error instanceof OAuthError) return error.status
  return error.statusCode !== undefined && error.statusCode >= 400 ? error.statusCode : 500
}

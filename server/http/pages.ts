// The server-rendered pages: sign-in, set-up and the OAuth flow, in a scope of their own whose errors are pages too.
import type { FastifyError, FastifyInstance } from 'fastify'
import { mountOAuthPages, type OAuthParts } from '../oauth/endpoints.ts'
import { sendFailurePage } from './pages/failure.ts'
import { mountStylesheet } from './pages/layout.ts'
import { mountSignIn } from './pages/sign-in.ts'

export function mountPages(server: FastifyInstance, parts: OAuthParts): void {
  server.register(async (pages) => {
    pages.setErrorHandler<FastifyError>((error, request, reply) =>
      sendFailurePage(parts.services, error, request, reply),
    )
    mountStylesheet(pages)
    mountSignIn(pages, parts)
    mountOAuthPages(pages, parts)
  })
}

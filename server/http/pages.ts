// The scope of the server-rendered pages, whose errors are pages too.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError, Unavailable } from '../base/errors.ts'
import type { Language } from '../domain/languages.ts'
import type { Services } from '../door/services.ts'
import { languageOf, rememberLanguage } from '../pages/language.ts'
import { mountStylesheet, sendErrorPage } from '../pages/layout.ts'
import { errorTexts } from './pages-texts.ts'
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
    pages.addHook('onRequest', async (request, reply) =>
      rememberLanguage(request, reply, services.config.origin),
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
  const language = languageOf(request)
  const texts = errorTexts[language]
  if (error instanceof HttpError) reply.headers(error.headers)
  if (status < 500) {
    const message = messageOf(error, status, language)
    return sendErrorPage(reply, status, { title: texts.didNotWork, message, language })
  }
  logFailure(services, request, error)
  if (!(error instanceof Unavailable))
    return sendErrorPage(reply, 500, { title: texts.failed, message: texts.failedText, language })
  const message = language === 'en' ? `${error.message}. ${texts.tryAgain}` : texts.tryAgain
  return sendErrorPage(reply, status, { title: texts.unavailable, message, language })
}

function messageOf(error: FastifyError | HttpError, status: number, language: Language): string {
  const { reasons, malformed } = errorTexts[language]
  if (error instanceof HttpError && language === 'en') return `${error.message}.`
  const byStatus: Readonly<Record<number, string>> = reasons
  return byStatus[status] ?? malformed
}

function statusOf(error: FastifyError | HttpError): number {
  if (error instanceof HttpError) return error.status
  return error.statusCode !== undefined && error.statusCode >= 400 ? error.statusCode : 500
}

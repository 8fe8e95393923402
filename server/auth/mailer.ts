// Sends mails by the server of `SMTP_URL`. What a mail says, and its address, never reach the log.
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import { isLoopbackHost } from '../base/outbound.ts'

/** A mail server that does not answer must not hold up the end of the process for long. */
const TIMEOUT_MS = 10_000

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Resolves in any case; that a mail could not be sent is logged. */
  send(mail: Mail): Promise<void>
}

export function createMailer({ url, from }: NonNullable<Config['smtp']>, log: Logger): Mailer {
  const transport = connect(url)
  return {
    async send({ to, subject, text }) {
      try {
        await (await transport()).sendMail({
          from: { name: 'Contrail', address: from },
          // As an object it is one address, whatever it contains.
          to: { name: '', address: to },
          subject,
          text,
          // Automatic replies would go nowhere (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        log.warn('a mail could not be sent', { code, response: responseCode })
      }
    },
  }
}

/** The library is loaded with the first mail: most instances never send one. */
function connect(url: string) {
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    const { protocol, hostname, port, username, password, searchParams } = new URL(url)
    const isSecure = protocol === 'smtps:'
    return createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isSecure ? 465 : 587) : Number(port),
      secure: isSecure,
      // The links that mails contain must not be read on the way; to a server on this machine there is none.
      requireTLS: !isSecure && !isLoopbackHost(hostname) && searchParams.get('requireTLS') !== 'false',
      ...(username === ''
        ? {}
        : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  let transport: ReturnType<typeof open> | undefined
  return () => {
    transport ??= open()
    return transport
  }
}

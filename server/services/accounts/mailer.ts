// Sends mails through the server of `SMTP_URL`. The content and the address of a mail are never logged.
import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { isLoopbackHost } from '../../base/network/outbound.ts'

/** A mail server that is not responding must not delay the end of the process for long. */
const TIMEOUT_MS = 10_000

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Never rejects; a failure is logged. */
  send(mail: Mail): Promise<void>
}

export function createMailer({ url, from }: NonNullable<Config['smtp']>, log: Logger): Mailer {
  const transport = connect(url)
  return {
    async send({ to, subject, text }) {
      try {
        await (await transport()).sendMail({
          from: { name: 'Contrail', address: from },
          // An object is always one address, whatever it contains.
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

/** Loads the library with the first mail: most instances never send one. */
function connect(url: string) {
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    const { protocol, hostname, port, username, password, searchParams } = new URL(url)
    const isSecure = protocol === 'smtps:'
    return createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isSecure ? 465 : 587) : Number(port),
      secure: isSecure,
      // Mails contain links that must not be read in transit. A server on this machine needs no encryption.
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

// Receives mails that people forward (SMTP). It relays nothing and accepts mail only for `import+<token>@domain`; all other
// recipients are refused at RCPT. A mail is accepted once its import is stored; without a response, the sender retries.
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'
import { AppError, errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { hashSecret } from '../base/secret/secrets.ts'
import { MAIL_BYTES_AT_MOST } from '../domain/intake/intake.ts'
import { MINUTE } from '../domain/time/durations.ts'
import type { Services } from '../door/services.ts'
import { mailFilename, takeIn } from '../operations/intake/intake.ts'
import { logArrival } from '../operations/intake/read-mailbox.ts'
import {
  type MailCertificateFiles,
  readMailCertificate,
  watchMailCertificate,
} from '../services/intake/mail-certificate.ts'
import { IntakeError } from '../services/intake/reach.ts'
import type { RefusedMail } from '../services/metrics/intake.ts'
import { countMail, findMailAddressByHash, type MailAddress } from '../store/intake/mail-addresses.ts'

const CONNECTIONS_AT_MOST = 20
const CONNECTIONS_PER_ADDRESS = 5
const RECIPIENTS_AT_MOST = 5
/** Per connection, before the first mail and after each mail. */
const COMMANDS_AT_MOST = 50
const SILENT_MS = MINUTE
const STOP_WITHIN_MS = 4_000
const CERTIFICATE_EVERY_MS = MINUTE

interface MailIn {
  port: number
  stop(): Promise<void>
}

interface Where {
  host: string
  port: number
  domain: string
  /** The certificate with which encryption is offered. */
  tls?: MailCertificateFiles | undefined
  /** How often the certificate is checked for changes. */
  tlsEveryMs?: number
}

/** Starts to listen. Throws if the port cannot be used. */
export async function startMailIn(services: Services, log: Logger, where: Where): Promise<MailIn> {
  const commands = new Map<string, number>()
  const server = new SMTPServer({
    name: where.domain,
    banner: 'Contrail',
    size: MAIL_BYTES_AT_MOST,
    disabledCommands: where.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...(where.tls && secureOptions(where.tls)),
    authOptional: true,
    disableReverseLookup: true,
    logger: watchCommands(commands, (id) => leave(server, id)),
    maxClients: CONNECTIONS_AT_MOST,
    ...{ maxRecipients: RECIPIENTS_AT_MOST },
    socketTimeout: SILENT_MS,
    closeTimeout: STOP_WITHIN_MS,
    ...handlersOf(services, log, where.domain, commands),
  })
  // A client that drops its connection is not our error.
  server.on('error', (error) => log.debug('a mail connection failed', { reason: errorMessage(error) }))
  await listen(server, where)
  const { port } = server.server.address() as { port: number }
  log.info('receiving mails', { port, domain: where.domain, encryption: where.tls ? 'offered' : 'none' })
  const stopWatching = keepCertificate(server, log, where)
  const stop = () => {
    stopWatching()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { port, stop }
}

/** The library limits only invalid commands, but logs every command. */
function watchCommands(commands: Map<string, number>, onTooMany: (id: string) => void) {
  const ignore = () => {}
  const debug = ({ tnx, cid }: { tnx?: string; cid?: string }) => {
    if (tnx !== 'command' || cid === undefined) return
    const count = (commands.get(cid) ?? 0) + 1
    commands.set(cid, count)
    if (count > COMMANDS_AT_MOST) onTooMany(cid)
  }
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}

/** 421 closes the connection. */
function leave({ connections }: SMTPServer, id: string): void {
  for (const connection of connections) if (connection.id === id) connection.send(421, 'Too many commands')
}

/** What happens at each step of a connection. */
function handlersOf(
  services: Services,
  log: Logger,
  domain: string,
  commands: Map<string, number>,
): SMTPServerOptions {
  // The addresses of accepted connections: refused connections are closed too, but were never counted.
  const open = new Map<string, string>()
  return {
    onConnect({ id, remoteAddress }, done) {
      const own = [...open.values()].filter((address) => address === remoteAddress).length
      if (own >= CONNECTIONS_PER_ADDRESS || services.limits.mail('connection', remoteAddress) > 0)
        return done(refuse(services, 'too_many_connections'))
      open.set(id, remoteAddress)
      done()
    },
    onClose({ id }) {
      open.delete(id)
      commands.delete(id)
    },
    onRcptTo({ address }, session, done) {
      requireRecipient(services, domain, address, session).then(() => done(), done)
    },
    onData(stream, session, done) {
      receive(services, log, domain, stream, session).then(() => {
        commands.delete(session.id)
        done(null, 'Received')
      }, done)
    },
  }
}

const listen = (server: SMTPServer, { port, host }: Where): Promise<void> =>
  new Promise((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, host, () => {
      server.server.off('error', reject)
      resolve()
    })
  })

const secureOptions = (files: MailCertificateFiles) => {
  const { cert, key } = readMailCertificate(files)
  return { cert, key, minVersion: 'TLSv1.2' as const }
}

/** A renewed certificate is used from the next connection on. If it cannot be used, the old one stays. */
function keepCertificate(
  server: SMTPServer,
  log: Logger,
  { tls, tlsEveryMs = CERTIFICATE_EVERY_MS }: Where,
): () => void {
  if (!tls) return () => {}
  return watchMailCertificate(tls, tlsEveryMs, () => {
    try {
      server.updateSecureContext(secureOptions(tls))
      log.info('reloaded the certificate for mails')
    } catch (error) {
      log.warn('the new certificate for mails cannot be used', { reason: errorMessage(error) })
    }
  })
}

const refusals: Record<RefusedMail, { responseCode: number; message: string }> = {
  too_many_connections: { responseCode: 421, message: 'Too many connections from this address' },
  unknown_recipient: { responseCode: 550, message: 'No such address' },
  too_many_unknown_recipients: { responseCode: 421, message: 'Too many unknown recipients' },
  too_many_mails: { responseCode: 450, message: 'Too many mails; try again later' },
  too_large: { responseCode: 552, message: `A mail may have at most ${MAIL_BYTES_AT_MOST} bytes` },
  access_lost: { responseCode: 550, message: 'This address can no longer import flights' },
  failed: { responseCode: 451, message: 'Try again later' },
}

/** Also counts the refusal. */
function refuse({ intakeMetrics }: Pick<Services, 'intakeMetrics'>, why: RefusedMail): Error {
  intakeMetrics.countRefusedMail(why)
  return Object.assign(new Error(), refusals[why])
}

/** The token in `import+token@domain`, if the address has that form. */
function tokenOf(address: string, domain: string): string | undefined {
  const [, token, at] = /^import\+([a-z0-9]{1,64})@(.+)$/.exec(address.toLowerCase()) ?? []
  return at === domain ? token : undefined
}

const find = async (
  { store }: Pick<Services, 'store'>,
  domain: string,
  address: string,
): Promise<MailAddress | undefined> => {
  const token = tokenOf(address, domain)
  return token === undefined ? undefined : findMailAddressByHash(store.read, { hash: hashSecret(token) })
}

/** Wrong addresses count against the client’s limit; the owner's limit is only used by the right address. */
async function requireRecipient(
  services: Services,
  domain: string,
  address: string,
  { remoteAddress }: SMTPServerSession,
): Promise<void> {
  const found = await find(services, domain, address).catch(() => {
    throw refuse(services, 'failed')
  })
  if (found) {
    if (services.limits.mail('person', found.userId) > 0) throw refuse(services, 'too_many_mails')
    return
  }
  const isGuessing = services.limits.mail('unknown-recipient', remoteAddress) > 0
  throw refuse(services, isGuessing ? 'too_many_unknown_recipients' : 'unknown_recipient')
}

async function receive(
  services: Services,
  log: Logger,
  domain: string,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<void> {
  const bytes = await readAll(stream)
  if (!bytes) throw refuse(services, 'too_large')
  const sender = envelope.mailFrom ? plainAddress(envelope.mailFrom.address) : ''
  let refused = 0
  try {
    for (const { address } of envelope.rcptTo) {
      const owner = await find(services, domain, address)
      if (owner && !(await takeOrNot(services, owner, sender, bytes))) refused++
    }
  } catch (error) {
    log.warn('could not take in a mail', {
      reason: error instanceof AppError ? error.code : errorMessage(error),
    })
    throw refuse(services, 'failed')
  }
  // One response for all recipients: a sender must not repeat a mail that some recipients got because others refused it.
  if (refused > 0 && refused === envelope.rcptTo.length) throw refuse(services, 'access_lost')
}

/** False if the owner may no longer import. */
async function takeOrNot(...what: Parameters<typeof take>): Promise<boolean> {
  try {
    await take(...what)
    return true
  } catch (error) {
    if (error instanceof IntakeError && error.problem === 'access_lost') return false
    throw error
  }
}

/** Undefined if the mail is too large. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
  return stream.sizeExceeded ? undefined : Buffer.concat(chunks)
}

/** Without the part after a plus: mail services put the address to which they forward there. */
const plainAddress = (address: string): string => address.toLowerCase().replace(/\+[^@]*(?=@)/, '')

async function take(services: Services, owner: MailAddress, sender: string, bytes: Buffer): Promise<void> {
  const isKnown = owner.senders.some((known) => plainAddress(known) === sender)
  const arrival = {
    userId: owner.userId,
    way: 'mail' as const,
    name: '',
    bytes,
    filename: mailFilename(bytes),
    ...(isKnown ? {} : { unknownSender: sender }),
  }
  const now = new Date(services.clock.now()).toISOString()
  const arrived = await takeIn(services, arrival, (tx) => countMail(tx, { userId: owner.userId, now }))
  services.intakeMetrics.countMail('mail')
  logArrival(services, 'received a mail', { user: owner.userId }, arrived)
}

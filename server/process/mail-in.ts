// Receives mails that people forward (SMTP). It relays nothing and knows no one but the owners of `import+<token>@domain`:
// all else is refused at RCPT. A mail is accepted once its import is safe; a sender that hears nothing sends it again.
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'
import { AppError } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { hashSecret } from '../base/secrets.ts'
import { MAIL_BYTES_AT_MOST } from '../domain/intake.ts'
import {
  type MailCertificateFiles,
  readMailCertificate,
  watchMailCertificate,
} from '../intake/mail-certificate.ts'
import { IntakeError } from '../intake/reach.ts'
import type { RefusedMail } from '../metrics/intake.ts'
import type { Services } from '../operation.ts'
import { mailFilename, takeIn } from '../operations/intake.ts'
import { logArrival } from '../operations/intake-mailbox.ts'
import { countMail, findMailAddressByHash, type MailAddress } from '../store/mail-addresses.ts'

const CONNECTIONS_AT_MOST = 20
const CONNECTIONS_PER_ADDRESS = 5
const RECIPIENTS_AT_MOST = 5
/** Of one connection, before a mail and after each. */
const COMMANDS_AT_MOST = 50
const SILENT_MS = 60_000
const STOP_WITHIN_MS = 4_000
const CERTIFICATE_EVERY_MS = 60_000

interface MailIn {
  port: number
  stop(): Promise<void>
}

interface Where {
  host: string
  port: number
  domain: string
  /** Encryption is offered with this certificate. */
  tls?: MailCertificateFiles | undefined
  /** How often it is looked at for changes. */
  tlsEveryMs?: number
}

/** Listens. Throws if the port cannot be used. */
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
  // A peer that breaks its connection is no fault of ours.
  server.on('error', (error) => log.debug('a mail connection failed', { reason: reasonOf(error) }))
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

/** The library bounds only what is no command, and tells its logger about each one. */
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
  // The addresses of those that were let in, by connection: refused ones are closed too, but were never counted.
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

/** A renewed certificate is used from the next connection on. One that cannot be used leaves the old one in place. */
function keepCertificate(
  server: SMTPServer,
  log: Logger,
  { tls, tlsEveryMs = CERTIFICATE_EVERY_MS }: Where,
): () => void {
  if (!tls) return () => {}
  return watchMailCertificate(tls, tlsEveryMs, () => {
    try {
      server.updateSecureContext(secureOptions(tls))
      log.info('the certificate for mails was read again')
    } catch (error) {
      log.warn('the certificate for mails was changed and cannot be used', { reason: reasonOf(error) })
    }
  })
}

const refusals: Record<RefusedMail, { responseCode: number; message: string }> = {
  too_many_connections: { responseCode: 421, message: 'Too many connections from this address' },
  unknown_recipient: { responseCode: 550, message: 'No such address here' },
  too_many_unknown_recipients: { responseCode: 421, message: 'Too many unknown recipients' },
  too_many_mails: { responseCode: 450, message: 'Too many mails; try again later' },
  too_large: { responseCode: 552, message: `A mail may have ${MAIL_BYTES_AT_MOST} bytes at most` },
  access_lost: { responseCode: 550, message: 'This address may not import flights any more' },
  failed: { responseCode: 451, message: 'Try again later' },
}

/** Counts it too. */
function refuse({ intakeMetrics }: Services, why: RefusedMail): Error {
  intakeMetrics.countRefusedMail(why)
  return Object.assign(new Error(), refusals[why])
}
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The token in `import+token@domain`, if it is one of ours. */
function tokenOf(address: string, domain: string): string | undefined {
  const [, token, at] = /^import\+([a-z0-9]{1,64})@(.+)$/.exec(address.toLowerCase()) ?? []
  return at === domain ? token : undefined
}

const find = async (
  { store }: Services,
  domain: string,
  address: string,
): Promise<MailAddress | undefined> => {
  const token = tokenOf(address, domain)
  return token === undefined ? undefined : findMailAddressByHash(store.read, hashSecret(token))
}

/** Strangers pay for wrong addresses; the owner's limit is only spent with the right one. */
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
    log.warn('could not take in a mail', { reason: error instanceof AppError ? error.code : reasonOf(error) })
    throw refuse(services, 'failed')
  }
  // One answer for all recipients: who got it must not get it again because of another.
  if (refused > 0 && refused === envelope.rcptTo.length) throw refuse(services, 'access_lost')
}

/** False if its owner may not import any more. */
async function takeOrNot(...what: Parameters<typeof take>): Promise<boolean> {
  try {
    await take(...what)
    return true
  } catch (error) {
    if (error instanceof IntakeError && error.problem === 'access_lost') return false
    throw error
  }
}

/** Undefined if it is too large. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
  return stream.sizeExceeded ? undefined : Buffer.concat(chunks)
}

/** Without what follows a plus: mail services put the address to which they forward there. */
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
  const arrived = await takeIn(services, arrival, (tx) => countMail(tx, owner.userId, now))
  services.intakeMetrics.countMail('mail')
  logArrival(services, 'received a mail', { user: owner.userId }, arrived)
}

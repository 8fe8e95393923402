// Receives mails that people forward (SMTP). It relays nothing and knows no one but the owners of `import+<token>@domain`:
// all else is refused at RCPT. A mail is accepted once its import is safe; a sender that hears nothing sends it again.
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { AppError } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { hashSecret } from '../base/secrets.ts'
import { MAIL_BYTES_AT_MOST } from '../domain/intake.ts'
import { IntakeError } from '../intake/reach.ts'
import type { Services } from '../operation.ts'
import { mailFilename, takeIn } from '../operations/intake.ts'
import { logArrival } from '../operations/intake-mailbox.ts'
import { countMail, findMailAddressByHash, type MailAddress } from '../store/mail-addresses.ts'

const CONNECTIONS_AT_MOST = 20
const CONNECTIONS_PER_ADDRESS = 5
const RECIPIENTS_AT_MOST = 5
const SILENT_MS = 60_000
const STOP_WITHIN_MS = 4_000

interface MailIn {
  port: number
  stop(): Promise<void>
}

interface Where {
  host: string
  port: number
  domain: string
}

/** Listens. Throws if the port cannot be used. */
export async function startMailIn(services: Services, log: Logger, where: Where): Promise<MailIn> {
  // The addresses of those that were let in, by connection: refused ones are closed too, but were never counted.
  const open = new Map<string, string>()
  const server = new SMTPServer({
    name: where.domain,
    banner: 'Contrail',
    size: MAIL_BYTES_AT_MOST,
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    maxClients: CONNECTIONS_AT_MOST,
    ...{ maxRecipients: RECIPIENTS_AT_MOST },
    socketTimeout: SILENT_MS,
    closeTimeout: STOP_WITHIN_MS,
    onConnect({ id, remoteAddress }, done) {
      const own = [...open.values()].filter((address) => address === remoteAddress).length
      if (own >= CONNECTIONS_PER_ADDRESS || services.limits.mail('connection', remoteAddress) > 0)
        return done(refusal(421, 'Too many connections from this address'))
      open.set(id, remoteAddress)
      done()
    },
    onClose({ id }) {
      open.delete(id)
    },
    onRcptTo({ address }, session, done) {
      requireRecipient(services, where.domain, address, session).then(() => done(), done)
    },
    onData(stream, session, done) {
      receive(services, log, where.domain, stream, session).then(() => done(null, 'Received'), done)
    },
  })
  // A peer that breaks its connection is no fault of ours.
  server.on('error', (error) => log.debug('a mail connection failed', { reason: reasonOf(error) }))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(where.port, where.host, () => {
      server.server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.server.address() as { port: number }
  log.info('receiving mails', { port, domain: where.domain })
  return { port, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

const refusal = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })
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
    throw refusal(451, 'Try again later')
  })
  if (found) {
    if (services.limits.mail('person', found.userId) > 0)
      throw refusal(450, 'Too many mails; try again later')
    return
  }
  if (services.limits.mail('unknown-recipient', remoteAddress) > 0)
    throw refusal(421, 'Too many unknown recipients')
  throw refusal(550, 'No such address here')
}

async function receive(
  services: Services,
  log: Logger,
  domain: string,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<void> {
  const bytes = await readAll(stream)
  const sender = envelope.mailFrom ? plainAddress(envelope.mailFrom.address) : ''
  let refused = 0
  try {
    for (const { address } of envelope.rcptTo) {
      const owner = await find(services, domain, address)
      if (owner && !(await takeOrNot(services, owner, sender, bytes))) refused++
    }
  } catch (error) {
    log.warn('could not take in a mail', { reason: error instanceof AppError ? error.code : reasonOf(error) })
    throw refusal(451, 'Try again later')
  }
  // One answer for all recipients: who got it must not get it again because of another.
  if (refused > 0 && refused === envelope.rcptTo.length)
    throw refusal(550, 'This address may not import flights any more')
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

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
  if (stream.sizeExceeded) throw refusal(552, `A mail may have ${MAIL_BYTES_AT_MOST} bytes at most`)
  return Buffer.concat(chunks)
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
  logArrival(services, 'received a mail', { user: owner.userId }, arrived)
}

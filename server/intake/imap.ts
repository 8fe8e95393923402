// A folder of mail, read over IMAP and never changed: it is opened read-only (EXAMINE), and messages are fetched without
// setting a flag. A user chose the host, so: checked addresses only, and limits for everything that it sends.
import { ImapFlow } from 'imapflow'
import { isPublicAddress } from '../base/addresses.ts'
import { createResolve, type OutboundRules, requireAddress } from '../base/outbound.ts'
import { MAIL_BYTES_AT_MOST, type MailSecurity } from '../domain/intake.ts'
import { IntakeError, problemOf } from './reach.ts'

const RESOLVE_MS = 5_000
const CONNECT_MS = 10_000
const SILENT_MS = 30_000
/** Of lines and answers other than a message. */
const LINE_BYTES_AT_MOST = 1024 * 1024
const DAY_MS = 86_400_000

export interface MailServer {
  host: string
  port: number
  security: MailSecurity
  username: string
  password: string
  folder: string
}

export interface OpenFolder {
  uidValidity: number
  /** The next message gets at least this number. */
  uidNext: number
  /** Messages above this number that arrived since then, in order, with their sizes. */
  list(afterUid: number, since: Date): Promise<{ uid: number; bytes: number }[]>
  /** Undefined if it is gone. */
  read(uid: number): Promise<Uint8Array | undefined>
  close(): void
}

/** Throws IntakeError. The signal ends the connection. */
export async function openFolder(
  server: MailServer,
  rules: OutboundRules,
  signal?: AbortSignal,
): Promise<OpenFolder> {
  try {
    const address = await requireAddress(urlOf(server), rules, createResolve(RESOLVE_MS))
    if (server.security === 'none' && isPublicAddress(address)) throw new IntakeError('encryption_missing')
    const client = createClient(server, address)
    const close = () => client.close()
    signal?.addEventListener('abort', close, { once: true })
    signal?.throwIfAborted()
    // The command that waits gets the error too; without a listener it would end the process.
    client.on('error', () => {})
    try {
      await client.connect()
      return folderOf(client, await examine(client, server.folder))
    } catch (error) {
      client.close()
      throw error
    }
  } catch (error) {
    throw toIntakeError(error)
  }
}

/** Its host as an address, so that the rules for URLs apply to it too. */
function urlOf({ host, port }: MailServer): URL {
  const written = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!URL.canParse(written)) throw new IntakeError('name_not_found')
  return new URL(written)
}

function createClient({ host, port, security, username, password }: MailServer, address: string): ImapFlow {
  return new ImapFlow({
    // The address that was checked; the certificate is verified for the name.
    host: address,
    port,
    ...(host === address ? {} : { servername: host }),
    secure: security === 'tls',
    ...(security === 'tls' ? {} : { doSTARTTLS: security === 'starttls' }),
    auth: { user: username, pass: password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    clientInfo: { name: 'Contrail' },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    maxLineLength: LINE_BYTES_AT_MOST,
    maxLiteralSize: MAIL_BYTES_AT_MOST,
    maxResponseSize: MAIL_BYTES_AT_MOST + LINE_BYTES_AT_MOST,
  })
}

async function examine(client: ImapFlow, folder: string) {
  try {
    return await client.mailboxOpen(folder, { readOnly: true })
  } catch (error) {
    if (isRefusal(error)) throw new IntakeError('folder_not_found')
    throw error
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  (('mailboxMissing' in error && error.mailboxMissing === true) ||
    ('responseStatus' in error && (error.responseStatus === 'NO' || error.responseStatus === 'BAD')))

function folderOf(
  client: ImapFlow,
  { uidValidity, uidNext }: { uidValidity: bigint; uidNext: number },
): OpenFolder {
  const asking = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    try {
      return await ask()
    } catch (error) {
      throw toIntakeError(error)
    }
  }
  return {
    uidValidity: Number(uidValidity),
    uidNext,
    list: (afterUid, since) =>
      asking(async () => {
        // A server compares days of its own time zone.
        const day = new Date(since.getTime() - DAY_MS)
        const found = await client.search({ uid: `${afterUid + 1}:*`, since: day }, { uid: true })
        // `n:*` contains the last message, whatever its number is.
        const uids = (found || []).filter((uid) => uid > afterUid).sort((a, b) => a - b)
        if (uids.length === 0) return []
        const messages = await client.fetchAll(
          uids,
          { uid: true, size: true, internalDate: true },
          { uid: true },
        )
        return messages
          .filter(({ internalDate }) => !internalDate || new Date(internalDate) >= since)
          .map(({ uid, size }) => ({ uid, bytes: size ?? 0 }))
          .sort((a, b) => a.uid - b.uid)
      }),
    read: (uid) =>
      asking(async () => {
        const message = await client.fetchOne(String(uid), { uid: true, source: true }, { uid: true })
        return message ? message.source : undefined
      }),
    close: () => client.close(),
  }
}

function toIntakeError(error: unknown): IntakeError {
  if (error instanceof IntakeError) return error
  const facts = error as { authenticationFailed?: boolean; tlsFailed?: boolean; code?: string }
  const problem = problemOf(error)
  if (facts.authenticationFailed) return new IntakeError('login_refused')
  if (/^(ParserError|InvalidResponse|LineTooLarge|UnexpectedTag)/.test(facts.code ?? ''))
    return new IntakeError('not_a_mail_server')
  if (facts.tlsFailed && problem === 'connection_broken') return new IntakeError('encryption_missing')
  return new IntakeError(problem)
}

// Reads a mail folder over IMAP and never changes it: the folder is opened read-only (EXAMINE), and messages are fetched without
// setting flags. A user chose the host, so: only checked addresses, and limits for everything that the host sends.
import type { Transform } from 'node:stream'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { isPublicAddress } from '../../base/network/addresses.ts'
import { createResolve, type OutboundRules, requireAddress } from '../../base/network/outbound.ts'
import { MAIL_BYTES_AT_MOST, type MailSecurity } from '../../domain/intake/intake.ts'
import { DAY, MINUTE } from '../../domain/time/durations.ts'
import { IntakeError, problemOf } from './reach.ts'

const RESOLVE_MS = 5_000
const CONNECT_MS = 10_000
/** The connection is silent while a message is read, so this is long. Each exchange with the host has the limits of a step. */
const SILENT_MS = 5 * MINUTE
/** The size of lines and of responses other than messages. */
const LINE_BYTES_AT_MOST = 1024 * 1024
/** How many sizes one command requests: a folder can have more messages than fit into a command. */
const LISTED_AT_ONCE = 500
const LOOK_EVERY_MS = 100

export interface MailServer {
  host: string
  port: number
  security: MailSecurity
  username: string
  password: string
  folder: string
}

/** The limits of one exchange with the host. They are tight, because responses are parsed on the main thread. */
interface StepLimits {
  ms: number
  bytes: number
  /** Including unsolicited ones. */
  responses: number
}
const STEP_MS = MINUTE
const OPEN: StepLimits = { ms: STEP_MS, bytes: LINE_BYTES_AT_MOST / 4, responses: 1_000 }
const SEARCH: StepLimits = { ms: STEP_MS, bytes: LINE_BYTES_AT_MOST, responses: 1_000 }
const LIST: StepLimits = { ms: STEP_MS, bytes: LINE_BYTES_AT_MOST, responses: 2_000 }
const READ: StepLimits = { ms: STEP_MS, bytes: MAIL_BYTES_AT_MOST + 8 * LINE_BYTES_AT_MOST, responses: 1_000 }
/** The most new messages of a folder. */
const FOUND_AT_MOST = 100_000

export interface OpenFolder {
  uidValidity: number
  /** The next message gets this UID or a higher one. */
  uidNext: number
  /** Messages above this UID that arrived since then, in order, with their sizes; at least `enough` if there are as many. */
  list(afterUid: number, since: Date, enough: number): Promise<Listed[]>
  /** Undefined if the message no longer exists. */
  read(uid: number): Promise<Uint8Array | undefined>
  close(): void
}

interface Listed {
  uid: number
  bytes: number
}

/** Throws IntakeError. The signal ends the connection. */
export async function openFolder(
  server: MailServer,
  rules: OutboundRules,
  signal?: AbortSignal,
  limits: Partial<StepLimits> = {},
): Promise<OpenFolder> {
  try {
    const address = await requireAddress(urlOf(server), rules, createResolve(RESOLVE_MS))
    if (server.security === 'none' && isPublicAddress(address)) throw new IntakeError('encryption_missing')
    const client = await createClient(server, address)
    signal?.throwIfAborted()
    closeOnAbort(client, signal)
    // The pending command gets the error too; without a listener the error would end the process.
    client.on('error', () => {})
    try {
      const found = await limited(client, { ...OPEN, ...limits }, async () => {
        await client.connect()
        return examine(client, server.folder)
      })
      return folderOf(client, found, limits)
    } catch (error) {
      client.close()
      throw error
    }
  } catch (error) {
    throw toIntakeError(error)
  }
}

/** Removes the listener at the end: the signal lives as long as the process and would keep the client in memory. */
function closeOnAbort(client: ImapFlow, signal: AbortSignal | undefined): void {
  const close = () => client.close()
  signal?.addEventListener('abort', close, { once: true })
  client.once('close', () => signal?.removeEventListener('abort', close))
}

/** Closes the connection if the host takes too long or sends too much; unsolicited data uses memory too. */
async function limited<Result>(
  client: ImapFlow,
  { ms, bytes, responses }: StepLimits,
  step: () => Promise<Result>,
): Promise<Result> {
  const before = client.stats().received
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = (problem: 'timeout' | 'too_large') => {
    reject(new IntakeError(problem))
    client.close()
  }
  const timer = setTimeout(() => end('timeout'), ms)
  const requireFewBytes = () => {
    if (client.stats().received - before > bytes) end('too_large')
  }
  // One long response is checked at intervals while it arrives; short ones are counted one by one.
  const watch = setInterval(requireFewBytes, LOOK_EVERY_MS)
  let arrived = 0
  const stopCounting = countResponses(client, () => {
    if (++arrived > responses) end('too_large')
    else requireFewBytes()
  })
  try {
    return await Promise.race([step(), ended])
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    stopCounting()
  }
}

/** The library has no event for responses, so the items from its line parser are counted. */
function countResponses(client: ImapFlow, count: () => void): () => void {
  const { streamer } = client as unknown as { streamer: Transform }
  const push = streamer.push
  streamer.push = (item: unknown) => {
    count()
    return push.call(streamer, item)
  }
  return () => {
    streamer.push = push
  }
}

/** The host as a URL, so that the rules for URLs apply. */
function urlOf({ host, port }: MailServer): URL {
  const written = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!URL.canParse(written)) throw new IntakeError('name_not_found')
  return new URL(written)
}

async function createClient(
  { host, port, security, username, password }: MailServer,
  address: string,
): Promise<ImapFlow> {
  // Loaded with the first mailbox: over a hundred modules that most instances never need.
  const { ImapFlow } = await import('imapflow')
  return new ImapFlow({
    // Connects to the checked address; the certificate is verified for the name.
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

type Ask = <Result>(limits: StepLimits, ask: () => Promise<Result>) => Promise<Result>

function folderOf(
  client: ImapFlow,
  { uidValidity, uidNext }: { uidValidity: bigint; uidNext: number },
  limits: Partial<StepLimits>,
): OpenFolder {
  const ask: Ask = async (usual, step) => {
    try {
      const result = await limited(client, { ...usual, ...limits }, step)
      requireOpen(client)
      return result
    } catch (error) {
      throw toIntakeError(error)
    }
  }
  return {
    uidValidity: Number(uidValidity),
    uidNext,
    list: (afterUid, since, enough) => listMessages(client, ask, { afterUid, since, enough }),
    read: (uid) =>
      ask(READ, async () => {
        const messages = await client.fetchAll(String(uid), { uid: true, source: true }, { uid: true })
        // A server may report changes of other messages in the same response.
        return messages.find((message) => message.uid === uid && message.source)?.source
      }),
    close: () => client.close(),
  }
}

/** On a closed connection the library returns nothing, which must not be mistaken for an empty result. */
function requireOpen(client: ImapFlow): void {
  if (!client.usable || client.state !== client.states.SELECTED) throw new IntakeError('connection_broken')
}

async function listMessages(
  client: ImapFlow,
  ask: Ask,
  { afterUid, since, enough }: { afterUid: number; since: Date; enough: number },
): Promise<Listed[]> {
  // The server compares days in its own time zone.
  const day = new Date(since.getTime() - DAY)
  const found = await ask(SEARCH, () =>
    client.search({ uid: `${afterUid + 1}:*`, since: day }, { uid: true }),
  )
  if (!Array.isArray(found)) throw new IntakeError('failed')
  if (found.length > FOUND_AT_MOST) throw new IntakeError('too_large')
  // `n:*` always includes the last message, whatever its UID.
  const uids = found.filter((uid) => uid > afterUid).sort((a, b) => a - b)
  const listed: Listed[] = []
  for (let start = 0; start < uids.length && listed.length < enough; start += LISTED_AT_ONCE)
    listed.push(...(await listPortion(client, ask, uids.slice(start, start + LISTED_AT_ONCE), since)))
  return listed
}

/** Lists the sizes of these messages, ignoring what the server sends about others. */
async function listPortion(
  client: ImapFlow,
  ask: Ask,
  uids: readonly number[],
  since: Date,
): Promise<Listed[]> {
  const asked = { uid: true, size: true, internalDate: true }
  const messages = await ask(LIST, () => client.fetchAll([...uids], asked, { uid: true }))
  const known = new Map<number, FetchMessageObject>()
  for (const message of messages)
    if (message.size !== undefined || !known.has(message.uid)) known.set(message.uid, message)
  return uids.flatMap((uid) => {
    const message = known.get(uid)
    const isOld = message?.internalDate && new Date(message.internalDate) < since
    return message && !isOld ? [{ uid, bytes: message.size ?? 0 }] : []
  })
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

// The server process: settings, store, application, listening, and a clean stop on a signal. With several workers it is
// the primary process, which prepares the data and serves no requests itself.
import { availableParallelism } from 'node:os'
import { type AppParts, createApp } from '../app.ts'
import { createSetupToken, type SetupToken, setupTokenFrom } from '../auth/setup-token.ts'
import { startBackups } from '../backup/schedule.ts'
import { systemClock } from '../base/clock.ts'
import { type Config, ConfigError, readConfig } from '../base/config.ts'
import { createInstanceSecret } from '../base/instance-secret.ts'
import { createLogger, type Logger } from '../base/log.ts'
import { isLoopbackHost } from '../base/outbound.ts'
import { version } from '../base/version.ts'
import { drain } from '../http/connections.ts'
import { readMailCertificate } from '../intake/mail-certificate.ts'
import { createIntakeMetrics } from '../metrics/intake.ts'
import { logUnknownRoles } from '../operations/role-rules.ts'
import { createDescribe } from '../operations/webhook-events.ts'
import { loadReferenceAside } from '../reference/load.ts'
import { createReference } from '../reference/reference.ts'
import { ownerExists } from '../store/people.ts'
import { openStore, type Store, sqliteFile } from '../store/store.ts'
import { emptyWal, keepWalSmall } from '../store/write-ahead-log.ts'
import { createSender } from '../webhooks/send.ts'
import { startWebhooks } from '../webhooks/worker.ts'
import { claimPort, explainListening } from './claim-port.ts'
import { startCleanup } from './cleanup.ts'
import { startIntake } from './intake.ts'
import { startMailIn } from './mail-in.ts'
import { startResuming } from './resume-imports.ts'
import { seed } from './seed.ts'
import { startWatching } from './watch-folder.ts'
import { connectToPrimary, type PrimaryConnection, sharesPort, startWorkers } from './workers.ts'

/** Process managers kill after ten seconds; most of that time is for finishing current responses. */
const DRAIN_MS = 7_000
/** Workers that have not stopped by then are killed. */
const WORKERS_SHUTDOWN_MS = 8_500
const SHUTDOWN_MS = 9_500

export async function main(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = settingsOrExit(() => readConfig(environment))
  const log = createLogger(config.logLevel)
  const primary = await connectToPrimary()
  if (primary) return runWorker(config, log, primary)

  const { mailIn } = config
  if (mailIn?.tls) settingsOrExit(() => readMailCertificate(mailIn.tls!))
  const count = config.workers === 'auto' ? availableParallelism() : config.workers
  const staysClaimed = count > 1 && sharesPort
  const claim = await claimPort(config.port, config.host, staysClaimed)
  const store = await openStore(config, log)
  await loadReferenceAside(store)
  await seed(store, log, new Date(systemClock.now()))
  await logUnknownRoles(store.read, config, log)
  const stopWatchingWal = watchWal(config, log)
  const setupToken = await setupTokenFor(store, config, log)
  const { port } = claim
  if (!staysClaimed) await claim.release()
  const intakeMetrics = createIntakeMetrics()
  const serving =
    count > 1
      ? await startWorkers({
          count,
          port,
          setupToken: setupToken?.secret,
          log,
          readOwnMetrics: intakeMetrics.read,
        })
      : await serve({ store, config, log, setupToken, intakeMetrics }, { port })
  if (staysClaimed) await claim.release()
  const { address } = serving
  log.info('listening', { address, origin: config.origin, engine: store.kind, workers: count })
  if (isUnprotected(config.origin)) {
    log.warn('ORIGIN is plain http: passwords and tokens are sent unencrypted', { origin: config.origin })
  }
  const stopCleanup = startCleanup(store, systemClock, log)
  const stopBackups = startBackups({ store, config, clock: systemClock, log })
  const stopWebhooks = startSending(store, config, log)
  stopOnSignal(log, async (signal) => {
    log.info('stopping', { signal })
    const backupsStopped = stopBackups()
    const stopArrivals = await arrivals
    await Promise.all([stopWebhooks(), stopArrivals()])
    const clean = await serving.stop(WORKERS_SHUTDOWN_MS)
    await backupsStopped
    await stopCleanup()
    stopWatchingWal()
    await store.close()
    return clean
  })
  // After the signals: to create the application takes a moment.
  const arrivals = startArrivals({ store, config, log, intakeMetrics })
}

/** Empties SQLite's write-ahead log, which loading the reference data has filled, and later whenever nothing is written. */
function watchWal(config: Config, log: Logger): () => void {
  if (config.databaseUrl) return () => {}
  const file = sqliteFile(config)
  const onProblem = (error: unknown) =>
    log.warn('could not empty the write-ahead log', { reason: error instanceof Error ? error.message : '' })
  try {
    emptyWal(file)
  } catch (error) {
    onProblem(error)
  }
  return keepWalSmall(file, onProblem)
}

/** Makes the instance secret if there is none, and sends webhooks unless they are switched off. */
function startSending(store: Store, config: Config, log: Logger): () => Promise<void> {
  const secret = createInstanceSecret(config)
  try {
    secret.prepare()
  } catch (error) {
    log.warn('there is no instance secret: set SECRET_KEY or make DATA_DIR writable', {
      reason: error instanceof Error ? error.message : String(error),
    })
  }
  if (!config.webhooks) return async () => {}
  return startWebhooks({
    store,
    clock: systemClock,
    log,
    secret,
    sender: createSender({ config, version }),
    describe: createDescribe({ reference: createReference() }),
  })
}

/** Imports what comes by itself: files in the watch folder, mailboxes and calendars, and forwarded mails. */
async function startArrivals(parts: Omit<AppParts, 'clock'>): Promise<() => Promise<void>> {
  const { importDir, mailIn, mailboxes, subscriptions, host } = parts.config
  const { log } = parts
  let app: ReturnType<typeof createApp> | undefined
  const services = () => {
    app ??= createApp({ ...parts, clock: systemClock })
    return app.services
  }
  const stops: (() => Promise<void>)[] = []
  if (importDir !== undefined)
    stops.push(startWatching({ folder: importDir, services: services(), clock: systemClock, log }))
  if (mailboxes || subscriptions) stops.push(startIntake({ ...parts, services }))
  if (mailIn) {
    const listening = await startMailIn(services(), log, { host, ...mailIn }).catch((error) => {
      log.error('cannot receive mails', { port: mailIn.port, reason: String(error) })
    })
    if (listening) stops.push(listening.stop)
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await app?.server.close()
  }
}

/** A worker only serves requests; the primary process does everything else. */
async function runWorker(config: Config, log: Logger, primary: PrimaryConnection): Promise<void> {
  const { port, setupToken } = primary.settings
  const store = await openStore(config, log)
  const parts = {
    store,
    config,
    log,
    setupToken: setupToken === undefined ? undefined : setupTokenFrom(setupToken),
    joinMetrics: primary.joinMetrics,
  }
  const { address, readMetrics, stop } = await serve(parts, { port, reusePort: sharesPort })
  primary.provideMetrics(readMetrics)
  stopOnSignal(log, async () => {
    await stop()
    await store.close()
    return true
  })
  primary.ready(address)
}

async function serve(parts: Omit<AppParts, 'clock'>, listen: { port: number; reusePort?: boolean }) {
  const { server, services, readMetrics } = createApp({ ...parts, clock: systemClock })
  const { host } = parts.config
  const address = await server.listen({ ...listen, host }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(explainListening(error, listen.port, host), { cause: error })
  })
  const stopResuming = startResuming(services.imports, parts.log)
  const stop = async () => {
    stopResuming()
    const isComplete = await drain(server, DRAIN_MS)
    if (!isComplete) parts.log.warn('closed connections that were still in use', { afterMs: DRAIN_MS })
    return true
  }
  return { address, readMetrics, stop }
}

function settingsOrExit<Settings>(read: () => Settings): Settings {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`contrail: bad setting ${error.message}\n`)
    process.exit(2)
  }
}

/**
 * Until there is an owner, set-up on a server that others can reach requires a token that is only in its log. A server
 * behind a proxy may listen on loopback only, but its ORIGIN shows that others can reach it.
 */
async function setupTokenFor(store: Store, config: Config, log: Logger): Promise<SetupToken | undefined> {
  if (await ownerExists(store.read)) return undefined
  const isPrivate = isLoopbackHost(config.host) && isLoopbackHost(new URL(config.origin).hostname)
  const token = isPrivate ? undefined : createSetupToken()
  log.info('this instance has no owner yet', {
    setUpAt: `${config.origin}/setup`,
    ...(token ? { setupToken: token.secret } : {}),
  })
  return token
}

/** Plain http is safe on loopback only. */
function isUnprotected(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}

/** `close` returns whether everything stopped cleanly. */
function stopOnSignal(log: Logger, close: (signal: string) => Promise<boolean>): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    close(signal).then(
      (clean) => process.exit(clean ? 0 : 1),
      (error) => {
        log.error('could not stop cleanly', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
}

// Everything that runs once the data is ready: the application that serves requests, and the process's background tasks.
// Separate from main.ts because loading all of this takes longer than printing that the server is starting.
import { type AppParts, createApp } from '../app.ts'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { errorMessage } from '../base/errors.ts'
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import { createInstanceSecret, type InstanceSecret } from '../base/secret/instance-secret.ts'
import { version } from '../base/version.ts'
import { drain } from '../http/connections.ts'
import { logUnknownRoles } from '../operations/people/role-rules.ts'
import { createDescribe } from '../operations/webhooks/events.ts'
import { setupTokenFrom } from '../services/accounts/setup-token.ts'
import { startBackups } from '../services/backup/schedule.ts'
import type { Imports } from '../services/imports/verdicts/runner.ts'
import { createIntakeMetrics } from '../services/metrics/intake.ts'
import { createPushMetrics } from '../services/metrics/push.ts'
import { createReference } from '../services/reference/reference.ts'
import { createShippedIndexes } from '../services/reference/shipped-indexes.ts'
import { createSender } from '../services/webhooks/send.ts'
import { startWebhooks } from '../services/webhooks/worker.ts'
import { openStore, type Store } from '../store/store.ts'
import { explainListening, sharesPort } from './claim-port.ts'
import { startCleanup } from './cleanup.ts'
import { watchFileDescriptors } from './file-descriptors.ts'
import { startIntake } from './intake.ts'
import { startMailIn } from './mail-in.ts'
import { startTravel } from './travel.ts'
import { startLookingForReleases } from './updates.ts'
import { startWatching } from './watch-folder.ts'
import { connectToPrimary, startWorkers } from './workers.ts'

/** Process managers kill after ten seconds; most of that time is for finishing current responses. */
const DRAIN_MS = 7_000
const LOOK_EVERY_MS = 15_000
/** Every so many looks. */
const LEFT_FILES_EVERY = 240
/** Workers that have not stopped by then are killed. */
const WORKERS_SHUTDOWN_MS = 8_500

interface Instance extends Pick<AppParts, 'store' | 'config' | 'log' | 'setupToken'> {
  /** Processes that serve requests. */
  count: number
  port: number
  /** Frees the port for the first process that listens. */
  releasePort(): Promise<void>
}

/** Returns once every process serves requests. The returned function stops everything; it returns whether that was clean. */
export async function serveInstance(instance: Instance): Promise<() => Promise<boolean>> {
  const { store, config, log, setupToken, count, port, releasePort } = instance
  await logUnknownRoles(store.read, config, log)
  const intakeMetrics = createIntakeMetrics()
  const pushMetrics = createPushMetrics()
  const shippedIndexes = createShippedIndexes({ dataDir: config.dataDir, log })
  const parts = { store, config, log, setupToken, intakeMetrics, pushMetrics, shippedIndexes }
  const serving =
    count > 1
      ? await startWorkers({
          count,
          port,
          setupToken: setupToken?.secret,
          log,
          releasePort,
          readOwnMetrics: async () => [...(await intakeMetrics.read()), ...(await pushMetrics.read())],
        })
      : await serve(parts, { port }, releasePort)
  const stopCleanup = startCleanup({ store, config, clock: systemClock, log })
  const stopBackups = startBackups({ store, config, clock: systemClock, log })
  const secret = prepareSecret(config, log)
  const stopWebhooks = startSending(store, config, log, secret)
  const stopTravel = startTravel({ store, config, clock: systemClock, log, secret, count: pushMetrics.count })
  const stopLooking = startLookingForReleases(store, config, log)
  const arrivals = startArrivals({ store, config, log, intakeMetrics, shippedIndexes })
  return async () => {
    const backupsStopped = stopBackups()
    const arrivalsStopped = arrivals.then((stop) => stop())
    const [clean] = await Promise.all([
      serving.stop(WORKERS_SHUTDOWN_MS),
      stopWebhooks(),
      stopTravel(),
      arrivalsStopped,
    ])
    await backupsStopped
    await Promise.all([stopCleanup(), stopLooking()])
    return clean
  }
}

/** A worker only serves requests; the primary process does everything else. The returned function stops it. */
export async function runWorker(config: Config, log: Logger): Promise<() => Promise<boolean>> {
  const primary = await connectToPrimary()
  const { port, setupToken } = primary.settings
  const store = await openStore(config, log)
  const parts = {
    store,
    config,
    log,
    setupToken: setupToken === undefined ? undefined : setupTokenFrom(setupToken),
    joinMetrics: primary.joinMetrics,
  }
  const { readMetrics, stop } = await serve(parts, { port, reusePort: sharesPort }, primary.mayListen)
  primary.provideMetrics(readMetrics)
  primary.ready()
  return async () => {
    await stop()
    await store.close()
    return true
  }
}

/** `mayListen` is awaited when everything except the port is ready. */
async function serve(
  parts: Omit<AppParts, 'clock'>,
  listen: { port: number; reusePort?: boolean },
  mayListen: () => Promise<void>,
) {
  const { server, services, readMetrics } = createApp({ ...parts, clock: systemClock })
  const { host } = parts.config
  await server.ready()
  await mayListen()
  await server.listen({ ...listen, host }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(explainListening(error, listen.port, host), { cause: error })
  })
  const stopResuming = startResuming(services.imports, parts.log)
  const stopWatching = watchFileDescriptors(parts.log)
  const stop = async () => {
    void stopResuming()
    stopWatching()
    const isComplete = await drain(server, DRAIN_MS)
    if (!isComplete) parts.log.warn('closed connections that were still in use', { afterMs: DRAIN_MS })
    return true
  }
  return { readMetrics, stop }
}

/** Creates the instance secret if there is none. */
function prepareSecret(config: Config, log: Logger): InstanceSecret {
  const secret = createInstanceSecret(config)
  try {
    secret.prepare()
  } catch (error) {
    log.warn('there is no instance secret: set SECRET_KEY or make DATA_DIR writable', {
      reason: errorMessage(error),
    })
  }
  return secret
}

/** Sends webhooks unless they are turned off. */
function startSending(
  store: Store,
  config: Config,
  log: Logger,
  secret: InstanceSecret,
): () => Promise<void> {
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

/** Imports files and mails that arrive without a request: from the watch folder, mailboxes, calendars and forwarding. */
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
      log.error('cannot receive mails', { port: mailIn.port, reason: errorMessage(error) })
    })
    if (listening) stops.push(listening.stop)
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await app?.server.close()
  }
}

/**
 * Resumes imports that a killed process left unread, and removes files that belong to no import: at the start and at intervals.
 * Every process that serves requests does this; a lease decides which of them works on an import. The returned function stops it
 * and waits for running evaluations, which end when `imports` stops.
 */
function startResuming(imports: Imports, log: Logger): () => Promise<void> {
  let looks = 0
  const look = async () => {
    if (looks++ % LEFT_FILES_EVERY === 0) await imports.removeLeftFiles()
    await imports.resumeAbandoned()
  }
  return every(LOOK_EVERY_MS, look, { log, what: 'look for imports', firstMs: 0 })
}

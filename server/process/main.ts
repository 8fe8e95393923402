// The server process: settings, port, data, application, and a clean stop on a signal. With several workers it is the
// primary process, which prepares the data and serves no requests itself. The application takes seconds to load: it is
// imported after the first message is printed, while the reference data are being loaded.
import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { systemClock } from '../base/clock.ts'
import { type Config, ConfigError, readConfig } from '../base/config.ts'
import { errorMessage } from '../base/errors.ts'
import { createLogger, createSpeaker, type Logger, type Speaker } from '../base/log.ts'
import { misspeltSettings } from '../base/misspelt-settings.ts'
import { isLoopbackHost } from '../base/network/outbound.ts'
import { version } from '../base/version.ts'
import { createSetupToken, type SetupToken } from '../services/accounts/setup-token.ts'
import { openUpToDate } from '../services/backup/before-upgrade.ts'
import { notifyOfUpgrade } from '../services/instance/upgrade.ts'
import { readMailCertificate } from '../services/intake/mail-certificate.ts'
import { emptyWal, keepWalSmall } from '../store/engine/write-ahead-log.ts'
import { recordVersion } from '../store/instance/last-version.ts'
import { ownerExists } from '../store/people/people.ts'
import { requireDataFolder, type Store, sqliteFile } from '../store/store.ts'
import { claimPort, type PortClaim, sharesPort } from './claim-port.ts'
import { loadReferenceAside, seedRoles } from './seed.ts'

/** Process managers kill after ten seconds. */
const SHUTDOWN_MS = 9_500

export async function main(environment: NodeJS.ProcessEnv): Promise<void> {
  const misspelt = misspeltSettings(environment)
  const config = settingsOrExit(() => readConfig(environment), misspelt)
  const log = createLogger(config.logLevel)
  const stopping = stopOnSignal(log)
  if (cluster.isWorker) {
    const { runWorker } = await import('./serving.ts')
    stopping.with(await runWorker(config, log))
    return
  }
  for (const reason of misspelt) log.warn('a variable is ignored', { reason })
  const { mailIn } = config
  if (mailIn?.tls) settingsOrExit(() => readMailCertificate(mailIn.tls!))
  const count = config.workers === 'auto' ? availableParallelism() : config.workers
  const staysClaimed = count > 1 && sharesPort
  const claim = await claimPort(config, staysClaimed)
  const tell = createSpeaker(config.logLevel)
  // With PORT=0 the origin is not known earlier.
  const origin = config.origin.replace(/:0$/, `:${claim.port}`)
  tell(`Contrail is starting… Open ${origin}`)
  if (config.databaseUrl) requireDataFolder(config)
  const store = await openUpToDate(config, log)
  const [{ serveInstance }] = await Promise.all([
    import('./serving.ts'),
    prepareData(store, config, claim, tell),
  ])
  await recordStart(store, log)
  const stopWatchingWal = watchWal(config, log)
  const setUp = await setUpOf(store, config)
  const { port, release: releasePort } = claim
  const instance = { store, config, log, setupToken: setUp.token, count, port, releasePort }
  const stop = await serveInstance(instance)
  stopping.with(async () => {
    const clean = await stop()
    await stopWatchingWal()
    await store.close()
    return clean
  })
  reportReady(config, { origin, port, setUp, engine: store.kind, workers: count }, log, tell)
}

/** The roles and the reference data, which every instance has. */
async function prepareData(
  store: Store,
  { dataDir }: Config,
  { starting }: PortClaim,
  tell: Speaker,
): Promise<void> {
  let told = -1
  await loadReferenceAside(store, dataDir, (share) => {
    starting.loaded = share
    const quarters = Math.floor(share * 4)
    if (quarters > told) tell(`Loading airports, airlines and aircraft: ${quarters * 25} %`)
    told = quarters
  })
  starting.loaded = undefined
  await seedRoles(store, new Date(systemClock.now()))
}

/** Of several servers that start together, one sees that another version ran before. */
async function recordStart(store: Store, log: Logger): Promise<void> {
  const now = new Date(systemClock.now())
  const from = await recordVersion(store, (tx, before) => notifyOfUpgrade(tx, before, now))
  if (from !== undefined) log.info('another version ran before', { from, to: version })
}

/** Empties SQLite's write-ahead log: after reference data was loaded, and later whenever nothing is being written. */
function watchWal(config: Config, log: Logger): () => Promise<void> {
  if (config.databaseUrl) return async () => {}
  const file = sqliteFile(config)
  try {
    emptyWal(file)
  } catch (error) {
    log.warn('could not empty the write-ahead log', { reason: errorMessage(error) })
  }
  return keepWalSmall(file, log)
}

function settingsOrExit<Settings>(read: () => Settings, hints: readonly string[] = []): Settings {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of [`bad setting ${error.message}`, ...hints]) process.stderr.write(`contrail: ${line}\n`)
    process.exit(2)
  }
}

/**
 * While an instance that others can reach has no owner, set-up requires a token that is only printed in its output. A server
 * behind a proxy may listen on loopback only, but its ORIGIN shows that others can reach it.
 */
async function setUpOf(store: Store, config: Config): Promise<SetUp> {
  if (await ownerExists(store.read)) return { isDone: true }
  const isPrivate = isLoopbackHost(config.host) && isLoopbackHost(new URL(config.origin).hostname)
  return { isDone: false, token: isPrivate ? undefined : createSetupToken() }
}

interface SetUp {
  isDone: boolean
  token?: SetupToken | undefined
}

interface Ready {
  origin: string
  port: number
  setUp: SetUp
  engine: string
  workers: number
}

/** In the log for programs, and as text for the person who started it. */
function reportReady({ host }: Config, ready: Ready, log: Logger, tell: Speaker): void {
  const { origin, port, setUp, engine, workers } = ready
  const setUpAt = `${origin}/setup`
  const token = setUp.token?.secret
  if (!setUp.isDone) log.info('this instance has no owner yet', { setUpAt, setupToken: token })
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  log.info('listening', { address, origin, engine, workers })
  if (isUnprotected(origin))
    log.warn('ORIGIN is plain http: passwords and tokens are sent unencrypted', { origin })
  tell(`Contrail is ready: ${origin} (${reachOf(host)})`)
  if (setUp.isDone) return
  tell(`Create your account at ${setUpAt}${token === undefined ? '' : ` with the set-up token ${token}`}`)
}

/** Who can connect, as text for the person who starts the server. */
function reachOf(host: string): string {
  if (isLoopbackHost(host)) return 'only this computer can connect'
  const isEvery = host === '0.0.0.0' || host === '::'
  return isEvery ? 'it listens on every network of this computer' : `it listens on ${host}`
}

/** Plain http is safe on loopback only. */
function isUnprotected(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}

type Stop = () => Promise<boolean>

/**
 * On a signal, runs the function that `with` was given, which returns whether everything stopped cleanly; before `with` is
 * called there is nothing to finish. A process that does not stop in time is killed: `process.exit` would wait for its threads.
 */
function stopOnSignal(log: Logger): { with(stop: Stop): void } {
  let stop: Stop = async () => true
  let isStopping = false
  const end = (signal: string) => {
    if (isStopping) return
    isStopping = true
    if (cluster.isPrimary) log.info('stopping', { signal })
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), SHUTDOWN_MS).unref()
    stop().then(
      (clean) => process.exit(clean ? 0 : 1),
      (error) => {
        log.error('could not stop cleanly', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => end('SIGTERM'))
  process.on('SIGINT', () => end('SIGINT'))
  return {
    with(given) {
      stop = given
    },
  }
}

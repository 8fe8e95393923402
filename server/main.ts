// The process: settings, store, application, listening, and leaving cleanly on a signal.
import { isIP } from 'node:net'
import { createApp } from './app.ts'
import { createSetupToken, type SetupToken } from './auth/setup-token.ts'
import { systemClock } from './clock.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createLog, type Log } from './log.ts'
import { startCleanup } from './oauth/cleanup.ts'
import { loadReferenceAside } from './reference/load.ts'
import { seed } from './seed.ts'
import { ownerExists } from './store/people.ts'
import { openStore, type Store } from './store/store.ts'

const SHUTDOWN_MS = 10_000

export async function main(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfigOrExit(environment)
  const log = createLog(config.logLevel)
  const store = await openStore(config, log)
  await loadReferenceAside(store)
  await seed(store, log, new Date(systemClock.now()))
  const setupToken = await setupTokenFor(store, config, log)
  const { server } = createApp({ store, config, clock: systemClock, log, setupToken })
  const address = await server.listen({ port: config.port, host: config.host })
  log.info('listening', { address, origin: config.origin, engine: store.kind })
  if (isUnprotected(config.origin)) {
    log.warn('ORIGIN is plain http: passwords and tokens can be read on the way', { origin: config.origin })
  }
  const stopCleanup = startCleanup(store, systemClock, log)
  leaveOnSignal(log, async () => {
    await server.close()
    await stopCleanup()
    await store.close()
  })
}

function readConfigOrExit(environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`contrail: bad setting ${error.message}\n`)
    process.exit(2)
  }
}

/** Until there is an owner, a server that others can reach asks for a token that only its log shows. */
async function setupTokenFor(store: Store, config: Config, log: Log): Promise<SetupToken | undefined> {
  if (await ownerExists(store.read)) return undefined
  const loopback =
    config.host === 'localhost' ||
    config.host === '::1' ||
    (isIP(config.host) === 4 && config.host.startsWith('127.'))
  const token = loopback ? undefined : createSetupToken()
  log.info('this instance has no owner yet', {
    setUpAt: `${config.origin}/setup`,
    ...(token ? { setupToken: token.secret } : {}),
  })
  return token
}

/** Plain http is fine on this machine and nowhere else. */
function isUnprotected(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

function leaveOnSignal(log: Log, close: () => Promise<void>): void {
  let leaving = false
  const leave = (signal: string) => {
    if (leaving) return
    leaving = true
    log.info('stopping', { signal })
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    close().then(
      () => process.exit(0),
      (error) => {
        log.error('could not stop cleanly', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => leave('SIGTERM'))
  process.on('SIGINT', () => leave('SIGINT'))
}

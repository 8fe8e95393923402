// `contrail doctor`: one line per check, with advice if it fails. It changes nothing. A check that cannot be made is
// reported as a failure.

import { type Config, ConfigError, readConfig } from '../base/config.ts'
import { misspeltSettings } from '../base/misspelt-settings.ts'
import { messageOf } from '../domain/reasons.ts'
import { passPurpose } from '../domain/status/kept-pass.ts'
import { MINUTE } from '../domain/time/durations.ts'
import { offsetMinutes, tzdataVersion } from '../domain/time/time.ts'
import { totpSealPurpose } from '../services/accounts/totp.ts'
import { readSituation } from '../services/backup/folder.ts'
import { isNetworkCut, runKitinerary } from '../services/imports/content/kitinerary.ts'
import { type ReleaseFacts, readRelease } from '../services/instance/release.ts'
import { sealPurposes } from '../services/intake/reach.ts'
import { sealPurpose as devicePurpose } from '../services/push/push.ts'
import { sealedKey } from '../services/push/vapid.ts'
import { sealPurpose } from '../services/webhooks/deliver.ts'
import { listSealedFactors } from '../store/accounts/second-factors.ts'
import {
  type Inspection,
  newestEvent,
  openForInspection,
  openReplicaForInspection,
  postgresFacts,
  replicaFacts,
  schemaState,
  serverTime,
  signInAddresses,
} from '../store/instance/inspect.ts'
import { findSetting } from '../store/instance/settings.ts'
import { listTokensIfAny } from '../store/intake/mail-addresses.ts'
import { mailboxes } from '../store/intake/mailboxes.ts'
import { subscriptions } from '../store/intake/subscriptions.ts'
import { ownerExists } from '../store/people/people.ts'
import { listEndpointsIfAny } from '../store/push/subscriptions.ts'
import { listSealedPasses } from '../store/status/kept-passes.ts'
import { placeOf, storageProblem, whyNotOpened } from '../store/store.ts'
import { listSecretsIfAny } from '../store/webhooks/webhooks.ts'
import {
  checkConnections,
  checkPooler,
  checkPostgresIntegrity,
  checkPostgresRights,
  checkPostgresSettings,
  checkReplica,
  checkSchema,
  checkSqlite,
} from './database.ts'
import {
  checkBackups,
  checkCopy,
  checkDataFolder,
  checkDisk,
  checkSealed,
  checkSecret,
  checkUploads,
} from './files.ts'
import { ageOf, type Finding, fail, lineOf, ok, reasonOf, warn } from './finding.ts'
import { checkEncryption, checkMails, checkProvider, checkProxy, checkPush, visitOrigin } from './network.ts'

/** With a larger difference between two clocks, sessions and tokens expire too early or too late. */
const DIFFERENCE_AT_MOST_MS = 30_000
/** A row dated in the future was written while the clock was ahead. */
const AHEAD_AT_MOST_MS = 5 * MINUTE

const exitCodes = { ok: 0, warn: 1, fail: 2 } as const

/** Prints the findings and returns the exit code: 0 if all is well, 1 with warnings, 2 with failures. */
export async function runDoctor(
  environment: NodeJS.ProcessEnv,
  { isQuiet, now, say }: { isQuiet: boolean; now: number; say(line: string): void },
): Promise<number> {
  let worst: keyof typeof exitCodes = 'ok'
  for await (const finding of examine(environment, now)) {
    if (exitCodes[finding.level] > exitCodes[worst]) worst = finding.level
    if (!isQuiet || finding.level !== 'ok') say(lineOf(finding))
  }
  return exitCodes[worst]
}

async function* examine(environment: NodeJS.ProcessEnv, now: number): AsyncIterable<Finding> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield fail('settings', error.message, 'correct that setting; nothing else can be checked until then')
    yield checkNames(environment)
    return
  }
  yield checkSettings(config, environment)
  yield checkNames(environment)
  yield checkEncryption(config)
  yield checkPush(config)
  const visit = await visitOrigin(config)
  yield visit.finding
  yield await checked('data folder', () => checkDataFolder(config))
  yield await checked('secret', () => checkSecret(config))
  if (config.uploads !== 'folder') yield await checked('uploads', () => checkUploads(config))
  yield await checked('disk', () => checkDisk('disk', config.dataDir))
  if (!config.databaseUrl) yield await checked('way back', () => checkCopy(config, now))
  if (environment['BACKUP_DIR'] && config.backupDir)
    yield await checked('backup disk', () => checkDisk('backup disk', config.backupDir!))
  if (config.kitineraryPath) yield await checked('KItinerary', () => checkKitinerary(config.kitineraryPath!))
  if (config.mailIn) yield await checked('mails', () => checkMails(config.mailIn!, now))
  if (config.oidc) yield await checked('provider', () => checkProvider(config.oidc!))
  yield* examineDatabase(config, visit, now)
  yield checkTimeZones()
}

/** A check that throws is reported as a failure, and the other checks continue. */
async function checked(name: string, check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    const problem = storageProblem(error)
    const reason = problem === undefined ? reasonOf(error) : messageOf(problem)
    return fail(name, `could not be checked: ${reason}`, 'fix that and run this command again')
  }
}

function checkNames(environment: NodeJS.ProcessEnv): Finding {
  const misspelt = misspeltSettings(environment)
  return misspelt.length === 0
    ? ok('names', 'no variable looks like a misspelt setting')
    : warn('names', misspelt.join(', '), 'rename or remove it; until then it has no effect')
}

function checkSettings(config: Config, environment: NodeJS.ProcessEnv): Finding {
  const unused = ['BACKUP_EVERY', 'BACKUP_KEEP'].filter((name) => environment[name])
  if (!config.backupDir && unused.length > 0) {
    return warn('settings', `${unused.join(' and ')} have no effect: BACKUP_DIR is off`, 'unset BACKUP_DIR')
  }
  return ok('settings', `valid; ${placeOf(config)}, ORIGIN ${config.origin}`)
}

type Visited = Awaited<ReturnType<typeof visitOrigin>>

async function* examineDatabase(config: Config, visit: Visited, now: number): AsyncIterable<Finding> {
  let inspection: Inspection | undefined
  try {
    inspection = await openForInspection(config)
  } catch (error) {
    yield fail(
      'database',
      whyNotOpened(config, error),
      config.databaseUrl
        ? 'check that PostgreSQL runs and that DATABASE_URL is right'
        : 'restore a backup if the file is damaged; check its owner and permissions if it cannot be read',
    )
  }
  if (!inspection) {
    yield* examineWithoutDatabase(config, visit, now)
    return
  }
  try {
    yield* examineOpened(config, inspection, visit, now)
  } finally {
    await inspection.close()
  }
}

async function* examineWithoutDatabase(config: Config, visit: Visited, now: number): AsyncIterable<Finding> {
  yield checkProxy(config, visit.isProxied, [])
  yield await checked('backups', () => checkBackups(config, undefined, undefined, now))
  yield judgeClock([[visit.aheadMs, 'the server at ORIGIN']], undefined, now)
}

async function* examineOpened(
  config: Config,
  inspection: Inspection,
  visit: Visited,
  now: number,
): AsyncIterable<Finding> {
  const { db } = inspection
  const schema = await checked('schema', () => checkSchema(db))
  yield schema
  if (db.kind === 'sqlite') yield await checked('integrity', () => checkSqlite(db))
  else yield* examinePostgres(config, inspection)
  const hasTables = (await schemaState(db).catch(() => undefined)) !== undefined
  if (!hasTables) {
    yield* examineWithoutDatabase(config, visit, now)
    return
  }
  yield await checked('owner', () => checkOwner(config, db))
  yield await checked('sealed', async () => checkSealed(config, await sealedTexts(db)))
  yield await checked('proxy', async () => checkProxy(config, visit.isProxied, await signInAddresses(db)))
  yield await checked('backups', async () =>
    checkBackups(
      config,
      await readSituation(db, config, now),
      await findSetting(db, { name: 'instanceId' }),
      now,
    ),
  )
  yield await checked('version', async () => judgeRelease(await readRelease(db, config)))
  yield await checked('clock', async () =>
    judgeClock(
      [
        [visit.aheadMs, 'the server at ORIGIN'],
        [await aheadOf(db), 'PostgreSQL'],
      ],
      await newestEvent(db),
      now,
    ),
  )
}

async function* examinePostgres(config: Config, { db, isPooled }: Inspection): AsyncIterable<Finding> {
  if (isPooled) yield checkPooler(config)
  try {
    const facts = await postgresFacts(db)
    yield checkPostgresSettings(facts)
    yield checkPostgresRights(facts)
    yield checkConnections(config, facts, isPooled)
    yield checkPostgresIntegrity(facts)
  } catch (error) {
    yield fail(
      'postgresql',
      `could not be checked: ${reasonOf(error)}`,
      'fix that and run this command again',
    )
  }
  const { databaseReadUrl } = config
  if (databaseReadUrl) yield await checked('replica', () => examineReplica(databaseReadUrl, db))
}

async function examineReplica(readUrl: string, primary: Inspection['db']): Promise<Finding> {
  let replica: Inspection
  try {
    replica = await openReplicaForInspection(readUrl)
  } catch (error) {
    const why = whyNotOpened({ databaseUrl: readUrl, dataDir: '' }, error)
    return warn('replica', why.replaceAll('DATABASE_URL', 'DATABASE_READ_URL'), 'the primary is used for now')
  }
  try {
    return checkReplica(await replicaFacts(primary, replica.db))
  } finally {
    await replica.close()
  }
}

async function checkOwner({ origin }: Config, db: Inspection['db']): Promise<Finding> {
  return (await ownerExists(db))
    ? ok('owner', 'exists')
    : warn(
        'owner',
        'this instance is not set up yet',
        `open ${origin}/setup (the server's log shows the token it requires), or run \`contrail setup\``,
      )
}

/** The key of the instance, and where each device is reached. */
async function pushTexts(db: Inspection['db']) {
  const keys = await findSetting(db, { name: 'pushKeys' })
  const devices = await listEndpointsIfAny(db)
  return [
    ...(keys === undefined ? [] : [sealedKey(keys)]),
    ...devices.map(({ userId, endpoint }) => ({ purpose: devicePurpose(userId), text: endpoint })),
  ]
}

const sealedTexts = async (db: Inspection['db']) => [
  ...(await pushTexts(db)),
  ...(await listSecretsIfAny(db)).map(({ userId, secret }) => ({
    purpose: sealPurpose(userId),
    text: secret,
  })),
  ...(await mailboxes.listSealed(db)).map(({ userId, text }) => ({
    purpose: sealPurposes.mailbox(userId),
    text,
  })),
  ...(await listTokensIfAny(db)).map(({ userId, text }) => ({
    purpose: sealPurposes.mailAddress(userId),
    text,
  })),
  ...(await subscriptions.listSealed(db)).map(({ userId, text }) => ({
    purpose: sealPurposes.subscription(userId),
    text,
  })),
  ...(await listSealedPasses(db)).map(({ userId, text }) => ({ purpose: passPurpose(userId), text })),
  ...(await listSealedFactors(db)).map(({ userId, text }) => ({ purpose: totpSealPurpose(userId), text })),
]

async function aheadOf(db: Inspection['db']): Promise<number | undefined> {
  const time = await serverTime(db)
  return time === undefined ? undefined : time - Date.now()
}

function judgeClock(
  others: readonly (readonly [number | undefined, string])[],
  newest: string | undefined,
  now: number,
): Finding {
  for (const [apart, whose] of others) {
    if (apart === undefined || Math.abs(apart) < DIFFERENCE_AT_MOST_MS) continue
    const found = `the clock of ${whose} is ${ageOf(Math.abs(apart))} ${apart > 0 ? 'ahead of' : 'behind'} this one`
    return warn('clock', found, 'synchronize both with NTP')
  }
  const ahead = newest === undefined ? 0 : Date.parse(newest) - now
  if (ahead > AHEAD_AT_MOST_MS) {
    return warn(
      'clock',
      `the newest event is dated ${ageOf(ahead)} in the future`,
      'check the clock of this machine',
    )
  }
  return ok('clock', new Date(now).toISOString())
}

/** What the running server last found; nothing is asked here. */
export function judgeRelease({ current, latest, notes, security, isNewer, state }: ReleaseFacts): Finding {
  if (state === 'off')
    return ok('version', `${current}; newer versions are not looked for (Settings → About)`)
  if (isNewer && security)
    return warn('version', `${current}; ${latest} repairs a weakness of it`, `upgrade: ${notes}`)
  if (isNewer) return ok('version', `${current}; ${latest} is available: ${notes}`)
  return state === 'unreachable'
    ? ok('version', `${current}; the last look for a newer version failed, the next is made tomorrow`)
    : ok('version', `${current}; nothing newer is known`)
}

/** Copenhagen is two hours ahead of UTC in summer. Without time zone rules every local time would be wrong. */
function checkTimeZones(): Finding {
  try {
    if (offsetMinutes(Date.UTC(2026, 6, 1), 'Europe/Copenhagen') === 120)
      return ok('time zones', `the rules of tzdata ${tzdataVersion} are installed`)
  } catch (error) {
    return fail('time zones', `the rules cannot be read: ${reasonOf(error)}`, 'install Contrail again')
  }
  return fail('time zones', 'the rules are wrong', 'install Contrail again')
}

/** A program that the administrator installs in addition to the server. */
export async function checkKitinerary(path: string, isCut = isNetworkCut): Promise<Finding> {
  const said = await runKitinerary(path, ['--capabilities'], new Uint8Array())
  const version = /version\s*:\s*([\d.]+)/i.exec(said ?? '')?.[1]
  if (version === undefined)
    return fail('KItinerary', `${path} cannot be run`, 'check KITINERARY_PATH and that this user may run it')
  return (await isCut())
    ? ok('KItinerary', `version ${version}`)
    : warn(
        'KItinerary',
        `version ${version}; it can access the network while it reads mails from unknown senders`,
        'to prevent that, install unshare (util-linux) and let this user create user namespaces',
      )
}

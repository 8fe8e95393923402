// `npm run test:upgrade`: the data of earlier versions under this one. Each earlier version is installed in a git worktree and
// started; records of every kind are made through its own API; then this version starts on the same data, and on a backup of
// them. `-- --from COMMIT` names other versions than the newest patch of each tagged minor version.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseArgs } from 'node:util'
import { copyFolder } from '../../server/services/backup/before-upgrade.ts'
import { type Postgres, startPostgres } from '../postgres.ts'
import { type Database, type ServerProcess, startServer } from '../running/processes.ts'
import { fill, ORIGIN, requireSame, seenBy, stillWorks } from './records.ts'

/** Before migration 004, and with imports, webhooks and history, but before large ids. */
const BEFORE_TAGS = ['00e17c75^', '186e76eb']

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()

/** The newest patch of each minor version but this one's own tag; what was before the first tag. */
function earlierVersions(): string[] {
  const newest = new Map<string, string>()
  for (const tag of git('tag', '--list', 'v*', '--sort=version:refname', '--no-contains', 'HEAD').split(
    '\n',
  )) {
    const [, minor] = /^v(\d+\.\d+)\.\d+$/.exec(tag) ?? []
    if (minor) newest.set(minor, tag)
  }
  return [...BEFORE_TAGS, ...newest.values()]
}

interface Version {
  hash: string
  /** The launcher of its server and its commands. */
  launcher: string
}

/** Installed in a worktree that the next run uses again. */
function install(commit: string): Version {
  const hash = git('rev-parse', '--short=12', `${commit}^{commit}`)
  const folder = join(tmpdir(), `contrail-upgrade-${hash}`)
  if (!existsSync(folder)) {
    git('worktree', 'prune')
    git('worktree', 'add', '--quiet', '--detach', folder, hash)
  }
  const isInstalled = join(folder, 'node_modules', '.installed')
  if (!existsSync(isInstalled)) {
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
    writeFileSync(isInstalled, '')
  }
  return { hash, launcher: join(folder, 'server', 'run.js') }
}

const thisVersion = resolve('server/run.js')

/** Runs a version on the data until `work` is done. */
async function running<Result>(
  launcher: string,
  database: Database,
  work: (server: ServerProcess) => Promise<Result>,
): Promise<Result> {
  const server = await startServer(database, settingsOf(database), [process.execPath, launcher])
  const result = await work(server).catch(async (error) => {
    await server.stop('SIGKILL')
    throw error
  })
  assert.equal(await server.stop(), 0)
  return result
}

const settingsOf = ({ dataDir }: Database) => ({ BACKUP_DIR: join(dataDir, 'backups'), ORIGIN })

/** Runs a command of that version; what it prints. */
const command = (launcher: string, database: Database, ...words: string[]): string =>
  execFileSync(process.execPath, [launcher, 'cli', ...words], {
    encoding: 'utf8',
    env: {
      ...process.env,
      ...settingsOf(database),
      DATA_DIR: database.dataDir,
      DATABASE_URL: database.databaseUrl ?? '',
    },
  })

const scratch = mkdtempSync(join(tmpdir(), 'contrail-upgrade-data-'))
// PostgreSQL has a user of its own.
chmodSync(scratch, 0o755)
let places = 0
const place = (postgres: Postgres, engine: 'sqlite' | 'postgres') =>
  postgres.place(engine, `upgraded_${process.pid}_${places++}`)

/** Records of every kind that the version knows, and a backup that it made of them. */
async function live({ launcher }: Version, database: Database) {
  const key = () =>
    command(launcher, database, 'key', 'create', '--user', 'ada', '--name', 'test', '--scopes', 'all').trim()
  const { filled, before } = await running(launcher, database, async (server) => {
    const filled = await fill(server, key)
    return { filled, before: await seenBy(server.url, filled) }
  })
  const backup = join(scratch, `${places}.gz`)
  command(launcher, database, 'backup', backup)
  return { filled, before, backup }
}

/** The copy of the file, or the automatic backup, is a way back to the version that made the data. */
async function goBack({ launcher }: Version, database: Database, empty: Database): Promise<void> {
  mkdirSync(empty.dataDir, { recursive: true })
  if (empty.databaseUrl) {
    const folder = settingsOf(database).BACKUP_DIR
    const names = readdirSync(folder).filter((name) => name.endsWith('.gz'))
    command(launcher, empty, 'restore', join(folder, names.sort()[0]!))
  } else {
    const [name] = readdirSync(copyFolder(database.dataDir))
    copyFileSync(join(copyFolder(database.dataDir), name!), join(empty.dataDir, 'contrail.sqlite'))
  }
}

async function upgraded(version: Version, engine: 'sqlite' | 'postgres', postgres: Postgres): Promise<void> {
  const database = await place(postgres, engine)
  const { filled, before, backup } = await live(version, database)

  const kept = engine === 'sqlite' ? 'made a copy before the upgrade' : 'made a backup before the upgrade'
  await running(thisVersion, database, async ({ url, lines }) => {
    requireSame(await seenBy(url, filled), before, 'after the upgrade')
    assert.ok(
      lines.some(({ message }) => message === kept),
      kept,
    )
    await stillWorks(url, filled)
  })

  const old = await place(postgres, engine)
  await goBack(version, database, old)
  await running(version.launcher, old, async ({ url }) =>
    requireSame(await seenBy(url, filled), before, 'in the older version after going back'),
  )

  const restored = await place(postgres, engine)
  command(thisVersion, restored, 'restore', backup)
  await running(thisVersion, restored, async ({ url }) => {
    requireSame(await seenBy(url, filled), before, 'after restoring a backup of the older version')
    await stillWorks(url, filled)
  })
}

const { values } = parseArgs({ options: { from: { type: 'string', multiple: true } } })

describe('the data of earlier versions', () => {
  let postgres: Postgres
  before(async () => {
    postgres = await startPostgres(scratch, false)
  })
  after(async () => {
    await postgres?.stop()
    rmSync(scratch, { recursive: true, force: true })
  })
  for (const commit of values.from ?? earlierVersions())
    for (const engine of ['sqlite', 'postgres'] as const)
      test(`${commit} on ${engine}`, () => upgraded(install(commit), engine, postgres))
})

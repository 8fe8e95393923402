// The command line: what an operator does without a browser, on either engine, also beside a running server.
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { hashPassword } from '../auth/passwords.ts'
import {
  BackupError,
  type Header,
  missingIn,
  restoreBackup,
  verifyBackup,
  writeBackup,
} from '../backup/backup.ts'
import { makeBackup } from '../backup/schedule.ts'
import { systemClock } from '../base/clock.ts'
import { type Config, ConfigError, readConfig } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import { createLogger, type Logger } from '../base/log.ts'
import { randomId } from '../base/secrets.ts'
import { check, problemOf } from '../base/validation.ts'
import { runDoctor } from '../doctor/doctor.ts'
import { grantableScopes, isScope, readOnlyScopes, type Scope, scopes } from '../domain/access.ts'
import { defaultPreferences } from '../domain/preferences.ts'
import { messageOf } from '../domain/reasons.ts'
import { createOwner, DisplayName, issueApiKey, NewPassword, Username } from '../operations/account.ts'
import { endAccess } from '../operations/end-access.ts'
import { seed } from '../process/seed.ts'
import { loadReference, updateReference } from '../reference/load.ts'
import { openSet, ReferenceSetError, shippedManifest } from '../reference/set.ts'
import { deleteApiKeyById, listApiKeys } from '../store/api-keys.ts'
import { type EventKind, type NewEvent, recordEvent } from '../store/audit.ts'
import { MAX_ID } from '../store/codecs.ts'
import {
  findPerson,
  findPersonByUsername,
  insertPerson,
  listPeople,
  type Person,
  updatePassword,
  updatePersonRole,
} from '../store/people.ts'
import { countReference } from '../store/reference.ts'
import { listRoles, type Role } from '../store/roles.ts'
import { findSetting } from '../store/settings.ts'
import { type Executor, openStore, openStoreAsItIs, type Store, uniqueViolation } from '../store/store.ts'
import { createUploads } from '../store/uploads.ts'

/** A mistake of the person at the keyboard: one line, no stack. */
class UsageError extends Error {}

interface Described {
  words: string
  options: string
  means: string
}
/** Needs neither valid settings nor a database. */
interface LoneCommand extends Described {
  alone(options: Context['options']): Promise<void>
}
interface StoreCommand extends Described {
  /** Whether roles and reference data are put into a fresh instance first; so unless stated. */
  seeds?: false
  /** The store as it is: neither brought up to date nor seeded. */
  opens?: 'as it is'
  run(context: Context): Promise<void>
}
type Command = LoneCommand | StoreCommand
interface Context {
  store: Store
  config: Config
  log: Logger
  /** Words after the command's own. */
  args: string[]
  options: Record<string, string | undefined>
  now: Date
}

const commands: Command[] = [
  {
    words: 'setup',
    options: '--username NAME --password PASSWORD|- --display-name NAME',
    means: 'create the owner of a fresh instance',
    async run({ store, options, now }) {
      const account = await readAccount(options)
      await createOwner(store, account, now, (tx, subject) => record(tx, 'instance.set-up', now, subject))
      say(`created the owner ${account.username}`)
    },
  },
  {
    words: 'user add',
    options: '--username NAME --password PASSWORD|- --display-name NAME [--role NAME]',
    means: 'add a person',
    async run({ store, options, now }) {
      const account = await readAccount(options)
      const role = options['role'] ? await requireRole(store, options['role']) : await defaultRole(store)
      const passwordHash = await hashPassword(account.password)
      const { username, displayName } = account
      const id = randomId()
      await store
        .transaction(async (tx) => {
          await insertPerson(tx, {
            id,
            username,
            displayName,
            passwordHash,
            roleId: role.id,
            preferences: defaultPreferences,
            createdAt: now.toISOString(),
          })
          await record(tx, 'user.created', now, { id, username }, { role: role.name })
        })
        .catch((error) => {
          throw uniqueViolation(error) === undefined ? error : new UsageError('this user name is taken')
        })
      say(`added ${account.username}`)
    },
  },
  {
    words: 'user list',
    options: '',
    means: 'list people',
    async run({ store }) {
      for (const person of await listPeople(store.read)) {
        say([person.id, person.username, person.displayName, person.roleName ?? 'owner'].join('\t'))
      }
    },
  },
  {
    words: 'user password',
    options: 'NAME [--password PASSWORD|-] [--end-keys] [--end-apps]',
    means:
      'set a person’s password, read from standard input unless given, and end their sessions; on demand their API keys and connected apps too',
    async run({ store, args, options, now }) {
      const person = await requirePerson(store, args[0])
      const password = parse(NewPassword, await readPassword({ password: '-', ...options }), 'password')
      const passwordHash = await hashPassword(password)
      await store.transaction(async (tx) => {
        await updatePassword(tx, person.id, passwordHash)
        await record(tx, 'user.password-reset', now, person)
        const wish = { endApiKeys: 'end-keys' in options, endApps: 'end-apps' in options }
        await endAccess(tx, person.id, wish, (kind, details) => record(tx, kind, now, person, details))
      })
      say(`changed the password of ${person.username}`)
    },
  },
  {
    words: 'user role',
    options: 'NAME ROLE',
    means: 'give a person a role',
    async run({ store, args, now }) {
      const person = await requirePerson(store, args[0])
      const role = await requireRole(store, args[1])
      await store.transaction(async (tx) => {
        if (!(await updatePersonRole(tx, person.id, role.id))) throw new UsageError('the owner has no role')
        await record(tx, 'user.role-changed', now, person, { from: person.roleName, to: role.name })
      })
      say(`${person.username} is now ${role.name}`)
    },
  },
  {
    words: 'key create',
    options: '--user NAME --name TEXT --scopes all|read-only|a,b,c [--legacy-format codes|objects]',
    means: 'create an API key and print it alone',
    async run({ store, options, now }) {
      const person = await requirePerson(store, options['user'])
      const legacyFormat = parse(
        z.enum(['codes', 'objects']),
        options['legacy-format'] ?? 'codes',
        'legacy-format',
      )
      const wanted = scopesFor(person, required(options, 'scopes'))
      const name = parse(z.string().trim().min(1).max(100), required(options, 'name'), 'name')
      const issued = await store.transaction(async (tx) => {
        const key = await issueApiKey(tx, person.id, { name, scopes: wanted, legacyFormat }, now)
        await record(tx, 'api-key.created', now, person, { key: key.id, name, scopes: key.scopes })
        return key
      })
      say(issued.key)
    },
  },
  {
    words: 'key list',
    options: '--user NAME',
    means: 'list a person’s API keys',
    async run({ store, options }) {
      const person = await requirePerson(store, options['user'])
      for (const key of await listApiKeys(store.read, person.id)) {
        say(
          [key.id, key.name, `…${key.lastFour}`, key.lastUsedAt ?? 'never used', key.scopes.join(',')].join(
            '\t',
          ),
        )
      }
    },
  },
  {
    words: 'key delete',
    options: 'ID',
    means: 'delete an API key',
    async run({ store, args, now }) {
      const id = Number(args[0])
      if (!Number.isInteger(id) || id < 1 || id > MAX_ID) throw new UsageError('key delete needs an id')
      await store.transaction(async (tx) => {
        const userId = await deleteApiKeyById(tx, id)
        if (userId === undefined) throw new UsageError('there is no such key')
        await record(tx, 'api-key.deleted', now, await findPerson(tx, userId), { key: id })
      })
      say(`deleted key ${id}`)
    },
  },
  {
    words: 'backup',
    options: '[FILE|-]',
    means:
      'save the whole instance, also while it is running; without a file into BACKUP_DIR as the server itself does',
    opens: 'as it is',
    async run({ store, config, args, now }) {
      const uploads = createUploads(config.dataDir)
      if (args.length === 0) return backUpIntoFolder({ store, uploads, config, clock: systemClock })
      const file = requiredFile(args)
      const header = await writeBackup({ store, uploads, now }, file, { salvages: true })
      if (file !== '-') say(`saved ${contentsOf(header)} to ${file}`)
      if (header.partial) warnOfPartial(header)
    },
  },
  {
    words: 'restore',
    options: 'FILE [--replace] [--partial]',
    means:
      'fill an empty instance from a backup; --replace asks, then replaces everything there is; --partial takes one of a damaged database',
    seeds: false,
    async run({ store, config, args, options, now }) {
      const file = requiredFile(args)
      const [replace, partial] = [options['replace'] !== undefined, options['partial'] !== undefined]
      if (replace) await confirmReplacing(await verifyBackup(file))
      const header = await restoreBackup({ store, uploads: createUploads(config.dataDir), now }, file, {
        replace,
        partial,
      })
      say(
        `restored ${contentsOf(header)} from ${file}, saved ${header.createdAt} by Contrail ${header.version}`,
      )
      if (header.partial) process.stderr.write(`Not in it:\n${missingIn(header).join('\n')}\n`)
    },
  },
  {
    words: 'doctor',
    options: '[--quiet]',
    means:
      'check settings, address, disk, database and backups without changing anything; exits with 0 if all is well, 1 with warnings, 2 with failures; --quiet prints only those',
    async alone(options) {
      const isQuiet = options['quiet'] !== undefined
      process.exitCode = await runDoctor(process.env, { isQuiet, now: Date.now(), say })
    },
  },
  {
    words: 'reference load',
    options: '',
    means: 'load the shipped reference data; every start does so if they are missing or old',
    run: ({ store, log }) => loadReference(store, log),
  },
  {
    words: 'reference status',
    options: '',
    means: 'show the version, day and counts of the reference data',
    async run({ store }) {
      const counts = await countReference(store.read)
      const { version, snapshot } = shippedManifest()
      const loaded = [
        await findSetting(store.read, 'referenceVersion'),
        await findSetting(store.read, 'referenceSnapshot'),
      ]
      say(`loaded\t${loaded.join('\t')}`)
      say(`shipped\t${version}\t${snapshot}`)
      for (const [name, count] of Object.entries(counts)) say(`${name}\t${count}`)
    },
  },
  {
    words: 'reference update',
    options: 'FOLDER|URL',
    means: 'load a newer set of reference data, as tools/reference makes it',
    async run({ store, args }) {
      if (args.length !== 1) throw new UsageError('name the folder or the address of a reference set')
      const set = await openSet(args[0]!)
      const { snapshot, counts } = set.manifest
      const { isLoaded, newest } = await updateReference(store, set)
      if (!isLoaded) {
        say(`nothing to do: this set is of ${snapshot}, and there is one of ${newest} already`)
        return
      }
      say(
        `loaded the set of ${snapshot}: ${counts.airports} airports, ${counts.airlines} airlines, ${counts.aircraft} aircraft types`,
      )
    },
  },
]

/** Exit code of a backup that could save only a part. */
const PARTIAL = 3

/** As a shell reports a program whose reader went away. */
const NOBODY_READS = 141

export async function cli(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', () => process.exit(NOBODY_READS))
  try {
    await runCommand(argv)
  } catch (error) {
    const isClear = [UsageError, AppError, BackupError, ConfigError, ReferenceSetError].some(
      (kind) => error instanceof kind,
    )
    if (!isClear || !(error instanceof Error)) throw error
    const kind = error instanceof ConfigError ? 'bad setting ' : ''
    process.stderr.write(`contrail: ${kind}${error.message}\n`)
    process.exitCode = 2
  }
}

async function runCommand(argv: readonly string[]): Promise<void> {
  const command = commands.find(({ words }) => argv.slice(0, words.split(' ').length).join(' ') === words)
  if (!command) {
    if (argv.length === 0 || argv[0] === 'help' || argv[0] === '--help') return say(usage())
    throw new UsageError(`unknown command ${argv.slice(0, 2).join(' ')}; try help`)
  }
  const { args, options } = readArguments(argv.slice(command.words.split(' ').length))
  if ('alone' in command) return command.alone(options)
  const config = readConfig(process.env)
  const log = createLogger(command.words === 'reference load' ? config.logLevel : 'silent')
  const store = await (command.opens === 'as it is' ? openStoreAsItIs : openStore)(config, log)
  const now = new Date()
  try {
    if (command.seeds !== false && !command.opens) await seed(store, log, now)
    await command.run({ store, config, log, args, options, now })
  } finally {
    await store.close()
  }
}

/** Writes the event of what an operator did to a person's access, in the transaction that does it. */
const record = (
  tx: Executor,
  kind: EventKind,
  now: Date,
  subject: { id: string; username: string } | undefined,
  details: NewEvent['details'] = {},
): Promise<void> =>
  recordEvent(tx, {
    kind,
    now,
    actor: null,
    subject: subject ?? null,
    details: { ...details, via: 'command line' },
  })

function readArguments(rest: string[]): { args: string[]; options: Record<string, string | undefined> } {
  const names = ['username', 'password', 'display-name', 'role', 'user', 'name', 'scopes', 'legacy-format']
  const flags = ['replace', 'partial', 'quiet', 'end-keys', 'end-apps']
  try {
    const parsed = parseArgs({
      args: rest,
      allowPositionals: true,
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
        ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const }])),
      },
    })
    const given = Object.entries(parsed.values).map(([name, value]) => [name, String(value)])
    return { args: parsed.positionals, options: Object.fromEntries(given) }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const usage = () =>
  ['usage: contrail COMMAND', ...commands.map((c) => `  ${c.words} ${c.options}\n      ${c.means}`)].join(
    '\n',
  )

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function required(options: Context['options'], name: string): string {
  const value = options[name]
  if (!value) throw new UsageError(`--${name} is missing`)
  return value
}

function parse<Output>(schema: z.ZodType<Output>, value: unknown, name: string): Output {
  const checked = check(schema, value)
  if ('data' in checked) return checked.data
  throw new UsageError(`${name}: ${messageOf(problemOf(checked.issues[0]!))}`)
}

async function readAccount(options: Context['options']) {
  return {
    username: parse(Username, required(options, 'username'), 'username'),
    displayName: parse(DisplayName, required(options, 'display-name'), 'display name'),
    password: parse(NewPassword, await readPassword(options), 'password'),
  }
}

/** `-` reads it from standard input, so that it never shows in the list of processes. */
async function readPassword(options: Context['options']): Promise<string> {
  const given = required(options, 'password')
  if (given !== '-') return given
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '')
}

function requiredFile(args: readonly string[]): string {
  if (args.length !== 1) throw new UsageError('name one file')
  return args[0]!
}

const contentsOf = ({ counts, uploads, partial }: Header): string =>
  `${partial ? 'in part ' : ''}${counts['person'] ?? 0} people, ${counts['flight'] ?? 0} flights and ${uploads} uploads`

async function backUpIntoFolder(run: Omit<Parameters<typeof makeBackup>[0], 'signal'>): Promise<void> {
  if (run.config.backupDir === undefined) throw new UsageError('name one file, or set BACKUP_DIR')
  const interruption = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => interruption.abort())
  const { file, header, removed } = await makeBackup({ ...run, signal: interruption.signal })
  const pruned = removed.length > 0 ? `, removed ${removed.length} older` : ''
  say(`saved ${contentsOf(header)} to ${file}${pruned}`)
}

/** There is a file, but cron and scripts must not take it for a backup. */
function warnOfPartial(header: Header): void {
  process.stderr.write(
    [
      `contrail: the database is damaged (${header.partial!.damage}); this is a partial backup. It lacks:`,
      ...missingIn(header),
      'Keep earlier backups. Restore the newest whole one, or this one with --partial.',
      '',
    ].join('\n'),
  )
  process.exitCode = PARTIAL
}

/** Everything in the instance is about to go: that takes a word, typed or piped in. */
async function confirmReplacing(header: Header): Promise<void> {
  process.stderr.write(
    `This replaces everything in this instance by ${contentsOf(header)} saved ${header.createdAt}.\nType "replace" to go on: `,
  )
  const lines = createInterface({ input: process.stdin })
  const { value } = await lines[Symbol.asyncIterator]().next()
  lines.close()
  process.stderr.write('\n')
  if (value?.trim() !== 'replace') throw new UsageError('nothing was changed')
}

async function requirePerson(store: Store, username: string | undefined): Promise<Person> {
  if (!username) throw new UsageError('name a user')
  const person = await findPersonByUsername(store.read, username)
  if (!person) throw new UsageError(`there is no user ${username}`)
  return person
}

async function requireRole(store: Store, name: string | undefined): Promise<Role> {
  const role = (await listRoles(store.read)).find(
    (candidate) => candidate.name.toLowerCase() === name?.toLowerCase(),
  )
  if (!role) throw new UsageError(`there is no role ${name ?? ''}`.trim())
  return role
}

async function defaultRole(store: Store): Promise<Role> {
  const id = await findSetting(store.read, 'defaultRoleId')
  return (await listRoles(store.read)).find((role) => role.id === id)!
}

/** Templates give what the person's role allows; a scope named outright must be allowed. */
function scopesFor(person: Person, text: string): Scope[] {
  const grantable = new Set(person.isOwner ? scopes : grantableScopes(new Set(person.permissions)))
  if (text === 'all') return [...grantable]
  if (text === 'read-only') return readOnlyScopes.filter((scope) => grantable.has(scope))
  return text.split(',').map((part) => {
    const name = part.trim()
    if (!isScope(name)) throw new UsageError(`there is no scope ${name}`)
    if (!grantable.has(name))
      throw new UsageError(`the role of ${person.username} does not permit the scope ${name}`)
    return name
  })
}

// The command line for operators, on either engine. It also works while the server is running.

import { systemClock } from '../base/clock.ts'
import { ConfigError, readConfig } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import { createLogger } from '../base/log.ts'
import { seed } from '../process/seed.ts'
import { BackupError } from '../services/backup/backup.ts'
import { openUpToDate } from '../services/backup/before-upgrade.ts'
import { ReferenceSetError } from '../services/reference/set.ts'
import { openStoreAsItIs } from '../store/store.ts'
import { backupCommands } from './backup.ts'
import {
  beginsWith,
  type Command,
  helpOf,
  readArguments,
  sayOn,
  type Terminal,
  UsageError,
  usageOf,
} from './command.ts'
import { doctorCommands } from './doctor.ts'
import { importCommands } from './import.ts'
import { keyCommands } from './key.ts'
import { pushCommands } from './push.ts'
import { referenceCommands } from './reference.ts'
import { setupCommands } from './setup.ts'
import { uploadCommands } from './uploads.ts'
import { userCommands } from './user.ts'
import { versionCommands } from './version.ts'

const commands: readonly Command[] = [
  ...setupCommands,
  ...userCommands,
  ...keyCommands,
  ...importCommands,
  ...backupCommands,
  ...uploadCommands,
  ...pushCommands,
  ...doctorCommands,
  ...referenceCommands,
  ...versionCommands,
]

/** Exit code after SIGPIPE, as shells report it. */
const BROKEN_PIPE = 141

/** Runs a command; `terminal.exitCode` is its result. */
export async function cli(argv: readonly string[], terminal: Terminal): Promise<void> {
  terminal.stdout.on('error', () => process.exit(BROKEN_PIPE))
  try {
    await dispatch(argv, terminal)
  } catch (error) {
    const isClear = [UsageError, AppError, BackupError, ConfigError, ReferenceSetError].some(
      (kind) => error instanceof kind,
    )
    if (!isClear || !(error instanceof Error)) throw error
    const kind = error instanceof ConfigError ? 'bad setting ' : ''
    terminal.stderr.write(`contrail: ${kind}${error.message}\n`)
    terminal.exitCode = 2
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<void> {
  const say = sayOn(terminal)
  const isHelp = (word: string | undefined) => word === 'help' || word === '--help'
  if (argv.length === 0 || isHelp(argv[0])) return say(helpFor(argv.slice(1)))
  const command = commands.find(({ words }) => argv.slice(0, words.split(' ').length).join(' ') === words)
  // `contrail user --help`: all commands of the group.
  if (!command && isHelp(argv.at(-1))) return say(helpFor(argv.slice(0, -1)))
  if (!command) throw unknownCommand(argv)
  const given = readArguments(command, argv.slice(command.words.split(' ').length))
  if (given === 'help') return say(helpOf(command))
  return 'alone' in command ? command.alone(given.options, terminal) : runWithStore(command, given, terminal)
}

const unknownCommand = (typed: readonly string[]) =>
  new UsageError(`unknown command ${typed.slice(0, 2).join(' ')}; try help`)

async function runWithStore(
  command: Exclude<Command, { alone: unknown }>,
  given: Exclude<ReturnType<typeof readArguments>, 'help'>,
  terminal: Terminal,
): Promise<void> {
  const config = readConfig(terminal.env)
  const log = createLogger(
    command.logs ? config.logLevel : 'silent',
    (line) => void terminal.stdout.write(line),
  )
  const store = await (command.opens === 'as it is' ? openStoreAsItIs : openUpToDate)(config, log)
  const now = new Date(systemClock.now())
  try {
    if (!command.opens) await seed(store, log, now)
    await command.run({ store, config, log, ...given, now, terminal, say: sayOn(terminal) })
  } finally {
    await store.close()
  }
}

/** Help for one command in full, for a group of commands, or for all commands. */
function helpFor(words: readonly string[]): string {
  const meant = commands.filter((command) => words.length === 0 || beginsWith(command, words))
  if (meant.length === 0) throw unknownCommand(words)
  if (meant.length === 1) return helpOf(meant[0]!)
  return [
    'usage: contrail COMMAND',
    ...meant.map((command) => `  ${usageOf(command)}\n      ${command.description}`),
    'contrail COMMAND --help explains the options of a command',
  ].join('\n')
}

// `contrail backup` and `contrail restore`: the whole instance in one file.
import { createInterface } from 'node:readline'
import { systemClock } from '../base/clock.ts'
import {
  type Header,
  missingIn,
  restoreBackup,
  verifyBackup,
  writeBackup,
} from '../services/backup/backup.ts'
import { makeBackup, makeBackupIfDue } from '../services/backup/schedule.ts'
import { createUploads } from '../store/uploads/pictures.ts'
import { command, flag, type Terminal, UsageError } from './command.ts'

/** Exit code of a backup that could save only a part of the data. */
const PARTIAL = 3

export const backupCommands = [
  command({
    words: 'backup',
    arguments: ['[FILE|-]'],
    options: { 'if-due': flag('only if the schedule says that a backup is due') },
    description:
      'save the whole instance, even while it is running; without FILE, to BACKUP_DIR like the automatic backups',
    opens: 'as it is',
    async run({ store, config, args, options, now, terminal, say }) {
      const uploads = createUploads({ config, store, clock: systemClock })
      const [file] = args
      if (file === undefined) {
        const make = options['if-due'] ? makeBackupIfDue : makeBackup
        return backUpIntoFolder(make, { store, uploads, config, clock: systemClock }, say)
      }
      const target = file === '-' ? terminal.stdout : file
      const header = await writeBackup({ store, uploads, now }, target, { salvages: true })
      if (file !== '-') say(`saved ${contentsOf(header)} to ${file}`)
      if (header.partial) warnOfPartial(header, terminal)
    },
  }),
  command({
    words: 'restore',
    arguments: ['FILE'],
    options: {
      replace: flag('replace everything in this instance, after a confirmation'),
      partial: flag('accept a partial backup, made of a damaged database'),
    },
    description: 'fill an empty instance from a backup',
    opens: 'up to date, unseeded',
    async run({ store, config, args, options: { replace, partial }, now, terminal, say }) {
      const [file] = args
      if (file === undefined) throw new UsageError('name one file')
      if (replace) await confirmReplacing(await verifyBackup(file), terminal)
      const to = { store, uploads: createUploads({ config, store, clock: systemClock }), now }
      const header = await restoreBackup(to, file, { replace, partial })
      say(
        `restored ${contentsOf(header)} from ${file}, saved ${header.createdAt} by Contrail ${header.version}`,
      )
      if (header.partial) terminal.stderr.write(`Missing from it:\n${missingIn(header).join('\n')}\n`)
    },
  }),
]

const contentsOf = ({ counts, uploads, partial }: Header): string =>
  `${partial ? 'in part ' : ''}${number(counts['person'], 'person', 'people')}, ${number(counts['flight'], 'flight')} and ${number(uploads, 'upload')}`

const number = (count = 0, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`

async function backUpIntoFolder(
  make: typeof makeBackup | typeof makeBackupIfDue,
  run: Omit<Parameters<typeof makeBackup>[0], 'signal'>,
  say: (line: string) => void,
): Promise<void> {
  if (run.config.backupDir === undefined) throw new UsageError('name one file; BACKUP_DIR is off')
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  process.once('SIGTERM', interrupt).once('SIGINT', interrupt)
  const made = await make({ ...run, signal: interruption.signal }).finally(() =>
    process.off('SIGTERM', interrupt).off('SIGINT', interrupt),
  )
  if (!made) return
  const { file, header, removed } = made
  const pruned = removed.length > 0 ? `, removed ${removed.length} older` : ''
  say(`saved ${contentsOf(header)} to ${file}${pruned}`)
}

/** The exit code tells cron and scripts that the file is not a complete backup. */
function warnOfPartial(header: Header, terminal: Terminal): void {
  terminal.stderr.write(
    [
      `contrail: the database is damaged (${header.partial!.damage}); this is a partial backup. It lacks:`,
      ...missingIn(header),
      'Keep earlier backups. Restore the newest complete one, or this one with --partial.',
      '',
    ].join('\n'),
  )
  terminal.exitCode = PARTIAL
}

/** Requires "replace" on standard input before everything in the instance is replaced. */
async function confirmReplacing(header: Header, { stdin, stderr }: Terminal): Promise<void> {
  stderr.write(
    `This replaces everything in this instance with ${contentsOf(header)} saved ${header.createdAt}.\nType "replace" to continue: `,
  )
  const lines = createInterface({ input: stdin })
  const { value } = await lines[Symbol.asyncIterator]().next()
  lines.close()
  stderr.write('\n')
  if (value?.trim() !== 'replace') throw new UsageError('nothing was changed')
}

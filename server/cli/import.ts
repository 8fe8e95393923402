// `contrail import`: imports flight files for a person. Without --commit nothing is written to the log.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { type SourceId, sourceIds, verdicts } from '../domain/imports/imports.ts'
import type { PersonImports } from '../operations/imports/for-person.ts'
import type { ImportView } from '../operations/imports/schema.ts'
import { requirePerson } from './account.ts'
import { command, flag, optional, required, UsageError } from './command.ts'

/** A person must decide: there are questions, possible duplicates or records that cannot be read. */
const NEEDS_A_PERSON = 1

export const importCommands = [
  command({
    words: 'import',
    arguments: ['FILE…'],
    options: {
      user: required('NAME', 'whose flights they are'),
      source: optional('ID', 'the app that made the files, if it is not recognized'),
      commit: flag('write the new flights to the log; without it, only show what would happen'),
      json: flag('print the import with its rows as JSON, one document per file'),
    },
    description:
      'import files of other apps; exits with 0 if all is clear, 1 if something needs an answer or cannot be read',
    async run({ store, config, log, args, options, terminal, say }) {
      if (args.length === 0) throw new UsageError('name a file')
      const source = readSource(options.source)
      const person = await requirePerson(store, options.user)
      // Imported only here: this command needs the whole application, and the others start in half the time without it.
      const { createApp } = await import('../app.ts')
      const { importsFor } = await import('../operations/imports/for-person.ts')
      const { server, services } = createApp({ store, config, log, clock: systemClock })
      try {
        const imports = importsFor(services, person.id)
        for (const path of args) {
          const bytes = await readGiven(path, config.importSizeLimit)
          const read = await imports.read({ filename: basename(path), bytes, source })
          const done = options.commit && isOpen(read) ? await imports.commit(read.id) : read
          await report(imports, done, options.json, say)
          if (needsAPerson(done)) terminal.exitCode = NEEDS_A_PERSON
        }
      } finally {
        await server.close()
      }
    },
  }),
]

function readSource(given: string | undefined): SourceId | undefined {
  if (given === undefined || (sourceIds as readonly string[]).includes(given))
    return given as SourceId | undefined
  throw new UsageError(`there is no source ${given}; sources are ${sourceIds.join(', ')}`)
}

async function readGiven(path: string, atMost: number): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`cannot read ${path}: ${error.code}`)
  })
  if (bytes.byteLength > atMost)
    throw new UsageError(`${path} is larger than IMPORT_SIZE_LIMIT (${atMost} bytes)`)
  return bytes
}

const isOpen = ({ status }: ImportView): boolean =>
  ['ready', 'questions', 'committed', 'undone'].includes(status)

const needsAPerson = ({ status, counts: { question, similar, error } }: ImportView): boolean =>
  status === 'failed' || question + similar + error > 0

async function report(
  imports: PersonImports,
  shown: ImportView,
  isJson: boolean,
  say: (line: string) => void,
): Promise<void> {
  if (isJson) return say(JSON.stringify({ ...shown, rows: await imports.listRows(shown.id) }))
  const { filename, source, counts, committed, questions, problem } = shown
  say(`${filename}: ${source ?? 'not recognised'}, ${counts.rows} rows, import ${shown.id}`)
  if (problem) say(`  ${problem.message}`)
  say(`  ${verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}`)
  if (counts.remarks > 0) say(`  ${counts.remarks} with a value that was left out or assumed`)
  for (const { kind, value, rows, choices, answer, preselected } of questions) {
    if (answer !== null && !preselected) continue
    const likely = choices.map(({ label }) => label).join(', ')
    say(`  ${kind} ${value}: ${rows} rows${likely ? `; likely ${likely}` : ''}`)
  }
  if (committed.created + committed.updated > 0) {
    say(`  ${committed.created} flights created, ${committed.updated} updated`)
  } else if (shown.status !== 'failed') {
    say(`  nothing is written to the log yet; --commit imports ${counts.new} flights`)
  }
}

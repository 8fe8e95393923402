// `contrail version`
import { version } from '../base/version.ts'
import { command, sayOn } from './command.ts'

export const versionCommands = [
  command({
    words: 'version',
    options: {},
    description: 'print the version, the Node that runs it and the engine of the database',
    async alone(_options, terminal) {
      const isPostgres = terminal.env['DATABASE_URL'] || terminal.env['DATABASE_URL_FILE']
      const engine = isPostgres ? 'postgres' : 'sqlite'
      sayOn(terminal)(`contrail ${version} (node ${process.versions.node}, ${engine})`)
    },
  }),
]

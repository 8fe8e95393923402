// `contrail setup`
import { operatorAt } from '../operations/access/authority.ts'
import { createOwner } from '../operations/accounts/set-up.ts'
import { accountOptions, readAccount } from './account.ts'
import { command } from './command.ts'

export const setupCommands = [
  command({
    words: 'setup',
    options: accountOptions,
    description: 'create the owner of a fresh instance',
    async run({ store, options, now, terminal, say }) {
      const account = await readAccount(options, terminal.stdin)
      await createOwner(store, account, operatorAt(now))
      say(`created the owner ${account.username}`)
    },
  }),
]

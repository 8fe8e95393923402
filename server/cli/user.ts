// `contrail user …`: the people of this instance.

import { AppError } from '../base/errors.ts'
import { operatorAt } from '../operations/access/authority.ts'
import { issueInvitation, requireForNewPeople } from '../operations/accounts/invitations.ts'
import { issueResetLink } from '../operations/accounts/reset-links.ts'
import { passwordsAllowed } from '../operations/accounts/sign-in.ts'
import { assignRole, resetPassword } from '../operations/accounts/users.ts'
import { createPerson, requireDefaultRole } from '../operations/people/create.ts'
import { hashPassword } from '../services/accounts/passwords.ts'
import { listPeople } from '../store/people/people.ts'
import { uniqueViolation } from '../store/store.ts'
import { accountOptions, readAccount, readPassword, requirePerson, requireRole } from './account.ts'
import { command, flag, optional, required, UsageError } from './command.ts'

export const userCommands = [
  command({
    words: 'user add',
    options: { ...accountOptions, role: optional('NAME', 'their role; without it the default role') },
    description: 'add a person',
    async run({ store, options, now, terminal, say }) {
      const { username, displayName, password } = await readAccount(options, terminal.stdin)
      const role = options.role
        ? await requireRole(store, options.role)
        : await requireDefaultRole(store.read)
      const passwordHash = await hashPassword(password)
      const roleByHand = Boolean(options.role)
      const account = { username, displayName, passwordHash, role, roleByHand }
      await store
        .transaction((tx) => createPerson(tx, account, operatorAt(now)))
        .catch((error) => {
          throw uniqueViolation(error) === undefined ? error : new UsageError('this username is taken')
        })
      say(`added ${username}`)
    },
  }),
  command({
    words: 'user list',
    options: {},
    description: 'list people: id, username, display name, role',
    async run({ store, say }) {
      for (const person of await listPeople(store.read)) {
        say([person.id, person.username, person.displayName, person.roleName ?? 'owner'].join('\t'))
      }
    },
  }),
  command({
    words: 'user password',
    arguments: ['NAME'],
    options: {
      password: optional('PASSWORD|-', 'at least 8 characters; read from standard input unless given'),
      'end-keys': flag('also delete their API keys'),
      'end-apps': flag('also disconnect their apps'),
    },
    description: 'set a person’s password and end their sessions',
    async run({ store, args, options, now, terminal, say }) {
      const person = await requirePerson(store, args[0])
      const passwordHash = await hashPassword(await readPassword(options.password ?? '-', terminal.stdin))
      const wanted = { passwordHash, endApiKeys: options['end-keys'], endApps: options['end-apps'] }
      await store.transaction((tx) => resetPassword(tx, person, wanted, operatorAt(now)))
      say(`changed the password of ${person.username}`)
    },
  }),
  command({
    words: 'user invite',
    options: { role: required('NAME', 'the role that the person gets') },
    description: 'create a link, valid for 7 days, by which a person creates their account',
    async run({ store, config, options, now, say }) {
      requireForNewPeople(config)
      const role = await requireRole(store, options.role)
      const { url } = await store.transaction((tx) =>
        issueInvitation(tx, { role, isChosen: true }, config, operatorAt(now)),
      )
      say(url)
    },
  }),
  command({
    words: 'user reset-link',
    arguments: ['NAME'],
    options: {
      'end-keys': flag('using it also deletes their API keys'),
      'end-apps': flag('using it also disconnects their apps'),
      'keep-second-factor': flag('using it keeps their second factor'),
    },
    description:
      'create a link, valid for 24 hours, by which a person sets a new password; using it ends their sessions and removes their second factor',
    async run({ store, config, args, options, now, say }) {
      const person = await requirePerson(store, args[0])
      if (!passwordsAllowed(config, person)) throw new AppError('conflict', 'passwords_off')
      const ends = {
        endApiKeys: options['end-keys'],
        endApps: options['end-apps'],
        endSecondFactor: !options['keep-second-factor'],
      }
      const { url } = await store.transaction((tx) =>
        issueResetLink(tx, person, ends, config, operatorAt(now)),
      )
      say(url)
    },
  }),
  command({
    words: 'user role',
    arguments: ['NAME', 'ROLE'],
    options: { mapped: flag('the rules of OIDC_ROLES may change it at the next sign-in with the provider') },
    description: 'give a person a role',
    async run({ store, args, options, now, say }) {
      const person = await requirePerson(store, args[0])
      const role = await requireRole(store, args[1])
      const isAssigned = await store.transaction((tx) =>
        assignRole(tx, person, role, operatorAt(now), !options.mapped),
      )
      if (!isAssigned) throw new UsageError('the owner has no role')
      say(`${person.username} is now ${role.name}`)
    },
  }),
]

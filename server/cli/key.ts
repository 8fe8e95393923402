// `contrail key …`: API keys of any person.
import { grantableScopes, isScope, readOnlyScopes, type Scope, scopes } from '../domain/access/access.ts'
import { ApiKeyInput, issueApiKey } from '../operations/access/api-keys.ts'
import { operatorAt, recordBy } from '../operations/access/authority.ts'
import { deleteApiKeyById, listApiKeys } from '../store/access/api-keys.ts'
import { findPerson, type Person } from '../store/people/people.ts'
import { requirePerson } from './account.ts'
import { command, optional, parse, required, UsageError } from './command.ts'

export const keyCommands = [
  command({
    words: 'key create',
    options: {
      user: required('NAME', 'whose key it is'),
      name: required('TEXT', 'what the key is for'),
      scopes: required(
        'all|read-only|a,b,c',
        'what the key may do: everything or all reading that the person’s role permits, or a list of scopes',
      ),
      'legacy-format': optional('codes|objects', 'objects for programs written for AirTrail'),
    },
    description: 'create an API key and print only the key',
    async run({ store, options, now, say }) {
      const rules = ApiKeyInput.shape
      const person = await requirePerson(store, options.user)
      const legacyFormat = parse(rules.legacyFormat, options['legacy-format'], 'legacy-format')
      const wanted = scopesFor(person, options.scopes)
      const name = parse(rules.name, options.name, 'name')
      const { key } = await store.transaction((tx) =>
        issueApiKey(tx, person, { name, scopes: wanted, legacyFormat }, operatorAt(now)),
      )
      say(key)
    },
  }),
  command({
    words: 'key list',
    options: { user: required('NAME', 'whose keys') },
    description: 'list a person’s API keys: id, name, last characters, last use, scopes',
    async run({ store, options, say }) {
      const person = await requirePerson(store, options.user)
      for (const key of await listApiKeys(store.read, { userId: person.id })) {
        const lastUse = key.lastUsedAt ?? 'never used'
        say([key.id, key.name, `…${key.lastFour}`, lastUse, key.scopes.join(',')].join('\t'))
      }
    },
  }),
  command({
    words: 'key delete',
    arguments: ['ID'],
    options: {},
    description: 'delete an API key',
    async run({ store, args, now, say }) {
      const id = Number(args[0])
      if (!Number.isSafeInteger(id) || id < 1) throw new UsageError('key delete needs an id')
      await store.transaction(async (tx) => {
        const userId = await deleteApiKeyById(tx, { id })
        if (userId === undefined) throw new UsageError('there is no such key')
        const subject = (await findPerson(tx, { id: userId })) ?? null
        await recordBy(operatorAt(now), tx, 'api-key.deleted', { subject, details: { key: id } })
      })
      say(`deleted key ${id}`)
    },
  }),
]

/** The templates grant what the person's role permits; a scope given by name must be permitted. */
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

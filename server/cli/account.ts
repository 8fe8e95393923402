// Shared by the commands about people: reads a new account from the options, finds a person or a role by name.
import type { Readable } from 'node:stream'
import { DisplayName, NewPassword, Username } from '../operations/people/create.ts'
import { resolvePerson } from '../services/reference/resolve/people.ts'
import { listRoles, type Role } from '../store/access/roles.ts'
import type { Person } from '../store/people/people.ts'
import type { Store } from '../store/store.ts'
import { parse, required, UsageError } from './command.ts'

export const accountOptions = {
  username: required('NAME', '3 to 20 letters, digits, dots, underscores or hyphens'),
  'display-name': required('NAME', 'the name that others see on flights'),
  password: required('PASSWORD|-', 'at least 8 characters; - reads it from standard input'),
}

export async function readAccount(options: Record<keyof typeof accountOptions, string>, input: Readable) {
  return {
    username: parse(Username, options.username, 'username'),
    displayName: parse(DisplayName, options['display-name'], 'display name'),
    password: await readPassword(options.password, input),
  }
}

/** `-` reads it from standard input, so that it does not appear in the process list. */
export async function readPassword(given: string, input: Readable): Promise<string> {
  return parse(NewPassword, given === '-' ? await readAll(input) : given, 'password')
}

async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '')
}

export async function requirePerson(store: Store, username: string | undefined): Promise<Person> {
  if (!username) throw new UsageError('name a user')
  const resolution = await resolvePerson(store.read, username)
  if (resolution.outcome !== 'found') throw new UsageError(`there is no user ${username}`)
  return resolution.record
}

export async function requireRole(store: Store, name: string | undefined): Promise<Role> {
  const role = (await listRoles(store.read)).find(
    (candidate) => candidate.name.toLowerCase() === name?.toLowerCase(),
  )
  if (!role) throw new UsageError(`there is no role ${name ?? ''}`.trim())
  return role
}

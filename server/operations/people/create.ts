// How a person gets an account: the rules for names and passwords, and the one function that creates the account.
// Set-up, the administration pages and the command line use it.
import * as z from 'zod'
import { invalidField } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import { randomId, randomText } from '../../base/secret/secrets.ts'
import { PASSWORD_CHARACTERS_AT_LEAST } from '../../domain/limits.ts'
import { defaultPreferences } from '../../domain/people/preferences.ts'
import { nameFault } from '../../domain/text/names.ts'
import { findRole, type Role } from '../../store/access/roles.ts'
import { findSetting } from '../../store/instance/settings.ts'
import { insertPerson } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { type Author, type NamedPerson, recordBy } from '../access/authority.ts'

export const Username = z
  .string()
  .min(3)
  .max(20)
  .regex(/^[A-Za-z0-9._-]+$/, because('username_form'))
/** May have been stored before there were rules for its characters; see `requireSoundName`. */
export const StoredDisplayName = z.string().trim().min(2).max(100)
/** The rule for people's names, in set-up, new users, profiles and on the command line. */
export const DisplayName = StoredDisplayName.superRefine((name, context) => {
  const fault = nameFault(name)
  if (fault) context.addIssue(because(fault))
})

/** An unchanged name is accepted as stored; a new one must follow the rules. */
export function requireSoundName(stored: string, wanted: string): void {
  const fault = wanted === stored.trim() ? undefined : nameFault(wanted)
  if (fault) throw invalidField(['displayName'], fault)
}
export const NewPassword = z.string().min(PASSWORD_CHARACTERS_AT_LEAST).max(1000).meta({ format: 'password' })

/** Checks only that it can be an address, and a single one: the mail server knows the rest. */
export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@<>(),;:"\\[\]\p{C}]+@[^\s@<>(),;:"\\[\]\p{C}]+$/u, because('email_form'))

interface NewPerson {
  username: string
  displayName: string
  /** Hashed before the transaction begins: hashing is slow, and SQLite has one writer. */
  passwordHash: string | null
  /** null makes the person the owner. */
  role: Role | null
  /** Chosen by a person; otherwise sign-in rules may change the role. */
  roleByHand?: boolean
  email?: string | null
  emailVerified?: boolean
}

/**
 * Creates a person and writes the event in the caller's transaction. Without an actor in `author`, the new person is
 * the actor, as at set-up. A taken user name and a second owner violate a unique constraint.
 */
export async function createPerson(
  tx: Executor,
  { username, displayName, passwordHash, role, roleByHand = true, email = null, emailVerified }: NewPerson,
  author: Omit<Author, 'actor'> & Partial<Pick<Author, 'actor'>>,
): Promise<NamedPerson> {
  const created = { id: randomId(), username }
  await insertPerson(tx, {
    ...created,
    displayName,
    passwordHash,
    roleId: role?.id ?? null,
    roleByHand,
    browserKey: randomText(32),
    email,
    emailVerified: emailVerified ?? false,
    preferences: defaultPreferences,
    createdAt: author.now.toISOString(),
  })
  const by = { ...author, actor: author.actor === undefined ? created : author.actor }
  if (role === null) await recordBy(by, tx, 'instance.set-up', { subject: created })
  else await recordBy(by, tx, 'user.created', { subject: created, details: { role: role.name } })
  return created
}

/** The role of new people, unless another is chosen. */
export async function requireDefaultRole(db: Executor): Promise<Role> {
  const id = await findSetting(db, { name: 'defaultRoleId' })
  const role = id === undefined ? undefined : await findRole(db, { id })
  if (!role) throw new Error('the default role does not exist')
  return role
}

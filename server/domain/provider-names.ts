// What a person whom an identity provider names is called here.
import { nameFault } from './names.ts'
import type { Claims } from './role-rules.ts'

const LONGEST = 20
const SHORTEST = 3

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Folded to the characters and the length that user names have here; empty if nothing is left of it. */
function folded(text: string): string {
  // Some providers name people by their addresses.
  const [local = ''] = text.split('@')
  const plain = local
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
    .slice(0, LONGEST)
  return plain === '' || plain.length >= SHORTEST ? plain : `${plain}-user`
}

/** The user name that the provider prefers, as it would be here: a person who has it may be the same one. */
export const preferredUsername = (claims: Claims): string => folded(textOf(claims['preferred_username']))

/** The user name to give, unless it is taken. */
export const usernameFrom = (claims: Claims): string =>
  preferredUsername(claims) ||
  folded(textOf(claims['nickname'])) ||
  folded(textOf(claims['email'])) ||
  folded(textOf(claims['name'])) ||
  'user'

/** `ada`, `ada-2`, `ada-3` … never too long. */
export const numbered = (name: string, number: number): string =>
  number === 1 ? name : `${name.slice(0, LONGEST - String(number).length - 1)}-${number}`

/** The first of what the provider says that is a sound name here; else the user name. */
export function displayNameFrom(claims: Claims, username: string): string {
  const full = `${textOf(claims['given_name'])} ${textOf(claims['family_name'])}`.trim()
  const names = [
    textOf(claims['name']),
    full,
    textOf(claims['nickname']),
    textOf(claims['preferred_username']),
  ]
  const sound = names
    .map((name) => name.replaceAll(/\s+/g, ' ').slice(0, 100).trim())
    .find((name) => name.length >= SHORTEST && nameFault(name) === undefined)
  return sound ?? username
}

/** The address that the provider names, verified or not: enough to ask for proof, and for nothing else. */
export function claimedEmail(claims: Claims): string | null {
  const email = textOf(claims['email'])
  const isSound = email.length <= 254 && /^[^\s@<>]+@[^\s@<>]+$/.test(email) && nameFault(email) === undefined
  return isSound ? email : null
}

/** An address that the provider does not call unverified; some say so in a text. */
export const emailFrom = (claims: Claims): string | null =>
  ['false', false].includes(claims['email_verified'] as string | boolean) ? null : claimedEmail(claims)

/** Whether the provider says that the address is the person's; some say so in a text. */
export const emailIsVerified = (claims: Claims): boolean =>
  ['true', true].includes(claims['email_verified'] as string | boolean)

/** How the person recognises the identity: their name there, or their address. */
export const labelFrom = (claims: Claims, subject: string): string => {
  const names = [claims['preferred_username'], claims['email'], claims['name']].map(textOf)
  const sound = names
    .map((name) => name.slice(0, 100))
    .find((name) => name !== '' && nameFault(name) === undefined)
  return sound ?? subject.slice(0, 100)
}

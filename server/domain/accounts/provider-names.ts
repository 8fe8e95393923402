// The user name and display name of a person who comes from an identity provider.

import type { Claims } from '../access/role-rules.ts'
import { unaccented } from '../text/fold.ts'
import { nameFault } from '../text/names.ts'

const LONGEST = 20
const SHORTEST = 3

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Reduced to the characters and the length that user names have here; empty if nothing is left. */
function folded(text: string): string {
  // Some providers use addresses as names.
  const [local = ''] = text.split('@')
  const plain = unaccented(local)
    .replaceAll('ß', 'ss')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
    .slice(0, LONGEST)
  return plain === '' || plain.length >= SHORTEST ? plain : `${plain}-user`
}

/** The provider's preferred user name in our form: a person who has this name here may be the same one. */
export const preferredUsername = (claims: Claims): string => folded(textOf(claims['preferred_username']))

/** The user name to assign, unless it is taken. */
export const usernameFrom = (claims: Claims): string =>
  preferredUsername(claims) ||
  folded(textOf(claims['nickname'])) ||
  folded(textOf(claims['email'])) ||
  folded(textOf(claims['name'])) ||
  'user'

/** `ada`, `ada-2`, `ada-3` … never too long. */
export const numbered = (name: string, number: number): string =>
  number === 1 ? name : `${name.slice(0, LONGEST - String(number).length - 1)}-${number}`

/** The first of the provider's names that is valid here, otherwise the user name. */
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

/** The address from the provider, verified or not: only good for asking the person to verify it. */
export function claimedEmail(claims: Claims): string | null {
  const email = textOf(claims['email'])
  const isSound = email.length <= 254 && /^[^\s@<>]+@[^\s@<>]+$/.test(email) && nameFault(email) === undefined
  return isSound ? email : null
}

/** The address, unless the provider says that it is unverified; some providers use a text for that. */
export const emailFrom = (claims: Claims): string | null =>
  ['false', false].includes(claims['email_verified'] as string | boolean) ? null : claimedEmail(claims)

/** Whether the provider says that the address is verified; some providers use a text for that. */
export const emailIsVerified = (claims: Claims): boolean =>
  ['true', true].includes(claims['email_verified'] as string | boolean)

/** How the person recognizes the identity: their name at the provider, or their address. */
export const labelFrom = (claims: Claims, subject: string): string => {
  const names = [claims['preferred_username'], claims['email'], claims['name']].map(textOf)
  const sound = names
    .map((name) => name.slice(0, 100))
    .find((name) => name !== '' && nameFault(name) === undefined)
  return sound ?? subject.slice(0, 100)
}

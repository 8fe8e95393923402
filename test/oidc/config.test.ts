// The settings of an identity provider: how they are read, and which faults stop the start with one clear line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../server/base/config.ts'

const base = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'contrail' }
const oidcOf = (changes: Record<string, string>) => readConfig({ ...base, ...changes }).oidc!
const refused = (changes: Record<string, string>, message: RegExp, what?: string) =>
  assert.throws(
    () => oidcOf(changes),
    (error) => error instanceof ConfigError && message.test(error.message),
    what,
  )

test('OIDC_ROLES is read as an ordered list of rules', () => {
  const rules = [
    { claim: '/groups', contains: 'flyers', role: 'Family' },
    { claim: '/realm_access/roles', contains: 'pilots', role: 'User' },
  ]
  assert.deepEqual(oidcOf({ OIDC_ROLES: JSON.stringify(rules) }).roles, rules)
  assert.deepEqual(oidcOf({ OIDC_ROLES: '[]' }).roles, [])
  assert.deepEqual(oidcOf({}).roles, [])
})

test('a faulty OIDC_ROLES is refused, not skipped', () => {
  const rule = { claim: '/groups', contains: 'flyers', role: 'Family' }
  const wrong: [string, string][] = [
    ['no JSON', '[{claim: "/groups"}]'],
    ['cut off', JSON.stringify([rule]).slice(0, -1)],
    ['no list', JSON.stringify(rule)],
    ['an unknown key', JSON.stringify([{ ...rule, equals: 'flyers' }])],
    ['a key that is missing', JSON.stringify([{ claim: '/groups', role: 'Family' }])],
    ['no JSON Pointer', JSON.stringify([{ ...rule, claim: 'groups' }])],
    ['nothing to contain', JSON.stringify([{ ...rule, contains: '' }])],
    ['another type', JSON.stringify([{ ...rule, contains: true }])],
    ['one rule of two', JSON.stringify([rule, { ...rule, role: '' }])],
    ['too many', JSON.stringify(Array.from({ length: 101 }, () => rule))],
  ]
  for (const [what, text] of wrong)
    refused({ OIDC_ROLES: text }, /^OIDC_ROLES: must be a JSON list of rules/, what)
})

test('a provider needs a client id, and passwords can be off only with a provider', () => {
  const { OIDC_ISSUER } = base
  assert.throws(() => readConfig({ OIDC_ISSUER }), /OIDC_CLIENT_ID: is required/)
  assert.throws(() => readConfig({ OIDC_PASSWORDS: 'false' }), /OIDC_PASSWORDS: can be false only/)
})

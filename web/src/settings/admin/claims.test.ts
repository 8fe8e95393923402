import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimsIn } from './claims.ts'

test('claims are read as JSON or from an ID token', () => {
  const claims = { name: 'Åsa', groups: ['flyers'] }
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  assert.deepEqual(claimsIn(` ${JSON.stringify(claims)}\n`), claims)
  assert.deepEqual(claimsIn(`${part({ alg: 'RS256' })}.${part(claims)}.c2ln`), claims)
})

test('anything else is none', () => {
  for (const text of ['', '[]', '"text"', '12', 'a.b.c', '{', 'null']) assert.equal(claimsIn(text), undefined)
})

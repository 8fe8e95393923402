import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOwnPage, isUnreached } from './unreached.ts'

const answer = (status: number, type: string, more: Partial<Response> = {}) => ({
  status,
  type: 'basic' as const,
  redirected: false,
  headers: new Headers({ 'content-type': type }),
  ...more,
})
const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'

test('proxies without a server and networks that want a sign-in count as no connection', () => {
  for (const status of [502, 503, 504, 511, 520, 521, 530]) {
    assert.ok(isUnreached(answer(status, html)), String(status))
    assert.ok(isUnreached(answer(status, json)), String(status))
  }
  assert.ok(isUnreached(answer(200, html)), 'a portal that responds')
  assert.ok(isUnreached(answer(200, json, { redirected: true })), 'a portal that redirects')
  assert.ok(isUnreached(answer(0, '', { type: 'opaqueredirect' })), 'a redirect that is not followed')
  for (const status of [401, 403]) assert.ok(isUnreached(answer(status, html)), `${status} of a portal`)
})

test('what the server says counts, and what a proxy refuses', () => {
  for (const status of [200, 201, 304, 400, 401, 403, 404, 409, 412, 422, 429, 500])
    assert.equal(isUnreached(answer(status, json)), false, String(status))
  assert.equal(isUnreached(answer(413, html)), false, 'it would be refused again each time')
  assert.equal(isUnreached(answer(204, '')), false)
})

test("only the app's own page is kept as its page", () => {
  const page = '<!doctype html><title>Contrail</title><body><div id="app"></div>'
  assert.ok(isOwnPage(answer(200, html), page))
  assert.equal(isOwnPage(answer(200, html, { redirected: true }), page), false)
  assert.equal(isOwnPage(answer(503, html), page), false)
  assert.equal(isOwnPage(answer(200, html), '<title>Free Wi-Fi</title><div id="app"></div>'), false)
})

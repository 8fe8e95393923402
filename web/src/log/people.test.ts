// Whose flights: from the address to the loaded logs, and several logs as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogPayload } from '../api/flights-of-log.ts'
import { addressOf } from '../lib/address.ts'
import { flightsHref, fromQuery, isFiltered } from './filters.ts'
import { audiencesOf, peopleIn, peopleText, scopeIn, showsFlights, unionOf } from './people.ts'

const me = 'ada'

test('an address names no one, one person, several or everyone', () => {
  const cases: [string, ReturnType<typeof scopeIn>, string][] = [
    ['', { scope: 'mine' }, ''],
    ['ada', { scope: 'mine' }, ''],
    [',,', { scope: 'mine' }, ''],
    ['bo', { scope: 'user', userId: 'bo' }, 'bo'],
    ['bo,ada,bo', { scope: 'several', userIds: ['bo', 'ada'] }, 'bo,ada'],
    ['all', { scope: 'all' }, 'all'],
  ]
  for (const [people, scope, text] of cases) {
    assert.deepEqual(scopeIn(people, me), scope, people)
    assert.equal(peopleText(scope, me), text, people)
  }
})

test('each person is one log of the server, oneself always the own', () => {
  const of = (people: string) => audiencesOf(scopeIn(people, me), me)
  assert.deepEqual(of(''), [{ scope: 'mine' }])
  assert.deepEqual(of('all'), [{ scope: 'all' }])
  assert.deepEqual(of('bo,ada'), [{ scope: 'user', userId: 'bo' }, { scope: 'mine' }])
  assert.equal(peopleIn(scopeIn('all', me), me), null)
  assert.deepEqual(peopleIn(scopeIn('bo', me), me), ['bo'])
})

test('the screens with flights have people in their addresses', () => {
  for (const path of ['/', '/flights', '/countries', '/stats', '/stats/review', '/stats/compare'])
    assert.ok(showsFlights(path), path)
  for (const path of ['/flights/12', '/flights/new', '/settings', '/notices', '/statsx'])
    assert.ok(!showsFlights(path), path)
})

test('the choice of people is kept in links and is no filter', () => {
  assert.equal(flightsHref({ people: 'bo,ada', years: [2020] }), '/flights?people=bo,ada&year=2020')
  assert.equal(isFiltered(fromQuery(new URLSearchParams('people=bo,ada'))), false)
  assert.equal(addressOf('/', new URLSearchParams()), '/')
})

test('a flight that several people took is in their union once', () => {
  const log = (ids: number[], users: string[]): LogPayload =>
    ({
      of: users[0],
      flights: ids.map((id) => ({ id })),
      airports: Object.fromEntries(ids.map((id) => [id, { id }])),
      airlines: {},
      aircraft: {},
      users: Object.fromEntries(users.map((id) => [id, { displayName: id, username: id }])),
    }) as unknown as LogPayload
  const alone = log([1, 2], ['ada'])
  assert.equal(unionOf([alone]), alone)
  const both = unionOf([alone, log([2, 3], ['bo'])])
  assert.deepEqual([both.of, both.flights.map(({ id }) => id)], [null, [1, 2, 3]])
  assert.deepEqual(Object.keys(both.airports), ['1', '2', '3'])
  assert.deepEqual(Object.keys(both.users), ['ada', 'bo'])
})

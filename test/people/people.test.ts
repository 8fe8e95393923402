// People by name: whom a caller may know, whom a name means, and what a list shows of them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { messageOf } from '../../server/domain/reasons.ts'
import { principalFrom, scopeSet } from '../../server/services/access/principal.ts'
import {
  type KnownPeople,
  nameProblem,
  nearPeople,
  peopleKnownTo,
  resolvePersonName,
} from '../../server/services/reference/resolve/people.ts'
import { updatePerson } from '../../server/store/people/people.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

/** What a name means, in short: `user grace`, `guest Anna`, `unknown`, or the candidates. */
function meaning(known: KnownPeople, text: string, among?: 'companions'): string | string[] {
  const resolution = resolvePersonName(known, text, among)
  if (resolution.outcome === 'unknown') return 'unknown'
  if (resolution.outcome === 'ambiguous')
    return resolution.candidates.map(({ name, username }) => username ?? name)
  const { userId, username, name } = resolution.record
  return userId === null ? `guest ${name}` : `user ${username}`
}

const person = (username: string, name: string, flights = 0) => ({
  ...{ userId: `id-${username}`, username, name, flights },
})
const guest = (name: string, flights = 1) => ({ userId: null, name, flights })

const known: KnownPeople = {
  self: { userId: 'id-ada', name: 'Ada Lovelace', username: 'ada' },
  others: [
    guest('Grace', 9),
    guest('Anna Berg', 5),
    guest('anna  berg', 4),
    guest('Zoë', 3),
    person('grace', 'Grace Hopper', 2),
    person('j.doe', 'John Doe'),
    person('j-doe', 'Jane Doe'),
    person('ada2', 'Ada Byron'),
    person('mueller', 'Jürgen Müller'),
    guest('Jane'),
    guest('Tom Ford'),
    guest('Tom Hanks'),
    guest('🙂'),
  ],
}

test('an @user name is read first, then a whole name, then a part, and ambiguous names are asked about', () => {
  const expected: Record<string, string | string[]> = {
    me: 'user ada',
    I: 'user ada',
    ' Ich ': 'user ada',
    'id-grace': 'user grace',
    grace: ['grace', 'Grace'],
    '@GRACE': 'user grace',
    'Grace Hopper': 'user grace',
    'Grace Hopper (@grace)': 'user grace',
    Grace: ['grace', 'Grace'],
    GRACE: ['grace', 'Grace'],
    'Grace (guest)': 'guest Grace',
    'Nobody (guest)': 'unknown',
    'Jane Doe (guest)': 'unknown',
    'grace  hopper': 'user grace',
    'j.doe': 'user j.doe',
    'j-doe': 'user j-doe',
    'j doe': ['j.doe', 'j-doe'],
    Jane: ['j-doe', 'Jane'],
    Doe: ['j.doe', 'j-doe'],
    'Anna Berg': 'guest Anna Berg',
    Anna: 'guest Anna Berg',
    zoe: 'guest Zoë',
    'Juergen Mueller': 'user mueller',
    Tom: ['Tom Ford', 'Tom Hanks'],
    'Tom Hanks': 'guest Tom Hanks',
    '🙂': 'guest 🙂',
    '😀': 'unknown',
    Ada: ['ada', 'ada2'],
    ada: ['ada', 'ada2'],
    ada2: 'user ada2',
    Lovelace: 'user ada',
    '@ada': 'user ada',
    Linus: 'unknown',
    Hopper: 'user grace',
    Müller: 'user mueller',
    Hanks: 'guest Tom Hanks',
    Berg: 'guest Anna Berg',
    'Grase Hopper': 'unknown',
    '@linus': 'unknown',
    '@tom': 'unknown',
    Gracce: 'unknown',
    Annna: 'unknown',
    Tomm: 'unknown',
    Hoper: 'unknown',
    Muller: 'user mueller',
    Mueler: 'unknown',
    '': 'unknown',
  }
  for (const [text, who] of Object.entries(expected)) assert.deepEqual(meaning(known, text), who, text)
})

test('an ambiguous first name is not resolved by the number of common flights', () => {
  const two: KnownPeople = {
    ...known,
    others: [person('grace', 'Grace Hopper', 8), person('kelly', 'Grace Kelly')],
  }
  for (const name of ['Grace', 'grace', 'GRACE'])
    for (const among of [undefined, 'companions'] as const)
      assert.deepEqual(meaning(two, name, among), ['grace', 'kelly'], name)
  assert.deepEqual(
    ['Kelly', 'kelly', 'Hopper', '@grace', 'Grace Hopper (@grace)', 'Grace Kelly'].map((name) =>
      meaning(two, name),
    ),
    ['user kelly', 'user kelly', 'user grace', 'user grace', 'user grace', 'user kelly'],
  )
  const short: KnownPeople = { ...known, others: [...two.others, person('g', 'Grace')] }
  assert.deepEqual(meaning(short, 'GRACE'), ['grace', 'g'], 'a whole name, and a user name')
})

test('a companion is another person, also one with the same first name', () => {
  const twins: KnownPeople = { ...known, others: [person('byron', 'Ada Byron')] }
  assert.deepEqual(meaning(twins, 'Ada Byron'), 'user byron')
  assert.deepEqual(meaning(twins, 'Ada', 'companions'), 'user byron')
  const namesakes: KnownPeople = { ...twins, self: { ...known.self, username: 'lovelace' } }
  assert.deepEqual(meaning(namesakes, 'Ada'), ['lovelace', 'byron'])
})

test('errors about names list the possible people and the existing ones', () => {
  const wrong = (text: string) => {
    const resolution = resolvePersonName(known, text)
    assert.notEqual(resolution.outcome, 'found')
    return messageOf(nameProblem(known, text, resolution as Exclude<typeof resolution, { outcome: 'found' }>))
  }
  assert.equal(
    wrong('Jane'),
    '“Jane” may mean Jane Doe (@j-doe), Jane (guest); ask who is meant and write the name as it is here',
  )
  const meant = (text: string) => / Did you mean (.*?)\? /.exec(wrong(text))?.[1]
  assert.equal(meant('Grase'), 'Grace or Grace Hopper (@grace)')
  assert.equal(meant('Tomm'), 'Tom Ford or Tom Hanks', 'short names differ by a double letter too')
  for (const text of [
    'Grase Hopper',
    'Gracie Hopper',
    'Hopper, Grace',
    'Grace M. Hopper',
    'G. Hopper',
    'Hoppner',
  ])
    assert.equal(meant(text), 'Grace Hopper (@grace)', text)
  for (const text of ['Linus', 'Tim', 'Tom Hopper', 'Grace Kelly', 'Jana'])
    assert.equal(nearPeople(known, text).length, 0, text)
  assert.match(wrong('Linus'), /Known: Ada Lovelace \(@ada\), Grace, Anna Berg/)
})

onBothEngines('people', (app) => {
  const named = async (username: string, displayName: string): Promise<TestPerson> => {
    const made = await app().person()
    await app().store.transaction((tx) => updatePerson(tx, made.id, { username, displayName }))
    return { ...made, username, displayName }
  }

  const fly = async (
    key: string,
    date: string,
    passengers: Record<string, unknown>[],
    more: Record<string, unknown> = {},
  ) => {
    const body = {
      date,
      fromId: await app().airportId('CPH'),
      toId: await app().airportId('JFK'),
      passengers,
    }
    const reply = await app().request('POST', '/api/v1/flights', { key, body: { ...body, ...more } })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data
  }

  const list = async (key: string) => {
    const reply = await app().request('GET', '/api/v1/people', { key })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.json.page, { nextCursor: null })
    return reply.json.data as { id: string | null; username: string | null; name: string }[]
  }

  before(() => app().clock.set('2026-06-15T12:00:00Z'))

  test('people on the caller’s flights are listed with the last flight; others only if the scope allows', async () => {
    const ada = await named('ada', 'Ada Lovelace')
    const grace = await named('grace', 'Grace Hopper')
    const linus = await named('linus', 'Linus Torvalds')
    const full = await ada.key()
    const own = { userId: ada.id }
    await fly(full, '2026-03-02', [own, { userId: grace.id }, { guestName: 'Anna' }])
    await fly(full, '2026-04-01', [own, { userId: grace.id }], { datePrecision: 'month' })
    await fly(full, '2026-12-24', [own, { userId: grace.id }])
    await fly(full, '2026-05-05', [own, { userId: grace.id }, { guestName: 'Tim' }], { outcome: 'cancelled' })
    await fly(await linus.key(), '2026-01-01', [{ userId: linus.id }, { guestName: 'Secret' }])
    const narrow = await ada.key(['flight.read.own'])
    const withAda = [
      { id: grace.id, username: 'grace', name: 'Grace Hopper', flights: 2, lastDate: '2026-04', upcoming: 1 },
      { id: null, username: null, name: 'Anna', flights: 1, lastDate: '2026-03-02', upcoming: 0 },
      { id: null, username: null, name: 'Tim', flights: 0, lastDate: null, upcoming: 0 },
    ]
    assert.deepEqual(await list(narrow), withAda)
    const all = await list(full)
    assert.deepEqual(all.slice(0, 2), withAda.slice(0, 2))
    assert.ok(all.some(({ id, name }) => id === linus.id && name === 'Linus Torvalds'))
    assert.ok(!all.some(({ name, id }) => name === 'Secret' || id === ada.id))
    // A scope beyond the role permits nothing.
    const plain = await app().person(['flight.read.own'])
    assert.deepEqual(await list(await plain.key()), [])
    const without = await ada.key(['users.directory.read'])
    assert.equal((await app().request('GET', '/api/v1/people', { key: without })).status, 403)
    assert.equal((await app().request('GET', '/api/v1/people?x=1', { key: narrow })).status, 400)
  })

  test('a person unknown to the caller is not confirmed by any of their names', async () => {
    const reader = await named('reader', 'Rita Reader')
    const hidden = await named('hidden', 'Hilda Hidden')
    const { store } = app()
    const knownTo = async (scopes: Scope[]) =>
      peopleKnownTo({
        db: store.read,
        principal: {
          ...principalOf(reader),
          scopes: scopeSet(JSON.stringify(scopes)),
        },
      })
    const few = await knownTo(['flight.read.own'])
    for (const name of [hidden.id, 'hidden', '@hidden', 'Hilda Hidden', 'Hilda'])
      assert.deepEqual(meaning(few, name), 'unknown', name)
    assert.doesNotMatch(messageOf(nameProblem(few, 'Hilde', { outcome: 'unknown' })), /Hilda/)
    const many = await knownTo(['flight.read.own', 'users.directory.read'])
    for (const name of [hidden.id, 'hidden', '@hidden', 'Hilda Hidden', 'Hilda'])
      assert.deepEqual(meaning(many, name), 'user hidden', name)
  })
})

const principalOf = ({ id, username, displayName }: TestPerson) =>
  principalFrom(
    {
      ...{ userId: id, username, displayName, roleId: 'role-user', roleName: 'User', isOwner: 0 },
      ...{ permissions: '["flight.read.own","users.directory.read"]', epoch: 0 },
      ...{ flightsRevision: 0, namesRevision: 0, presentationRevision: 0, referenceRevision: 0 },
    },
    { kind: 'apiKey', credentialId: 1, scopes: new Set() },
  )

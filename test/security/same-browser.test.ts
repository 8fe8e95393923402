// A browser has one session: a sign-in there ends the previous one, a failed attempt does not.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { onBothEngines, type Reply, type TestPerson } from '../harness.ts'

const PASSWORD = 'kitty hawk'
const sessionIn = (reply: Reply): string =>
  reply.headers['set-cookie']!.find((line) => line.startsWith('contrail='))!.split(';')[0]!

onBothEngines('signing in again in the same browser', (app) => {
  let hash: string
  before(async () => {
    hash = await hashPassword(PASSWORD)
  })
  const someone = async (): Promise<TestPerson> => {
    const who = await app().person()
    await app().store.transaction((tx) => updatePassword(tx, who.id, hash))
    return who
  }
  const signIn = (who: TestPerson, cookie?: string, password = PASSWORD) =>
    app().request('POST', '/app/api/sign-in', {
      cookie,
      body: { username: who.username, password },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
  const nameIn = async (cookie: string) =>
    (await app().request('GET', '/app/api/session', { cookie })).json.data.user?.username
  const eventsOf = async (cookie: string): Promise<string[]> => {
    const { json } = await app().request('GET', '/app/api/audit/mine', { cookie })
    return json.data.map(({ kind }: { kind: string }) => kind)
  }

  test('signing in again replaces the session of this browser and keeps those elsewhere', async () => {
    const ada = await someone()
    const elsewhere = await ada.session()
    const first = sessionIn(await signIn(ada))
    const second = sessionIn(await signIn(ada, first))
    assert.deepEqual(
      [await nameIn(first), await nameIn(second), await nameIn(elsewhere)],
      [undefined, ada.username, ada.username],
    )
    assert.deepEqual((await eventsOf(second)).slice(0, 3), ['sign-in', 'sign-out', 'sign-in'])
  })

  test('another person’s sign-in ends the first one’s session, and the audit trail records it', async () => {
    const [ada, bob] = [await someone(), await someone()]
    const [first, elsewhere] = [sessionIn(await signIn(ada)), await ada.session()]
    const second = sessionIn(await signIn(bob, first))
    assert.deepEqual([await nameIn(first), await nameIn(second)], [undefined, bob.username])
    assert.deepEqual((await eventsOf(elsewhere)).slice(0, 2), ['sign-out', 'sign-in'])
    assert.deepEqual(await eventsOf(second), ['sign-in'])
  })

  test('a failed attempt ends no session, and an invalid cookie is ignored', async () => {
    const [ada, bob] = [await someone(), await someone()]
    const cookie = sessionIn(await signIn(ada))
    assert.equal((await signIn(bob, cookie, 'wrong')).status, 401)
    assert.equal(await nameIn(cookie), ada.username)
    for (const odd of ['contrail=', 'contrail=nonsense', `contrail=cak_${'a'.repeat(40)}`])
      assert.equal((await signIn(bob, odd)).status, 204)
    assert.equal(await nameIn(cookie), ada.username)
  })

  test('an accepted invitation ends the session of the person before', async () => {
    const owner = await app().person('role-administrator')
    const ada = await someone()
    const invited = await app().request('POST', '/app/api/invitations', { cookie: await owner.session() })
    assert.equal(invited.status, 201, invited.text)
    const token = new URL(invited.json.data.url).pathname.split('/').at(-1)
    const cookie = sessionIn(await signIn(ada))
    const body = { token, username: `new-${ada.username}`.slice(0, 20), displayName: 'New' }
    const reply = await app().request('POST', '/app/api/invitations/accept', {
      cookie,
      body: { ...body, password: 'a long new password' },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(reply.status, 204, reply.text)
    assert.deepEqual([await nameIn(cookie), await nameIn(sessionIn(reply))], [undefined, body.username])
  })
})

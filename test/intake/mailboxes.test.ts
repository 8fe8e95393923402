// Mailboxes, through the API and with a real IMAP server: errors of wrong entries, which messages are read, which are never
// changed, and that none is read twice.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createInstanceSecret } from '../../server/base/secret/instance-secret.ts'
import { MAILBOXES_PER_PERSON } from '../../server/domain/intake/intake.ts'
import { MINUTE } from '../../server/domain/time/durations.ts'
import { createIntake } from '../../server/process/intake.ts'
import { assertError } from '../fixtures.ts'
import { onBothEngines, type Reply, startTestApp, type TestPerson } from '../harness.ts'
import { type Dovecot, startDovecot, withoutDovecot } from './dovecot.ts'
import { type ImapHost, startImapHost } from './imap-host.ts'
import { confirmation, newsletter } from './mails.ts'

onBothEngines('mailboxes', (app, engine) => {
  let server: Dovecot
  let ada: TestPerson
  let key: string
  let cookie: string
  let folder = 0
  let entry: Record<string, unknown>

  before(async () => {
    if (!withoutDovecot) server = await startDovecot()
  })
  after(() => server?.stop())
  beforeEach(async () => {
    await app().store.transaction((tx) => tx.execute('delete from mailbox'))
    ada = await app().person()
    key = await ada.key()
    cookie = await ada.session()
    if (!server) return
    const { host, port, user, password } = server
    entry = { host, port, user, password, folder: `Trips${++folder}` }
    // Long before, so that it is read only on request.
    server.deliver(String(entry['folder']), newsletter, new Date('2026-01-01T00:00:00Z'))
  })

  const send = (method: string, path: string, body?: unknown) =>
    app().request(method, `/app/api${path}`, { cookie, ...(body === undefined ? {} : { body }) })
  const added = async (more: object = {}): Promise<Reply['json']> => {
    const reply = await send('POST', '/mailboxes', { ...entry, ...more })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data
  }
  const deliver = (mail: string, at?: Date) => server.deliver(String(entry['folder']), mail, at)
  const readDue = () => createIntake(app().services, app().services.log).readDue()
  const later = async () => {
    app().clock.advance(10 * MINUTE)
    await readDue()
  }
  const only = async (): Promise<Reply['json']> => (await send('GET', '/mailboxes')).json.data[0]
  const flights = async (): Promise<string[]> =>
    (await app().request('GET', '/api/v1/flights', { key })).json.data
      .map(({ date, flightNumber }: Reply['json']) => `${date} ${flightNumber}`)
      .sort()
  const notices = async (): Promise<Reply['json'][]> => (await send('GET', '/notices')).json.data
  const imports = async (): Promise<Reply['json'][]> =>
    (await app().request('GET', '/api/v1/imports', { key })).json.data
  const own = (more: object = {}) => confirmation({ traveller: ada.displayName, ...more })

  test('a confirmation in one’s own name is imported with a notice and an undo, and no flag is set', {
    skip: withoutDovecot,
  }, async () => {
    const made = await added()
    assert.deepEqual(
      [made.host, made.user, made.folder, made.security, made.status, made.problem],
      ['127.0.0.1', 'ada', entry['folder'], 'none', 'active', null],
    )
    assert.equal('password' in made, false)
    deliver(own())
    deliver(newsletter.replace('less', 'nothing'))
    const before = server.files(String(entry['folder']))
    await readDue()
    assert.deepEqual(await flights(), ['2026-07-20 SK909'])
    const [notice, ...more] = await notices()
    assert.deepEqual(more, [])
    const { importId, ...said } = notice.data
    assert.deepEqual(said, {
      way: 'mailbox',
      name: 'ada@127.0.0.1',
      sender: null,
      created: 1,
      waiting: 0,
      status: 'committed',
    })
    assert.equal((await only()).messages, 2)
    assert.equal((await imports()).length, 1, 'a newsletter leaves no import')
    assert.deepEqual(server.files(String(entry['folder'])), before, 'nothing is marked or moved')
    await later()
    assert.deepEqual([(await only()).messages, (await notices()).length], [2, 1])
    const undone = await app().request('POST', `/api/v1/imports/${importId}/undo`, { key })
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(await flights(), [])
    // The same flight in another mail: an undone flight is not imported again automatically.
    deliver(confirmation({ traveller: ada.displayName }, 'A reminder'))
    await later()
    assert.deepEqual(await flights(), [])
    assert.deepEqual([(await notices()).length, (await notices())[0].data.waiting], [2, 1])
  })

  test('a confirmation in another’s name, without a name or on hold is pending', {
    skip: withoutDovecot,
  }, async () => {
    await added()
    deliver(confirmation({ traveller: null }))
    await readDue()
    deliver(confirmation({ traveller: ada.displayName, status: 'ReservationHold', number: '911' }))
    await later()
    assert.deepEqual(await flights(), [])
    assert.deepEqual(
      (await notices()).map(({ data }) => [data.created, data.waiting]),
      [
        [0, 1],
        [0, 1],
      ],
    )
    deliver(confirmation({ traveller: 'Zacharias Quux', number: '913' }))
    await later()
    assert.deepEqual(await flights(), [])
  })

  test('only new messages are read, or as many days back as requested', {
    skip: withoutDovecot,
  }, async () => {
    const day = 86_400_000
    deliver(own({ number: '901' }), new Date(app().clock.now() - 30 * day))
    deliver(own({ number: '902' }), new Date(app().clock.now() - 5 * day))
    const { id } = await added()
    await readDue()
    assert.deepEqual(await flights(), [])
    assert.equal((await send('DELETE', `/mailboxes/${id}`)).status, 204)
    await added({ days: 10 })
    await readDue()
    assert.deepEqual(await flights(), ['2026-07-20 SK902'])
    assert.equal((await only()).messages, 1)
  })

  test('faults of host, port, certificate, login and folder are reported', {
    skip: withoutDovecot,
  }, async () => {
    const cases: [object, string, string][] = [
      [{ host: 'nowhere.invalid' }, 'host', 'intake_name_not_found'],
      [{ host: '10.0.0.1' }, 'host', 'intake_address_refused'],
      [{ host: '169.254.169.254' }, 'host', 'intake_address_refused'],
      [{ host: `${entry['host']}:${entry['port']}` }, 'host', 'mail_host_form'],
      [{ host: '192.0.2.1', security: 'none' }, 'host', 'intake_address_refused'],
      [{ host: '1.1.1.1', security: 'none' }, 'security', 'mail_encryption_required'],
      [{ port: 1 }, 'port', 'intake_no_connection'],
      [{ port: server.tlsPort, security: 'tls' }, 'host', 'intake_certificate_invalid'],
      [{ security: 'starttls' }, 'host', 'intake_certificate_invalid'],
      [{ security: 'tls' }, 'port', 'intake_encryption_missing'],
      [{ password: 'wrong' }, 'user', 'intake_login_refused'],
      [{ folder: 'Nothing' }, 'folder', 'intake_folder_not_found'],
    ]
    for (const [more, field, reason] of cases) {
      const reply = await send('POST', '/mailboxes', { ...entry, ...more })
      assert.equal(reply.status, 422, reply.text)
      const [detail] = reply.json.error.details
      assert.deepEqual([detail.path, detail.reason], [[field], reason], JSON.stringify(more))
    }
    assert.deepEqual((await send('GET', '/mailboxes')).json.data, [])
  })

  test('adding the same folder again replaces the password and keeps the position', {
    skip: withoutDovecot,
  }, async () => {
    const { id } = await added()
    deliver(own())
    await readDue()
    const secret = createInstanceSecret({ secretKey: 'x'.repeat(40), dataDir: '/nowhere' })
    const services = { ...app().services, secret }
    app().clock.advance(10 * MINUTE)
    await createIntake(services, services.log).readDue()
    assert.deepEqual([(await only()).status, (await only()).problem], ['suspended', 'secret_unreadable'])
    const [notice] = await notices()
    assert.deepEqual(
      [notice.kind, notice.data.what, notice.data.because],
      ['intake.stopped', 'mailbox', 'secret_unreadable'],
    )
    const again = await send('POST', '/mailboxes', entry)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual([again.json.data.id, again.json.data.status], [id, 'active'])
    await later()
    assert.equal((await only()).messages, 1, 'nothing is read a second time')
  })

  test('after renumbering by the server nothing is imported or reported twice', {
    skip: withoutDovecot,
  }, async () => {
    await added()
    deliver(own())
    await readDue()
    server.renumber(String(entry['folder']))
    deliver(own({ number: '911', day: '2026-07-27' }))
    await later()
    assert.deepEqual(await flights(), ['2026-07-20 SK909', '2026-07-27 SK911'])
    assert.equal((await notices()).length, 2)
  })

  test('a failing login is attempted less and less often', { skip: withoutDovecot }, async () => {
    const { id } = await added()
    await app().store.transaction((tx) => tx.execute(`update mailbox set username = 'bob' where id = ${id}`))
    await readDue()
    const failing = await only()
    assert.deepEqual([failing.status, failing.problem], ['failing', 'login_refused'])
    assert.equal(Date.parse(failing.nextCheckAt) - app().clock.now(), 20 * MINUTE)
    const checked = await send('POST', `/mailboxes/${id}/check`)
    assert.deepEqual([checked.status, checked.json.data.problem], [200, 'login_refused'])
    await app().store.transaction((tx) => tx.execute(`update mailbox set username = 'ada' where id = ${id}`))
    const fixed = await send('POST', `/mailboxes/${id}/check`)
    assert.deepEqual([fixed.json.data.status, fixed.json.data.problem], ['active', null])
  })

  test('two processes read a mailbox once, and a killed one leaves a lease that expires', {
    skip: withoutDovecot,
  }, async () => {
    const { id } = await added()
    deliver(own())
    await Promise.all([readDue(), readDue()])
    assert.equal((await only()).messages, 1)
    const until = new Date(app().clock.now() + 5 * MINUTE).toISOString()
    await app().store.transaction((tx) =>
      tx.execute(`update mailbox set lease = 'killed', lease_until = '${until}'`),
    )
    assertError(await send('POST', `/mailboxes/${id}/check`), 409, 'conflict')
    await later()
    assert.equal((await only()).status, 'active')
  })

  test('a kill between commit and saved position gives one flight and one notice', {
    skip: withoutDovecot,
  }, async () => {
    await added()
    deliver(own())
    await readDue()
    await app().store.transaction(async (tx) => {
      await tx.execute('update mailbox set last_uid = last_uid - 1')
      await tx.execute('delete from notice')
    })
    await later()
    assert.deepEqual(await flights(), ['2026-07-20 SK909'])
    assert.equal((await notices()).length, 1)
    await app().store.transaction((tx) => tx.execute('update mailbox set last_uid = last_uid - 1'))
    await later()
    assert.equal((await notices()).length, 1)
  })

  test('without the permission nothing is imported, and the mailbox reports it', {
    skip: withoutDovecot,
  }, async () => {
    await added()
    deliver(own())
    await app().store.transaction(async (tx) => {
      await tx.execute(
        `insert into role (id, name, name_folded, description, permissions, created_at, updated_at) values ('role-none-${ada.id}', 'None ${ada.id}', 'none ${ada.id}', null, '["flight.read.own"]', '2026-01-01', '2026-01-01')`,
      )
      await tx.execute(`update person set role_id = 'role-none-${ada.id}' where id = '${ada.id}'`)
    })
    await readDue()
    const [row] = await app().store.read.query('select status, problem, last_uid from mailbox', [])
    assert.deepEqual([row!['status'], row!['problem']], ['failing', 'access_lost'])
  })

  /** A mailbox at a host controlled by a test, with three confirmations in it. */
  async function atFakeHost(run: (host: ImapHost) => Promise<void>): Promise<void> {
    const host = await startImapHost()
    try {
      await added({
        host: '127.0.0.1',
        port: host.port,
        user: 'ada',
        password: 'x',
        folder: 'INBOX',
        days: 1,
      })
      host.messages = ['901', '902', '903'].map((number, index) => ({
        uid: index + 1,
        source: own({ number, day: `2026-07-0${index + 1}` }),
        at: new Date(app().clock.now()),
      }))
      await run(host)
    } finally {
      await host.close()
    }
  }
  const all = ['2026-07-01 SK901', '2026-07-02 SK902', '2026-07-03 SK903']

  test('a connection closed between two messages skips none', () =>
    atFakeHost(async (host) => {
      host.answered = (command, socket) => void (command.includes('BODY') && socket.destroy())
      await readDue()
      assert.deepEqual([(await only()).status, (await only()).problem], ['failing', 'connection_broken'])
      assert.ok((await flights()).length < 3)
      host.answered = () => {}
      app().clock.advance(60 * MINUTE)
      await readDue()
      assert.deepEqual(await flights(), all)
      assert.equal((await only()).status, 'active')
    }))

  test('a host that twice sends far too much is switched off, with a notice', () =>
    atFakeHost(async (host) => {
      host.intercept = (command, socket, tag) => {
        if (!command.startsWith('UID SEARCH')) return false
        socket.write(`${'* 1 FETCH (UID 1 FLAGS ())\r\n'.repeat(1_500)}* SEARCH 1\r\n${tag} OK done\r\n`)
        return true
      }
      await readDue()
      assert.deepEqual([(await only()).status, (await only()).problem], ['failing', 'too_large'])
      assert.deepEqual(await notices(), [])
      app().clock.advance(60 * MINUTE)
      await readDue()
      assert.deepEqual([(await only()).status, (await only()).problem], ['suspended', 'too_large'])
      const [{ kind, data }] = (await notices()) as [Reply['json']]
      assert.deepEqual([kind, data.because], ['intake.stopped', 'too_large'])
      const { length } = host.commands
      app().clock.advance(48 * 60 * MINUTE)
      await readDue()
      assert.equal(host.commands.length, length)
    }))

  test('a slow host does not delay other mailboxes', () =>
    atFakeHost(async (host) => {
      host.answered = (command) => void (command.includes('BODY') && app().clock.advance(11 * MINUTE))
      await readDue()
      assert.deepEqual([(await only()).messages, (await only()).status], [1, 'active'])
      assert.equal(Date.parse((await only()).nextCheckAt) - app().clock.now(), 10 * MINUTE)
      host.answered = () => {}
      await later()
      assert.deepEqual(await flights(), all)
    }))

  test('only the person who added a mailbox can delete it', () =>
    atFakeHost(async () => {
      const { id } = await only()
      const other = await (await app().person()).session()
      const refused = await app().request('DELETE', `/app/api/mailboxes/${id}`, { cookie: other })
      assertError(refused, 404, 'not_found')
      assert.equal((await send('DELETE', `/mailboxes/${id}`)).status, 204)
      assert.equal(await only(), undefined)
    }))

  test('attempts with wrong passwords and hosts are limited', async () => {
    const host = await startImapHost()
    try {
      const own = { host: '127.0.0.1', port: host.port, user: 'ada', password: 'x' }
      host.intercept = (command, socket, tag) => {
        if (!command.startsWith('LOGIN')) return false
        return socket.write(`${tag} NO [AUTHENTICATIONFAILED] no\r\n`)
      }
      for (let n = 0; n < 5; n++) {
        const reply = await send('POST', '/mailboxes', own)
        assert.equal(reply.status, 422, reply.text)
        const found = reply.json.error.details.map(({ path, reason }: Reply['json']) => [path[0], reason])
        assert.deepEqual(found, [
          ['user', 'intake_login_refused'],
          ['password', 'intake_login_refused'],
        ])
      }
      host.commands.length = 0
      const refused = await send('POST', '/mailboxes', own)
      assertError(refused, 429, 'too_many_requests')
      assert.ok(Number(refused.headers['retry-after']) > 0)
      assert.deepEqual(host.commands, [])
      // Other people are not delayed, and right passwords are not counted.
      host.intercept = () => false
      const bea = await (await app().person()).session()
      for (let n = 0; n < 8; n++) {
        const reply = await app().request('POST', '/app/api/mailboxes', { cookie: bea, body: own })
        assert.equal(reply.status, n === 0 ? 201 : 200, reply.text)
      }
      app().clock.advance(MINUTE + 1)
      assert.equal((await send('POST', '/mailboxes', own)).status, 201)
      const { id } = await only()
      const codes: number[] = []
      for (let n = 0; n < 31; n++) codes.push((await send('POST', `/mailboxes/${id}/check`)).status)
      assert.deepEqual([codes[0], codes.at(-3), codes.at(-1)], [200, 200, 429])
    } finally {
      await host.close()
    }
  })

  test('bad bodies get 422, bad queries 400, unknown ids 404, and API keys are refused', async () => {
    const bodies = [
      {},
      { host: 'imap.example.org', user: 'a' },
      { host: 'a b', user: 'a', password: 'b' },
      { host: 'imap.example.org', user: 'a', password: 'b', port: 0 },
      { host: 'imap.example.org', user: 'a', password: 'b', days: 9999 },
      { host: 'imap.example.org', user: 'a', password: 'b', security: 'ssl3' },
      { host: 'imap.example.org', user: 'a', password: 'b', more: true },
    ]
    for (const body of bodies) {
      assert.equal((await send('POST', '/mailboxes', body)).status, 422, JSON.stringify(body))
    }
    assert.equal((await send('GET', '/mailboxes?x=1')).status, 400)
    assert.equal((await send('POST', '/mailboxes?x=1', bodies[1])).status, 400)
    assert.equal((await send('POST', '/mailboxes/1/check?x=1')).status, 400)
    assert.equal((await send('DELETE', '/mailboxes/1?x=1')).status, 400)
    assertError(await send('POST', '/mailboxes/999999/check'), 404, 'not_found')
    assertError(await send('DELETE', '/mailboxes/999999'), 404, 'not_found')
    assert.equal((await app().request('GET', '/api/v1/mailboxes', { key })).status, 404)
    const { page } = (await send('GET', '/mailboxes')).json
    assert.deepEqual([page.available, page.max], [true, MAILBOXES_PER_PERSON])
  })

  test('mailboxes are private, limited in number and deleted with their person', {
    skip: withoutDovecot,
  }, async () => {
    const { id } = await added()
    const other = await (await app().person()).session()
    assert.deepEqual((await app().request('GET', '/app/api/mailboxes', { cookie: other })).json.data, [])
    assert.equal((await app().request('DELETE', `/app/api/mailboxes/${id}`, { cookie: other })).status, 404)
    for (let n = 1; n < MAILBOXES_PER_PERSON; n++) {
      server.deliver(`More${n}`, newsletter)
      await added({ folder: `More${n}` })
    }
    server.deliver('Yet', newsletter)
    const refused = await send('POST', '/mailboxes', { ...entry, folder: 'Yet' })
    assertError(refused, 409, 'conflict')
    assert.equal(refused.json.error.reason, 'too_many_mailboxes')
    await app().store.transaction((tx) => tx.execute(`delete from person where id = '${ada.id}'`))
    assert.deepEqual(await app().store.read.query('select id from mailbox', []), [])
  })

  test('the password is stored encrypted and never logged', { skip: withoutDovecot }, async () => {
    await added()
    deliver(own())
    await readDue()
    const rows = JSON.stringify(await app().store.read.query('select * from mailbox', []))
    assert.ok(!rows.includes(server.password))
    assert.ok(!app().logged.some((line) => line.includes(server.password) || line.includes('Q7RT2M')))
  })

  test('no mailbox can be added if mailboxes are switched off', async () => {
    const off = await startTestApp(engine, { mailboxes: false })
    try {
      const bea = await (await off.person()).session()
      const body = { host: 'imap.example.org', user: 'a', password: 'b' }
      const reply = await off.request('POST', '/app/api/mailboxes', { cookie: bea, body })
      assertError(reply, 403, 'forbidden')
      assert.equal(reply.json.error.reason, 'mailboxes_off')
      const listed = await off.request('GET', '/app/api/mailboxes', { cookie: bea })
      assert.equal(listed.json.page.available, false)
    } finally {
      await off.close()
    }
  })
})

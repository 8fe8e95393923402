// Forwarded mails over real SMTP connections: who may send to whom, what is refused, and what is imported.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'
import { MAIL_BYTES_AT_MOST } from '../../server/domain/intake/intake.ts'
import { startMailIn } from '../../server/process/mail-in.ts'
import { assertError } from '../fixtures.ts'
import { onBothEngines, type Reply, startTestApp, type TestPerson, testOnSqlite } from '../harness.ts'
import { until } from '../until.ts'
import { firstCertificate, secondCertificate } from './certificates.ts'
import { boardingPass, confirmation, newsletter } from './mails.ts'

const domain = 'in.example.org'

onBothEngines(
  'forwarded mails',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    let listener: Awaited<ReturnType<typeof startMailIn>>
    let ada: TestPerson
    let key: string
    let cookie: string
    before(async () => {
      const { services } = app()
      listener = await startMailIn(services, services.log, { host: '127.0.0.1', port: 0, domain })
    })
    after(() => listener?.stop())
    beforeEach(async () => {
      // Limits are per minute.
      app().clock.advance(61_000)
      ada = await app().person()
      key = await ada.key()
      cookie = await ada.session()
    })

    const send = (method: string, path: string, body?: unknown) =>
      app().request(method, `/app/api${path}`, { cookie, ...(body === undefined ? {} : { body }) })
    const addressOf = async (senders: string[] = []): Promise<string> => {
      const reply = await send('POST', '/mail-address')
      assert.equal(reply.status, 200, reply.text)
      if (senders.length > 0) assert.equal((await send('PUT', '/mail-address', { senders })).status, 200)
      return reply.json.data.address
    }
    /** The code of the response. */
    async function mail(
      from: string,
      to: string | string[],
      raw: string | Buffer,
      port = listener.port,
    ): Promise<number> {
      const client = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
      try {
        await client.sendMail({ envelope: { from, to }, raw })
        return 250
      } catch (error) {
        return (error as { responseCode?: number }).responseCode ?? 0
      } finally {
        client.close()
      }
    }
    const flights = async (): Promise<string[]> =>
      (await app().request('GET', '/api/v1/flights', { key })).json.data.map(
        ({ date, flightNumber }: Reply['json']) => `${date} ${flightNumber}`,
      )
    const notices = async (): Promise<Reply['json'][]> => (await send('GET', '/notices')).json.data
    const own = () => confirmation({ traveller: ada.displayName })

    test('a mail from one’s own address is imported with a notice', async () => {
      const to = await addressOf(['Ada@Example.org'])
      assert.match(to, /^import\+[a-z2-7]{20}@in\.example\.org$/)
      // A forwarding service adds its mark after a plus.
      assert.equal(await mail('ada+caf_=x@example.org', to.toUpperCase(), own()), 250)
      assert.deepEqual(await flights(), ['2026-07-20 SK909'])
      const [notice] = await notices()
      const { importId: _, ...said } = notice.data
      assert.deepEqual(said, {
        way: 'mail',
        name: '',
        sender: null,
        created: 1,
        waiting: 0,
        status: 'committed',
      })
      const { data } = (await send('GET', '/mail-address')).json
      assert.deepEqual([data.messages, data.senders, data.available], [1, ['ada@example.org'], true])
      // The same mail is the same import.
      assert.equal(await mail('ada@example.org', to, own()), 250)
      assert.equal((await notices()).length, 1)
      assert.equal((await flights()).length, 1)
    })

    test('a mail from an unknown sender is pending, and the notice names the sender', async () => {
      const to = await addressOf(['ada@example.org'])
      assert.equal(await mail('stranger@elsewhere.example', to, own()), 250)
      assert.deepEqual(await flights(), [])
      const [notice] = await notices()
      assert.deepEqual(
        [notice.data.sender, notice.data.created, notice.data.waiting],
        ['stranger@elsewhere.example', 0, 1],
      )
      assert.equal(await mail('', to, newsletter), 250)
      assert.equal((await notices()).length, 1)
    })

    test('a boarding pass without a year is pending until the person has chosen the year', async () => {
      const to = await addressOf(['ada@example.org'])
      const [first, last] = ada.displayName.split(' ')
      assert.equal(await mail('ada@example.org', to, boardingPass(`${last}/${first}`)), 250)
      assert.deepEqual(await flights(), [])
      const [notice] = await notices()
      assert.deepEqual([notice.data.created, notice.data.waiting], [0, 1])
      const path = `/imports/${notice.data.importId}`
      const answers = [{ kind: 'year_assumed', value: 'passes', id: '2025' }]
      assert.equal((await send('PATCH', path, { answers })).status, 200)
      assert.equal((await send('POST', `${path}/commit`, {})).status, 200)
      assert.deepEqual(await flights(), ['2025-07-01 SK1416'])
    })

    /** The value of one series. */
    const metric = async (series: string): Promise<number> => {
      const { text } = await app().request('GET', '/metrics')
      const line = text.split('\n').find((one) => one.startsWith(`${series} `))
      return Number(line?.split(' ')[1])
    }

    test('mails are counted, refused ones by reason', async () => {
      const taken = 'contrail_mails_taken_total{way="mail"}'
      const unknown = 'contrail_mails_refused_total{reason="unknown_recipient"}'
      const failed = 'contrail_mails_refused_total{reason="failed"}'
      const counts = () => Promise.all([taken, unknown, failed].map(metric))
      const [mails, refused, failures] = (await counts()) as [number, number, number]
      const to = await addressOf()
      assert.equal(await mail('ada@example.org', to, newsletter), 250)
      assert.equal(await mail('ada@example.org', `import+x@${domain}`, newsletter), 550)
      assert.deepEqual(await counts(), [mails + 1, refused + 1, failures])
    })

    sqliteTest('only known recipients of one domain are accepted, without relaying', async () => {
      const to = await addressOf()
      const token = to.slice('import+'.length, to.indexOf('@'))
      for (const wrong of [
        `import+${token}x@${domain}`,
        `import+${token}@elsewhere.example`,
        `import@${domain}`,
        `${ada.username}@${domain}`,
        'someone@example.com',
      ]) {
        assert.equal(await mail('ada@example.org', wrong, newsletter), 550, wrong)
      }
      assert.equal(await mail('ada@example.org', to, newsletter), 250)
    })

    test('a new address ends the old one, and switching off ends it', async () => {
      const old = await addressOf(['ada@example.org'])
      const next = await addressOf()
      assert.notEqual(old, next)
      assert.deepEqual((await send('GET', '/mail-address')).json.data.senders, ['ada@example.org'])
      assert.equal(await mail('ada@example.org', old, newsletter), 550)
      assert.equal(await mail('ada@example.org', next, newsletter), 250)
      assert.equal((await send('DELETE', '/mail-address')).status, 204)
      assert.equal((await send('GET', '/mail-address')).json.data.address, null)
      assert.equal(await mail('ada@example.org', next, newsletter), 550)
      assertError(await send('DELETE', '/mail-address'), 404, 'not_found')
      assertError(await send('PUT', '/mail-address', { senders: [] }), 404, 'not_found')
    })

    test('clients that guess recipients are delayed, the owner is not', async () => {
      const to = await addressOf()
      const codes: number[] = []
      for (let n = 0; n < 12; n++)
        codes.push(await mail('x@y.example', `import+guess${n}@${domain}`, newsletter))
      assert.deepEqual([codes[0], codes.at(-1)], [550, 421])
      assert.equal(await mail('ada@example.org', to, newsletter), 250)
    })

    sqliteTest('large mails and unsupported commands are refused', async () => {
      const to = await addressOf()
      const large = Buffer.concat([Buffer.from(newsletter), Buffer.alloc(MAIL_BYTES_AT_MOST + 1, 'a\r\n')])
      assert.equal(await mail('ada@example.org', to, large), 552)
      const said = await talk(listener.port, [
        'EHLO me',
        'AUTH PLAIN AGEAYg==',
        'STARTTLS',
        'VRFY ada',
        'QUIT',
      ])
      assert.doesNotMatch(said[1]!, /AUTH|STARTTLS/)
      assert.match(said[1]!, new RegExp(`SIZE ${MAIL_BYTES_AT_MOST}`))
      assert.match(said[2]!, /^5/)
      assert.match(said[3]!, /^5/)
    })

    describe('forwarded mails with a certificate', () => {
      const folder = mkdtempSync(join(process.env['TEST_SCRATCH']!, 'certificate-'))
      const files = { cert: join(folder, 'mail.pem'), key: join(folder, 'mail.key') }
      const put = ({ cert, key }: typeof firstCertificate) => {
        writeFileSync(files.cert, cert)
        writeFileSync(files.key, key)
      }
      let encrypting: typeof listener
      before(async () => {
        put(firstCertificate)
        const { services } = app()
        const where = { host: '127.0.0.1', port: 0, domain, tls: files, tlsEveryMs: 20 }
        encrypting = await startMailIn(services, services.log, where)
      })
      after(() => encrypting?.stop())
      /** Only over TLS, and only with this certificate. */
      const deliver = async (to: string, { cert }: typeof firstCertificate) => {
        const tls = { ca: cert, servername: domain }
        const client = createTransport({ host: '127.0.0.1', port: encrypting.port, requireTLS: true, tls })
        try {
          await client.sendMail({ envelope: { from: 'ada@example.org', to }, raw: own() })
        } finally {
          client.close()
        }
      }

      sqliteTest('mails are accepted over TLS and without it', async () => {
        const to = await addressOf(['ada@example.org'])
        await deliver(to, firstCertificate)
        assert.deepEqual(await flights(), ['2026-07-20 SK909'])
        await assert.rejects(deliver(to, secondCertificate), /certificate/)
        assert.equal(await mail('ada@example.org', to, newsletter, encrypting.port), 250)
        assert.match((await talk(encrypting.port, ['EHLO me', 'QUIT']))[1]!, /STARTTLS/)
      })

      sqliteTest('commands sent before encryption began are discarded', async () => {
        const to = await addressOf(['ada@example.org'])
        const plain = connect(encrypting.port, '127.0.0.1').on('error', () => {})
        const heard = async (from: Socket): Promise<string> => String((await once(from, 'data'))[0])
        await heard(plain)
        plain.write('EHLO me\r\n')
        assert.match(await heard(plain), /STARTTLS/)
        plain.write('STARTTLS\r\nMAIL FROM:<ada@example.org>\r\n')
        assert.match(await heard(plain), /^220 /)
        const encrypted = connectTls({ socket: plain, ca: firstCertificate.cert, servername: domain })
        await once(encrypted, 'secureConnect')
        encrypted.write('EHLO me\r\n')
        assert.match(await heard(encrypted), /^250-/)
        encrypted.write(`RCPT TO:<${to}>\r\n`)
        assert.match(await heard(encrypted), /^503 /)
        encrypted.destroy()
      })

      sqliteTest('a renewed certificate is used, and an unreadable one changes nothing', async () => {
        const to = await addressOf()
        /** The files are checked once a minute. */
        const later = (what: string, isSo: () => Promise<boolean>) =>
          until(what, async () => {
            app().clock.advance(61_000)
            return isSo()
          })
        const delivered = (certificate: typeof firstCertificate) => () =>
          deliver(to, certificate).then(
            () => true,
            () => false,
          )
        const logged = (line: RegExp) => async () => line.test(app().logged.join())
        put(secondCertificate)
        await later('the second certificate is used', delivered(secondCertificate))
        writeFileSync(files.key, 'not a key')
        await later('the key is refused', logged(/MAIL_IN_TLS_KEY: .* is not a private key/))
        await deliver(to, secondCertificate)
        // Checked while its chain is being written.
        const half = firstCertificate.cert + secondCertificate.cert.slice(0, 200)
        put({ cert: half, key: firstCertificate.key })
        await later('the chain is refused', logged(/MAIL_IN_TLS_CERT: .* cannot be used for/))
        await deliver(to, secondCertificate)
        put(firstCertificate)
        await later('the first certificate is used', delivered(firstCertificate))
      })
    })

    sqliteTest('connections per address are limited, and a refused one frees no place', async () => {
      const { services } = app()
      const fresh = await startMailIn(services, services.log, { host: '127.0.0.1', port: 0, domain })
      const sockets: Socket[] = []
      const greeted = (count: number) =>
        Promise.all(
          Array.from({ length: count }, async () => {
            const socket = connect(fresh.port, '127.0.0.1').on('error', () => {})
            sockets.push(socket)
            const code = String((await once(socket, 'data'))[0]).slice(0, 3)
            if (code === '421') await once(socket, 'close')
            return code
          }),
        )
      try {
        assert.deepEqual((await greeted(7)).sort(), ['220', '220', '220', '220', '220', '421', '421'])
        assert.deepEqual(await greeted(2), ['421', '421'])
        assert.deepEqual(await greeted(2), ['421', '421'])
      } finally {
        for (const socket of sockets) socket.destroy()
        await fresh.stop()
      }
    })

    sqliteTest(
      'a mail is never read as a table, neither with NUL bytes nor with endless headers',
      async () => {
        const to = await addressOf(['ada@example.org'])
        const lines = Array.from(
          { length: 2_000 },
          (_, i) => `X-Line-${i}: 2026-01-0${(i % 9) + 1}, CPH, ARN`,
        )
        const table = 'Date,From,To\r\n2026-01-02,CPH,ARN\r\n2026-01-03,ARN,CPH\r\n'
        for (const raw of [`\0\0\0${own()}`, `${table}\0\0\0\r\n`, table, [...lines, own()].join('\r\n')])
          assert.equal(await mail('ada@example.org', to, raw), 250)
        assert.deepEqual(await flights(), [])
        assert.deepEqual(await notices(), [])
        assert.deepEqual((await app().request('GET', '/api/v1/imports', { key })).json.data, [])
      },
    )

    sqliteTest('a client is disconnected after ten invalid commands', async () => {
      const socket = connect(listener.port, '127.0.0.1').on('error', () => {})
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk
      })
      await once(socket, 'data')
      socket.write('NONSENSE\r\n'.repeat(50))
      await once(socket, 'close')
      const codes = heard
        .trim()
        .split('\r\n')
        .map((line) => line.slice(0, 3))
      assert.deepEqual(codes, ['220', ...Array(9).fill('500'), '421'])
    })

    sqliteTest('a client is disconnected after fifty commands without a mail', async () => {
      for (const command of ['NOOP', 'HELP', 'RSET', 'EHLO x', 'MAIL FROM:<a@example.org>']) {
        const socket = connect(listener.port, '127.0.0.1').on('error', () => {})
        let heard = ''
        socket.on('data', (chunk) => {
          heard += chunk
        })
        await once(socket, 'data')
        socket.write(`${command}\r\n`.repeat(500))
        await once(socket, 'close')
        const codes = heard.split('\r\n').filter((line) => /^\d{3} /.test(line))
        assert.match(codes[51]!, /^421 /, command)
        assert.ok(codes.length <= 53, `${command}: ${codes.length} responses`)
      }
    })

    sqliteTest('a connection that delivers mails stays open', async () => {
      const to = await addressOf(['ada@example.org'])
      const client = createTransport({
        ...{ host: '127.0.0.1', port: listener.port, secure: false, ignoreTLS: true },
        ...{ pool: true, maxConnections: 1 },
      })
      try {
        for (let sent = 0; sent < 25; sent++)
          await client.sendMail({ envelope: { from: 'ada@example.org', to }, raw: newsletter })
      } finally {
        client.close()
      }
    })

    test('a recipient without import rights does not stop delivery to others', async () => {
      const to = await addressOf(['ada@example.org'])
      const bea = await app().person()
      const beas = await bea.session()
      const other = (await app().request('POST', '/app/api/mail-address', { cookie: beas })).json.data.address
      const reader = await app().person(['flight.read.own'])
      await app().store.transaction((tx) =>
        tx.execute(
          `update person set role_id = (select role_id from person where id = '${reader.id}') where id = '${bea.id}'`,
        ),
      )
      assert.equal(await mail('ada@example.org', [other, to], own()), 250)
      assert.deepEqual(await flights(), ['2026-07-20 SK909'])
      assert.equal(await mail('ada@example.org', other, own()), 550)
    })

    test('an unreadable mail makes a notice', async (context) => {
      const to = await addressOf(['ada@example.org'])
      context.mock.method(app().services.importFiles, 'read', async () => undefined)
      assert.equal(await mail('ada@example.org', to, own()), 250)
      const [notice, ...more] = await notices()
      assert.deepEqual(more, [])
      assert.deepEqual([notice.data.created, notice.data.waiting, notice.data.status], [0, 1, 'failed'])
      const kept = await app().request('GET', `/api/v1/imports/${notice.data.importId}`, { key })
      assert.equal(kept.json.data.problem.code, 'file_missing')
    })

    test('mails to two people are delivered separately', async () => {
      const to = await addressOf(['ada@example.org'])
      const bea = await app().person()
      const beas = await bea.session()
      const other = (await app().request('POST', '/app/api/mail-address', { cookie: beas })).json.data.address
      assert.equal(await mail('ada@example.org', [to, other], own()), 250)
      assert.equal((await flights()).length, 1)
      const theirs = await app().request('GET', '/api/v1/flights', { key: await bea.key() })
      assert.deepEqual(theirs.json.data, [])
      await app().store.transaction((tx) => tx.execute(`delete from person where id = '${bea.id}'`))
      assert.equal(await mail('ada@example.org', other, own()), 550)
    })

    test('bad bodies get 422, bad queries 400, and no secret is stored or logged', async () => {
      const to = await addressOf()
      for (const body of [{}, { senders: 'a@b' }, { senders: ['not an address'] }, { senders: [], x: 1 }]) {
        assert.equal((await send('PUT', '/mail-address', body)).status, 422, JSON.stringify(body))
      }
      const many = Array.from({ length: 21 }, (_, n) => `a${n}@example.org`)
      assert.equal((await send('PUT', '/mail-address', { senders: many })).status, 422)
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        assert.equal(
          (await send(method, '/mail-address?x=1', method === 'PUT' ? { senders: [] } : undefined)).status,
          400,
        )
      await mail('ada@example.org', to, own())
      const token = to.slice('import+'.length, to.indexOf('@'))
      const rows = JSON.stringify(await app().store.read.query('select * from mail_address', []))
      assert.ok(!rows.includes(token))
      assert.ok(!app().logged.some((line) => line.includes(token) || line.includes('Q7RT2M')))
    })

    test('no address is offered if the server receives no mail', async () => {
      const off = await startTestApp(engine)
      try {
        const bea = await (await off.person()).session()
        const reply = await off.request('POST', '/app/api/mail-address', { cookie: bea })
        assertError(reply, 403, 'forbidden')
        assert.equal(reply.json.error.reason, 'mail_in_off')
        const { data } = (await off.request('GET', '/app/api/mail-address', { cookie: bea })).json
        assert.deepEqual([data.available, data.address], [false, null])
      } finally {
        await off.close()
      }
    })
  },
  { mailIn: { port: 25, domain, tls: undefined } },
)

/** The greeting and the response to each line. */
async function talk(port: number, lines: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const responses: string[] = []
  let text = ''
  let got: () => void = () => {}
  socket.on('data', (chunk) => {
    text += chunk
    if (/^\d{3} .*\r\n$/m.test(text)) got()
  })
  const response = async () => {
    if (!/^\d{3} .*\r\n$/m.test(text))
      await new Promise<void>((resolve) => {
        got = resolve
      })
    responses.push(text)
    text = ''
  }
  await response()
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    await response()
  }
  socket.destroy()
  return responses
}

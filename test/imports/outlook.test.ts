// Messages of Outlook (.msg) are read like other mails, and damaged ones do no harm.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlInRtf, unpackRtf } from '../../server/services/imports/content/outlook/rtf.ts'
import { onSqlite } from '../harness.ts'
import { readImport, written } from './judged.ts'
import { message, page, passText, reservation, script } from './mails-made.ts'
import { compoundFileOf, outlookMessage } from './outlook-made.ts'

/** A text in RTF with a page inside, as Outlook stores it without compression. */
function rtfOf(html: string): Buffer {
  const inside = html
    .replace(/[\\{}]/g, '\\$&')
    .replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0)}?`)
    .replace(/<[^>]*>/g, (tag) => `{\\*\\htmltag64 ${tag}}\\htmlrtf \\b \\htmlrtf0 `)
  const rtf = Buffer.from(`{\\rtf1\\ansi\\fromhtml1 {\\fonttbl{\\f0 Arial;}}${inside}}`, 'latin1')
  const head = Buffer.alloc(16)
  head.writeUInt32LE(rtf.length + 12, 0)
  head.writeUInt32LE(rtf.length, 4)
  head.write('MELA', 8, 'latin1')
  return Buffer.concat([head, rtf])
}

onSqlite('messages of Outlook', (app) => {
  async function send(bytes: Buffer, filename = 'trip.msg') {
    const who = await app().person()
    const cookie = await who.session()
    const body = { username: who.username, displayName: 'Nora Lindqvist' }
    assert.equal((await app().request('PUT', '/app/api/me', { cookie, body })).status, 204)
    const key = await who.key()
    const file = { filename, base64: bytes.toString('base64') }
    const reply = await app().request('POST', '/api/v1/imports', { key, body: file })
    assert.equal(reply.status, 201, reply.text)
    return readImport(app(), key, reply.json.data.id)
  }
  const rowsOf = async (bytes: Buffer) => (await send(bytes)).rows.map(written)
  const flight = 'new 2026-07-01 EKCH>ESSA SK1416 SAS - - 2026-07-01T07:20Z 2026-07-01T08:30Z'
  const html = `<html><body>${script(reservation('Nora Lindqvist'))}${'x'.repeat(5000)}</body></html>`

  test('a page with a booking, in large and in small sectors', async () => {
    const { import: given, rows } = await send(outlookMessage({ subject: 'Your booking', html }))
    assert.equal(given.source, 'email')
    assert.deepEqual(rows.map(written), [flight])
    const short = html.replace(/x{5000}/, '')
    assert.ok(short.length < 4096)
    assert.deepEqual(await rowsOf(outlookMessage({ subject: 'Your booking', html: short })), [flight])
  })

  test('a page inside RTF, and a text', async () => {
    assert.deepEqual(await rowsOf(outlookMessage({ subject: 'Your booking', rtf: rtfOf(html) })), [flight])
    const text = 'Flight SK1416, 1 July, CPH - ARN'
    assert.deepEqual(await rowsOf(outlookMessage({ subject: 'Your trip', text })), [
      'question:from_text 2026-07-01 EKCH>ESSA SK1416 SAS - - - -',
    ])
  })

  test('attached files and messages, each with its own date', async () => {
    const code = (date?: string) => ({
      subject: 'Your pass',
      ...(date && { date }),
      files: [{ name: 'pass.txt', bytes: Buffer.from(passText('LINDQVIST/NORA')) }],
    })
    const pass = (date: string) => `new ${date} EKCH>ESSA SK1416 SAS - - - - !year_assumed`
    assert.deepEqual(await rowsOf(outlookMessage(code())), [pass('2026-07-01')])
    const inner = { subject: 'Fwd', messages: [code('Mon, 3 Jun 2019 10:00:00 +0200')] }
    assert.deepEqual(await rowsOf(outlookMessage(inner)), [pass('2019-07-01')])
    const asFile = {
      subject: 'Fwd',
      files: [
        { name: 'a.msg', bytes: outlookMessage({ subject: 'Your booking', html }) },
        { name: 'b.eml', bytes: Buffer.from(message(page('<p>nothing</p>'))) },
      ],
    }
    assert.deepEqual(await rowsOf(outlookMessage(asFile)), [flight])
  })

  test('a message nested too deep is refused, and other files of this kind are named', async () => {
    let made = { subject: 'deepest', html }
    for (let depth = 0; depth < 15; depth++)
      made = { subject: 'Fwd', html: '', messages: [made] } as typeof made
    const [deep] = (await send(outlookMessage(made))).rows
    assert.deepEqual([deep!.verdict, deep!.code], ['error', 'too_large'])
    const sheet = (await send(compoundFileOf({ streams: { Workbook: Buffer.alloc(6000) } }), 'old.xls'))
      .rows[0]!
    assert.deepEqual([sheet.verdict, sheet.code], ['error', 'unreadable_file'])
    assert.match(sheet.raw, /old Excel or Word file/)
  })

  test('a message that is cut or damaged anywhere ends as a record, not as a failure', async () => {
    const whole = outlookMessage({
      subject: 'Your booking',
      html,
      files: [{ name: 'a.txt', bytes: Buffer.alloc(9000, 65) }],
    })
    const broken = [whole.subarray(0, 600), whole.subarray(0, whole.length / 2)]
    for (let at = 0x1e; at < 0x60; at += 7) {
      const bytes = Buffer.from(whole)
      bytes.fill(0xee, at, at + 4)
      broken.push(bytes)
    }
    // A table whose chains run in circles.
    const circles = Buffer.from(whole)
    for (let at = circles.length - 512; at < circles.length - 256; at += 4) circles.writeUInt32LE(0, at)
    broken.push(circles)
    for (const bytes of broken) {
      const { import: given, rows } = await send(bytes)
      assert.notEqual(given.status, 'failed')
      assert.ok(rows.length > 0)
    }
  })
})

test('compressed RTF is unpacked, and other RTF is no page', () => {
  // The example of MS-OXRTFCP, 3.1.
  const example = Buffer.from(
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
    'hex',
  )
  assert.equal(unpackRtf(example, 1000), '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n')
  assert.equal(unpackRtf(example, 10).length, 10)
  assert.equal(unpackRtf(example.subarray(0, 20), 1000).length <= 43, true)
  assert.equal(unpackRtf(Buffer.alloc(3), 1000), '')
  assert.equal(htmlInRtf('{\\rtf1 plain}'), '')
  assert.equal(
    htmlInRtf(
      "{\\rtf1\\ansi\\fromhtml1 {\\fonttbl{\\f0 Arial;}}{\\*\\htmltag84 <p>}\\htmlrtf {\\b\\htmlrtf0 caf\\'e9 \\{1\\}\\tab x\\par \\u8364?{\\*\\htmltag84 </p>}}",
    ),
    '<p>café {1}\tx\n€</p>',
  )
})

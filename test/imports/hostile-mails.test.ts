// Malicious mails and calendars: each ends with a clear verdict, within the limits of the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { read } from '../../server/services/imports/reading/read.ts'
import { UnreadableFile } from '../../server/services/imports/reading/stages.ts'
import { calendar, event, message, multipart, page, part, reservation, script } from './mails-made.ts'

const request = {
  source: null,
  options: {},
  mapping: null,
  today: '2026-06-15',
  documentDate: '2026-06-15',
  preferredOrder: null,
  filename: 'file',
}
const MB = 2 ** 20

/** Each record in one line; or the refusal. */
async function verdictsOf(file: string | Uint8Array): Promise<string[]> {
  try {
    const { batches } = await read(Buffer.from(file as string), request)
    const all: string[] = []
    for await (const batch of batches)
      for (const { error, skip, flight, raw } of batch)
        all.push(error ? `${error.code} ${String(raw).slice(0, 200)}` : (skip ?? flight?.flightNumber ?? '?'))
    return all
  } catch (error) {
    assert.ok(error instanceof UnreadableFile, String(error))
    return [`refused ${error.code}`]
  }
}
const booking = () => page(script(reservation('Nora Lindqvist')))

test('mails with too many parts, deep nesting or huge headers are refused', async () => {
  const many = Array.from({ length: 10_000 }, () => part('text/plain', 'x'))
  assert.match((await verdictsOf(message(multipart('mixed', many))))[0]!, /^too_large .*1,000 parts/)
  let nested = part('text/plain', 'x')
  for (let level = 0; level < 200; level++) nested = multipart('mixed', [nested], `level${level}`)
  assert.match((await verdictsOf(message(nested)))[0]!, /^too_large .*nested too deep/)
  let forwarded = message(booking())
  for (let level = 0; level < 200; level++) forwarded = message(part('message/rfc822', forwarded))
  assert.match((await verdictsOf(forwarded))[0]!, /^too_large .*nested forwarded messages/)
  const long = `MIME-Version: 1.0\r\nX-Long: ${'y'.repeat(5 * MB)}\r\n`
  assert.match((await verdictsOf(`${long}${message(booking())}`))[0]!, /^too_large .*headers/)
})

test('a mail that begins with NUL bytes is not a table, and 200,000 header lines are not a mail', async () => {
  const text = message(part('text/plain', 'Dear Nora,\r\nit was, as ever, a pleasure,\r\nyours, Lena'))
  assert.match((await verdictsOf(`\0\0\0${text}`))[0]!, /^unreadable_file This is not a text file/)
  const headers = Array.from({ length: 200_000 }, (_, i) => `X-Line-${i}: a, b\r\n`).join('')
  assert.match((await verdictsOf(text.replace('MIME-Version', `${headers}$&`)))[0]!, /^too_large .*headers/)
})

test('zip bombs in attachments do not affect the rest of the mail', async () => {
  const bomb = Buffer.from(zipSync({ 'pass.json': new Uint8Array(8 * MB) }))
  const rows = await verdictsOf(
    message(multipart('mixed', [booking(), part('application/vnd.apple.pkpass', bomb)])),
  )
  assert.equal(rows[0], 'SK1416')
  assert.match(rows[1]!, /^too_large [\s\S]*200 times/)
  const broken = Buffer.concat([Buffer.from('%PDF-1.7\n'), deflateRawSync(Buffer.alloc(MB))])
  assert.deepEqual(
    await verdictsOf(message(multipart('mixed', [booking(), part('application/pdf', broken)]))),
    ['SK1416'],
  )
})

test('pages full of entities or elements and deeply nested JSON are limited', async () => {
  assert.deepEqual(await verdictsOf(message(page('&amp;'.repeat(MB)))), ['not_a_flight'])
  assert.deepEqual(await verdictsOf(message(page('<div itemscope itemprop=x>'.repeat(100_000)))), [
    'not_a_flight',
  ])
  assert.deepEqual(await verdictsOf(message(page(script('{"a":'.repeat(100_000))))), ['not_a_flight'])
  const rows = await verdictsOf(
    message(page(script(`{"@type":"FlightReservation","x":${'['.repeat(100_000)}`))),
  )
  assert.match(rows[0]!, /^unreadable_row/)
})

test('mailboxes with quoted lines, From in sentences and thousands of messages are read', async () => {
  const envelope = 'From MAILER Mon Jun  1 10:00:00 2026\n'
  const box = (body: string) => `${envelope}${message(body).replaceAll('\r', '')}\n\n`
  const quoted = part('text/plain', 'Hello\n\n>From here on\n\nFrom my point of view it is 2026 now, or so')
  assert.deepEqual(await verdictsOf(`${box(quoted)}${box(booking())}`), ['not_a_flight', 'SK1416'])
  const many = Array.from({ length: 3_000 }, () => box(part('text/plain', 'x'.repeat(2_000)))).join('')
  assert.equal((await verdictsOf(many + box(booking()))).length, 3_001)
})

test('endless recurrences and rules without any day end', async () => {
  const repeats = (rule: string) =>
    calendar([event('UID:r@x', 'DTSTART:20200101T072000Z', 'SUMMARY:SK1416 CPH-ARN', `RRULE:${rule}`)])
  assert.equal((await verdictsOf(repeats('FREQ=DAILY'))).length, 366)
  assert.equal((await verdictsOf(repeats('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'))).length, 1)
  for (const rule of [
    'FREQ=SECONDLY',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=YEARLY;BYYEARDAY=366',
    'FREQ=DAILY;BYHOUR=9,12',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=WEEKLY;BYDAY=2MO',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;UNTIL=soon',
    'FREQ=DAILY;UNTIL=20261341T000000Z',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'FREQ=MONTHLY;BYSETPOS=1',
    'FREQ=DAILY;FREQ=WEEKLY',
    'FREQ=DAILY\nRRULE:FREQ=WEEKLY',
    'FREQ=DAILY\nEXRULE:FREQ=WEEKLY',
    'RSCALE=HEBREW;FREQ=YEARLY',
    '',
  ])
    assert.match(
      (await verdictsOf(repeats(rule))).join(),
      /^unreadable_row The repetition rule of this event is not supported/,
      rule,
    )
  const long = `FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30,31;BYDAY=${'1MO,'.repeat(1_000)}1MO`
  assert.equal((await verdictsOf(repeats(long))).length, 1)
})

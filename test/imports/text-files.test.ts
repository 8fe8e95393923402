// Text that is not a table, and columns without values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { readImport } from './judged.ts'

const booking = `Dear Ms Lindqvist,
thank you for your booking with us. Please find the details of your journey below.
Your flight SK1416 from Copenhagen, Denmark to Stockholm, Sweden leaves at 09:00 on 3 March 2026, and arrives at 10:10.
Please be at the airport two hours before, with your passport, your ticket and, if you have one, your card.
We wish you a pleasant flight, and look forward to seeing you.
Kind regards, your airline
If you have questions, call us, write to us, or visit one of our many offices, which are open every day.`

onSqlite('text files', (app) => {
  const preview = async (filename: string, text: string) => {
    const key = await (await app().person()).key()
    const {
      json,
      status,
      text: body,
    } = await app().request('POST', '/api/v1/imports', {
      key,
      body: { filename, text },
    })
    assert.equal(status, 201, body)
    return readImport(app(), key, json.data.id)
  }

  test('a booking saved as text is not taken for a table', async () => {
    const { import: given, rows } = await preview('booking.txt', booking)
    assert.deepEqual([given.source, given.mapping, given.questions], [null, null, []])
    assert.deepEqual([rows.length, rows[0].code], [1, 'not_a_table'])
    assert.match(rows[0].raw, /Dear Ms Lindqvist/)
  })

  test('a table with remarks of several words stays a table', async () => {
    const { import: given } = await preview(
      'flights.txt',
      'When,Whence,Whither,What happened\n2019-05-01,CPH,ARN,A long day with much rain\n2019-05-02,ARN,CPH,"Back home, at last, and late"\n2019-05-03,CPH,ARN,Nothing to say about this one',
    )
    assert.equal(given.source, 'generic-csv')
  })

  test('an empty column Arrival beside To is not a place', async () => {
    const { import: given } = await preview('flights.csv', 'Date,From,To,Arrival\n2019-05-01,CPH,ARN,\n')
    assert.deepEqual(
      given.mapping.columns.map(({ field }: { field: string }) => field),
      ['date', 'from', 'to', null],
    )
    assert.equal(given.counts.new, 1)
  })
})

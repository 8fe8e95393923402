// Reading a file: its source, its records, its dates; in this thread and in a separate process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { type FromProcess, read, startProcess } from '../../server/services/imports/reading/read.ts'
import { openReading } from '../../server/services/imports/reading/reading.ts'
import type { SourceRecord } from '../../server/services/imports/reading/source.ts'
import {
  type Reading,
  type ReadRequest,
  UnreadableFile,
} from '../../server/services/imports/reading/stages.ts'
import { until } from '../until.ts'

const heading = 'Date,Flight number,From,To,Dep time,Arr time,Duration,Note'
const row = (date: string, note = '') =>
  `${date},LH1,Copenhagen (CPH/EKCH),Stockholm (ARN/ESSA),08:00:00,09:10:00,01:10:00,${note}`
const fr24 = (...dates: string[]) => [heading, ...dates.map((date) => row(date))].join('\n')

const request = (given: Partial<ReadRequest> = {}): ReadRequest => ({
  source: null,
  options: {},
  mapping: null,
  today: '2026-11-16',
  documentDate: '2026-11-16',
  preferredOrder: null,
  filename: 'file',
  ...given,
})
const bytesOf = (text: string) => new TextEncoder().encode(text)

async function allOf({ batches }: Reading): Promise<SourceRecord[]> {
  const records: SourceRecord[] = []
  for await (const batch of batches) records.push(...batch)
  return records
}
async function readAll(given: string | Uint8Array, how: Partial<ReadRequest> = {}) {
  const reading = await openReading(typeof given === 'string' ? bytesOf(given) : given, request(how))
  return { ...reading, records: await allOf(reading) }
}
const datesOf = (records: readonly SourceRecord[]) =>
  records.map(
    ({ flight, error }) => error?.code ?? (flight?.date && 'iso' in flight.date ? flight.date.iso : null),
  )

test('the source is recognised by its heading, with the meaning of each column', async () => {
  const { source, detectedBy, mapping, questions, records } = await readAll(fr24('2020-01-01', '2020-01-02'))
  assert.deepEqual([source, detectedBy, questions, records.length], ['fr24', 'heading', [], 2])
  assert.deepEqual(mapping?.columns[0], {
    index: 0,
    heading: 'Date',
    field: 'date',
    examples: ['2020-01-01', '2020-01-02'],
  })
})

test('the person’s choice of source is used', async () => {
  const chosen = await readAll(fr24('2020-01-01'), { source: 'generic-csv' })
  assert.deepEqual([chosen.source, chosen.detectedBy], ['generic-csv', 'choice'])
  const wrong = await readAll(fr24('2020-01-01'), { source: 'aita' })
  assert.deepEqual([wrong.source, wrong.records[0]?.error], [null, { code: 'unreadable_file' }])
  assert.match(String(wrong.records[0]?.raw), /not a file of App in the Air[\s\S]*Date, Flight number/)
})

test('a file of no known source is one record that shows its beginning', async () => {
  const { source, detectedBy, records } = await readAll('Dear diary\ntoday I flew nowhere')
  assert.deepEqual([source, detectedBy, records.length], [null, null, 1])
  const pdf = await readAll('%PDF-1.7')
  assert.equal(pdf.records[0]?.error?.code, 'unreadable_file')
  assert.match(String(pdf.records[0]?.raw), /PDF/)
})

test('all dates share one order, and a date that does not fit is an error', async () => {
  const { questions, records } = await readAll(
    fr24('01/02/2020', '25/12/2020', '12/26/2020', '3.1.2021', 'soon', '27/12/2020'),
  )
  assert.deepEqual(questions, [])
  assert.deepEqual(datesOf(records), [
    '2020-02-01',
    '2020-12-25',
    'bad_date',
    '2021-01-03',
    'bad_date',
    '2020-12-27',
  ])
  assert.deepEqual(records[2]?.error, { code: 'bad_date', value: '12/26/2020' })
  assert.ok(records.every(({ dateOpen }) => dateOpen === undefined))
})

test('an undecided order is asked about once, and the option decides it', async () => {
  const file = fr24('01/02/2020', '02/03/2020', '05/05/2020', '2020-06-01')
  const { questions, records } = await readAll(file, { preferredOrder: 'mdy' })
  assert.deepEqual(questions, [
    {
      kind: 'date_ambiguous',
      value: 'date',
      rows: 4,
      choices: [
        { id: 'mdy', label: 'Month first', detail: '01/02/2020' },
        { id: 'dmy', label: 'Day first', detail: '01/02/2020' },
      ],
      answer: null,
    },
  ])
  assert.deepEqual(datesOf(records), ['2020-01-02', '2020-02-03', '2020-05-05', '2020-06-01'])
  assert.deepEqual(
    records.map(({ dateOpen }) => dateOpen),
    [true, true, undefined, undefined],
  )
  const answered = await readAll(file, { preferredOrder: 'mdy', options: { dateOrder: 'dmy' } })
  assert.deepEqual(answered.questions[0]?.answer, { kind: 'date_ambiguous', value: 'date', id: 'dmy' })
  assert.deepEqual(datesOf(answered.records)[0], '2020-02-01')
  assert.ok(answered.records.every(({ dateOpen }) => dateOpen === undefined))
})

test('members of an archive have their own sources; the import has the most frequent one', async () => {
  const jetlog = 'date,origin,destination,departure_time,ticket_class\n2020-02-01,EKCH,ESSA,08:00,economy\n'
  const archive = zipSync({
    'a.csv': strToU8(jetlog),
    'b.csv': strToU8(fr24('2020-01-01', '2020-01-02')),
    'c.pdf': strToU8('%PDF-1.7'),
  })
  const { source, records } = await readAll(archive)
  assert.equal(source, 'fr24')
  assert.deepEqual(datesOf(records), ['2020-02-01', '2020-01-01', '2020-01-02', 'unreadable_file'])
  assert.equal(records[3]?.error?.value, 'c.pdf')
})

test('a table without rows is one record', async () => {
  const { source, records } = await readAll(`${heading}\n\n`)
  assert.deepEqual([source, records[0]?.error?.code, records.length], ['fr24', 'unreadable_file', 1])
})

test('texts shown of a record can be stored', async () => {
  const { records } = await readAll(`${heading}\n${row('2020-01-01', `a\0b${'x'.repeat(300_000)}`)}`)
  const raw = records[0]!.raw as string[]
  assert.ok(raw.join('').length < 30_000)
  assert.match(raw.at(-1)!, /^a\ufffdbx+…$/)
  assert.deepEqual(records[0]!.warnings, [{ code: 'truncated', field: null }])
})

test('many records are read in two passes with the same result', async () => {
  const dates = Array.from({ length: 5_000 }, (_, i) => `0${(i % 9) + 1}/0${(i % 8) + 1}/2020`)
  const small = await readAll(fr24(...dates.slice(0, 50)))
  const { records } = await readAll(fr24(...dates, '31/12/2020'))
  assert.equal(records.length, 5_001)
  assert.equal(small.records.length, 50)
  assert.deepEqual(datesOf(records).slice(0, 2), ['2020-01-01', '2020-02-02'])
  assert.equal(datesOf(records)[8], '2020-01-09')
})

test('more than 200,000 records are refused', async () => {
  const file = `Date,From,To\n${'2020-01-01,CPH,ARN\n'.repeat(200_001)}`
  await assert.rejects(
    read(bytesOf(file), request()),
    (error) => error instanceof UnreadableFile && error.code === 'too_large' && /200,000/.test(error.message),
  )
})

test('the process gives the same batches as reading in this thread', async () => {
  const bytes = bytesOf(fr24(...Array.from({ length: 1_234 }, () => '2020-01-01')))
  const here = await openReading(bytes, request())
  const there = await read(bytes, request())
  const sizes: number[] = []
  const records: SourceRecord[] = []
  for await (const batch of there.batches) {
    sizes.push(batch.length)
    records.push(...batch)
  }
  const { batches: _here, ...headHere } = here
  const { batches: _there, ...headThere } = there
  assert.deepEqual(headThere, headHere)
  assert.deepEqual(records, await allOf(here))
  assert.deepEqual(sizes, [...Array.from({ length: 24 }, () => 50), 34])
  // The bytes still belong to the caller, and a kept process reads the next file.
  assert.equal(bytes.length > 0, true)
  assert.deepEqual(await allOf(await read(bytes, request())), records)
})

test('several files are read concurrently, each with its own records', async () => {
  const counts = await Promise.all(
    [3, 700, 1_900].map(async (count) => {
      const reading = await read(
        bytesOf(fr24(...Array.from({ length: count }, () => '2020-01-01'))),
        request(),
      )
      return (await allOf(reading)).length
    }),
  )
  assert.deepEqual(counts, [3, 700, 1_900])
})

test('the process pauses until batches are received', async () => {
  const file = bytesOf(fr24(...Array.from({ length: 20_000 }, () => '2020-01-01')))
  const child = startProcess({ memoryMb: 256 })
  const messages: FromProcess[] = []
  child.on('message', (message: FromProcess) => messages.push(message))
  const { signal: _, ...asked } = request()
  child.send({ kind: 'read', size: file.length, request: asked })
  await until('the process is ready', () => messages.length === 1)
  child.stdin!.write(file)
  await until('six batches came', () => messages.filter(({ kind }) => kind === 'batch').length === 6)
  // The process ends when it next reads its input: without pausing it would have sent the rest by then.
  child.stdin!.end()
  await until('the process has ended', () => !child.connected)
  assert.deepEqual(
    messages.map(({ kind }) => kind),
    ['ready', 'head', ...Array.from({ length: 6 }, () => 'batch')],
  )
})

test('reading can be stopped before and after the first batch', async () => {
  const file = bytesOf(fr24(...Array.from({ length: 3_000 }, () => '2020-01-01')))
  const first = await read(file, request())
  await first.batches[Symbol.asyncIterator]().return?.()
  const second = await read(file, request())
  for await (const batch of second.batches) {
    assert.equal(batch.length, 50)
    break
  }
  assert.equal((await allOf(await read(file, request()))).length, 3_000)
})

test('a signal ends reading at any time', async () => {
  const file = bytesOf(fr24(...Array.from({ length: 3_000 }, () => '2020-01-01')))
  const before = AbortSignal.abort(new Error('stopped'))
  await assert.rejects(read(file, request({ signal: before })), /stopped/)
  const controller = new AbortController()
  const started = read(file, request({ signal: controller.signal }))
  controller.abort(new Error('stopped meanwhile'))
  await assert.rejects(started, /stopped meanwhile/)
  const later = new AbortController()
  const reading = await read(file, request({ signal: later.signal }))
  await assert.rejects(async () => {
    for await (const _ of reading.batches) later.abort(new Error('stopped later'))
  }, /stopped later/)
})

const refusal = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof UnreadableFile && error.code === code && message.test(error.message)

test('too much memory and too much time have their own reasons', async () => {
  const many = bytesOf(`[${'{"a":[1,{}]},'.repeat(700_000)}{}]`)
  await assert.rejects(
    read(many, request(), { memoryMb: 64, timeMs: 60_000 }),
    refusal('too_large', /memory/),
  )
  const long = bytesOf(fr24(...Array.from({ length: 50_000 }, () => '2020-01-01')))
  await assert.rejects(read(long, request(), { memoryMb: 256, timeMs: 1 }), refusal('too_large', /too long/))
  assert.equal((await allOf(await read(bytesOf(fr24('2020-01-01')), request()))).length, 1)
})

// Imports by an assistant: results with no more than a conversation needs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { callTool } from './clients.ts'

onSqlite('imports by assistants', (app) => {
  const csv = 'Date,Flight number,From,To\n2026-02-20,SK909,CPH,EWR\n2026-02-22,SK2,Kiew,Athen\n'

  test('a preview explains how a name was read and asks each question once', async () => {
    const key = await (await app().person()).key()
    const preview = await callTool(app(), key, 'preview_import', { filename: 'flights.csv', text: csv })
    const { data } = preview.structuredContent
    const row = data.rows.find(({ row: number }: { row: number }) => number === 2)
    assert.match(JSON.stringify(row.warnings), /“Athen” was taken as ATH/)
    assert.ok(data.questions[0].choices.length <= 5)
    assert.deepEqual(Object.keys(row.questions[0]), ['kind', 'value'])
    const kind = data.questions[0].kind
    const wrong = await callTool(app(), key, 'answer_import', {
      id: data.id,
      answers: [{ kind, value: 'Qiew', id: 'KBP' }],
    })
    assert.equal(wrong.isError, true)
    assert.match(wrong.content[0].text, /no question of this kind about “Qiew”.*“Kiew”/)
    const answered = await callTool(app(), key, 'answer_import', {
      id: data.id,
      answers: [{ kind, value: 'Kiew', id: 'KBP' }],
    })
    assert.doesNotMatch(answered.content[0].text, /Question/, 'it is answered')
    const from = answered.structuredContent.data.rows.find((one: { row: number }) => one.row === 2).draft.from
    assert.equal(from, 'KBP')
  })

  test('a commit and its undo are reported in a sentence', async () => {
    const key = await (await app().person()).key()
    const text = 'Date,Flight number,From,To\n2026-02-20,SK909,CPH,EWR\n2026-02-22,SK910,EWR,CPH\n'
    const preview = await callTool(app(), key, 'preview_import', { filename: 'flights.csv', text })
    const { id } = preview.structuredContent.data
    const committed = await callTool(app(), key, 'commit_import', { id })
    assert.match(committed.content[0].text, /2 flights added, 0 updated.*undo_import/)
    assert.ok(JSON.stringify(committed).length < 1200, JSON.stringify(committed))
    const listed = (await callTool(app(), key, 'list_changes', { by: 'thisKey' })).structuredContent
    assert.equal(listed.data.length, 2)
    const undone = await callTool(app(), key, 'undo_import', { id })
    assert.match(undone.content[0].text, /was undone: what it added is in the bin/)
    assert.ok(JSON.stringify(undone).length < 1200, JSON.stringify(undone))
  })

  test('a file without flights is not reported as ready', async () => {
    const key = await (await app().person()).key()
    const preview = await callTool(app(), key, 'preview_import', { filename: 'x.txt', text: 'hello' })
    assert.doesNotMatch(preview.content[0].text, /is ready/)
  })

  test('a lookup reports the flight without details of the import', async () => {
    const key = await (await app().person()).key()
    await callTool(app(), key, 'log_flight', {
      from: 'CPH',
      to: 'EWR',
      flightNumber: 'SK909',
      date: '2026-02-21',
    })
    const looked = await callTool(app(), key, 'flight_lookup', { number: 'SK909', date: '2026-02-20' })
    const [row] = looked.structuredContent.data
    assert.deepEqual([row.draft.from, row.draft.date], ['CPH', '2026-02-20'])
    for (const name of ['raw', 'choice', 'updates', 'row']) assert.equal(row[name], undefined, name)
  })
})

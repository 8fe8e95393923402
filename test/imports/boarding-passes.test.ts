import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines } from '../harness.ts'

onBothEngines('boarding passes', (app) => {
  test('draft', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const text = 'M1ROSSI/MARIA         EQ7RT2M MADLHRIB 3170 244Y012C0041 100'
    const r = await app().request('POST', '/api/v1/boarding-passes', { key, body: { text, date: '2026-09-01' } })
    console.log(r.status, r.text)
    assert.equal(r.status, 200)
  })
})

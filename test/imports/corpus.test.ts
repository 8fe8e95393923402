// How well imports read what programs write: over a hundred files and texts in the shape of real ones, written for this test by
// authors who had not read the readers (corpus/), with what each flight truly was. Decision 34 has the
// first looks. CORPUS=name runs the samples whose name contains it.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { type Judgement, judge, type Outcome } from './corpus/judge.ts'
import type { Sample } from './corpus/sample.ts'
import { readImport } from './judged.ts'

const folder = new URL('corpus/', import.meta.url)
const modules = await Promise.all(
  readdirSync(folder)
    .filter((name) => !['judge.ts', 'sample.ts'].includes(name))
    .map((name): Promise<Record<string, unknown>> => import(new URL(name, folder).href)),
)
const isSample = (value: unknown): value is Sample =>
  typeof value === 'object' && value !== null && 'half' in value && 'truth' in value
const samples = modules
  .flatMap((module) => Object.values(module).flat())
  .filter(isSample)
  .filter(({ name }) => name.includes(process.env['CORPUS'] ?? ''))

onSqlite('corpus of imports', (app) => {
  async function read(sample: Sample): Promise<Judgement[]> {
    const { filename, content, options } = sample
    const key = await (await app().person()).key()
    const base64 = Buffer.from(content).toString('base64')
    const body = { filename, base64, ...(options && { options }) }
    const { status, text, json } = await app().request('POST', '/api/v1/imports', { key, body })
    assert.equal(status, 201, `${sample.name}: ${text}`)
    const { rows } = await readImport(app(), key, json.data.id)
    return judge(sample, rows).map(({ outcome, told }) => ({ outcome, told: `${sample.name}: ${told}` }))
  }

  test('there are more than 120 files, half of them in each half', () => {
    const halves = Map.groupBy(samples, ({ half }) => half)
    assert.ok(halves.get('a')!.length >= 60 && halves.get('b')!.length >= 60)
  })

  for (const half of ['a', 'b', 'c'] as const)
    test(`of half ${half}, flights are right or asked about, and none is kept out`, async (context) => {
      app().clock.set('2026-11-19T12:00:00Z')
      const judgements: Judgement[] = []
      for (const sample of samples) if (sample.half === half) judgements.push(...(await read(sample)))
      const count = (of: Outcome) => judgements.filter(({ outcome }) => outcome === of).length
      const figures = (['right', 'asked', 'wrong', 'kept out'] as const).map((of) => `${count(of)} ${of}`)
      const others = judgements
        .filter(({ outcome }) => outcome === 'wrong' || outcome === 'kept out')
        .map(({ outcome, told }) => `${outcome}: ${told}`)
      const report = [`${judgements.length} flights: ${figures.join(', ')}`, ...others].join('\n')
      context.diagnostic(report)
      assert.equal(count('kept out'), 0, report)
      assert.ok(count('wrong') <= judgements.length * 0.002, report)
      assert.ok(count('right') + count('asked') >= judgements.length * 0.995, report)
    })
})

// One list of data sources, assets/credits.json, is what the web app, README.md and docs/dependencies.md show.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import credits from '../assets/credits.json' with { type: 'json' }
import { settings } from '../web/src/i18n/en/settings.ts'

test('documents credit exactly the listed sources, in the words of the web app', () => {
  const words: Record<string, unknown> = settings
  const expected = credits.data.map(({ key, what, who }) => {
    assert.equal(words[`about.${key}`], what)
    return [what, who]
  })
  for (const file of ['README.md', 'docs/dependencies.md']) {
    const [, table] = /^\| data \| source \| licence \|\n\|[-|]+\n((?:\|.*\n)+)/m.exec(
      readFileSync(file, 'utf8'),
    )!
    const rows = [...table!.matchAll(/^\| (.*?) \| \[?(.*?)(?:\]\(.*?\))? \|/gm)].map(([, what, who]) => [
      what,
      who,
    ])
    assert.deepEqual(rows, expected, `${file}: run npm run licences`)
  }
})

// The size of each listed tool: every conversation pays for it, so growth must be visible in a diff. `UPDATE=1 npm test --
// test/mcp/cost.test.ts` writes the file.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { readOnlyScopes } from '../../server/domain/access/access.ts'
import { onSqlite } from '../harness.ts'
import { modern } from './clients.ts'

const file = new URL('./cost.txt', import.meta.url)

interface Listed {
  name: string
  description: string
  inputSchema: object
}

const table = (title: string, tools: Listed[]): string[] => [
  `${title}: ${JSON.stringify(tools).length}`,
  ...tools.map((tool) => `  ${String(JSON.stringify(tool).length).padStart(5)} ${tool.name}`),
]

onSqlite('mcp cost', (app) => {
  test('the size of each tool equals test/mcp/cost.txt', async () => {
    const owner = await app().person('owner')
    const listed = async (key: string, path: string): Promise<Listed[]> =>
      (await modern(app(), key, 'tools/list', {}, {}, path)).json.result.tools
    const key = await owner.key()
    const usual = await listed(key, '/api/mcp')
    const all = await listed(key, '/api/mcp?tools=all')
    const reading = await listed(await owner.key(readOnlyScopes), '/api/mcp')
    const names = new Set(usual.map(({ name }) => name))
    const text = [
      ...table('All scopes', usual),
      '',
      `Read-only: ${JSON.stringify(reading).length} (${reading.length} tools)`,
      '',
      ...table(
        'Only at ?tools=all',
        all.filter(({ name }) => !names.has(name)),
      ),
      '',
    ].join('\n')
    if (process.env['UPDATE']) writeFileSync(file, text)
    assert.equal(text, readFileSync(file, 'utf8'), 'run with UPDATE=1 and read the diff')
  })
})

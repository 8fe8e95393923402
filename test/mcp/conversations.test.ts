// The conversations of docs/mcp.md, in the order of the page and over one log: each tool call gets the result printed below
// it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { difference } from '../printed.ts'
import { callTool } from './clients.ts'
import { type Ada, prepareLog } from './log-of-ada.ts'

interface Turn {
  heading: string
  tool: string
  args: Record<string, unknown>
  /** The printed part of the result: its structured content, or `{ "error": text }`. */
  printed: unknown
}

/** A call is a block `json tool_name`; the block after it is its result. */
function turnsIn(markdown: string): Turn[] {
  const part = /^## What people ask\n([\s\S]*?)^## /m.exec(markdown)![1]!
  return part.split(/^### /m).flatMap((section) => {
    const heading = section.split('\n', 1)[0]!
    const blocks = [...section.matchAll(/^```json ?(\w*)\n([\s\S]*?)^```/gm)]
    return blocks.flatMap(([, tool, args], i) =>
      tool ? [{ heading, tool, args: JSON.parse(args!), printed: JSON.parse(blocks[i + 1]![2]!) }] : [],
    )
  })
}

const turns = turnsIn(readFileSync('docs/mcp.md', 'utf8'))

test('every section of docs/mcp.md has a conversation', () => {
  assert.ok(turns.length >= 13, `${turns.length} calls`)
})

onSqlite('conversations of docs/mcp.md', (app) => {
  let log: Ada
  before(async () => {
    log = await prepareLog(app())
  })
  for (const [i, { heading, tool, args, printed }] of turns.entries()) {
    test(`${heading}: ${tool} (${i + 1})`, async () => {
      const result = await callTool(app(), log.key, tool, args)
      assert.ok(result, `no tool ${tool}`)
      const actual = result.isError ? { error: result.content[0].text } : result.structuredContent
      assert.equal(difference(printed, actual), undefined, JSON.stringify(actual, null, 1))
    })
  }
})

// Prints what the committed set contains, how large it is and how long it takes to load.
import { readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { DATA_FOLDER, KINDS } from './files.ts'

const ROUNDS = 7
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0

function load(path: string) {
  const started = performance.now()
  const text = gunzipSync(readFileSync(path)).toString()
  const unpacked = performance.now()
  const content: { count: number; columns: Record<string, unknown[]> } = JSON.parse(text)
  return { content, bytes: text.length, unpackMs: unpacked - started, parseMs: performance.now() - unpacked }
}

for (const kind of KINDS) {
  const path = `${DATA_FOLDER}/${kind}.json.gz`
  const rounds = Array.from({ length: ROUNDS }, () => load(path))
  const { content, bytes } = rounds[0]!
  const unpackMs = median(rounds.map((round) => round.unpackMs)).toFixed(1)
  const parseMs = median(rounds.map((round) => round.parseMs)).toFixed(1)
  console.log(
    `${kind}: ${content.count} records, ${statSync(path).size} bytes, ${bytes} unpacked; unpack ${unpackMs} ms, parse ${parseMs} ms`,
  )
  for (const [field, values] of Object.entries(content.columns)) {
    console.log(`  ${field}: ${values.filter((value) => value !== null).length}`)
  }
  const split = content.columns.type ?? content.columns.active ?? []
  for (const [value, group] of Map.groupBy(split, (each) => each))
    console.log(`    ${value}: ${group.length}`)
}

// The committed files: column-wise JSON, gzipped, and the manifest that names their version.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Previous, ReferenceSet } from './guards.ts'

export const DATA_FOLDER = `${import.meta.dirname}/../../server/services/reference/data`

const FIELDS = {
  airports: [
    'id',
    'icao',
    'iata',
    'name',
    'municipality',
    'latitude',
    'longitude',
    'timezone',
    'type',
    'continent',
    'country',
    'formerCodes',
    'aliases',
    'regions',
    'cityCodes',
    'codePeriods',
    'importance',
  ],
  airlines: [
    'id',
    'name',
    'icao',
    'iata',
    'country',
    'callsign',
    'active',
    'aliases',
    'from',
    'to',
    'successorId',
    'codePeriods',
    'importance',
  ],
  aircraft: ['id', 'name', 'icao', 'iata', 'aliases', 'class', 'importance'],
} as const satisfies Record<keyof ReferenceSet, string[]>

type Kind = keyof ReferenceSet
export const KINDS = Object.keys(FIELDS) as Kind[]

const pathOf = (kind: Kind) => `${DATA_FOLDER}/${kind}.json.gz`

/** One array per field, all of the same length: smaller and quicker to parse than a row per record. */
function columnsOf(kind: Kind, records: object[]): string {
  const columns = FIELDS[kind].map((field) => [
    field,
    records.map((record) => (record as Record<string, unknown>)[field]),
  ])
  return JSON.stringify({ count: records.length, columns: Object.fromEntries(columns) })
}

/** All files are written next to the old ones first, so that a failure leaves those in place. */
export function writeSet(set: ReferenceSet, sources: object): { version: string } {
  const texts = KINDS.map((kind) => [kind, columnsOf(kind, set[kind])] as const)
  const version = createHash('sha256')
    .update(texts.map(([, text]) => text).join('\n'))
    .digest('hex')
    .slice(0, 16)
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, set[kind].length]))
  const manifest = `${JSON.stringify({ version, counts, ...sources }, null, 2)}\n`
  const files: [string, string | Buffer][] = [
    ...texts.map(([kind, text]) => [pathOf(kind), gzipSync(text, { level: 9 })] as [string, Buffer]),
    [`${DATA_FOLDER}/manifest.json`, manifest],
  ]
  mkdirSync(DATA_FOLDER, { recursive: true })
  for (const [path, content] of files) writeFileSync(`${path}.new`, content)
  for (const [path] of files) renameSync(`${path}.new`, path)
  return { version }
}

export function readPrevious(): Previous {
  const idsOf = (kind: Kind): number[] =>
    existsSync(pathOf(kind)) ? JSON.parse(gunzipSync(readFileSync(pathOf(kind))).toString()).columns.id : []
  const ids = Object.fromEntries(KINDS.map((kind) => [kind, idsOf(kind)])) as Record<Kind, number[]>
  return {
    counts: Object.fromEntries(KINDS.map((kind) => [kind, ids[kind].length])),
    airlineIds: new Set(ids.airlines),
    aircraftIds: new Set(ids.aircraft),
  }
}

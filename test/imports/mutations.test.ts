// Damaged files: mutated copies of each source's test files. Whatever is damaged, reading never throws, every record is
// complete, and there are not more records than the file can have.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { rowErrorCodes, skipCodes } from '../../server/domain/imports/imports.ts'
import { read } from '../../server/services/imports/reading/read.ts'
import { openReading } from '../../server/services/imports/reading/reading.ts'
import type { SourceRecord } from '../../server/services/imports/reading/source.ts'
import type { Reading, ReadRequest } from '../../server/services/imports/reading/stages.ts'

const isLong = process.env['FAULTS'] === 'long'
/** Per source, for all of its files. */
const COPIES = isLong ? 10_000 : 150
const COPIES_IN_PROCESS = isLong ? 2_000 : 60
/** Larger files are cut to this before they are mutated. */
const BYTES_AT_MOST = 6_000

/** The same copies in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return Math.floor(((state ^ (state >>> 13)) >>> 0) % below)
  }
}
type Random = ReturnType<typeof createRandom>

const flip = (bytes: Uint8Array, random: Random): Uint8Array => {
  const copy = bytes.slice()
  for (let i = random(8) + 1; i > 0; i--) copy[random(copy.length)] = random(256)
  return copy
}
const cut = (bytes: Uint8Array, random: Random): Uint8Array => bytes.slice(0, random(bytes.length))
const cutInside = (bytes: Uint8Array, random: Random): Uint8Array => {
  const at = random(bytes.length)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(200))])
}
const double = (bytes: Uint8Array, random: Random): Uint8Array => {
  const at = random(bytes.length)
  return Buffer.concat([bytes.subarray(0, at + random(500)), bytes.subarray(at)])
}
const swapLines = (bytes: Uint8Array, random: Random): Uint8Array => {
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  const [a, b] = [random(lines.length), random(lines.length)]
  ;[lines[a], lines[b]] = [lines[b]!, lines[a]!]
  return Buffer.from(lines.join('\n'), 'latin1')
}
const signs = [
  ',',
  ';',
  '\t',
  '|',
  '"',
  "'",
  '\n',
  '\r',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  ':',
  '/',
  '-',
  '.',
  '\\',
  '\0',
  '',
]
const replaceSigns = (bytes: Uint8Array, random: Random): Uint8Array => {
  const [from, to] = [signs[random(signs.length - 1)]!, signs[random(signs.length)]!]
  return Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(from, () => (random(3) > 0 ? to : from)),
    'latin1',
  )
}
const insert = (bytes: Uint8Array, random: Random): Uint8Array => {
  const at = random(bytes.length)
  const inserted = signs[random(signs.length)]!.repeat(random(50))
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at)])
}
const changeNumbers = (bytes: Uint8Array, random: Random): Uint8Array =>
  Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/\d/g, (digit) => (random(10) === 0 ? String(random(10)) : digit)),
    'latin1',
  )
const mutations = [flip, cut, cutInside, double, swapLines, replaceSigns, insert, changeNumbers]

function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let copy = bytes.subarray(0, BYTES_AT_MOST)
  for (let i = random(3) + 1; i > 0 && copy.length > 0; i--)
    copy = mutations[random(mutations.length)]!(copy, random)
  return copy
}

const request = (filename: string, random: Random): ReadRequest => ({
  source: null,
  options: random(4) === 0 ? { dateOrder: random(2) === 0 ? 'dmy' : 'mdy' } : {},
  mapping: null,
  today: '2026-11-16',
  documentDate: '2026-11-16',
  preferredOrder: null,
  filename,
})

const codes = new Set<string>(rowErrorCodes)
const skips = new Set<string>(skipCodes)

/** Every record can be displayed, sent and stored, and has a kind. */
function checkRecord(record: SourceRecord): void {
  const { raw, flight, skip, error, question } = record
  assert.ok(flight || error || skip || question, JSON.stringify(record))
  if (error) assert.ok(codes.has(error.code), error.code)
  if (skip) assert.ok(skips.has(skip), skip)
  const shown = typeof raw === 'string' ? raw : raw.join('')
  assert.ok(shown.isWellFormed() && !shown.includes('\0') && shown.length < 50_000)
  assert.ok(record.line === null || record.line > 0)
  if (flight?.date) assert.ok('iso' in flight.date && /^\d{4}-\d\d-\d\d$/.test(flight.date.iso))
}

async function checkReading({ source, mapping, batches }: Reading, length: number): Promise<void> {
  let count = 0
  for await (const batch of batches) {
    batch.forEach(checkRecord)
    count += batch.length
  }
  assert.ok(count > 0 && count <= length + 1, `${count} records in ${length} bytes`)
  if (source === null) assert.equal(mapping, null)
}

const files = globSync('test/imports/files/*/*').sort()
const bySource = Map.groupBy(files, (file) => basename(dirname(file)))

for (const [source, own] of bySource) {
  test(`damaged files of ${source} give records or errors, never an exception`, async () => {
    const random = createRandom(source.length * 7919 + own.length)
    const originals = own.map((file) => ({ file, bytes: new Uint8Array(readFileSync(file)) }))
    for (let i = 0; i < COPIES; i++) {
      const { file, bytes } = originals[i % originals.length]!
      const copy = mutated(bytes, random)
      try {
        const reading = await openReading(copy, request(file, random))
        await checkReading(reading, copy.length)
      } catch (error) {
        throw new Error(`copy ${i} of ${file}: ${Buffer.from(copy).toString('base64').slice(0, 9_000)}`, {
          cause: error,
        })
      }
    }
  })
}

test('damaged files in the reading process give records or errors', async () => {
  const random = createRandom(1)
  for (let i = 0; i < COPIES_IN_PROCESS; i++) {
    const file = files[i % files.length]!
    const copy = mutated(new Uint8Array(readFileSync(file)), random)
    await checkReading(await read(copy, request(file, random)), copy.length)
  }
})

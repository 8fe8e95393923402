// Malicious files: each ends with a clear verdict, within the limits of the process that reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { read } from '../../server/services/imports/reading/read.ts'
import { UnreadableFile } from '../../server/services/imports/reading/stages.ts'
import { isLong } from '../rounds.ts'
import { workbook } from './workbook.ts'

const request = {
  source: null,
  options: {},
  mapping: null,
  today: '2026-11-16',
  documentDate: '2026-11-16',
  preferredOrder: null,
  filename: 'file',
}
const MB = 2 ** 20
/** A reader that needs time in the square of its input misses its limit with the smaller sizes too. */
const sized = (everyDay: number, long: number) => (isLong ? long : everyDay)
const heading = 'Date,Flight number,From,To,Dep time,Arr time,Duration\n'
const last = '\n2020-01-02,LH1,CPH,ARN,08:00:00,09:00:00,01:00:00\n'

/** `source: records, number of errors`, or the refusal. */
async function verdictOf(given: string | Uint8Array, limits?: Parameters<typeof read>[2]): Promise<string> {
  try {
    const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given
    const { source, batches } = await read(bytes, request, limits)
    let [total, errors, first] = [0, 0, '']
    for await (const batch of batches) {
      total += batch.length
      for (const { error, raw } of batch) {
        if (!error) continue
        errors++
        first ||= `${error.code} ${String(raw)}`
      }
    }
    return `${source}: ${total}, ${errors} ${first}`
  } catch (error) {
    assert.ok(error instanceof UnreadableFile, String(error))
    return `refused: ${error.code} ${error.message}`
  }
}
async function check(
  given: string | Uint8Array,
  expected: RegExp,
  limits?: Parameters<typeof read>[2],
): Promise<void> {
  assert.match(await verdictOf(given, limits), expected)
}

test('zip bombs are refused by ratio, size, number, nesting and false sizes', async () => {
  await check(zipSync({ 'a.csv': new Uint8Array(8 * MB) }), /too_large .*200 times/)
  await check(withFalseSize(1_000, 300 * MB), /too_large .*larger than 200 MB/)
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`${i}.txt`, new Uint8Array()]))
  await check(zipSync(many), /too_large .*1000 members/)
  const inner = zipSync({ 'a.csv': strToU8('a,b\n1,2\n') })
  await check(zipSync({ 'b.zip': inner }), /null: 1, 1 unreadable_file b\.zip\n.*not opened/)
  await check(withFalseSize(2 * MB, 1_000), /null: 1, 1 unreadable_file a\.csv\n.*damaged/)
  await check(withFalseSize(1_000, 20 * MB), /too_large|damaged/)
  await check(withFalseSize(1_000, 2_000), /a\.csv\n.*not what was packed/)
  await check(inner.subarray(0, 40), /damaged/)
  await check(withFalseSize(1_000, 90 * MB, 'xl/workbook.xml'), /too_large/)
})

/** An archive whose directory gives another size than its member has. */
function withFalseSize(actual: number, stated: number, name = 'a.csv'): Uint8Array {
  const packed = deflateRawSync(new Uint8Array(actual).fill(65))
  const archive = zipSync({ [name]: new Uint8Array(8) }, { level: 0 })
  const view = new DataView(archive.buffer, archive.byteOffset)
  const directory = archive.findIndex((_, i) => i > 4 && view.getUint32(i, true) === 0x02014b50)
  const local = archive.subarray(0, directory - 8)
  const entry = archive.slice(directory)
  const result = new Uint8Array(local.length + packed.length + entry.length)
  result.set(local)
  result.set(packed, local.length)
  result.set(entry, local.length + packed.length)
  const at = local.length + packed.length
  const made = new DataView(result.buffer)
  made.setUint16(at + 10, 8, true)
  made.setUint32(at + 20, packed.length, true)
  made.setUint32(at + 24, stated, true)
  made.setUint32(result.length - 6, at, true)
  return result
}

test('recursive entities and 100,000 levels of nesting are refused', async () => {
  const laughs = Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join(
    '',
  )
  await check(`<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY e0 "ha">${laughs}]><gpx>&e20;</gpx>`, /: 1, 1 /)
  for (const root of [
    '<html>',
    '<gpx>',
    '<kml>',
    '<Response><AirObject>',
    '<html><title>FlightMemory - FlightData</title>',
  ])
    await check(`${root}${'<div>'.repeat(100_000)}`, /: 1, 1 (unreadable|too_large)/)
  await check(`<html>${'<'.repeat(2 * MB)}`, /: 1, 1 unreadable/)
  await check(`<gpx>${'<!--'.repeat(sized(MB / 4, MB))}`, /: 1, 1 unreadable/)
})

test('a table with more places than exist is refused before a lookup', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => `2020-01-02,LH1,Place ${i} A,Place ${i} B,08:00:00,,`).join('\n')
  await check(heading + rows(10_001), /^refused: too_large .*20,000 different airports/)
  await check(heading + rows(9_000), /^fr24: 9000, 0 $/)
  // A log of many flights has few different names.
  await check(heading + last.repeat(10_001), /^fr24: 10001, 0 $/)
})

test('deep JSON and YAML, many values, aliases and endless keys are refused', async () => {
  await check('['.repeat(5 * MB), /unreadable_file .*nested/)
  await check(`[${'0,'.repeat(13_000_000)}0]`, /too_large .*too many values/)
  const nested = `${'['.repeat(90)}${']'.repeat(90)}`
  await check(`[${`${nested},`.repeat(40_000)}0]`, /too_large .*too many values/)
  await check(`{"flights":${'{"a":'.repeat(100_000)}`, /nested/)
  await check(`---\n${Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n')}`, /: 1, 1 unreadable/)
  await check(`---\na: ${'['.repeat(50_000)}`, /unreadable_file|too_large/)
})

test('calendars that are cut, endlessly folded or nested are limited', async () => {
  const start = 'BEGIN:VCALENDAR\nPRODID:-//TripIt//\n'
  await check(
    `${start}${'BEGIN:VEVENT\nUID:item-1@tripit.com\nSUMMARY:LH1 CPH to ARN\n'.repeat(1_000)}`,
    /: \d+, \d+/,
  )
  await check(
    `${start}BEGIN:VEVENT\nUID:item-1@tripit.com\nSUMMARY:a\n${' x\n'.repeat(sized(MB / 2, MB))}`,
    /: 1, \d/,
  )
  await check(`${start}${'BEGIN:X\n'.repeat(sized(MB / 5, MB))}`, /: 1, 1/)
})

test('endless lines, huge cells and endless quotes are limited', async () => {
  const long = 'x'.repeat(sized(1.5, 95) * MB)
  await check(`${heading}2020-01-01,${long},CPH${last}`, /^fr24: 2, 0/)
  await check(`${heading}2020-01-01,"${long}",CPH${last}`, /^fr24: 2, 0/)
  await check(long, /^null: 1, 1 unreadable_file/)
  await check(`${heading}${','.repeat(20 * MB)}${last}`, /^fr24: 1, 0/)
  await check(`${heading}${'\n'.repeat(sized(1.5, 5) * MB)}${last}`, /^fr24: 1, 0/)
  await check(`${heading}${'"'.repeat(sized(1.5, 5) * MB)}${last}`, /^fr24: 2, 1/)
  await check(`${heading}${'2020-01-01,"abc\n'.repeat(20_000)}`, /^fr24: 20000, 0/)
  await check(`${heading}${`${'"a","b"c",'.repeat(14)}\n`.repeat(5_000)}`, /: \d+, \d+/)
  await check(
    `${heading}${`2020-01-01,LH1,${'a a '.repeat(20_000)},ARN,${'1'.repeat(50_000)}\n`.repeat(5)}`,
    /^fr24: 5, 0/,
  )
  await check(`${heading}${`${'1/'.repeat(50_000)},LH1,CPH,ARN\n`.repeat(5)}`, /^fr24: 5, 5 bad_date/)
})

test('NULs and random bytes are refused as not text', async () => {
  await check(new Uint8Array(5 * MB), /unreadable_file/)
  await check(`${heading}2020-01-01,L\0H1,CPH\0,ARN${last}`, /^fr24: 2, 0/)
  let state = 1
  const random = Uint8Array.from({ length: 2 * MB }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state >>> 16
  })
  await check(random, /unreadable_file .*not a text/)
  random.set(new TextEncoder().encode(heading.repeat(100)))
  await check(random, /: \d+, \d+|refused/)
  random.set([0x50, 0x4b, 3, 4])
  await check(random, /unreadable_file .*damaged/)
})

/** A document of one page with this content. */
const pdf = (content: Uint8Array, filter: string) =>
  Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n4 0 obj<</Filter${filter}/Length ${content.length}>>stream\n`,
    ),
    content,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ])

test('documents whose pages are large when unpacked are refused', async () => {
  const packed = deflateSync(Buffer.alloc(20 * MB, ' '))
  await check(pdf(packed, '/FlateDecode'), /: 1, 1 too_large .*16 MB/)
  await check(pdf(packed, '[/Fl]').subarray(0, packed.length), /: 1, 1 too_large .*16 MB/)
  await check(pdf(deflateSync(Buffer.alloc(MB, ' ')), '/FlateDecode'), /: 1, 1 not_a_boarding_pass/)
})

test('memory outside the heap ends the reader, not the server', async () => {
  const twice = deflateSync(deflateSync(Buffer.alloc(300 * MB, ' ')))
  const before = process.memoryUsage.rss()
  await check(pdf(twice, '[/FlateDecode/FlateDecode]'), /refused: too_large .*memory/, {
    memoryMb: 64,
    timeMs: 120_000,
  })
  assert.ok(process.memoryUsage.rss() - before < 100 * MB)
})

test('sheets with few cells far apart are too large', async () => {
  const far = [{ xml: '<c r="XFD1"><v>1</v></c>' }]
  await check(workbook([{ name: 'Wide', rows: Array(5_000).fill(far) }]), /: 1, 1 too_large .*16 million/)
  const last = [{ xml: '</row><row r="1048576"><c r="A1048576"><v>1</v></c>' }]
  await check(workbook([{ name: 'Long', rows: [far, last] }]), /: 1, 1 too_large .*16 million/)
  const unplaced = [{ xml: '<c/>'.repeat(20_000) }]
  await check(
    workbook([{ name: 'Unplaced', rows: Array(50).fill(unplaced) }]),
    /too_large .*16 million|200 times/,
  )
})

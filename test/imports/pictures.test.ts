// Pictures and PDF documents of boarding passes → flights: every symbol, turned, blurred and noisy; and malicious ones,
// which the thread survives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { read } from '../../server/services/imports/reading/read.ts'
import { UnreadableFile } from '../../server/services/imports/reading/stages.ts'
import { onSqlite } from '../harness.ts'
import { jpegOf } from './jpeg.ts'
import { type Row, readImport, written } from './judged.ts'
import { passText } from './passes-text.ts'
import { pdfOf } from './pdf.ts'
import { blurred, chunk, drawBarcode, type Grey, inverted, noisy, pngOf, turned, webpOf } from './pictures.ts'
import { pkpassOf } from './wallet.ts'

/** Issued on day 243 of a year that ends in 5. */
const pass = passText([{ once: { issued: '5243' }, sold: { carrier: 'IB' }, own: 'AIRLINE' }])
const flight = 'new 2025-09-01 LEMD>EGLL IB3170 IBE - - - -'
/** Without a day of issue: the year is that of the document. */
const bare = passText()

const formats = ['PDF417', 'Aztec', 'QRCode', 'DataMatrix'] as const
const photographed = (picture: Grey, degrees: number): Grey => noisy(blurred(turned(picture, degrees), 1), 40)

/** `DateTimeOriginal` as cameras write it, in big or little order. */
function exifOf(taken: string, isLittle = false): Buffer {
  const [two, four] = isLittle
    ? [
        (at: number, value: number) => data.writeUInt16LE(value, at),
        (at: number, value: number) => data.writeUInt32LE(value, at),
      ]
    : [
        (at: number, value: number) => data.writeUInt16BE(value, at),
        (at: number, value: number) => data.writeUInt32BE(value, at),
      ]
  const data = Buffer.alloc(80)
  data.write(isLittle ? 'II' : 'MM', 0)
  two(2, 42)
  four(4, 8)
  const entry = (at: number, tag: number, value: number) => {
    two(at, 1)
    two(at + 2, tag)
    two(at + 4, 4)
    four(at + 6, 1)
    four(at + 10, value)
  }
  entry(8, 0x8769, 26)
  entry(26, 0x9003, 44)
  data.write(`${taken} 10:00:00`, 44, 'latin1')
  return Buffer.concat([Buffer.from('Exif\0\0'), data])
}

onSqlite('pictures and documents of boarding passes', (app) => {
  const traveller = async (): Promise<string> => {
    const who = await app().person()
    const cookie = await who.session()
    const body = { username: who.username, displayName: 'Maria Rossi' }
    assert.equal((await app().request('PUT', '/app/api/me', { cookie, body })).status, 204)
    return who.key()
  }
  const send = async (key: string, raw: Buffer, type: string) => {
    const headers = { 'content-type': type }
    const { status, text, json } = await app().request('POST', '/api/v1/imports', { key, raw, headers })
    assert.equal(status, 201, text)
    const found = await readImport(app(), key, json.data.id)
    assert.doesNotMatch(JSON.stringify(found.rows.map(({ raw: shown }) => shown)), /Q7RT2M|2401234567/)
    return found
  }
  const lines = (rows: Row[]) => rows.map(written)

  for (const format of formats)
    test(`${format}: straight, tilted and inverted bar codes are read from PNG and JPEG`, async () => {
      const key = await traveller()
      const drawn = await drawBarcode(pass, format)
      const pictures: [string, Buffer, string][] = [
        ['straight', pngOf(drawn), 'image/png'],
        ['at 4 degrees', pngOf(photographed(drawn, 4)), 'image/png'],
        ['at 20 degrees', jpegOf(photographed(drawn, 20)), 'image/jpeg'],
        ['at 118 degrees', pngOf(photographed(drawn, 118)), 'image/png'],
        ['upside down', jpegOf(photographed(drawn, 180)), 'image/jpeg'],
        ['cut at its edge', pngOf(await drawBarcode(pass, format, { scale: 1, margin: 0 })), 'image/png'],
        ...(format === 'PDF417'
          ? []
          : [['inverted', pngOf(inverted(drawn)), 'image/png'] as [string, Buffer, string]]),
      ]
      for (const [what, bytes, type] of pictures) {
        const { import: given, rows } = await send(key, bytes, type)
        assert.equal(given.source, 'bcbp', what)
        assert.deepEqual(lines(rows), [flight], what)
        assert.equal(rows[0].draft.passengers[0].seatNumber, '12C')
      }
    })

  test('a PDF417 code with one and a half pixels per module is read', async () => {
    const key = await traveller()
    const small = scaled(await drawBarcode(pass, 'PDF417', { scale: 6 }), 1 / 4)
    assert.deepEqual(lines((await send(key, pngOf(onSheet(small, 1200, 900)), 'image/png')).rows), [flight])
  })

  test('WebP is read: lossy, lossless and transparent', async () => {
    const key = await traveller()
    const drawn = await drawBarcode(pass, 'Aztec')
    const pictures = {
      lossy: await webpOf(photographed(drawn, 4)),
      lossless: await webpOf(turned(drawn, 90), { isLossless: true }),
      transparent: await webpOf(drawn, { isTransparent: true }),
    }
    for (const [what, bytes] of Object.entries(pictures))
      assert.deepEqual(lines((await send(key, bytes, 'image/webp')).rows), [flight], what)
  })

  test('a photograph’s date gives the year of a pass without one', async () => {
    const key = await traveller()
    const drawn = await drawBarcode(bare, 'Aztec')
    for (const isLittle of [false, true]) {
      const taken = isLittle ? '2019:08:30' : '2018:09:05'
      const { rows } = await send(key, jpegOf(drawn, exifOf(taken, isLittle)), 'image/jpeg')
      assert.deepEqual(lines(rows), [
        `new ${taken.slice(0, 4)}-09-01 LEMD>EGLL IB3170 IBE - - - - !year_assumed`,
      ])
    }
  })

  test('pictures with no bar code, other bar codes or two passes are handled', async () => {
    const key = await traveller()
    const blank: Grey = { width: 300, height: 300, data: new Uint8Array(90_000).fill(240) }
    const none = await send(key, pngOf(blank), 'image/png')
    assert.deepEqual(lines(none.rows), ['error:not_a_boarding_pass'])
    assert.match(none.rows[0].raw, /no bar code/)
    const link = await drawBarcode('https://example.com/secret-check-in', 'QRCode')
    const other = await send(key, pngOf(link), 'image/png')
    assert.deepEqual(lines(other.rows), ['error:not_a_boarding_pass'])
    assert.doesNotMatch(JSON.stringify(other), /secret-check-in/)
    const beside = await send(key, pngOf(stacked(link, await drawBarcode(pass, 'Aztec'))), 'image/png')
    assert.deepEqual(lines(beside.rows), [flight])
    const second = await drawBarcode(bare.replace('MADLHRIB 3170 244', 'LHRJFKBA 0117 245'), 'QRCode')
    const two = await send(
      key,
      jpegOf(stacked(await drawBarcode(pass, 'Aztec'), second), exifOf('2025:09:01')),
      'image/jpeg',
    )
    assert.deepEqual(
      lines(two.rows).sort(),
      [flight, 'new 2025-09-02 EGLL>KJFK BA117 BAW - - - - !year_assumed'].sort(),
    )
  })

  test('a PDF’s pictures are read on every page, its words are not', async () => {
    const key = await traveller()
    const picture = await drawBarcode(pass, 'PDF417')
    const small = await drawBarcode(pass, 'Aztec', { scale: 1, margin: 0 })
    const forms = [
      { form: 'grey' as const, picture },
      { form: 'bits' as const, picture: small },
      { form: 'mask' as const, picture: small },
      { form: 'jpeg' as const, picture, jpeg: jpegOf(picture) },
      { form: 'inline' as const, picture: small },
    ]
    for (const one of forms) {
      const document = pdfOf({ pictures: [one], words: ['Boarding pass', 'IB 3170 MAD LHR'], pages: 2 })
      const { import: given, rows } = await send(key, document, 'application/pdf')
      assert.equal(given.source, 'pdf', one.form)
      assert.deepEqual(lines(rows), [flight], one.form)
    }
    for (const format of formats) {
      const drawn = drawnBy(await drawBarcode(pass, format, { scale: 1, margin: 0 }))
      const { rows } = await send(key, pdfOf({ drawn, words: ['Boarding pass'] }), 'application/pdf')
      assert.deepEqual(lines(rows), [flight], `${format} drawn with rectangles`)
    }
    const words = pdfOf({ words: ['Your flight IB3170 from MAD to LHR on 1 September 2025 at 07:50'] })
    const { import: given, rows } = await send(key, words, 'application/pdf')
    assert.equal(given.source, 'pdf')
    assert.deepEqual(lines(rows), ['error:not_a_boarding_pass'])
    assert.match(rows[0].raw, /1 page and 0 pictures.*\n.*screenshot/)
  })

  test('a PDF’s date is used, and a tilted scan in one is read', async () => {
    const key = await traveller()
    const old = pdfOf({
      pictures: [{ form: 'bits', picture: await drawBarcode(bare, 'Aztec', { scale: 2 }) }],
      made: 'D:20160830101500Z',
    })
    assert.deepEqual(lines((await send(key, old, 'application/pdf')).rows), [
      'new 2016-08-31 LEMD>EGLL IB3170 IBE - - - - !year_assumed',
    ])
    const askew = turned(await drawBarcode(pass, 'PDF417'), 12)
    const scan = pdfOf({ pictures: [{ form: 'grey', picture: askew }] })
    assert.deepEqual(lines((await send(key, scan, 'application/pdf')).rows), [flight])
  })

  test('large and damaged pictures are reported, and the next picture is read', async () => {
    const key = await traveller()
    const small: Grey = { width: 8, height: 8, data: new Uint8Array(64) }
    const { rows } = await send(key, pngOf(small, { width: 30_000, height: 30_000 }), 'image/png')
    assert.deepEqual(lines(rows), ['error:too_large'])
    assert.match(rows[0].raw, /40 megapixels/)
    const webp = await webpOf(await drawBarcode(pass, 'Aztec'), { isLossless: true })
    for (const damaged of [webp.subarray(0, webp.length / 2), Buffer.from('RIFF....WEBPVP8 ')]) {
      const { rows: unreadable } = await send(key, damaged, 'image/webp')
      assert.deepEqual(lines(unreadable), ['error:unreadable_file'])
      assert.match(unreadable[0].raw, /picture is damaged/)
    }
    const wide = Buffer.from(webp)
    wide.writeUInt32LE(0x0fffffff, 21)
    assert.deepEqual(lines((await send(key, wide, 'image/webp')).rows), ['error:too_large'])
    const next = await send(key, pngOf(await drawBarcode(pass, 'QRCode')), 'image/png')
    assert.deepEqual(lines(next.rows), [flight])
  })
})

/** Each pixel is the mean of those it replaces. */
function scaled(picture: Grey, factor: number): Grey {
  const [width, height] = [Math.floor(picture.width * factor), Math.floor(picture.height * factor)]
  const step = 1 / factor
  const data = new Uint8Array(width * height)
  for (let i = 0; i < data.length; i++) {
    let sum = 0
    for (let dy = 0; dy < step; dy++)
      for (let dx = 0; dx < step; dx++)
        sum += picture.data[(Math.floor(i / width) * step + dy) * picture.width + (i % width) * step + dx]!
    data[i] = sum / step ** 2
  }
  return { width, height, data }
}

function onSheet(picture: Grey, width: number, height: number): Grey {
  const data = new Uint8Array(width * height).fill(230)
  const [left, top] = [(width - picture.width) >> 1, (height - picture.height) >> 1]
  for (let y = 0; y < picture.height; y++)
    data.set(picture.data.subarray(y * picture.width, (y + 1) * picture.width), (y + top) * width + left)
  return { width, height, data }
}

function stacked(one: Grey, other: Grey): Grey {
  const width = Math.max(one.width, other.width)
  const data = new Uint8Array(width * (one.height + other.height)).fill(255)
  for (const [picture, top] of [
    [one, 0],
    [other, one.height],
  ] as const)
    for (let y = 0; y < picture.height; y++)
      data.set(picture.data.subarray(y * picture.width, (y + 1) * picture.width), (top + y) * width)
  return { width, height: one.height + other.height, data }
}

/** Each run of black modules is a rectangle, on a page with a frame and a white box. */
function drawnBy({ width, height, data }: Grey): string {
  const boxes: string[] = ['1 g 50 50 200 200 re f 0 g 10 10 575 1 re f q 0.8 0 0 0.8 100 300 cm']
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const start = x
      while (x < width && data[y * width + x] === 0) x++
      if (x > start) boxes.push(`${start} ${height - y} ${x - start} 1 re f`)
    }
  return `${boxes.join('\n')}\nQ`
}

// Malicious files

const request = {
  source: null,
  options: {},
  mapping: null,
  today: '2026-11-16',
  documentDate: '2026-11-16',
  preferredOrder: null,
  filename: 'file',
}

async function verdictOf(bytes: Uint8Array): Promise<string> {
  try {
    const { source, batches } = await read(bytes, request)
    const said: string[] = []
    for await (const batch of batches)
      for (const { error, skip, raw } of batch) said.push(`${error?.code ?? skip ?? 'flight'} ${String(raw)}`)
    return `${source}: ${said.join(' | ')}`
  } catch (error) {
    assert.ok(error instanceof UnreadableFile, String(error))
    return `refused: ${error.code} ${error.message}`
  }
}
const check = async (bytes: Uint8Array, expected: RegExp) => assert.match(await verdictOf(bytes), expected)

test('pictures with a false size or a huge unpacked size are refused', async () => {
  const tiny: Grey = { width: 4, height: 4, data: new Uint8Array(16) }
  await check(pngOf(tiny, { width: 2 ** 31 - 1, height: 2 ** 31 - 1 }), /too_large .*40 megapixels/)
  await check(pngOf(tiny, { width: 0, height: 4 }), /unreadable_file .*damaged/)
  const bomb: Grey = { width: 10_000, height: 4_000, data: new Uint8Array(40_000_000) }
  await check(pngOf(bomb, { width: 4, height: 4 }), /too_large .*unpacked/)
  const jpeg = jpegOf({ width: 64, height: 64, data: new Uint8Array(4096) })
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt32BE(0xffffffff, frame + 5)
  await check(jpeg, /too_large .*40 megapixels/)
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([255, 255, 255, 255, 0x80, 0, 0, 0])])
  await check(gif, /too_large .*40 megapixels/)
})

test('truncated pictures, wrong signatures and noise are refused', async () => {
  const whole = pngOf(await drawBarcode(pass, 'QRCode'))
  for (const length of [8, 20, 33, 60, whole.length - 40])
    await check(whole.subarray(0, length), /unreadable_file|not_a_boarding_pass/)
  const jpeg = jpegOf(await drawBarcode(pass, 'QRCode'))
  for (const length of [4, 100, 300])
    await check(jpeg.subarray(0, length), /unreadable_file|not_a_boarding_pass/)
  await check(Buffer.concat([Buffer.from('\x89PNG', 'latin1'), jpeg]), /unreadable_file/)
  await check(Buffer.from('%PDF-1.7 this is no document'), /unreadable_file .*PDF document is damaged/)
  const noise: Grey = noisy({ width: 1500, height: 1200, data: new Uint8Array(1_800_000).fill(128) }, 255)
  await check(pngOf(noise), /bcbp: not_a_boarding_pass/)
  const text = chunk('tEXt', Buffer.from('x'.repeat(100)))
  await check(Buffer.concat([whole.subarray(0, 33), text, whole.subarray(33)]), /bcbp: flight/)
})

test('documents with too many pages, cycles, large pictures or encryption are refused', async () => {
  await check(pdfOf({ pages: 10_000 }), /too_large .*50 pages/)
  const circle = pdfOf({})
    .toString('latin1')
    .replace(/\/Kids\[\d+ 0 R\]/, '/Kids[2 0 R]')
  await check(Buffer.from(circle, 'latin1'), /unreadable_file|not_a_boarding_pass/)
  const form =
    '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>/Length 5>>\nstream\n/X Do\nendstream'
  await check(pdfOf({ more: [form], drawn: '/X Do' }), /unreadable_file|not_a_boarding_pass|too_large/)
  const huge =
    '<</Type/XObject/Subtype/Image/Width 60000/Height 60000/ColorSpace/DeviceRGB/BitsPerComponent 8/Length 3>>\nstream\nabc\nendstream'
  await check(pdfOf({ more: [huge], drawn: '/X Do' }), /not_a_boarding_pass/)
  const picture = await drawBarcode(pass, 'PDF417')
  const whole = pdfOf({ pictures: [{ form: 'grey', picture }] })
  for (const part of [0.1, 0.5, 0.9])
    await check(whole.subarray(0, whole.length * part), /unreadable_file|not_a_boarding_pass|flight/)
  await check(whole, /pdf: flight/)
})

test('passes that are bombs, damaged or something else are refused', async () => {
  await check(zipSync({ 'pass.json': new Uint8Array(8 * 2 ** 20) }), /too_large .*200 times/)
  const long = pkpassOf(`{"a":"${Array.from({ length: 400_000 }, (_, i) => i).join()}"}`)
  await check(long, /too_large .*2 MB/)
  await check(pkpassOf('['.repeat(100_000)), /unreadable_file|too_large/)
  const whole = pkpassOf({ formatVersion: 1, boardingPass: { transitType: 'PKTransitTypeAir' } })
  await check(whole, /pkpass: unreadable_row/)
  await check(whole.subarray(0, whole.length - 30), /unreadable_file .*damaged/)
  await check(pkpassOf('"a text"'), /pkpass: not_a_flight/)
  const circle = { 'a.pkpass': zipSync({ 'b.pkpass': zipSync({ 'c.pkpass': whole }) }) }
  await check(zipSync(circle), /unreadable_file a\.pkpass: b\.pkpass\n.*not an Apple Wallet pass/)
})

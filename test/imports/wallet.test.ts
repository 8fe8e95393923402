// Passes of Apple and Google Wallet → flights: which part of a pass is used for which field.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { onSqlite } from '../harness.ts'
import { type Row, readImport, utc, written } from './judged.ts'
import { fileOf } from './said.ts'
import { pkpassOf } from './wallet.ts'

const detail = (row: Row): string => {
  const { draft } = row
  if (!draft) return written(row)
  const self = draft.passengers[0] ?? {}
  return [
    written(row),
    `| ${utc(draft.departureScheduled)} ${utc(draft.arrivalScheduled)}`,
    `| ${draft.departureTerminal ?? '-'}/${draft.departureGate ?? '-'} ${draft.arrivalTerminal ?? '-'}/${draft.arrivalGate ?? '-'}`,
    `| ${self.seatNumber ?? '-'} ${self.seatClass ?? '-'} ${draft.bookingReference ?? '-'}`,
    `| ${Object.values(draft.externalIds).join()}`,
  ].join(' ')
}

const expected: Record<string, string[]> = {
  // The bar code has no times: the field's time is used, the boarding time is not.
  'barcode.json': [
    'new 2025-09-01 LEMD>EGLL IB3170 IBE - - 2025-09-01T05:50Z - | - - | 4/J42 -/- | 12C economy Q7RT2M | pass.example.air:B1:1',
  ],
  // Only the boarding time is known; row and letter of the seat are separate.
  'boarding-day.json': [
    'new 2024-05-02 EKCH>EDDH SK653 SAS - - - - | - - | -/- -/- | 9D - - | pass.example.air:G1:1',
  ],
  'cancelled.json': [
    'skipped:cancelled 2025-02-01 ESSA>EKCH SK1417 SAS - - 2025-02-01T07:00Z - | 2025-02-01T07:00Z - | -/- -/- | - - - | pass.example.air:C1:1',
  ],
  'coupon.json': ['skipped:not_a_flight'],
  'date-line.json': [
    'new 2024-06-02 NZAA>NCRG NZ946 ANZ - - 2024-06-01T20:50Z 2024-06-02T00:40Z | 2024-06-01T20:50Z 2024-06-02T00:40Z | -/- -/- | - - - | pass.example.air:D1:1',
  ],
  'fields-english.json': [
    'new 2023-12-30 KLAX>NZAA NZ5 ANZ - - 2023-12-31T07:30Z - | - - | -/- -/- | 7A business K3LM9P | pass.example.air:F1:1',
  ],
  'fields-other-labels.json': [
    'new 2022-05-06 LFPG>LIRF AF1234 AFR - - 2022-05-06T07:50Z 2022-05-06T09:55Z | - - | -/K31 -/- | 21F economy - | pass.example.air:F2:1',
  ],
  'google-wallet-link.txt': [
    'new 2018-10-06 SBGR>LSZH LX93 SWR - - 2018-10-06T21:40Z - | 2018-10-06T21:25Z 2018-10-07T09:00Z | 3/312 1/- | 31K economy Q7RT2M | 3388.rossi:1',
  ],
  'google-wallet-thin-link.txt': ['error:unreadable_row'],
  'google-wallet.json': [
    'new 2018-10-06 SBGR>LSZH LX93 SWR - - 2018-10-06T21:40Z - | 2018-10-06T21:25Z 2018-10-07T09:00Z | 3/312 1/- | 31K economy Q7RT2M | 3388.rossi:1',
  ],
  // Day 366 exists in leap years only; the pass ends in January 2017.
  'leap-day.json': [
    'new 2016-12-31 EKCH>EDDH SK653 SAS - - - - | - - | -/- -/- | 9D economy Q7RT2M | pass.example.air:Y2:1',
  ],
  'no-date.json': ['error:bad_date | - - | -/- -/- | - - - | pass.example.air:N1:1'],
  'not-a-pass-code.json': [
    'new 2024-08-01 EKCH>EDDF LH829 DLH - - - - | - - | -/- -/- | - - - | pass.example.air:Q1:1',
  ],
  'nothing.json': ['error:unreadable_row'],
  // Tags give the gate, the seat and the time; the bar code number and class; fields only what is still missing.
  'order-of-trust.json': [
    'new 2025-09-01 LEMD>EGLL IB3170 IBE - - 2025-09-01T05:50Z - | - - | -/A1 -/- | 14D economy Q7RT2M | pass.example.air:O1:1',
  ],
  'semantics-in-fields.json': [
    'new 2024-03-31 LSZH>KJFK LX14 SWR - - 2024-03-31T11:05Z - | 2024-03-31T11:05Z - | -/B12 -/- | 23C business - | pass.example.air:S2:1',
  ],
  'semantics.json': [
    'new 2025-09-01 LEMD>EGLL IB3170 IBE - - 2025-09-01T06:05Z 2025-09-01T08:31Z | 2025-09-01T05:50Z 2025-09-01T08:20Z | 4/J42 5/A10 | 12C economy Q7RT2M | pass.example.air:S1:1',
  ],
  'train.json': ['skipped:not_a_flight'],
  'turn-of-year.json': [
    'new 2024-01-01 EKCH>EDDH SK653 SAS - - - - | - - | -/- -/- | 9D economy Q7RT2M | pass.example.air:Y1:1',
  ],
  // The tags are about the second flight.
  'two-legs.json': [
    'new 2024-04-09 ESSA>EDDF LH803 DLH - - - - | - - | -/- -/- | 14A economy Q7RT2M | pass.example.air:T1:1',
    'new 2024-04-09 EDDF>KBOS LH422 DLH - - - - | - - | -/Z25 -/- | 31K economy Q7RT2M | pass.example.air:T1:2',
  ],
  'voided-after-use.json': [
    'new 2024-12-24 EKCH>ESSA SK1416 SAS - - 2024-12-24T07:00Z - | 2024-12-24T07:00Z - | -/- -/- | - - - | pass.example.air:V2:1',
  ],
  'voided.json': [
    'skipped:cancelled 2026-12-24 EKCH>ESSA SK1416 SAS - - 2026-12-24T07:00Z - | 2026-12-24T07:00Z - | -/- -/- | - - - | pass.example.air:V1:1',
  ],
}

onSqlite('wallet passes', (app) => {
  /** The key of a person whose name is on the passes. */
  const traveller = async (): Promise<string> => {
    const who = await app().person()
    const body = { username: who.username, displayName: 'Maria Rossi' }
    const cookie = await who.session()
    assert.equal((await app().request('PUT', '/app/api/me', { cookie, body })).status, 204)
    return who.key()
  }
  const send = async (key: string, bytes: Uint8Array, filename: string) => {
    const body = { filename, base64: Buffer.from(bytes).toString('base64') }
    const { status, text, json } = await app().request('POST', '/api/v1/imports', { key, body })
    assert.equal(status, 201, text)
    return readImport(app(), key, json.data.id)
  }

  test('every pass gives the expected record', async () => {
    const key = await traveller()
    const seen: Record<string, string[]> = {}
    for (const path of globSync('pkpass/*', { cwd: `${import.meta.dirname}/files` }).sort()) {
      const name = basename(path)
      const isPass = /"formatVersion"/.test(fileOf(path).toString())
      const bytes = isPass ? pkpassOf(fileOf(path).toString()) : fileOf(path)
      const { import: given, rows } = await send(
        key,
        bytes,
        name.replace(/json$/, isPass ? 'pkpass' : 'json'),
      )
      assert.equal(given.source, 'pkpass', name)
      seen[name] = rows.map(detail)
      const shown = JSON.stringify(rows.map(({ raw }) => raw))
      assert.doesNotMatch(shown, /Q7RT2M|K3LM9P|M1ROSSI|eyJ/, name)
    }
    assert.deepEqual(seen, expected)
  })
  test('texts are read in the languages of the pass, in UTF-8 and UTF-16 with escapes', async () => {
    const key = await traveller()
    const pass = {
      formatVersion: 1,
      passTypeIdentifier: 'pass.example.air',
      serialNumber: 'L1',
      relevantDate: '2024-02-03T10:00+01:00',
      boardingPass: {
        transitType: 'PKTransitTypeAir',
        headerFields: [{ key: 'k1', label: 'L_FLIGHT', value: 'LH 829' }],
        primaryFields: [
          { key: 'k2', label: 'L_FROM', value: 'CPH' },
          { key: 'k3', label: 'L_TO', value: 'FRA' },
        ],
        auxiliaryFields: [
          { key: 'k4', label: 'L_SEAT', value: '3D' },
          { key: 'k5', label: 'L_CLASS', value: 'V_CLASS' },
          { key: 'k6', label: 'L_DEPARTURE', value: '2024-02-03T10:45:00Z', ignoresTimeZone: true },
        ],
      },
    }
    const german =
      '\ufeff/* "x" */\n"L_FLIGHT" = "Flug";\n"L_SEAT"="Sitz\\u0070latz";\n"V_CLASS" = "Business \\"Class\\"";'
    const english = '"L_CLASS" = "Class";\n"L_DEPARTURE" = "Departure\\n";\n"V_CLASS" = "Business";\n'
    const strings = { de: Buffer.from(german, 'utf16le'), en: strToU8(english) }
    const { rows } = await send(key, pkpassOf(pass, strings), 'a.pkpass')
    assert.deepEqual(rows.map(detail), [
      'new 2024-02-03 EKCH>EDDF LH829 DLH - - 2024-02-03T09:45Z - | - - | -/- -/- | 3D business - | pass.example.air:L1:1',
    ])
  })

  test('collections, archives and a reissued pass are read', async () => {
    const key = await traveller()
    const pass = (seat: string, serial = 'R1', number = 14) => ({
      formatVersion: 1,
      passTypeIdentifier: 'pass.example.air',
      serialNumber: serial,
      semantics: {
        airlineCode: 'LX',
        flightNumber: number,
        departureAirportCode: 'ZRH',
        destinationAirportCode: 'JFK',
        originalDepartureDate: '2024-03-30T13:05+01:00',
        seats: [{ seatNumber: seat }],
      },
      boardingPass: { transitType: 'PKTransitTypeAir' },
    })
    const passes = zipSync({ 'a.pkpass': pkpassOf(pass('23C')), 'b.pkpass': pkpassOf(pass('23D')) })
    const verdicts = (rows: Row[]) => rows.map((row) => `${row.verdict} ${row.code}`)
    assert.deepEqual(verdicts((await send(key, passes, 'trip.pkpasses')).rows), [
      'duplicate superseded',
      'new null',
    ])
    const mixed = zipSync({
      'passes/trip.pkpasses': passes,
      'c.pkpass': pkpassOf(pass('1A', 'R2', 16)),
      'd.pkpass': pkpassOf('{"formatVersion": 1,'),
      'readme.zip': zipSync({ 'x.csv': strToU8('a,b\n') }),
    })
    const { import: given, rows } = await send(key, mixed, 'all.zip')
    assert.equal(given.source, 'pkpass')
    assert.deepEqual(verdicts(rows), [
      'duplicate superseded',
      'new null',
      'similar similar_in_file',
      'error unreadable_file',
      'error unreadable_file',
    ])
    assert.match(rows[3].raw, /d\.pkpass\npass\.json: /)
  })

  test('the link in a mail and the pass itself are one pass', async () => {
    const key = await traveller()
    const page = `<html><body><a href="${fileOf('pkpass/google-wallet-link.txt').toString().trim()}">Add</a></body></html>`
    const mail = `From: a@example.org\r\nDate: Mon, 01 Oct 2018 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${page}`
    const { import: given, rows } = await send(key, Buffer.from(mail), 'a.eml')
    const ids = rows.map((row) => row.draft?.externalIds)
    assert.deepEqual([given.source, ids], ['email', [{ pkpass: '3388.rossi:1' }]])
  })

  test('another person’s pass is marked as such, and the booking reference is kept only on request', async () => {
    const key = await (await app().person()).key()
    const bytes = pkpassOf(fileOf('pkpass/semantics.json').toString())
    const { rows } = await send(key, bytes, 'a.pkpass')
    assert.deepEqual(
      rows.map(({ verdict, code }) => `${verdict} ${code}`),
      ['skipped not_mine'],
    )
    const own = await traveller()
    const { import: given } = await send(own, bytes, 'a.pkpass')
    const body = { options: { bookingReference: false } }
    const reply = await app().request('PATCH', `/api/v1/imports/${given.id}`, { key: own, body })
    assert.equal(reply.status, 200, reply.text)
    const [row] = (await readImport(app(), own, given.id)).rows
    assert.equal(row.draft.bookingReference, null)
  })
})

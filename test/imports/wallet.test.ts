// Passes of Apple and Google Wallet → flights, on both engines: what each part of a pass is trusted for.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { onBothEngines } from '../harness.ts'
import { type Row, readImport, utc, written } from './judged.ts'
import { fileOf } from './said.ts'
import { pkpassOf } from './wallet.ts'

const detail = (row: Row): string => {
  const { draft } = row
  if (!draft) return written(row)
  const self = draft.people?.[0] ?? {}
  return [
    written(row),
    `| ${utc(draft.departureScheduled)} ${utc(draft.arrivalScheduled)}`,
    `| ${draft.departureTerminal ?? '-'}/${draft.departureGate ?? '-'} ${draft.arrivalTerminal ?? '-'}/${draft.arrivalGate ?? '-'}`,
    `| ${self.seatNumber ?? '-'} ${self.seatClass ?? '-'} ${draft.bookingReference ?? '-'}`,
    `| ${Object.values(draft.externalIds).join()}`,
  ].join(' ')
}

const expected: Record<string, string[]> = {
}

onBothEngines('wallet passes', (app) => {
  const send = async (key: string, bytes: Uint8Array, filename: string) => {
    const body = { filename, base64: Buffer.from(bytes).toString('base64') }
    const { status, text, json } = await app().request('POST', '/api/v1/imports', { key, body })
    assert.equal(status, 201, text)
    return readImport(app(), key, json.data.id)
  }

  test('each pass becomes what it says', async () => {
    const who = await app().person({ displayName: 'Maria Rossi' })
    const key = await who.key()
    const seen: Record<string, string[]> = {}
    for (const path of globSync('pkpass/*', { cwd: `${import.meta.dirname}/files` }).sort()) {
      const name = basename(path)
      const isPass = /"formatVersion"/.test(fileOf(path).toString())
      const bytes = isPass ? pkpassOf(fileOf(path).toString()) : fileOf(path)
      const { import: given, rows } = await send(key, bytes, name.replace(/json$/, isPass ? 'pkpass' : 'json'))
      assert.equal(given.source, 'pkpass', name)
      seen[name] = rows.map(detail)
      const shown = JSON.stringify(rows.map(({ raw }) => raw))
      assert.doesNotMatch(shown, /Q7RT2M|K3LM9P|M1ROSSI|eyJ/, name)
    }
    assert.deepEqual(seen, expected)
  })
})

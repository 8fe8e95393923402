// The verdicts of the records of a file, through the API.
import assert from 'node:assert/strict'
import type { TestApp } from '../harness.ts'
import { until } from '../until.ts'
import { fileOf } from './said.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
export type Row = any

/** An instant to the minute. */
export const utc = (text: string | null): string =>
  text === null ? '-' : `${new Date(text).toISOString().slice(0, 16)}Z`

const coded = (record: Row): string => record?.icao ?? record?.iata ?? '?'

/**
 * One row: verdict, code and the row that it repeats; date; route; flight number and airline; type and registration; departure and
 * arrival, or the duration; warnings.
 */
export function written({ verdict, code, of, draft, warnings }: Row): string {
  const verdictText = `${verdict}${code ? `:${code}` : ''}${of?.row ? `=${of.row}` : ''}`
  if (verdict === 'error' || !draft) return verdictText
  const digits = { day: 10, month: 7, year: 4 }[draft.datePrecision as 'day' | 'month' | 'year']
  const arrival =
    draft.arrival === null && draft.duration !== null ? `${draft.duration}s` : utc(draft.arrival)
  return [
    verdictText,
    draft.date.slice(0, digits),
    `${coded(draft.from)}>${coded(draft.to)}`,
    draft.flightNumber ?? '-',
    draft.airline?.icao ?? '-',
    draft.aircraft?.icao ?? '-',
    draft.aircraftReg ?? '-',
    utc(draft.departure),
    arrival,
    ...warnings.map((warning: Row) => `!${warning.code}`).sort(),
  ].join(' ')
}

/** A file of `files/`, sent by the person with this key. */
export async function imported(
  app: TestApp,
  key: string,
  path: string,
  options: Record<string, unknown> = {},
) {
  const body = { filename: path.split('/')[1]!, base64: fileOf(path).toString('base64'), options }
  const { status, text, json } = await app.request('POST', '/api/v1/imports', { key, body })
  assert.equal(status, 201, text)
  return readImport(app, key, json.data.id)
}

/** Resolves when it is read: a busy machine can take longer than a request waits. */
export async function readImport(
  app: TestApp,
  key: string,
  id: number,
): Promise<{ import: Row; rows: Row[] }> {
  const path = `/api/v1/imports/${id}`
  const given = await until('the import has been read', async () => {
    const found = await get(app, key, path)
    return found.status !== 'reading' && found
  })
  return { import: given, rows: await get(app, key, `${path}/rows?limit=100`) }
}

async function get(app: TestApp, key: string, path: string): Promise<Row> {
  const { status, text, json } = await app.request('GET', path, { key })
  assert.equal(status, 200, text)
  return json.data
}

// The countries that the person marked by hand: loaded once, changed one at a time.
import type { VisitStatus } from '../../../server/domain/reference/countries.ts'
import { client, dataOf } from '../api/client.ts'

interface Visited {
  id: number
  code: string
  status: VisitStatus
  note: string | null
}

let rows = $state.raw<ReadonlyMap<string, Visited>>(new Map())
let state = $state<'loading' | 'ready' | 'failed'>('loading')
/** Counts what was saved: a list that was requested before may lack it. */
let saved = 0

async function load(): Promise<void> {
  const before = saved
  try {
    const list = await dataOf(client.GET('/visited-countries'))
    if (saved !== before) return load()
    rows = new Map(list.map((row) => [row.code, row]))
    state = 'ready'
  } catch {
    state = state === 'ready' ? 'ready' : 'failed'
  }
}

export const visited = {
  get state() {
    return state
  },
  get rows(): ReadonlyMap<string, Visited> {
    return rows
  },
  load,
}

export async function saveCountry(code: string, status: VisitStatus, note: string | null): Promise<void> {
  const row = await dataOf(client.PUT('/visited-countries', { body: { code, status, note } }))
  saved++
  rows = new Map(rows).set(code, row)
}

export async function removeCountry(code: string): Promise<void> {
  await client.DELETE('/visited-countries', { params: { query: { code } } })
  saved++
  const rest = new Map(rows)
  rest.delete(code)
  rows = rest
}

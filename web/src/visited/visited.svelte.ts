// The caller's visited countries: loaded once, changed one at a time, filled from flights on the server.
import type { VisitStatus } from '../../../server/domain/countries.ts'
import { api } from '../api/client.ts'

export interface Visited {
  id: number
  code: string
  status: VisitStatus
  note: string | null
}

const path = '/visited-countries'
let rows = $state.raw<ReadonlyMap<string, Visited>>(new Map())
let state = $state<'loading' | 'ready' | 'failed'>('loading')

async function load(): Promise<void> {
  try {
    const list = await api.get<Visited[]>(path)
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
  const row = await api.put<Visited>(path, { code, status, note })
  rows = new Map(rows).set(code, row)
}

export async function removeCountry(code: string): Promise<void> {
  await api.delete(path, { code })
  const rest = new Map(rows)
  rest.delete(code)
  rows = rest
}

/** Marks what flights prove; what a person set is left as it is. Returns how many countries are new. */
export async function fillFromFlights(): Promise<number> {
  const { added } = await api.post<{ added: Visited[] }>(`${path}/fill`)
  await load()
  return added.length
}

// The countries that the person marked: loaded once, changed one at a time.
import type { VisitStatus } from '../../../server/domain/reference/countries.ts'
import { client, dataOf } from '../api/client.ts'
import { Resource } from '../lib/resource.svelte.ts'

interface Visited {
  id: number
  code: string
  status: VisitStatus
  note: string | null
}
type Marks = ReadonlyMap<string, Visited>

const marks = new Resource<Marks>(async (signal) => {
  const list = await dataOf(client.GET('/visited-countries', { signal }))
  return new Map(list.map((row) => [row.code, row]))
})
const none: Marks = new Map()

export const visited = {
  get state() {
    return marks.state
  },
  get rows(): Marks {
    return marks.value ?? none
  },
  load: () => marks.refresh(),
}

/** If the marks never loaded, a single one would look like all of them. */
async function change(apply: (rows: Map<string, Visited>) => unknown): Promise<void> {
  if (marks.value === null) return marks.refresh()
  const rows = new Map(marks.value)
  apply(rows)
  marks.set(rows)
}

export async function saveCountry(code: string, status: VisitStatus, note: string | null): Promise<void> {
  const row = await dataOf(client.PUT('/visited-countries', { body: { code, status, note } }))
  await change((rows) => rows.set(code, row))
}

export async function removeCountry(code: string): Promise<void> {
  await client.DELETE('/visited-countries', { params: { query: { code } } })
  await change((rows) => rows.delete(code))
}

// A whole import for its page in the web app: the verdicts of all rows in one text, the routes that it would add, and
// the visible rows by number.
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { IMPORT_RECORDS_AT_MOST, type ImportOptions, type Verdict } from '../../domain/imports/imports.ts'
import { type Call, operation, person } from '../../door/operation.ts'
import type { Draft } from '../../services/imports/drafting/draft.ts'
import { planOf } from '../../services/imports/verdicts/commit-plan.ts'
import { listEditedFlights } from '../../store/imports/commits.ts'
import { listOverviewRows, type OverviewRow } from '../../store/imports/overview.ts'
import { listRowsByNumber } from '../../store/imports/rows.ts'
import { Airport, list, onePage, pathId, single, strictQuery } from '../wire/schemas.ts'
import { ImportRow } from './schema.ts'
import { requireOwnImport, showRows } from './view.ts'

const tag = 'Imports'
const access = person(['flight.import.own'])
const ROWS_AT_ONCE = 1000
const ROUTES_AT_MOST = 400
const EDITED_AT_MOST = 1000
const PICKED_AT_MOST = 100

/** `l` for left out, because `s` is `similar`. */
const letterOf: Record<Verdict, string> = {
  new: 'n',
  question: 'q',
  duplicate: 'd',
  similar: 's',
  skipped: 'l',
  error: 'e',
}

const ImportOverview = z
  .object({
    verdicts: z.string().describe('One letter for each row: its verdict begins with it; `l`: left out.'),
    twice: z.array(z.int()).describe('Duplicates that repeat another row of the file.'),
    remarks: z.array(z.int()).describe('Rows where a value was left out or assumed, the riskiest first.'),
    codes: z.record(z.string(), z.int()).describe('How many rows have which code.'),
    creates: z.int().describe('How many flights a commit would create now.'),
    updates: z.int().describe('How many flights a commit would update now.'),
    bookingReferences: z.int().describe('How many of the flights to create have a booking reference.'),
    routes: z
      .array(z.object({ from: Airport, to: Airport, rows: z.array(z.int()) }))
      .describe(`Of the flights to create, the most flown first; ${ROUTES_AT_MOST} at most.`),
    routeCount: z.int(),
    firstDate: z.string().nullable(),
    lastDate: z.string().nullable(),
    edited: z
      .array(z.int())
      .describe(`Flights that were changed after the import wrote them, ${EDITED_AT_MOST} at most.`),
  })
  .meta({ id: 'ImportOverview' })

export const getImportOverview = operation({
  id: 'get-import-overview',
  method: 'GET',
  path: '/imports/{id}/overview',
  door: 'app',
  tag,
  summary: 'Read the verdicts and routes of all records of an import',
  access,
  params: pathId,
  output: single(ImportOverview),
  errors: ['not_found'],
  async run(call) {
    const { db, input } = call
    const given = await requireOwnImport(call.db, call.principal, input.id)
    const summary = new Summary(given.options)
    for (let after = 0; ; ) {
      const rows = await listOverviewRows(db, { importId: input.id, after, limit: ROWS_AT_ONCE })
      for (const row of rows) summary.add(row)
      if (rows.length < ROWS_AT_ONCE) break
      after = rows.at(-1)!.number
      await setImmediate()
    }
    const edited = await listEditedFlights(db, given, EDITED_AT_MOST)
    return {
      data: {
        ...summary.figures(),
        routes: await shownRoutes(call, summary.mostFlown()),
        edited: edited.map(({ flightId }) => flightId),
      },
    }
  },
})

const Numbers = z
  .string()
  .regex(/^\d{1,6}(,\d{1,6})*$/)
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .refine((numbers) => numbers.length <= PICKED_AT_MOST && numbers.every(isRowNumber))
  .describe(`Numbers of rows, separated by commas; ${PICKED_AT_MOST} at most.`)
  .meta({ type: 'string' })

const isRowNumber = (number: number): boolean => number >= 1 && number <= IMPORT_RECORDS_AT_MOST

export const pickImportRows = operation({
  id: 'pick-import-rows',
  method: 'GET',
  path: '/imports/{id}/picked-rows',
  door: 'app',
  tag,
  summary: 'Read some records of an import by their numbers',
  access,
  params: pathId,
  query: strictQuery({ rows: Numbers }),
  output: list(ImportRow),
  errors: ['not_found'],
  async run(call) {
    const found = await requireOwnImport(call.db, call.principal, call.input.id)
    return onePage(
      await showRows(call, found, await listRowsByNumber(call.db, call.input.rows, { importId: found.id })),
    )
  },
})

const isTwiceInFile = ({ verdict, code }: OverviewRow): boolean =>
  verdict === 'duplicate' && code !== 'duplicate_in_log'

interface Route {
  fromId: number
  toId: number
  rows: number[]
}

/** Summarises rows in the order of the file. */
class Summary {
  readonly #options: ImportOptions
  readonly #letters: string[] = []
  readonly #codes: Record<string, number> = {}
  readonly #twice: number[] = []
  readonly #remarks: Pick<OverviewRow, 'number' | 'risk'>[] = []
  readonly #routes = new Map<string, Route>()
  #creates = 0
  #references = 0
  #updates = 0
  #first: string | null = null
  #last: string | null = null

  constructor(options: ImportOptions) {
    this.#options = options
  }

  add(row: OverviewRow): void {
    const draft = row.draft as Draft | null
    this.#letters.push(letterOf[row.verdict])
    if (isTwiceInFile(row)) this.#twice.push(row.number)
    if (row.risk > 0) this.#remarks.push({ number: row.number, risk: row.risk })
    if (row.code) this.#codes[row.code] = (this.#codes[row.code] ?? 0) + 1
    const plan = planOf({ ...row, draft }, this.#options)
    if (plan === 'update' && row.hasUpdates) this.#updates++
    if (plan === 'create' || plan === 'restore') this.#addFlight(row.number, draft!)
    if (!draft?.date || row.verdict === 'error') return
    if (this.#first === null || draft.date < this.#first) this.#first = draft.date
    if (this.#last === null || draft.date > this.#last) this.#last = draft.date
  }

  #addFlight(number: number, { fromId, toId, bookingReference }: Draft): void {
    this.#creates++
    if (bookingReference) this.#references++
    if (fromId === null || toId === null || fromId === toId) return
    const [a, b] = fromId < toId ? [fromId, toId] : [toId, fromId]
    const key = `${a}-${b}`
    const known = this.#routes.get(key)
    if (known) known.rows.push(number)
    else this.#routes.set(key, { fromId, toId, rows: [number] })
  }

  mostFlown(): Route[] {
    const all = [...this.#routes.values()].sort(
      (x, y) => y.rows.length - x.rows.length || x.rows[0]! - y.rows[0]!,
    )
    return all.slice(0, ROUTES_AT_MOST)
  }

  figures() {
    return {
      verdicts: this.#letters.join(''),
      codes: this.#codes,
      twice: this.#twice,
      remarks: this.#remarks
        .sort((a, b) => b.risk - a.risk || a.number - b.number)
        .map(({ number }) => number),
      creates: this.#creates,
      updates: this.#updates,
      bookingReferences: this.#references,
      routeCount: this.#routes.size,
      firstDate: this.#first,
      lastDate: this.#last,
    }
  }
}

/** Routes whose airports were deleted meanwhile are left out. */
/** The store has the same kinds of airports, as text. */
type AirportView = z.input<typeof Airport>

async function shownRoutes({ db, principal, services }: Call, routes: readonly Route[]) {
  const { airports } = await services.reference.records(db, principal.revisions.reference, {
    airports: routes.flatMap(({ fromId, toId }) => [fromId, toId]),
    airlines: [],
    aircraft: [],
  })
  return routes.flatMap(({ fromId, toId, rows }) => {
    const [from, to] = [airports.get(fromId), airports.get(toId)]
    return from && to ? [{ from: from as AirportView, to: to as AirportView, rows }] : []
  })
}

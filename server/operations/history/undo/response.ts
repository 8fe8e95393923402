// The response of an undo, and its short form for assistants: many changes grouped by outcome, and as text.
import * as z from 'zod'
import { RowId } from '../../../domain/row-id.ts'
import { counted } from '../../../domain/text/shown-text.ts'
import { HistoryFlight, routeInWords } from '../view.ts'
import { leftReasons } from './verdict.ts'

/** SQLite runs no other write meanwhile. */
export const CHANGES_AT_MOST = 500

const Undone = z
  .object({
    changeId: RowId,
    flightId: RowId,
    flight: HistoryFlight,
    action: z
      .enum(['to_bin', 'put_back', 'restored', 'left'])
      .describe('`to_bin`: an added flight is in the bin. `put_back`: a changed one has its values again.'),
    undoneBy: RowId.optional().describe('The change that this is; undo takes it back too.'),
    leftFields: z.array(z.string()).optional().describe('What was not put back with the rest.'),
    reason: z.enum(leftReasons).optional().describe('Why it was left.'),
    message: z.string().optional().describe('What was left and why, in words.'),
  })
  .meta({ id: 'UndoneChange' })

export const UndoAnswer = z.object({
  data: z.array(Undone).describe('Newest first.'),
  summary: z.object({
    undone: z.int().describe('0 in a dry run.'),
    wouldUndo: z.int().optional().describe('Only in a dry run.'),
    left: z.int(),
    hasMore: z.boolean().describe(`There are more than ${CHANGES_AT_MOST} changes: call again.`),
    next: RowId.optional().describe('If there are more: what to give as `before`.'),
  }),
  imports: z
    .array(z.object({ importId: RowId, filename: z.string(), flights: z.int() }))
    .describe('If there is more: imports among it. undo-import takes one back as a whole.'),
  changeId: RowId.nullable().describe('If it was one change: the one that took it back.'),
})
export type UndoAnswer = z.input<typeof UndoAnswer>
type Answer = z.output<typeof UndoAnswer>
type Item = z.output<typeof Undone>

/** Changes with the same outcome for the same reason. */
function groupsOf(data: readonly Item[]): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of data) {
    const key = JSON.stringify([item.action, item.reason, commonMessage(item)])
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}

/** The message without change numbers, which differ per flight. */
const commonMessage = ({ message }: Item): string | undefined => message?.replace(/ \(change [\d, ]+\)/g, '')

// For assistants

const ITEMS_AT_MOST = 50

/** Each change with a short description of its flight; many changes are grouped by outcome. */
export const briefly = ({ data, ...answer }: Answer): object => ({
  ...answer,
  data: data.length > ITEMS_AT_MOST ? groupsOf(data).map(briefGroup) : data.map(briefItem),
})

function briefItem({ flight, ...item }: Item): object {
  const route = routeInWords(flight)
  return route === undefined ? item : { ...item, flight: route }
}

function briefGroup(items: Item[]): object {
  const { action, reason, leftFields } = items[0]!
  const message = commonMessage(items[0]!)
  const undoneBy = items.flatMap((item) => item.undoneBy ?? [])
  return {
    action,
    count: items.length,
    ...(reason && { reason }),
    ...(leftFields && { leftFields }),
    ...(message && { message }),
    changeIds: items.map(({ changeId }) => changeId),
    flightIds: [...new Set(items.map(({ flightId }) => flightId))],
    ...(undoneBy.length > 0 && { undoneBy }),
  }
}

// As text

export function inWords({ data, summary, imports }: Answer): string {
  const lines = [
    headline(summary),
    ...flightsIn(data),
    ...groupsOf(data.filter(({ message }) => message)).map(reasonOf),
    ...imports.map(
      ({ importId, filename, flights }) =>
        `undo_import undoes import ${importId} (${filename}, ${counted(flights, 'flight')}) in one call.`,
    ),
    ...(data.some(({ reason }) => reason === 'in_bin')
      ? ['Use restore_flight to restore a flight from the bin.']
      : []),
    ...(summary.hasMore ? [`There is more: call again with before ${summary.next}.`] : []),
  ]
  return lines.join('\n')
}

function headline({ undone, wouldUndo }: Answer['summary']): string {
  if (wouldUndo !== undefined)
    return `Dry run, nothing was changed: ${counted(wouldUndo, 'change')} would be undone.`
  return undone === 0 ? 'Nothing was undone.' : `${counted(undone, 'change')} undone.`
}

const outcomes = {
  to_bin: 'To the bin',
  put_back: 'Values put back',
  restored: 'Out of the bin',
} as const

/** Grouped by outcome. */
const flightsIn = (data: readonly Item[]): string[] =>
  (Object.keys(outcomes) as (keyof typeof outcomes)[]).flatMap((wanted) => {
    const items = data.filter(({ action }) => action === wanted)
    return items.length === 0 ? [] : [`${outcomes[wanted]}: ${flightsOf(items)}.`]
  })

/** What was not undone, and why. */
function reasonOf(items: Item[]): string {
  if (items.length > 1) return `${flightsOf(items)}: ${commonMessage(items[0]!)}`
  return `Flight ${flightWords(items[0]!.flight)}: ${items[0]!.message}`
}

const NAMED_AT_MOST = 20

/** `2 flights: 82 (2026-02-20 CPH–JFK), 83 (2026-02-21 JFK–CPH)` */
function flightsOf(items: readonly Item[]): string {
  const flights = new Map(items.map(({ flight }) => [flight.id, flight]))
  const named = [...flights.values()].slice(0, NAMED_AT_MOST).map(flightWords)
  const more = flights.size > named.length ? [`${flights.size - named.length} more`] : []
  return `${counted(flights.size, 'flight')}: ${[...named, ...more].join(', ')}`
}

/** `82 (2026-02-20 CPH–JFK)` */
function flightWords(flight: HistoryFlight): string {
  const route = routeInWords(flight)
  return route === undefined ? String(flight.id) : `${flight.id} (${route})`
}

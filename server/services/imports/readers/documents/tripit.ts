// TripIt: the JSON of its web app, the XML of its API, and its calendar feed (section 5.10 of the import rules).
import { walkMarkup } from '../../content/markup.ts'
import { reads, type Source } from '../../reading/source.ts'
import { calendarRecords, isTripItCalendar } from '../calendars/tripit-calendar.ts'
import { isTripIt, planRecords } from './tripit-plans.ts'

/** TripIt's elements are not nested deeper. */
const DEPTH_AT_MOST = 12

type Tree = Record<string, unknown>

/** Elements by name, as in TripIt's JSON: repeated ones become a list, those without children a string. */
function treeOf(xml: string): Tree {
  const root: Tree = Object.create(null)
  const open: { name: string; tree: Tree; text: string; isLeaf: boolean }[] = []
  let depth = 0
  walkMarkup(xml, 'xml', {
    open(name) {
      depth += 1
      if (depth <= DEPTH_AT_MOST) open.push({ name, tree: Object.create(null), text: '', isLeaf: true })
    },
    text(data) {
      const current = open.at(-1)
      if (current && depth === open.length) current.text += data
    },
    close() {
      depth -= 1
      if (depth >= open.length) return
      const closed = open.pop()!
      const parent = open.at(-1)
      if (parent) parent.isLeaf = false
      add(parent?.tree ?? root, closed.name, closed.isLeaf ? closed.text.trim() : closed.tree)
    },
  })
  return root
}

function add(tree: Tree, name: string, value: unknown): void {
  const before = tree[name]
  if (before === undefined) tree[name] = value
  else if (Array.isArray(before)) before.push(value)
  else tree[name] = [before, value]
}

export const tripit: Source = {
  id: 'tripit',
  name: 'TripIt',
  extensions: ['json', 'xml'],
  options: ['includeCancelled', 'includeOthers'],
  readers: [
    reads<'json'>({
      kind: 'json',
      matches: ({ value }) => isTripIt(value),
      records: ({ value }) => planRecords(value),
    }),
    reads<'xml'>({
      kind: 'xml',
      matches: ({ root, text }) => root === 'response' && /<(?:AirObject|Trip)\b/.test(text),
      records: ({ text }) => planRecords(treeOf(text)),
    }),
  ],
}

export const tripitIcs: Source = {
  id: 'tripit-ics',
  name: 'TripIt calendar',
  extensions: ['ics'],
  options: ['includeCancelled'],
  readers: [
    reads<'calendar'>({
      kind: 'calendar',
      matches: ({ text }) => isTripItCalendar(text),
      records: ({ text }) => calendarRecords(text),
    }),
  ],
}

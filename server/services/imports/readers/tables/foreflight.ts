// ForeFlight: a table of aircraft and a table of flights in one file. Whether the times are UTC or local is a setting of the
// pilot that is not in the file.
import type { Seat } from '../../../../domain/enums.ts'
import type { Table, TableRow } from '../../content/content.ts'
import { foldHeading } from '../../content/heading.ts'
import { reads, type Source, type SourcePerson } from '../../reading/source.ts'
import { aircraftNamed } from '../../values/named.ts'
import { dateWithSlashes, named, textIn } from './cells.ts'
import type { Cells, Description } from './flight.ts'
import { recordsIn } from './reader.ts'

const columns = {
  date: 'Date',
  from: 'From',
  to: 'To',
  aircraftReg: 'AircraftID',
  departure: 'TimeOut',
  arrival: 'TimeIn',
  takeoffActual: 'TimeOff',
  landingActual: 'TimeOn',
  duration: 'TotalTime',
  note: 'PilotComments',
  route: 'Route',
  pic: 'PIC',
  sic: 'SIC',
  simulator: 'SimulatedFlight',
  instructor: 'InstructorName',
  person1: 'Person1',
  person2: 'Person2',
  person3: 'Person3',
  person4: 'Person4',
  person5: 'Person5',
  person6: 'Person6',
}
type Key = keyof typeof columns

const describe = (aircraft: ReadonlyMap<string, Equipment>): Description<Key> => ({
  columns,
  zone: 'asked',
  isLogbook: true,
  own: {
    date: (text) => ({ date: dateWithSlashes(text) }),
    aircraftReg: (text) => ({
      aircraft: aircraftNamed(aircraft.get(text)?.type),
      aircraftReg: textIn(text),
    }),
  },
  extras: { route: 'Route' },
  others: othersIn,
  skip: (cell) => (aircraft.get(cell('aircraftReg'))?.isSimulator ? 'simulator' : null),
})

type SectionRow = { section: 'aircraft' | 'flights'; headings: string[]; row: TableRow }

const sectionLine = /^(aircraft|flights) table$/
/** A line with the types of the columns. */
const typeLine = /^(?:text|hhmm|decimal|boolean|date|datetime|number|yyyy|yyyy mm dd|packed detail)?$/

/** Each row of the two tables, with its headings. */
function* sectionsOf(table: Table): Generator<SectionRow> {
  let section: SectionRow['section'] | null = null
  let headings: string[] = []
  for (const row of table.rows) {
    const folded = row.cells.map(foldHeading)
    const named = sectionLine.exec(folded[0] ?? '')
    if (named) [section, headings] = [named[1] as SectionRow['section'], []]
    else if (headings.length === 0 && folded.includes('aircraftid')) headings = folded
    else if (section && !folded.every((cell) => typeLine.test(cell))) yield { section, headings, row }
  }
}

interface Equipment {
  type: string
  isSimulator: boolean
}

function aircraftIn(table: Table): ReadonlyMap<string, Equipment> {
  const known = new Map<string, Equipment>()
  for (const { section, headings, row } of sectionsOf(table)) {
    if (section !== 'aircraft') continue
    const cell = (...names: string[]) => row.cells[headings.findIndex((name) => names.includes(name))] ?? ''
    known.set(cell('aircraftid'), {
      type: cell('typecode') || [cell('make'), cell('model')].join(' '),
      isSimulator: /^(?:[ab]atd|ftd|ffs|sim)/i.test(cell('equipmenttype', 'equiptype', 'equiptype faa')),
    })
  }
  return known
}

/** Only the table of flights. */
function flightsIn(table: Table): Table {
  const flights = () => sectionsOf(table).filter(({ section }) => section === 'flights')
  const headings = flights().next().value?.headings ?? []
  const rows = { [Symbol.iterator]: () => flights().map(({ row }) => row) }
  return { ...table, headings, folded: headings, rows }
}

const seatsByRole: ReadonlyMap<string, Seat> = new Map([
  ['pic', 'pilot'],
  ['sic', 'copilot'],
])

/** `name;role;email`, plus the instructor, who may be listed too. */
function othersIn(cell: Cells<Key>): SourcePerson[] {
  const keys: Key[] = ['person1', 'person2', 'person3', 'person4', 'person5', 'person6']
  const people = keys.map((key) =>
    cell(key)
      .split(';')
      .map((part) => part.trim()),
  )
  const names = people.map(([name = '']) => name.toLowerCase())
  const instructor = cell('instructor').trim()
  return [
    ...people.flatMap(([name = '', role = '']) => named(name, seatsByRole.get(role.toLowerCase()))),
    ...(names.includes(instructor.toLowerCase()) ? [] : named(instructor)),
  ]
}

export const foreflight: Source = {
  id: 'foreflight',
  name: 'ForeFlight',
  extensions: ['csv'],
  options: ['timesAreUtc'],
  readers: [
    reads({
      kind: 'table',
      matches: ({ folded }) => folded[0]?.startsWith('foreflight logbook import') === true,
      records: (table) => recordsIn(flightsIn(table), describe(aircraftIn(table))),
    }),
  ],
}

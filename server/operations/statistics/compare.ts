// Compares two people: the flights they took together, and what only one of them has seen. Another person's log needs
// the scope for everyone's flights; shared flights are in the caller's own log.

import * as z from 'zod'
import { badRequest } from '../../base/errors.ts'
import { type NamedPerson, shownPerson } from '../../domain/people/names.ts'
import { problem } from '../../domain/reasons.ts'
import { countryName } from '../../domain/reference/countries.ts'
import {
  compareLogs,
  figuresOfLog,
  type LogComparison,
  type Seen,
  type SeenOfEach,
} from '../../domain/statistics/comparison.ts'
import { records } from '../../domain/statistics/records.ts'
import { searchFold } from '../../domain/text/fold.ts'
import { writtenDate } from '../../domain/time/calendar.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import { credentialMay, type Principal, requireScope, roleMayUse } from '../../services/access/principal.ts'
import { nameProblem, peopleKnownTo, resolvePersonName } from '../../services/reference/resolve/people.ts'
import { statFlight } from '../../services/statistics/stat-flight.ts'
import { findFlights } from '../../store/flights/flights.ts'
import type { LogFlight } from '../../store/flights/log.ts'
import { type FlownLog, loadCountedLog } from '../flights/flown.ts'
import { showFlights } from '../flights/view.ts'
import { whyNot } from '../people/describe-me.ts'
import { Flight, strictQuery, Warning } from '../wire/schemas.ts'
import { measures } from './counted-flights.ts'

const FLIGHTS_AT_MOST = 20
const SEEN_AT_MOST = 50

const seen = (what: string) =>
  z
    .object({
      count: z.int(),
      items: z
        .array(z.object({ code: z.string(), name: z.string() }))
        .describe('At most 50, those flown most first.'),
    })
    .describe(what)
const SeenByOne = z
  .object({
    countries: seen('Departed from or arrived in.'),
    airports: seen('Departed from or arrived at.'),
    airlines: seen('Flown with.'),
  })
  .meta({ id: 'SeenByOne' })

const Compared = z
  .object({
    id: z.string().nullable().describe('Null for a guest.'),
    name: z.string(),
    figures: z
      .object({
        flights: z.int(),
        distanceKm: z.int(),
        countries: z.int(),
        airports: z.int(),
        airlines: z.int(),
      })
      .nullable()
      .describe('Of flown flights; null if this log cannot be read.'),
  })
  .meta({ id: 'ComparedPerson' })

const date = z.string().nullable().describe('As far as it is known: YYYY-MM-DD, YYYY-MM or YYYY.')

const Comparison = z
  .object({
    a: Compared,
    b: Compared,
    together: z.object({
      count: z.int().describe('Flown.'),
      upcoming: z.int().describe('Still to come, not in `count`.'),
      distanceKm: z.int(),
      first: date,
      last: date,
      firstFlight: Flight.nullable().describe('The flight on `first`.'),
      flights: z.array(Flight).describe('The last ones, at most 20, newest first.'),
    }),
    onlyA: SeenByOne.nullable().describe('Null, as `onlyB` and `both`, unless both logs can be read.'),
    onlyB: SeenByOne.nullable(),
    both: SeenByOne.nullable(),
  })
  .meta({ id: 'PeopleComparison' })

const Name = z.string().trim().min(1).max(200)

export const comparePeople = operation({
  id: 'compare-people',
  method: 'GET',
  path: '/people/compare',
  tag: 'Flights',
  summary: 'Compare two people',
  description:
    'Flown flights of two people: those together, and the countries, airports and airlines that only one or both have seen. Without `flight.read.any`, one of the two must be you, and only the flights together are compared.',
  example: { query: { b: 'Grace' } },
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  query: strictQuery({
    a: Name.default('me').describe('Name, user name or id; default me.'),
    b: Name.default('me').describe('The other person, likewise; also a guest.'),
  }),
  output: z.object({ data: Comparison, warnings: z.array(Warning) }),
  tool: {
    title: 'Compare people',
    description:
      'Compare two people: flights together, and countries, airports and airlines that only one has seen. "Where has Grace been that I have not?" is b: "Grace", answered in onlyB.',
    lines: ['data.together.flights[]'],
    quotes: ['data.a.name', 'data.b.name'],
    brief: ({ data, warnings }) => ({ data: briefly(data), warnings }),
    says: ({ data, warnings }) => inWords(data, warnings),
  },
  async run(call) {
    const [a, b] = await requireTwo(call)
    const [ofA, ofB] = [await readLog(call, a), await readLog(call, b)]
    // A guest's flights come from the other person's log, and two guests' flights from the caller's own.
    const shared = ofA ?? ofB ?? (await flownBy(call, call.principal.user.id))
    return {
      data: {
        a: { id: a.userId, name: a.name, figures: ofA && figuresOfLog(figuresIn(ofA)) },
        b: { id: b.userId, name: b.name, figures: ofB && figuresOfLog(figuresIn(ofB)) },
        together: await showTogether(call, {
          ...shared,
          flights: shared.flights.filter((flight) => isOn(flight, a) && isOn(flight, b)),
          upcoming: shared.upcoming.filter((flight) => isOn(flight, a) && isOn(flight, b)),
        }),
        ...showSeen(ofA && ofB && compareLogs(figuresIn(ofA), figuresIn(ofB))),
      },
      warnings: [a, b].filter((_, i) => [ofA, ofB][i] === null).map((one) => unreadable(call.principal, one)),
    }
  },
})

type CompareCall = Call<{ a: string; b: string }>

/** Two different people whom the caller may name and whose shared flights the caller may see. */
async function requireTwo(call: CompareCall): Promise<[NamedPerson, NamedPerson]> {
  const { principal, input } = call
  const known = await peopleKnownTo(call)
  const [a, b] = [input.a, input.b].map((text) => {
    const found = resolvePersonName(known, text)
    if (found.outcome !== 'found') throw badRequest(nameProblem(known, text, found))
    return found.record
  }) as [NamedPerson, NamedPerson]
  if (identityOf(a) === identityOf(b)) throw badRequest(problem('same_person_twice', { name: a.name }))
  const users = [a, b].filter(({ userId }) => userId !== null)
  if (users.length > 0 && users.every(({ userId }) => userId !== principal.user.id))
    requireScope(principal, 'flight.read.any')
  return [a, b]
}

const identityOf = ({ userId, name }: NamedPerson) => userId ?? `guest ${searchFold(name)}`

const isOn = ({ passengers }: LogFlight, person: NamedPerson): boolean =>
  passengers.some(({ userId, guestName }) =>
    person.userId === null
      ? guestName !== null && identityOf({ userId: null, name: guestName }) === identityOf(person)
      : userId === person.userId,
  )

/** Null if there is none, or if the caller may not read it. */
async function readLog(call: Call, { userId }: NamedPerson): Promise<Log | null> {
  if (userId === null) return null
  const { principal } = call
  const mayReadAny = credentialMay(principal, 'flight.read.any') && roleMayUse(principal, 'flight.read.any')
  return userId === principal.user.id || mayReadAny ? flownBy(call, userId) : null
}

/** `flights` contains flown flights only. */
interface Log extends FlownLog {
  upcoming: LogFlight[]
}

async function flownBy(call: Call, userId: string): Promise<Log> {
  const log = await loadCountedLog(call, userId, call.principal.revisions.reference, undefined)
  const now = call.now.getTime()
  const isFlown = (i: number) => log.completions[i]! < now
  return {
    ...log,
    flights: log.flights.filter((_, i) => isFlown(i)),
    upcoming: log.flights.filter((_, i) => !isFlown(i)),
  }
}

const figuresIn = ({ flights, records }: FlownLog) =>
  flights.map((flight) => statFlight(flight, records, measures))

const unreadable = (principal: Principal, person: NamedPerson): Warning => ({
  code: person.userId === null ? 'guest_has_no_log' : 'log_not_readable',
  message:
    person.userId === null
      ? `${person.name} is a guest without a log of their own: only the flights together are known.`
      : `Only the flights together are compared, because the log of ${shownPerson(person)} cannot be read. ${whyNot(principal, 'flight.read.any')}`,
})

/** Logs are newest first. */
async function showTogether(call: Call, log: Log): Promise<z.input<typeof Comparison>['together']> {
  const { flights } = log
  const { flights: count, distanceKm } = figuresOfLog(figuresIn(log))
  const { first, latest } = records(figuresIn(log))
  const ids = flights.slice(0, FLIGHTS_AT_MOST).map(({ id }) => id)
  const rows = await findFlights(call.db, [...new Set([...ids, ...(first ? [first.id] : [])])])
  const shown = await showFlights(call, rows)
  return {
    count,
    upcoming: log.upcoming.length,
    distanceKm,
    first: first && writtenDate(first),
    last: latest && writtenDate(latest),
    firstFlight: shown.find(({ id }) => id === first?.id) ?? null,
    flights: shown.filter(({ id }) => ids.includes(id)),
  }
}

const showSeen = (compared: LogComparison | null) => ({
  onlyA: compared && showEach(compared.onlyA),
  onlyB: compared && showEach(compared.onlyB),
  both: compared && showEach(compared.both),
})

const showEach = ({ countries, airports, airlines }: SeenOfEach): z.input<typeof SeenByOne> => ({
  countries: showList(countries),
  airports: showList(airports),
  airlines: showList(airlines),
})

/** Countries have only codes. */
const showList = (list: readonly Seen[]) => ({
  count: list.length,
  items: list.slice(0, SEEN_AT_MOST).map(({ code, name }) => ({ code, name: name ?? countryName(code) })),
})

// For assistants

const LINES_AT_MOST = 5

/** Short texts for what only one has seen, counts for what both have seen; find_flights returns the other shared flights. */
const briefly = ({ together, onlyA, onlyB, both, ...people }: z.output<typeof Comparison>) => ({
  ...people,
  together: briefTogether(together),
  onlyA: onlyA && briefSeen(onlyA),
  onlyB: onlyB && briefSeen(onlyB),
  both: both && {
    countries: both.countries.count,
    airports: both.airports.count,
    airlines: both.airlines.count,
  },
})

const briefTogether = ({
  firstFlight: _firstFlight,
  flights,
  ...rest
}: z.output<typeof Comparison>['together']) => ({
  ...rest,
  flights: flights.slice(0, LINES_AT_MOST),
})

const briefSeen = ({ countries, airports, airlines }: z.output<typeof SeenByOne>) => ({
  countries: briefList(countries),
  airports: briefList(airports),
  airlines: briefList(airlines),
})

const ITEMS_AT_MOST = 30

/** `JP Japan`, `HND Haneda Airport` */
const briefList = ({ count, items }: z.output<typeof SeenByOne>['countries']) => ({
  count,
  items: items.slice(0, ITEMS_AT_MOST).map(({ code, name }) => `${code} ${name}`),
})

// As text

const NAMED_AT_MOST = 10

function inWords({ a, b, together, onlyA, onlyB }: z.output<typeof Comparison>, warnings: Warning[]): string {
  const { count, upcoming, first, last } = together
  const span = first === last ? first : `${first} to ${last}`
  const flights = `${count} ${count === 1 ? 'flight' : 'flights'}`
  return [
    `${a.name} and ${b.name}: ${flights} together${count > 0 ? `, ${span}` : ''}${upcoming > 0 ? `, ${upcoming} upcoming` : ''}.`,
    ...(onlyA ? [onlyInWords(a.name, onlyA)] : []),
    ...(onlyB ? [onlyInWords(b.name, onlyB)] : []),
    ...warnings.map(({ message }) => message),
  ].join('\n')
}

function onlyInWords(name: string, { countries, airports, airlines }: z.output<typeof SeenByOne>): string {
  const part = (
    what: string,
    list: typeof countries,
    show: (item: (typeof list.items)[number]) => string,
  ) => {
    const named = list.items.slice(0, NAMED_AT_MOST).map(show).join(', ')
    return `${list.count} ${what}${named && ` (${named}${list.count > NAMED_AT_MOST ? ', …' : ''})`}`
  }
  return `Only ${name}: ${part('countries', countries, (item) => item.name)}, ${part(
    'airports',
    airports,
    ({ code }) => code,
  )}, ${part('airlines', airlines, (item) => item.name)}.`
}

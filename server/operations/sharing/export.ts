// The backup: everything the API can store about flights, and the trips they belong to, in the format that programs
// for AirTrail read and write. It is written a page of flights at a time, from one snapshot of the log.
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import type { Deflated, WritePiece } from '../../base/response/deflated.ts'
import { valuesByKey } from '../../domain/flights/custom-fields.ts'
import {
  type FlightField,
  type FlightTable,
  flightFieldNames,
  flightFields,
  inOrder,
  type Price,
  passengerFieldNames,
  referenceFields,
} from '../../domain/flights/fields.ts'
import { csvRow } from '../../domain/formats/csv.ts'
import { type Plain, yamlLines } from '../../domain/formats/yaml.ts'
import { TRACK_POINTS_AT_MOST } from '../../domain/limits.ts'
import { defaultPreferences } from '../../domain/people/preferences.ts'
import { pick } from '../../domain/pick.ts'
import { type Call, credentialWith, type LongDocument, operation } from '../../door/operation.ts'
import type { Records } from '../../services/reference/reference.ts'
import type { CustomField } from '../../store/flights/custom-fields.ts'
import { placeOf, startOf } from '../../store/flights/filters.ts'
import type { Name, StoredFlight, StoredPassenger } from '../../store/flights/flights.ts'
import { listUsersInParts } from '../../store/flights/log.ts'
import { findTrack } from '../../store/flights/tracks.ts'
import { type ExternalIds, listExternalIds } from '../../store/history/external-ids.ts'
import { findPreferences, listNames } from '../../store/people/people.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../../store/reference/records.ts'
import type { Executor } from '../../store/store.ts'
import { audienceOf, requireKnownAudience } from '../flights/audience.ts'
import {
  filterNames,
  filterOf,
  flightFilterShape,
  listSelected,
  Order,
  type SelectionInput,
  selectionOf,
  selectionRevision,
} from '../flights/filters.ts'
import { logInPieces, type PieceForm } from '../flights/in-pieces.ts'
import { recordsOf, showFlights } from '../flights/view.ts'
import { listShownTrips } from '../trips/trips.ts'
import { Audience, strictQuery } from '../wire/schemas.ts'
import {
  calendarPieces,
  type FlightPages,
  featureTexts,
  MAP_END,
  MAP_SEPARATOR,
  MAP_START,
  mediaTypes,
  writePieces,
} from './files.ts'

/** Flights written without a pause. */
const PAGE = 80
const VALUE_AT_MOST_BYTES = 5 * 1024 * 1024

const Backup = z
  .object({
    users: z
      .array(z.object({ id: z.string(), displayName: z.string(), username: z.string() }))
      .describe('The users who are passengers of the exported flights.'),
    flights: z.array(z.record(z.string(), z.unknown())),
    trips: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('Your trips, if there are any. Their `flightIds` are the `meta.id` of flights.'),
  })
  .meta({ id: 'Backup' })

export const exportFlights = operation({
  id: 'export-flights',
  method: 'GET',
  path: '/flights/export',
  tag: 'Flights',
  summary: 'Export flights',
  description:
    'A file with flights, passengers, airports, airlines, aircraft, tracks, custom fields and your trips, or a table, a calendar or a map of the flights. The filters are those of `GET /flights`.',
  access: credentialWith(['flight.export.own'], ['flight.export.any']),
  query: strictQuery({
    format: z
      .enum(['json', 'yaml', 'yml', 'csv', 'ics', 'geojson'], because('invalid_format'))
      .default('json')
      .describe(
        'JSON and YAML hold everything. CSV has a row for each flight and passenger, and no tracks. A calendar (`ics`) has no flights of which only the month or year is known.',
      ),
    ...Audience,
    ...flightFilterShape,
    order: Order,
  }),
  output: Backup,
  tool: {
    isForPrograms: true,
    title: 'Export flights',
    description: 'Export the whole log, if it is small enough for one response.',
    without: [...filterNames, 'order', 'format'],
  },
  cached: { mayLag: true },
  check: (call) => requireKnownAudience(call, 'export'),
  /** Returns the document as a value, for callers that do not download a file. */
  async run(call) {
    const { body } = await exported(call, 'json').open()
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of body instanceof Uint8Array ? [body] : body) {
      bytes += chunk.byteLength
      if (bytes > VALUE_AT_MOST_BYTES) throw new AppError('bad_request', 'log_too_large')
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString()) as z.input<typeof Backup>
  },
  sends: {
    mediaTypes: Object.values(mediaTypes),
    async stream(call) {
      const { format } = call.input
      const ending = format === 'yml' ? 'yaml' : format
      return {
        headers: {
          'content-type': mediaTypes[ending],
          'content-disposition': `attachment; filename="contrail.${ending}"`,
        },
        body: exported(call, ending),
      }
    },
  },
})

/** Limited, because each export holds a snapshot of the database while it is written. */
const exported = (call: ExportCall, ending: Ending): LongDocument => ({
  async open(options) {
    const { spool, exportTurns, store } = call.services
    const key = await keyOf(call, ending)
    const inSnapshot = (work: (call: ExportCall) => Promise<void>) =>
      exportTurns(() => store.snapshot((db) => work({ ...call, db })))
    if (ending === 'ics')
      return spool.open(key, (write) => inSnapshot((at) => writePieces(calendarOf(at), write)), options)
    const make = (write: WritePiece) => inSnapshot((at) => writeEach(documents[ending](at), write))
    return spool.openPieces(key, make, options)
  },
})

async function writeEach(pieces: AsyncIterable<string | Deflated>, write: WritePiece): Promise<void> {
  for await (const piece of pieces) await write(piece)
}

/** Equal exports of an unchanged log have the same key. Trips and external ids are the caller's own. */
async function keyOf(call: ExportCall, ending: Ending): Promise<string> {
  const { principal, services } = call
  const parts = [services.version, 'export', ending, principal.user.id, principal.revisions.epoch]
  // A calendar contains words in the caller's language.
  const language = ending === 'ics' ? (await preferencesOf(call)).language : ''
  const records = await fieldRecordsRevision(call)
  return [...parts, principal.revisions.flights, language, records, await selectionRevision(call)].join('/')
}

/** Records that only custom fields refer to are not in the flights' revision, but are written with names and codes. */
async function fieldRecordsRevision({ db, principal, services }: ExportCall): Promise<string> {
  const { reference } = principal.revisions
  const fields = await services.reference.customFields(db, reference)
  return fields.some(({ fieldType }) => namingTypes.some((type) => type === fieldType))
    ? String(reference)
    : ''
}

const preferencesOf = async ({ db, principal }: ExportCall) =>
  (await findPreferences(db, principal.user.id)) ?? defaultPreferences

type Ending = keyof typeof documents | 'ics'
type ExportCall = Call<SelectionInput>
/** Writes the whole document in pieces. */
type Document = (call: ExportCall) => AsyncGenerator<string | Deflated>

/** All exported flights, in the order of the request. */
async function* pagesOf(call: ExportCall): AsyncGenerator<StoredFlight[]> {
  const filter = await filterOf(call)
  const { order } = selectionOf(call.input)
  let place = startOf(order)
  for (;;) {
    const page = await listSelected(call, filter, order, place, PAGE)
    yield page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    // SQLite returns without waiting: without this, no other request would run until the end of the log.
    await setImmediate()
    place = placeOf(order, last)
  }
}

async function* backupPieces(
  call: ExportCall,
  writer: Writer,
  format: string,
): AsyncGenerator<string | Deflated> {
  const { principal, db } = call
  const audience = audienceOf(principal, call.input)
  const filter = await filterOf(call)
  yield writer.start()
  if (writer.users) {
    const users = new Set<string>()
    for await (const some of listUsersInParts(db, audience, filter ?? {})) {
      for (const id of some) users.add(id)
      // Lets other requests run, and sends the beginning of a long log early.
      yield ''
    }
    yield writer.users(byUsername(await listNames(db, [...users])))
  }
  const isOwn = audience === null || audience === principal.user.id
  const trips = isOwn ? await exportedTrips(call) : []
  const written = new Set<number>()
  const form: PieceForm = {
    name: `export/${format}/${await fieldRecordsRevision(call)}`,
    separator: writer.separator,
    write(flights) {
      for (const { id } of flights) written.add(id)
      return backupTexts(call, writer, flights)
    },
  }
  let isEmpty = true
  for await (const piece of flightPieces(call, form)) {
    yield piece
    isEmpty = false
  }
  yield writer.end(isEmpty, filter ? tripsOf(trips, written) : trips)
}

/** Kept pieces of a whole log; selected flights are written each time. */
async function* flightPieces(call: ExportCall, form: PieceForm): AsyncGenerator<string | Deflated> {
  const { filters, order } = selectionOf(call.input)
  if (!filters && order === 'newest') return yield* logInPieces(call, form)
  let before = ''
  for await (const page of pagesOf(call)) {
    if (page.length === 0) continue
    yield before + (await form.write(page))
    before = form.separator
  }
}

/** Flights of one statement, as they follow each other in the document. */
async function backupTexts(
  call: ExportCall,
  writer: Writer,
  flights: readonly StoredFlight[],
): Promise<string> {
  const { principal, db, services } = call
  const { reference } = principal.revisions
  const fields = await services.reference.customFields(db, reference)
  const ids = flights.map(({ id }) => id)
  const about: PageFacts = {
    db,
    records: await recordsOf(call, reference, flights),
    fields,
    named: await namedRecords(db, flights, fields),
    externalIds: await listExternalIds(db, principal.user.id, ids),
    withTracks: writer.withTracks,
  }
  const texts: string[] = []
  for (const flight of flights) texts.push(writer.flight(await backupFlight(flight, about), flight.id))
  return texts.join(writer.separator)
}

const byUsername = (users: readonly Name[]): Name[] =>
  users
    .map(({ id, displayName, username }) => ({ id, displayName, username }))
    .sort((a, b) => (a.username.toLowerCase() < b.username.toLowerCase() ? -1 : 1))

/** With their owner: when everyone's flights are imported again, the trips need one. */
const exportedTrips = async (call: ExportCall) =>
  (await listShownTrips(call)).map((trip) => ({ ...trip, userId: call.principal.user.id }))

/** In an export of selected flights: the trips that contain them. */
const tripsOf = (trips: readonly BackupTrip[], written: ReadonlySet<number>): BackupTrip[] =>
  trips
    .map((trip) => ({ ...trip, flightIds: trip.flightIds.filter((id) => written.has(id)) }))
    .filter(({ flightIds }) => flightIds.length > 0)

type BackupTrip = Awaited<ReturnType<typeof exportedTrips>>[number]

const documents = {
  json: (call) => backupPieces(call, jsonWriter, 'json'),
  yaml: (call) => backupPieces(call, yamlWriter, 'yaml'),
  csv: (call) => backupPieces(call, csvWriter, 'csv'),
  async *geojson(call) {
    const ownerId = audienceOf(call.principal, call.input)
    const options = { db: call.db, ownerId, trackPoints: TRACK_POINTS_AT_MOST }
    yield MAP_START
    yield* flightPieces(call, {
      name: `export/geojson/${ownerId}`,
      separator: MAP_SEPARATOR,
      write: async (flights) => featureTexts(await showFlights(call, flights), options),
    })
    yield MAP_END
  },
} as const satisfies Record<string, Document>

async function* calendarOf(call: ExportCall): AsyncGenerator<string> {
  const { principal, services } = call
  const { language } = await preferencesOf(call)
  const ownerId = audienceOf(principal, call.input)
  const style = { origin: services.config.origin, language, ownerId }
  yield* calendarPieces(shownPages(call), 'Contrail', style)
}

const shownPages = (call: ExportCall): FlightPages =>
  async function* () {
    for await (const page of pagesOf(call)) {
      const shown = await showFlights(call, page)
      yield shown.map((flight) => ({ flight, cancelled: flight.outcome === 'cancelled' }))
    }
  }

// Writing a backup in pieces

interface Writer {
  withTracks: boolean
  start(): string
  /** Undefined if the format has no users. */
  users?(users: readonly Name[]): string
  /** Between two flights. */
  separator: string
  flight(flight: BackupFlight, id: number): string
  end(isEmpty: boolean, trips: readonly BackupTrip[]): string
}

const indented = (value: unknown, by: string) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`)

/** The same text as JSON.stringify(document, null, 2) and a line feed. */
const jsonWriter: Writer = {
  withTracks: true,
  start: () => '{\n  "users": ',
  users: (users) => `${indented(users, '  ')},\n  "flights": [`,
  separator: ',',
  flight: (flight) => `\n    ${indented(flight, '    ')}`,
  end: (isEmpty, trips) =>
    `${isEmpty ? ']' : '\n  ]'}${trips.length > 0 ? `,\n  "trips": ${indented(trips, '  ')}` : ''}\n}\n`,
}

const yamlWriter: Writer = {
  withTracks: true,
  start: () => 'users:\n',
  users: (users) => `${yamlLines(users as unknown as Plain[], '  ')}flights:\n`,
  separator: '',
  flight: (flight) => yamlLines([flight as unknown as Plain], '  '),
  end: (isEmpty, trips) =>
    `${isEmpty ? '  []\n' : ''}${trips.length > 0 ? `trips:\n${yamlLines(trips as unknown as Plain[], '  ')}` : ''}`,
}

/** The same values as a backup; records by their codes, with the name in the next column. */
const csvWriter: Writer = {
  withTracks: false,
  start: () => csvRow(['flight', ...csvFlightColumns, ...csvPassengerColumns, ...csvMeta]),
  separator: '',
  flight(flight, id) {
    const own = csvFields.flatMap((name) => csvCells(flight, name))
    const passengers = flight.passengers.length > 0 ? flight.passengers : [{}]
    return passengers
      .map((passenger) =>
        csvRow([
          id,
          ...own,
          flight.customFields,
          ...csvPassengerCells(passenger),
          ...csvMeta.map((name) => flight.meta[name]),
        ]),
      )
      .join('')
  },
  end: () => '',
}

const csvFields = inOrder(flightFieldNames, [
  'date',
  'datePrecision',
  'fromId',
  'toId',
  'flightNumber',
  'airlineId',
  'aircraftId',
])

const csvNames = (name: keyof FlightTable): string[] => {
  const field: FlightField = flightFields[name]
  if (field.kind === 'reference') return [field.shownAs, `${field.shownAs}Name`]
  return field.kind === 'price' ? [`${name}Amount`, `${name}Currency`] : [name]
}
const csvFlightColumns = [...csvFields.flatMap(csvNames), 'customFields']
const csvPassengerColumns = ['passenger', ...passengerFieldNames, 'passengerCustomFields']
const csvMeta = ['version', 'createdAt', 'updatedAt', 'externalIds', 'importId'] as const

function csvCells(flight: BackupFlight, name: keyof FlightTable): unknown[] {
  const field: FlightField = flightFields[name]
  if (field.kind === 'reference') {
    const record = flight[field.shownAs] as { icao: string | null; iata?: string | null; name: string } | null
    return [record && (record.icao ?? record.iata ?? record.name), record?.name]
  }
  if (field.kind === 'price') {
    const price = flight[name] as Price | null
    return [price?.amount, price?.currency]
  }
  return [flight[name]]
}

function csvPassengerCells(passenger: Partial<BackupPassenger>): unknown[] {
  return [
    passenger.user?.username ?? passenger.guestName,
    ...passengerFieldNames.map((name) => passenger[name]),
    passenger.customFields,
  ]
}

// One flight

/** The order of AirTrail's own backups, then the fields that those lack. */
const backupOrder = inOrder(flightFieldNames, [
  'date',
  'departure',
  'arrival',
  'duration',
  'flightNumber',
  'aircraftReg',
  'note',
  'aircraftId',
  'airlineId',
  'fromId',
  'toId',
  'departureScheduled',
  'arrivalScheduled',
  'takeoffScheduled',
  'takeoffActual',
  'landingScheduled',
  'landingActual',
  'arrivalGate',
  'arrivalTerminal',
  'departureGate',
  'departureTerminal',
  'datePrecision',
])

/** Read once for all flights of a page. */
interface PageFacts {
  db: Executor
  records: Records
  fields: readonly CustomField[]
  named: NamedRecords
  externalIds: ReadonlyMap<number, ExternalIds>
  withTracks: boolean
}

const recordFacts = ['id', 'version', 'createdAt', 'updatedAt', 'importId'] as const

type BackupPassenger = ReturnType<typeof backupPassenger>
interface BackupFlight {
  [field: string]: unknown
  passengers: BackupPassenger[]
  /** Facts about the record, not about the flight. */
  meta: Pick<StoredFlight, (typeof recordFacts)[number]> & { externalIds: ExternalIds }
}

async function backupFlight(
  flight: StoredFlight,
  { db, records, fields, named, externalIds, withTracks }: PageFacts,
): Promise<BackupFlight> {
  const track = flight.track && withTracks ? await backupTrack(db, flight.id) : undefined
  const values = backupValues(fields, 'flight', flight.customFields, named)
  return {
    ...pick(flight, backupOrder),
    ...referredBy(flight, records),
    passengers: flight.passengers.map((passenger) => backupPassenger(passenger, fields, named)),
    ...(track && { track }),
    ...(values && { customFields: values }),
    meta: {
      ...pick(flight, recordFacts),
      externalIds: externalIds.get(flight.id) ?? {},
    },
  }
}

const referredBy = (flight: StoredFlight, records: Records) =>
  Object.fromEntries(
    referenceFields.map((name) => {
      const { to, shownAs } = flightFields[name]
      return [shownAs, backupRecord[to](records, flight[name] ?? 0)]
    }),
  )

function backupPassenger(passenger: StoredPassenger, fields: readonly CustomField[], named: NamedRecords) {
  const { userId, displayName, username } = passenger
  const values = backupValues(fields, 'flight_passenger', passenger.customFields, named)
  return {
    ...pick(passenger, passengerFieldNames),
    user: userId === null ? null : { id: userId, displayName, username },
    ...(values && { customFields: values }),
  }
}

async function backupTrack(db: Executor, flightId: number) {
  const track = await findTrack(db, flightId)
  if (!track) return undefined
  const {
    pointCount: _count,
    createdAt: _created,
    updatedAt: _updated,
    sourceFormat,
    sourceName,
    ...body
  } = track
  return { ...body, sourceFormat, sourceName }
}

const backupAirport = (airport: Airport) => ({
  icao: airport.icao,
  iata: airport.iata,
  lat: airport.latitude,
  lon: airport.longitude,
  tz: airport.timezone,
  ...pick(airport, ['name', 'municipality', 'type', 'continent', 'country', 'custom']),
})
const backupAirline = ({ name, icao, iata, iconPath }: Airline) => ({
  name,
  icao,
  iata,
  iconPath,
  sourceId: null,
})
const backupAircraft = ({ icao, name }: Aircraft) => ({ icao, name, sourceId: null })

const orNull = <Item>(record: Item | undefined, backup: (record: Item) => object) =>
  record ? backup(record) : null

const backupRecord = {
  airports: ({ airports }: Records, id: number) => orNull(airports.get(id), backupAirport),
  airlines: ({ airlines }: Records, id: number) => orNull(airlines.get(id), backupAirline),
  aircraft: ({ aircraft }: Records, id: number) => orNull(aircraft.get(id), backupAircraft),
}

// A custom field that refers to a record contains the whole record: its id means nothing on another instance.

type NamedRecords = Record<'airport' | 'airline' | 'aircraft', ReadonlyMap<number, object>>
const namingTypes = ['airport', 'airline', 'aircraft'] as const

async function namedRecords(
  db: Executor,
  flights: readonly StoredFlight[],
  fields: readonly CustomField[],
): Promise<NamedRecords> {
  const idsOf = (fieldType: string): number[] => {
    const ids = fields.filter((field) => field.fieldType === fieldType).map((field) => field.id)
    if (ids.length === 0) return []
    const values = flights.flatMap((flight) => [
      flight.customFields,
      ...flight.passengers.map((passenger) => passenger.customFields),
    ])
    return values
      .flatMap((stored) => ids.map((id) => stored[id]))
      .filter((value) => Number.isInteger(value)) as number[]
  }
  const airports = await findAirports(db, idsOf('airport'))
  const airlines = await findAirlines(db, idsOf('airline'))
  const aircraft = await findAircraft(db, idsOf('aircraft'))
  return {
    airport: new Map(airports.map((record) => [record.id, backupAirport(record)])),
    airline: new Map(airlines.map((record) => [record.id, backupAirline(record)])),
    aircraft: new Map(aircraft.map((record) => [record.id, backupAircraft(record)])),
  }
}

function backupValues(
  fields: readonly CustomField[],
  entityType: CustomField['entityType'],
  stored: Record<string, unknown>,
  named: NamedRecords,
): Record<string, unknown> | undefined {
  const own = fields.filter((field) => field.entityType === entityType)
  const values = valuesByKey(own, stored)
  for (const { key, fieldType } of own) {
    const kind = namingTypes.find((name) => name === fieldType)
    const record = kind && named[kind].get(values[key] as number)
    if (record) values[key] = record
  }
  return Object.keys(values).length > 0 ? values : undefined
}

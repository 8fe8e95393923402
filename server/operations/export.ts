// The backup: everything the API can store about flights, in the format that programs for AirTrail read and write.
// Flights pass through a page at a time, all from one moment of the log.
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { AppError } from '../base/errors.ts'
import { type BufferedResponse, bufferResponse } from '../base/response-buffer.ts'
import { because } from '../base/validation.ts'
import { valuesByKey } from '../domain/custom-fields.ts'
import {
  flightFieldNames,
  flightFields,
  inOrder,
  passengerFieldNames,
  pick,
  referenceFields,
} from '../domain/flight-fields.ts'
import { type Plain, yamlLines } from '../domain/yaml.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import type { Records } from '../reference/reference.ts'
import type { CustomField } from '../store/custom-fields.ts'
import { listExternalIds } from '../store/external-ids.ts'
import { listPeopleOnFlights, placeOf, startOf } from '../store/flight-filters.ts'
import { listPassengersOf, type StoredFlight, type StoredPassenger } from '../store/flights.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../store/reference.ts'
import type { Executor } from '../store/store.ts'
import { findTrack } from '../store/tracks.ts'
import { audienceOf, requireKnownAudience } from './audience.ts'
import {
  filterNames,
  filterOf,
  flightFilterShape,
  listSelected,
  Order,
  type SelectionInput,
  selectionOf,
} from './flight-filters.ts'
import { recordsOf } from './flight-view.ts'
import { Audience, strictQuery } from './schemas.ts'

const PAGE = 200
const VALUE_AT_MOST_BYTES = 5 * 1024 * 1024

const Backup = z
  .object({
    users: z
      .array(z.object({ id: z.string(), displayName: z.string(), username: z.string() }))
      .describe('The users who are passengers of the exported flights.'),
    flights: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({ id: 'Backup' })

export const exportFlights = operation({
  id: 'export-flights',
  method: 'GET',
  path: '/flights/export',
  tag: 'Flights',
  summary: 'Export flights',
  description:
    'A JSON or YAML file with flights, passengers, airports, airlines, aircraft, tracks and custom fields. The filters are those of `GET /flights`.',
  access: credentialWith(['flight.export.own'], ['flight.export.any']),
  query: strictQuery({
    format: z.enum(['json', 'yaml', 'yml'], because('invalid_format')).default('json'),
    ...Audience,
    ...flightFilterShape,
    order: Order,
  }),
  output: Backup,
  tool: {
    title: 'Export flights',
    description: 'Export the whole log, if it is small enough for one response.',
    without: [...filterNames, 'order'],
  },
  check: (call) => requireKnownAudience(call, 'export'),
  /** As a value, for callers that do not download a file. */
  async run(call) {
    const { bytes, stream } = await exported(call, jsonWriter)
    if (bytes > VALUE_AT_MOST_BYTES) {
      stream.destroy()
      throw new AppError('bad_request', 'log_too_large')
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString()) as z.input<typeof Backup>
  },
  async stream(call) {
    const isJson = call.input.format === 'json'
    const { bytes, stream } = await exported(call, isJson ? jsonWriter : yamlWriter)
    const name = isJson ? 'json' : 'yaml'
    return {
      headers: {
        'content-type': `application/${name}; charset=utf-8`,
        'content-disposition': `attachment; filename="contrail.${name}"`,
        'content-length': String(bytes),
      },
      body: stream,
    }
  },
})

/** The finished document. A few at a time: each holds a snapshot of the database while it is written. */
const exported = (call: Call<SelectionInput>, writer: Writer): Promise<BufferedResponse> =>
  call.services.exportTurns(() =>
    call.services.store.snapshot((db) => bufferResponse(pieces({ ...call, db }, writer))),
  )

async function* pieces(call: Call<SelectionInput>, writer: Writer): AsyncGenerator<string> {
  const { principal, db, services } = call
  const audience = audienceOf(principal, call.input)
  const { reference } = principal.revisions
  const fields = await services.reference.customFields(db, reference)
  const filter = await filterOf(call)
  const { order } = selectionOf(call.input)
  const users = filter
    ? await listPeopleOnFlights(db, audience, filter)
    : await listPassengersOf(db, audience)
  yield writer.start(users as unknown as Plain[])
  let place = startOf(order)
  let isFirst = true
  for (;;) {
    const page = await listSelected(call, filter, order, place, PAGE)
    const records = await recordsOf(call, reference, page)
    const named = await namedRecords(db, page, fields)
    const ids = await listExternalIds(
      db,
      principal.user.id,
      page.map(({ id }) => id),
    )
    for (const flight of page) {
      const meta = { ...pick(flight, metaFields), externalIds: ids.get(flight.id) ?? {} }
      yield writer.flight({ ...(await backupFlight(db, flight, records, fields, named)), meta }, isFirst)
      isFirst = false
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) break
    // SQLite returns without waiting: without this, no other request would run until the end of the log.
    await setImmediate()
    place = placeOf(order, last)
  }
  yield writer.end(isFirst)
}

// How a document is written, piece by piece

interface Writer {
  start(users: Plain[]): string
  flight(flight: { [key: string]: Plain }, isFirst: boolean): string
  end(isEmpty: boolean): string
}

const indented = (value: unknown, by: string) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`)

/** The same text as JSON.stringify(document, null, 2) and a line feed. */
const jsonWriter: Writer = {
  start: (users) => `{\n  "users": ${indented(users, '  ')},\n  "flights": [`,
  flight: (flight, isFirst) => `${isFirst ? '' : ','}\n    ${indented(flight, '    ')}`,
  end: (isEmpty) => (isEmpty ? ']\n}\n' : '\n  ]\n}\n'),
}

const yamlWriter: Writer = {
  start: (users) => `users:\n${yamlLines(users, '  ')}flights:\n`,
  flight: (flight) => yamlLines([flight], '  '),
  end: (isEmpty) => (isEmpty ? '  []\n' : ''),
}

// One flight

/** What the flight is on this instance; programs that read backups of AirTrail ignore it. */
const metaFields = ['id', 'version', 'createdAt', 'updatedAt'] as const

/** The order of AirTrail's own backups; fields that those lack follow. */
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

async function backupFlight(
  db: Executor,
  flight: StoredFlight,
  records: Records,
  fields: readonly CustomField[],
  named: NamedRecords,
) {
  const track = flight.track ? await backupTrack(db, flight.id) : undefined
  const values = backupValues(fields, 'flight', flight.customFields, named)
  return {
    ...pick(flight, backupOrder),
    ...referredBy(flight, records),
    passengers: flight.passengers.map((passenger) => backupPassenger(passenger, fields, named)),
    ...(track && { track }),
    ...(values && { customFields: values }),
  } as { [key: string]: Plain }
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
  name: airport.name,
  municipality: airport.municipality,
  type: airport.type,
  continent: airport.continent,
  country: airport.country,
  custom: airport.custom,
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

// A custom field that refers to a record carries the record: its id is meaningless on another instance.

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

// Airports, airlines and aircraft types that people add because the shipped set lacks them, and airlines' icons.
// What was shipped is not edited here: the next version of the set would undo it.
import * as z from 'zod'
import { AppError, invalid, notFound } from '../base/errors.ts'
import { isCountry } from '../domain/countries.ts'
import { imageTypeOf, imageTypes, textOf } from '../domain/image.ts'
import { cleanSvg } from '../domain/svg.ts'
import { timeZoneNamed } from '../domain/time.ts'
import { operation, person, type Services } from '../operation.ts'
import { aircraftSearchText, airlineSearchText, airportSearchText } from '../reference/load.ts'
import {
  deleteRecord,
  FIRST_CUSTOM_ID,
  findAirportIdByIcao,
  insertAircraft,
  insertAirline,
  insertAirport,
  listCustomAircraft as listAddedAircraft,
  listCustomAirlines as listAddedAirlines,
  listCustomAirports as listAddedAirports,
  lockReference,
  updateAirlineIcon,
  updateAircraft as updateStoredAircraft,
  updateAirline as updateStoredAirline,
  updateAirport as updateStoredAirport,
} from '../store/custom-records.ts'
import { findAircraft, findAirlines, findAirports } from '../store/reference.ts'
import type { Executor } from '../store/store.ts'
import {
  Aircraft,
  Airline,
  Airport,
  AirportType,
  Continent,
  list,
  nothing,
  onePage,
  pathId,
  single,
} from './schemas.ts'

const tag = 'Reference data'
const errors = ['not_found', 'conflict'] as const

const name = z.string().trim().min(1).max(200)
const code = (form: RegExp, message: string) =>
  z
    .string()
    .trim()
    .transform((text) => text.toUpperCase())
    .pipe(z.string().regex(form, message))
const optionalCode = (form: RegExp, message: string) => code(form, message).nullable().default(null)

/** Only what somebody added here can be changed or deleted here. */
function requireCustom(record: { id: number } | undefined, what: string): void {
  if (!record) throw notFound(what)
  if (record.id < FIRST_CUSTOM_ID) {
    throw new AppError('conflict', 'This belongs to the reference data that Contrail ships with')
  }
}

// Airports

const airports = person(['data.airports.manage'])

const AirportInput = z
  .object({
    icao: code(/^[A-Z0-9][A-Z0-9-]{1,7}$/, '2 to 8 letters, digits or hyphens').describe(
      'ICAO code, or your own identifier if there is none. Unique.',
    ),
    iata: optionalCode(/^[A-Z0-9]{3}$/, 'Three letters or digits'),
    name,
    municipality: z.string().trim().max(200).nullable().default(null),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    timezone: z
      .string()
      .transform((text, context) => {
        const zone = timeZoneNamed(text)
        if (zone) return zone
        context.addIssue({ code: 'custom', message: 'There is no such time zone' })
        return z.NEVER
      })
      .describe('IANA time zone.')
      .meta({ example: 'Europe/Copenhagen' }),
    type: AirportType.default('small_airport'),
    continent: Continent,
    country: code(/^[A-Z]{2}$/, 'Two letters')
      .refine(isCountry, 'There is no such country')
      .describe('ISO 3166-1 alpha-2, or XK.'),
  })
  .meta({ id: 'AirportInput' })

const airportFields = (input: z.output<typeof AirportInput>) => ({
  ...input,
  municipality: input.municipality || null,
  search: airportSearchText({ ...input, formerCodes: null, aliases: null }),
})

async function requireFreeIcao(tx: Executor, icao: string, own?: number): Promise<void> {
  const holder = await findAirportIdByIcao(tx, icao)
  if (holder !== undefined && holder !== own) {
    throw new AppError('conflict', `There is an airport with the code ${icao} already`)
  }
}

const readAirport = async (db: Executor, id: number) => {
  const [airport] = await findAirports(db, [id])
  return { data: airport as z.input<typeof Airport> }
}

export const listCustomAirports = operation({
  id: 'list-custom-airports',
  method: 'GET',
  path: '/custom-airports',
  door: 'app',
  tag,
  summary: 'List the airports added on this instance',
  access: airports,
  output: list(Airport),
  run: async ({ db }) => onePage((await listAddedAirports(db)) as z.input<typeof Airport>[]),
})

export const createAirport = operation({
  id: 'create-airport',
  method: 'POST',
  path: '/airports',
  door: 'app',
  tag,
  summary: 'Add an airport',
  access: airports,
  body: AirportInput,
  output: single(Airport),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/airports/${data.id}`,
  async run({ input, db }) {
    await lockReference(db)
    await requireFreeIcao(db, input.icao)
    return readAirport(db, await insertAirport(db, airportFields(input)))
  },
})

export const updateAirport = operation({
  id: 'update-airport',
  method: 'PUT',
  path: '/airports/{id}',
  door: 'app',
  tag,
  summary: 'Replace an airport added on this instance',
  access: airports,
  params: pathId,
  body: AirportInput,
  output: single(Airport),
  errors,
  async run({ input: { id, ...input }, db }) {
    await lockReference(db)
    requireCustom((await findAirports(db, [id]))[0], 'Airport')
    await requireFreeIcao(db, input.icao, id)
    await updateStoredAirport(db, id, airportFields(input))
    return readAirport(db, id)
  },
})

export const deleteAirport = operation({
  id: 'delete-airport',
  method: 'DELETE',
  path: '/airports/{id}',
  door: 'app',
  tag,
  summary: 'Delete an airport added on this instance',
  description: 'Flights that use it are kept, without an airport in its place.',
  access: airports,
  params: pathId,
  output: nothing,
  status: 204,
  errors,
  async run({ input, db }) {
    await lockReference(db)
    requireCustom((await findAirports(db, [input.id]))[0], 'Airport')
    await deleteRecord(db, 'airport', input.id)
  },
})

// Airlines

const airlines = person(['data.airlines.manage'])

const AirlineInput = z
  .object({
    name,
    icao: optionalCode(/^[A-Z0-9]{3}$/, 'Three letters or digits'),
    iata: optionalCode(/^[A-Z0-9]{2}$/, 'Two letters or digits'),
    active: z.boolean().default(true).describe('Still operating.'),
  })
  .meta({ id: 'AirlineInput' })

const airlineFields = (input: z.output<typeof AirlineInput>) => ({
  ...input,
  search: airlineSearchText({ ...input, callsign: null }),
})

const readAirline = async (db: Executor, id: number) => ({ data: (await findAirlines(db, [id]))[0]! })

export const listCustomAirlines = operation({
  id: 'list-custom-airlines',
  method: 'GET',
  path: '/custom-airlines',
  door: 'app',
  tag,
  summary: 'List the airlines added on this instance',
  access: airlines,
  output: list(Airline),
  run: async ({ db }) => onePage(await listAddedAirlines(db)),
})

export const createAirline = operation({
  id: 'create-airline',
  method: 'POST',
  path: '/airlines',
  door: 'app',
  tag,
  summary: 'Add an airline',
  access: airlines,
  body: AirlineInput,
  output: single(Airline),
  status: 201,
  location: ({ data }) => `/airlines/${data.id}`,
  async run({ input, db }) {
    await lockReference(db)
    return readAirline(db, await insertAirline(db, airlineFields(input)))
  },
})

export const updateAirline = operation({
  id: 'update-airline',
  method: 'PUT',
  path: '/airlines/{id}',
  door: 'app',
  tag,
  summary: 'Replace an airline added on this instance',
  access: airlines,
  params: pathId,
  body: AirlineInput,
  output: single(Airline),
  errors,
  async run({ input: { id, ...input }, db }) {
    await lockReference(db)
    requireCustom((await findAirlines(db, [id]))[0], 'Airline')
    await updateStoredAirline(db, id, airlineFields(input))
    return readAirline(db, id)
  },
})

export const deleteAirline = operation({
  id: 'delete-airline',
  method: 'DELETE',
  path: '/airlines/{id}',
  door: 'app',
  tag,
  summary: 'Delete an airline added on this instance',
  description: 'Flights that use it are kept, without an airline.',
  access: airlines,
  params: pathId,
  output: nothing,
  status: 204,
  errors,
  managesTransaction: true,
  async run({ input, services }) {
    const icon = await services.store.transaction(async (tx) => {
      await lockReference(tx)
      const [airline] = await findAirlines(tx, [input.id])
      requireCustom(airline, 'Airline')
      await deleteRecord(tx, 'airline', input.id)
      return airline!.iconPath
    })
    if (icon) await services.uploads.remove(icon)
  },
})

// Icons, of every airline

const ICON_BYTES_AT_MOST = 5 * 1024 * 1024

export const setAirlineIcon = operation({
  id: 'set-airline-icon',
  method: 'PUT',
  path: '/airlines/{id}/icon',
  door: 'app',
  tag,
  summary: 'Upload an airline’s icon',
  description:
    'The body is the file itself, up to 5 MB: PNG, JPEG, WebP or SVG, detected from its content. An SVG is stored as plain shapes: editor metadata is removed, and a file with scripts, style sheets, links or embedded content is refused.',
  access: airlines,
  params: pathId,
  file: { atMostBytes: ICON_BYTES_AT_MOST, mediaTypes: Object.values(imageTypes) },
  output: single(Airline),
  errors: ['not_found'],
  managesTransaction: true,
  async run({ input, file, db, services }) {
    if ((await findAirlines(db, [input.id])).length === 0) throw notFound('Airline')
    const given = file ?? new Uint8Array()
    const type = imageTypeOf(given)
    if (!type) throw invalid('The icon must be a PNG, JPEG, WebP or SVG picture')
    const bytes = type === 'svg' ? requirePlainDrawing(given) : given
    const path = await services.uploads.save('airlines', bytes, type)
    try {
      return { data: await replaceIcon(services, input.id, path) }
    } catch (error) {
      await services.uploads.remove(path)
      throw error
    }
  },
})

/** The drawing without anything that could do more than draw. */
function requirePlainDrawing(bytes: Uint8Array): Uint8Array {
  const cleaned = cleanSvg(textOf(bytes) ?? '')
  if ('svg' in cleaned) return Buffer.from(cleaned.svg)
  throw invalid('The drawing contains more than plain shapes', { path: ['icon'], message: cleaned.fault })
}

export const deleteAirlineIcon = operation({
  id: 'delete-airline-icon',
  method: 'DELETE',
  path: '/airlines/{id}/icon',
  door: 'app',
  tag,
  summary: 'Delete an airline’s icon',
  access: airlines,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  managesTransaction: true,
  async run({ input, services }) {
    await replaceIcon(services, input.id, null)
  },
})

/** The old file goes only once the new state is committed: a failed change leaves the icon as it was. */
async function replaceIcon({ store, uploads }: Services, id: number, path: string | null) {
  const { before, after } = await store.transaction(async (tx) => {
    await lockReference(tx)
    const [before] = await findAirlines(tx, [id])
    if (!before) throw notFound('Airline')
    await updateAirlineIcon(tx, id, path)
    return { before, after: (await readAirline(tx, id)).data }
  })
  if (before.iconPath) await uploads.remove(before.iconPath)
  return after
}

// Aircraft types

const aircraftTypes = person(['data.aircraft.manage'])

const AircraftInput = z
  .object({ name, icao: optionalCode(/^[A-Z0-9]{2,4}$/, 'Two to four letters or digits') })
  .meta({ id: 'AircraftInput' })

const aircraftFields = (input: z.output<typeof AircraftInput>) => ({
  ...input,
  search: aircraftSearchText(input),
})

const readAircraft = async (db: Executor, id: number) => ({ data: (await findAircraft(db, [id]))[0]! })

export const listCustomAircraft = operation({
  id: 'list-custom-aircraft',
  method: 'GET',
  path: '/custom-aircraft',
  door: 'app',
  tag,
  summary: 'List the aircraft types added on this instance',
  access: aircraftTypes,
  output: list(Aircraft),
  run: async ({ db }) => onePage(await listAddedAircraft(db)),
})

export const createAircraft = operation({
  id: 'create-aircraft',
  method: 'POST',
  path: '/aircraft',
  door: 'app',
  tag,
  summary: 'Add an aircraft type',
  access: aircraftTypes,
  body: AircraftInput,
  output: single(Aircraft),
  status: 201,
  location: ({ data }) => `/aircraft/${data.id}`,
  async run({ input, db }) {
    await lockReference(db)
    return readAircraft(db, await insertAircraft(db, aircraftFields(input)))
  },
})

export const updateAircraft = operation({
  id: 'update-aircraft',
  method: 'PUT',
  path: '/aircraft/{id}',
  door: 'app',
  tag,
  summary: 'Replace an aircraft type added on this instance',
  access: aircraftTypes,
  params: pathId,
  body: AircraftInput,
  output: single(Aircraft),
  errors,
  async run({ input: { id, ...input }, db }) {
    await lockReference(db)
    requireCustom((await findAircraft(db, [id]))[0], 'Aircraft')
    await updateStoredAircraft(db, id, aircraftFields(input))
    return readAircraft(db, id)
  },
})

export const deleteAircraft = operation({
  id: 'delete-aircraft',
  method: 'DELETE',
  path: '/aircraft/{id}',
  door: 'app',
  tag,
  summary: 'Delete an aircraft type added on this instance',
  description: 'Flights that use it are kept, without an aircraft type.',
  access: aircraftTypes,
  params: pathId,
  output: nothing,
  status: 204,
  errors,
  async run({ input, db }) {
    await lockReference(db)
    requireCustom((await findAircraft(db, [input.id]))[0], 'Aircraft')
    await deleteRecord(db, 'aircraft', input.id)
  },
})

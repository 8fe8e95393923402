// Airports, airlines and aircraft types that people add because the shipped set lacks them: one set of operations for
// three kinds. Shipped records are not edited here: the next version of the set would overwrite the change.
import * as z from 'zod'
import { AppError, notFound } from '../../base/errors.ts'
import { requireValid } from '../../base/request/input.ts'
import { because } from '../../base/request/validation.ts'
import type { Permission } from '../../domain/access/access.ts'
import { FIRST_CUSTOM_ID } from '../../domain/limits.ts'
import { type PlainReason, problem } from '../../domain/reasons.ts'
import { isCountry } from '../../domain/reference/countries.ts'
import { timeZoneNamed } from '../../domain/time/time.ts'
import { operation, person, takes } from '../../door/operation.ts'
import { aircraftSearchText, airlineSearchText, airportSearchText } from '../../services/reference/load.ts'
import {
  deleteRecord,
  findAirportIdByIcao,
  insertAircraft,
  insertAirline,
  insertAirport,
  listCustomAircraft as listAddedAircraft,
  listCustomAirlines as listAddedAirlines,
  listCustomAirports as listAddedAirports,
  lockReference,
  noteRecordChanged,
  updateAircraft as updateStoredAircraft,
  updateAirline as updateStoredAirline,
  updateAirport as updateStoredAirport,
} from '../../store/reference/custom-records.ts'
import { findAircraft, findAirlines, findAirports } from '../../store/reference/records.ts'
import type { Executor } from '../../store/store.ts'
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
} from '../wire/schemas.ts'

interface Page<Shown> {
  data: Shown[]
  page: { nextCursor: string | null }
}

/** What differs between the kinds of records; the four operations are shared. */
interface Kind<Input, Shown extends { id: number; iconPath?: string | null | undefined }> {
  table: 'airport' | 'airline' | 'aircraft'
  /** Used in addresses and ids: `create-airport`, `/airports`, `list-custom-airports`. */
  plural: string
  /** Used in sentences: "Add an airport". */
  noun: { one: string; many: string }
  permission: Permission
  body: z.ZodType<Input>
  output: z.ZodType<{ data: Shown }, { data: Shown }>
  listOutput: z.ZodType<Page<Shown>, Page<Shown>>
  list(db: Executor): Promise<Shown[]>
  find(db: Executor, id: number): Promise<Shown | undefined>
  insert(tx: Executor, input: Input): Promise<number>
  update(tx: Executor, id: number, input: Input): Promise<unknown>
  /** If codes must be unique: rejects a code of another record. `own` is the record being replaced. */
  requireFree?(tx: Executor, input: Input, own?: number): Promise<void>
}

function operationsOf<Input, Shown extends { id: number; iconPath?: string | null | undefined }>(
  kind: Kind<Input, Shown>,
) {
  const { table, plural, noun, body, output } = kind
  const common = { door: 'app', tag: 'Reference data', access: person([kind.permission]) } as const
  const requireCustom = async (tx: Executor, id: number): Promise<Shown> => {
    const record = await kind.find(tx, id)
    if (!record) throw notFound(capitalised(table))
    if (record.id >= FIRST_CUSTOM_ID) return record
    throw new AppError('conflict', 'record_not_custom')
  }
  const add = async (tx: Executor, input: Input): Promise<number> => {
    await lockReference(tx)
    await kind.requireFree?.(tx, input)
    return kind.insert(tx, input)
  }
  return {
    /** For operations that create a record along the way; the caller checks the permission. */
    add: (tx: Executor, given: unknown) => add(tx, requireValid(body, given)),
    list: operation({
      ...common,
      id: `list-custom-${plural}`,
      method: 'GET',
      path: `/custom-${plural}`,
      summary: `List the ${noun.many} that were added on this instance`,
      output: kind.listOutput,
      run: async ({ db }) => onePage(await kind.list(db)),
    }),
    create: operation({
      ...common,
      id: `create-${table}`,
      method: 'POST',
      path: `/${plural}`,
      summary: `Add ${noun.one}`,
      body: takes(body),
      output,
      status: 201,
      ...(kind.requireFree && { errors: ['conflict'] as const }),
      location: ({ data }) => `/${plural}/${data.id}`,
      run: async ({ input, db }) => ({ data: (await kind.find(db, await add(db, input)))! }),
    }),
    update: operation({
      ...common,
      id: `update-${table}`,
      method: 'PUT',
      path: `/${plural}/{id}`,
      summary: `Replace ${noun.one} that was added here`,
      params: pathId,
      body: takes(body),
      output,
      errors: ['not_found', 'conflict'],
      async run({ input, db }) {
        await lockReference(db)
        await requireCustom(db, input.id)
        await kind.requireFree?.(db, input, input.id)
        await kind.update(db, input.id, input)
        await noteRecordChanged(db, table, input.id)
        return { data: (await kind.find(db, input.id))! }
      },
    }),
    remove: operation({
      ...common,
      id: `delete-${table}`,
      method: 'DELETE',
      path: `/${plural}/{id}`,
      summary: `Delete ${noun.one} that was added here`,
      description: `Flights that name it stay and name no ${table} in its place.`,
      params: pathId,
      output: nothing,
      status: 204,
      errors: ['not_found', 'conflict'],
      transaction: 'own',
      async run({ input, services, now }) {
        const { iconPath } = await services.store.transaction(async (tx) => {
          await lockReference(tx)
          const record = await requireCustom(tx, input.id)
          await deleteRecord(tx, table, input.id, now.toISOString())
          return record
        })
        // Only after the deletion is final: a failed one leaves the icon as it was.
        if (iconPath) await services.uploads.remove(iconPath)
      },
    }),
  }
}

const capitalised = <Word extends string>(word: Word) =>
  (word.charAt(0).toUpperCase() + word.slice(1)) as Capitalize<Word>

const name = z.string().trim().min(1).max(200)
const code = (form: RegExp, reason: PlainReason) =>
  z
    .string()
    .trim()
    .transform((text) => text.toUpperCase())
    .pipe(z.string().regex(form, because(reason)))
const optionalCode = (form: RegExp, reason: PlainReason) => code(form, reason).nullable().default(null)

// Airports

const AirportInput = z
  .object({
    icao: code(/^[A-Z0-9][A-Z0-9-]{1,7}$/, 'airport_icao_form').describe(
      'ICAO code, or your own identifier if there is none. Unique.',
    ),
    iata: optionalCode(/^[A-Z0-9]{3}$/, 'airport_iata_form'),
    name,
    municipality: z.string().trim().max(200).nullable().default(null),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    timezone: z
      .string()
      .transform((text, context) => {
        const zone = timeZoneNamed(text)
        if (zone) return zone
        context.addIssue({ code: 'custom', message: because('unknown_time_zone') })
        return z.NEVER
      })
      .describe('IANA time zone.')
      .meta({ example: 'Europe/Copenhagen' }),
    type: AirportType.default('small_airport'),
    continent: Continent,
    country: code(/^[A-Z]{2}$/, 'country_form')
      .refine(isCountry, because('unknown_country'))
      .describe('ISO 3166-1 alpha-2, or XK.'),
  })
  .meta({ id: 'AirportInput' })

const airportFields = (input: z.output<typeof AirportInput>) => ({
  ...input,
  municipality: input.municipality || null,
  search: airportSearchText(input),
})

export const {
  add: addAirport,
  list: listCustomAirports,
  create: createAirport,
  update: updateAirport,
  remove: deleteAirport,
} = operationsOf<z.output<typeof AirportInput>, z.input<typeof Airport>>({
  table: 'airport',
  plural: 'airports',
  noun: { one: 'an airport', many: 'airports' },
  permission: 'data.airports.manage',
  body: AirportInput,
  output: single(Airport),
  listOutput: list(Airport),
  list: async (db) => (await listAddedAirports(db)) as z.input<typeof Airport>[],
  find: async (db, id) => (await findAirports(db, [id]))[0] as z.input<typeof Airport> | undefined,
  insert: (tx, input) => insertAirport(tx, airportFields(input)),
  update: (tx, id, input) => updateStoredAirport(tx, id, airportFields(input)),
  async requireFree(tx, { icao }, own) {
    const holder = await findAirportIdByIcao(tx, { icao })
    if (holder !== undefined && holder !== own) {
      throw new AppError('conflict', problem('airport_code_taken', { code: icao }))
    }
  },
})

// Airlines

const AirlineInput = z
  .object({
    name,
    icao: optionalCode(/^[A-Z0-9]{3}$/, 'airline_icao_form'),
    iata: optionalCode(/^[A-Z0-9]{2}$/, 'airline_iata_form'),
    active: z.boolean().default(true).describe('Still operating.'),
  })
  .meta({ id: 'AirlineInput' })

const airlineFields = (input: z.output<typeof AirlineInput>) => ({
  ...input,
  search: airlineSearchText(input),
})

export const {
  add: addAirline,
  list: listCustomAirlines,
  create: createAirline,
  update: updateAirline,
  remove: deleteAirline,
} = operationsOf<z.output<typeof AirlineInput>, z.input<typeof Airline>>({
  table: 'airline',
  plural: 'airlines',
  noun: { one: 'an airline', many: 'airlines' },
  permission: 'data.airlines.manage',
  body: AirlineInput,
  output: single(Airline),
  listOutput: list(Airline),
  list: listAddedAirlines,
  find: async (db, id) => (await findAirlines(db, [id]))[0],
  insert: (tx, input) => insertAirline(tx, airlineFields(input)),
  update: (tx, id, input) => updateStoredAirline(tx, id, airlineFields(input)),
})

// Aircraft types

const AircraftInput = z
  .object({ name, icao: optionalCode(/^[A-Z0-9]{2,4}$/, 'aircraft_icao_form') })
  .meta({ id: 'AircraftInput' })

const aircraftFields = (input: z.output<typeof AircraftInput>) => ({
  ...input,
  search: aircraftSearchText(input),
})

export const {
  list: listCustomAircraft,
  add: addAircraft,
  create: createAircraft,
  update: updateAircraft,
  remove: deleteAircraft,
} = operationsOf<z.output<typeof AircraftInput>, z.input<typeof Aircraft>>({
  table: 'aircraft',
  plural: 'aircraft',
  noun: { one: 'an aircraft type', many: 'aircraft types' },
  permission: 'data.aircraft.manage',
  body: AircraftInput,
  output: single(Aircraft),
  listOutput: list(Aircraft),
  list: listAddedAircraft,
  find: async (db, id) => (await findAircraft(db, [id]))[0],
  insert: (tx, input) => insertAircraft(tx, aircraftFields(input)),
  update: (tx, id, input) => updateStoredAircraft(tx, id, aircraftFields(input)),
})

// A generated reference set: the shipped one, or one from a folder or a URL, which is accepted only after it was completely
// verified. data/README.md describes the files.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { aircraftClasses, airportTypes, continents } from '../../domain/enums.ts'
import { FIRST_CUSTOM_ID } from '../../domain/limits.ts'
import { isCountry } from '../../domain/reference/countries.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import { timeZoneNamed } from '../../domain/time/time.ts'
import { type Manifest, shippedFile, shippedManifest } from './shipped.ts'

const kinds = ['airports', 'airlines', 'aircraft'] as const
type Kind = (typeof kinds)[number]

const count = z.int().min(0)
const manifestSchema = z.object({
  version: z.string().regex(/^[0-9a-f]{16}$/),
  counts: z.object({ airports: count, airlines: count, aircraft: count }),
  snapshot: z.iso.date(),
})

const text = z.string().min(1).max(200)
const texts = z.array(text).nullable()
const day = z.iso.date().nullable()
/** Codes with the first and the last day on which they referred to the record; null is unknown or unlimited. */
const periods = z.array(z.tuple([text, day, day])).nullable()
const yearOrDay = z
  .string()
  .regex(/^\d{4}(-\d\d-\d\d)?$/)
  .nullable()
const importance = z.int().min(0)
const id = z
  .int()
  .min(1)
  .max(FIRST_CUSTOM_ID - 1)
const country = z.string().refine(isCountry, 'There is no such country')
const schemas = {
  airports: z.object({
    id,
    icao: text,
    iata: text.nullable(),
    name: text,
    municipality: text.nullable(),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    timezone: z.string().refine((zone) => timeZoneNamed(zone) === zone, 'There is no such time zone'),
    type: z.enum(airportTypes),
    continent: z.enum(continents),
    country,
    formerCodes: texts,
    aliases: texts,
    regions: texts,
    cityCodes: periods,
    codePeriods: periods,
    importance,
  }),
  airlines: z.object({
    id,
    name: text,
    icao: text.nullable(),
    iata: text.nullable(),
    country: country.nullable(),
    callsign: text.nullable(),
    active: z.boolean(),
    aliases: texts,
    from: yearOrDay,
    to: yearOrDay,
    successorId: id.nullable(),
    codePeriods: periods,
    importance,
  }),
  aircraft: z.object({
    id,
    name: text,
    icao: text,
    iata: texts,
    aliases: texts,
    class: z.enum(aircraftClasses).nullable(),
    importance,
  }),
}
export type AirportRecord = z.output<typeof schemas.airports>
export type AirlineRecord = z.output<typeof schemas.airlines>
export type AircraftRecord = z.output<typeof schemas.aircraft>

export interface ReferenceSet {
  manifest: Manifest
  /** Reads one kind at a time: each takes tens of megabytes. */
  airports(): AirportRecord[]
  airlines(): AirlineRecord[]
  aircraft(): AircraftRecord[]
}

/** The set is invalid, incomplete or not newer. The message is for the operator. */
export class ReferenceSetError extends Error {}

// The shipped set

export const shippedSet = (): ReferenceSet =>
  setOf(shippedManifest(), (kind) => gunzipSync(readFileSync(shippedFile(fileOf(kind)))).toString())

const fileOf = (kind: Kind) => `${kind}.json.gz`

const setOf = (manifest: Manifest, contentOf: (kind: Kind) => string): ReferenceSet => ({
  manifest,
  airports: () => recordsIn<AirportRecord>(contentOf('airports')),
  airlines: () => recordsIn<AirlineRecord>(contentOf('airlines')),
  aircraft: () => recordsIn<AircraftRecord>(contentOf('aircraft')),
})

/** A file has one array per field, all of the same length. */
function recordsIn<Record>(content: string): Record[] {
  const { count: length, columns } = JSON.parse(content) as {
    count: number
    columns: { [Field in keyof Record]: Record[Field][] }
  }
  const fields = Object.keys(columns) as (keyof Record)[]
  return Array.from({ length }, (_, i) => {
    const record = {} as Record
    for (const field of fields) record[field] = columns[field][i]!
    return record
  })
}

// Other sets

const FILE_AT_MOST_BYTES = 32 * 1024 * 1024
const CONTENT_AT_MOST_BYTES = 256 * 1024 * 1024
const TIMEOUT_MS = MINUTE
/** A set that lacks more than this share of the shipped records is refused as a mistake. */
const LARGEST_LOSS = 0.02

/** Reads and verifies the set in a folder or at an http URL with `manifest.json` and the three files. */
export async function openSet(source: string): Promise<ReferenceSet> {
  const place = source.replace(/manifest\.json$/, '')
  const read = /^https?:\/\//i.test(source)
    ? (name: string) => fetched(new URL(name, place.endsWith('/') ? place : `${place}/`))
    : (name: string) =>
        readFile(join(place, name)).catch((error) => refuse(`${join(place, name)}: ${reasonOf(error)}`))
  const manifest = parsedManifest(source, await read('manifest.json'))
  const contents = new Map<Kind, string>()
  for (const kind of kinds) contents.set(kind, unzipped(fileOf(kind), await read(fileOf(kind))))
  requireVersion(manifest, [...contents.values()])
  const set = setOf(manifest, (kind) => contents.get(kind)!)
  // The small files come first, because an error is often in all of them.
  for (const kind of kinds.toReversed()) requireRecords(kind, manifest, readRecords(kind, set))
  return set
}

function refuse(message: string): never {
  throw new ReferenceSetError(`${message}; nothing was changed`)
}

const reasonOf = (error: NodeJS.ErrnoException): string =>
  error.code === 'ENOENT' ? 'there is no such file' : error.message

async function fetched(url: URL): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: Error) =>
    refuse(`${url.href} does not respond (${(error.cause as Error | undefined)?.message ?? error.message})`),
  )
  if (!response.ok) refuse(`${url.href} responds with ${response.status}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > FILE_AT_MOST_BYTES) break
      chunks.push(chunk)
    }
  } catch (error) {
    refuse(`${url.href} broke off (${(error as Error).message})`)
  }
  if (bytes > FILE_AT_MOST_BYTES) refuse(`${url.href} is too large`)
  return Buffer.concat(chunks)
}

function parsedManifest(source: string, bytes: Buffer): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(bytes.toString()))
  } catch {
    return refuse(`${source} is not a reference set: its manifest.json is not one`)
  }
}

function unzipped(name: string, bytes: Buffer): string {
  try {
    return gunzipSync(bytes, { maxOutputLength: CONTENT_AT_MOST_BYTES }).toString()
  } catch {
    return refuse(`${name} is damaged`)
  }
}

/** Recomputes the version as the generator does. */
function requireVersion({ version }: Manifest, contents: string[]): void {
  const hash = createHash('sha256').update(contents.join('\n')).digest('hex').slice(0, 16)
  if (hash !== version) refuse('the files are not those that the manifest names')
}

function readRecords(kind: Kind, set: ReferenceSet): { id: number }[] {
  try {
    return set[kind]()
  } catch {
    return refuse(`${fileOf(kind)} is damaged`)
  }
}

function requireRecords(kind: Kind, manifest: Manifest, records: { id: number }[]): void {
  const expected = shippedManifest().counts[kind]
  if (records.length !== manifest.counts[kind] || records.length < expected * (1 - LARGEST_LOSS))
    refuse(`${fileOf(kind)} has ${records.length} records, expected about ${expected}`)
  for (const record of records) {
    const issue = schemas[kind].safeParse(record).error?.issues[0]
    if (issue) refuse(`${fileOf(kind)}, record ${record.id}: ${issue.path.join('.')}: ${issue.message}`)
  }
  if (new Set(records.map((record) => record.id)).size < records.length)
    refuse(`${fileOf(kind)} has an id twice`)
}

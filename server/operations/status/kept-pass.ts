// The boarding pass that a person keeps until the flight has landed. Its bar code opens the booking, so it is sealed, and only the
// person's own browser reads it: no key, app or assistant, and no other user on the flight.
import * as z from 'zod'
import { AppError, notFound } from '../../base/errors.ts'
import { type BoardingPass, readBoardingPass } from '../../domain/imports/boarding-pass.ts'
import { problem } from '../../domain/reasons.ts'
import { RowId } from '../../domain/row-id.ts'
import {
  PASS_FILE_BYTES,
  PASS_TEXT_BYTES,
  type PassCode,
  type PassUpdate,
  passFormats,
  passPurpose,
} from '../../domain/status/kept-pass.ts'
import { endsAt, loggedSpan } from '../../domain/status/travel-day.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import type { SourceFlight, SourceRecord } from '../../services/imports/reading/source.ts'
import { type ReadRequest, UnreadableFile } from '../../services/imports/reading/stages.ts'
import { unsealOrNot } from '../../services/intake/reach.ts'
import { findFlight, type StoredFlight } from '../../store/flights/flights.ts'
import { findImport } from '../../store/imports/imports.ts'
import { deleteKeptPass, findKeptPass, upsertKeptPass } from '../../store/status/kept-passes.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { type FlightView, showFlight } from '../flights/view.ts'
import { nothing, pathId, single, strictQuery, Truth } from '../wire/schemas.ts'

const common = {
  door: 'app',
  path: '/flights/{id}/kept-pass',
  tag: 'Day of travel',
  access: person(['flight.read.own']),
  params: pathId,
} as const

const KeptPass = z
  .object({
    format: z.enum(passFormats),
    text: z.string(),
    altText: z.string().nullable().describe('What the airline writes below the bar code.'),
    seat: z.string().nullable(),
    host: z.string().nullable().describe('Of the airline’s service that has the changes of the pass.'),
    followed: z.boolean().describe('The airline may be asked for changes of the pass.'),
  })
  .meta({ id: 'KeptPass' })

const followed = 'Also keep where the airline has the changes of the pass.'

const KeptPassInput = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .max(PASS_TEXT_BYTES)
      .optional()
      .describe('The text of the bar code, with `format`.'),
    format: z.enum(passFormats).optional(),
    importId: RowId.optional().describe('An import of yours whose file is still kept, with `row`.'),
    row: RowId.optional().describe('The row of the wallet pass in it.'),
    follow: z.boolean().optional().describe(followed),
  })
  .meta({ id: 'KeptPassInput' })
type Input = { id: number } & z.output<typeof KeptPassInput>

/** What is kept, before it is sealed. */
interface Pass {
  code: PassCode
  update: PassUpdate | null
}

export const keepPass = operation({
  ...common,
  id: 'keep-pass',
  method: 'PUT',
  summary: 'Keep a boarding pass until the flight has landed',
  description:
    'A `.pkpass` file as the body, a row of an import, or the text of a bar code. It must be of this flight, which must not be over. It replaces the one that you keep, and is erased two days after landing, or when you leave the flight or it is deleted.',
  query: strictQuery({ follow: Truth.optional().describe(followed) }),
  body: takes(KeptPassInput, {
    size: 'long',
    file: { atMostBytes: PASS_FILE_BYTES, mediaTypes: ['application/vnd.apple.pkpass', '*/*'] },
  }),
  output: single(KeptPass),
  errors: ['not_found', 'payload_too_large', 'too_many_requests'],
  prepare: readPass,
  async run(call) {
    const { code, update } = call.prepared as Pass
    const { principal, services, db, now } = call
    const place = requireAhead(await requirePlace(call), now)
    const seal = (value: object) =>
      services.secret.seal(passPurpose(principal.user.id), JSON.stringify(value))
    const kept = {
      passengerId: place.passengerId,
      userId: principal.user.id,
      code: seal(code),
      passUpdate: update && seal(update),
      host: update && new URL(update.service).host,
      keptAt: now.toISOString(),
    }
    await upsertKeptPass(db, kept)
    if (update)
      await recordBy(authorOf(call), db, 'pass.followed', {
        details: { flight: call.input.id, host: kept.host },
      })
    return { data: { ...code, host: kept.host, followed: update !== null } }
  },
})

export const getKeptPass = operation({
  ...common,
  id: 'get-kept-pass',
  method: 'GET',
  summary: 'Read the boarding pass that you keep',
  query: strictQuery({}),
  output: single(KeptPass),
  errors: ['not_found'],
  cached: { control: 'private, no-store' },
  async run(call) {
    const { principal, services, db, input } = call
    await requirePlace(call)
    const kept = await findKeptPass(db, { userId: principal.user.id, flightId: input.id })
    // After a restore without the instance secret, it cannot be opened.
    const opened = kept && unsealOrNot(services.secret, passPurpose(kept.userId), kept.code)
    if (opened === undefined) throw notFound('Boarding pass')
    return {
      data: { ...(JSON.parse(opened) as PassCode), host: kept!.host, followed: kept!.passUpdate !== null },
    }
  },
})

export const forgetPass = operation({
  ...common,
  id: 'forget-pass',
  method: 'DELETE',
  summary: 'Forget the boarding pass that you keep',
  query: strictQuery({}),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { passengerId } = await requirePlace(call)
    await deleteKeptPass(call.db, { passengerId })
  },
})

interface Place {
  flight: StoredFlight
  passengerId: number
}

/** The caller's place on the flight; for everyone else there is no such flight. */
async function requirePlace({ db, principal, input }: Call<{ id: number }>): Promise<Place> {
  const flight = await findFlight(db, input.id)
  const own = flight?.passengers.find(({ userId }) => userId === principal.user.id)
  if (!flight || !own) throw notFound('Flight')
  return { flight, passengerId: own.id }
}

function requireAhead<Known extends { flight: StoredFlight }>(place: Known, now: Date): Known {
  if (now.getTime() > endsAt(loggedSpan(place.flight)))
    throw new AppError('validation_failed', 'pass_flight_over')
  return place
}

// Reading a pass: outside of the transaction, because a file is read in a process of its own

async function readPass(call: Call<Input>): Promise<Pass> {
  const { flight } = await requirePlace({ ...call, db: call.services.store.read })
  requireAhead({ flight }, call.now)
  const view = await showFlight({ ...call, db: call.services.store.read }, flight)
  const { text, format, follow } = call.input
  if (text !== undefined && format !== undefined)
    return { code: codeOfText(text, format, view), update: null }
  const records = await recordsOf(call, flight.date)
  const passes = records.filter(({ pass }) => pass)
  if (passes.length === 0) throw new AppError('validation_failed', 'not_a_boarding_pass')
  const own = passes.find(({ pass, flight: read }) => pass!.code && read && isOf(read, view))
  if (!own) throw new AppError('validation_failed', 'pass_of_other_flight')
  const { code, update } = own.pass!
  return { code: { ...code!, seat: seatIn(code!.text, view) }, update: follow ? update : null }
}

function codeOfText(text: string, format: PassCode['format'], flight: FlightView): PassCode {
  const pass = readBoardingPass(text, flight.date, true)
  if ('refused' in pass) throw new AppError('validation_failed', 'not_a_boarding_pass')
  const leg = legOf(pass, flight)
  if (!leg) throw new AppError('validation_failed', 'pass_of_other_flight')
  return { format, text, altText: null, seat: leg.seat }
}

/** The leg that is this flight. Its day has no year: the one next to the flight is meant. */
const legOf = ({ legs }: BoardingPass, { date, from, to }: FlightView) =>
  legs.find((leg) => leg.date === date && hasCode(from, [leg.from]) && hasCode(to, [leg.to]))

/** The bar code of a wallet pass may have another form than airlines have agreed on. */
function seatIn(text: string, flight: FlightView): string | null {
  const pass = readBoardingPass(text, flight.date, true)
  return 'refused' in pass ? null : (legOf(pass, flight)?.seat ?? null)
}

const hasCode = (airport: FlightView['from'], codes: readonly string[]): boolean =>
  airport !== null && codes.some((code) => code === airport.iata || code === airport.icao)

/** Whether the pass names this flight's route and day. */
function isOf(read: SourceFlight, { date, from, to }: FlightView): boolean {
  const day = read.date ?? read.departure?.date
  const isDay = !!day && 'iso' in day && day.iso === date
  return isDay && hasCode(from, read.from?.codes ?? []) && hasCode(to, read.to?.codes ?? [])
}

/** The records of the file, which is the body or that of an import. */
async function recordsOf(call: Call<Input>, date: string): Promise<SourceRecord[]> {
  const { services, principal, now } = call
  const bytes = call.file ?? (await fileOfImport(call))
  const request: ReadRequest = {
    source: null,
    options: {},
    today: utcDate(now.getTime()),
    documentDate: date,
    documentDateOf: 'flight',
    mapping: null,
    preferredOrder: null,
    filename: '',
    keepsPasses: true,
  }
  try {
    const records = await services.imports.read(principal.user.id, bytes, request)
    return call.file ? records : records.filter((_, i) => i + 1 === call.input.row)
  } catch (error) {
    if (error instanceof UnreadableFile) return []
    throw error
  }
}

async function fileOfImport({ input, principal, services }: Call<Input>): Promise<Uint8Array> {
  const { importId, row } = input
  if (importId === undefined || row === undefined)
    throw new AppError('validation_failed', 'pass_content_needed')
  const found = await findImport(services.store.read, { userId: principal.user.id, id: importId })
  if (!found) throw notFound('Import')
  const file = found.file === null ? undefined : await services.importFiles.read(found.file)
  if (!file) throw new AppError('validation_failed', 'import_file_forgotten')
  if (file.byteLength > PASS_FILE_BYTES)
    throw new AppError('payload_too_large', problem('import_too_large', { max: PASS_FILE_BYTES }))
  return file
}

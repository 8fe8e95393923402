// The body of log-flight, and of each flight of log-flights: fields, a line of text, or both. Former field names are
// mapped here and nowhere else.
import * as z from 'zod'
import { invalidField } from '../../base/errors.ts'
import { hasOwnDay } from '../../domain/entry/spoken-times.ts'
import { problem } from '../../domain/reasons.ts'
import { collected, type Words } from '../reference/named.ts'
import { flightInputShape } from '../wire/schemas.ts'
import { namesDay, precisionOf, readLater, SpokenCompanion, spokenFields, unknownLater } from './fields.ts'
import { LineText, type TextRead } from './line.ts'

const optional = Object.fromEntries(
  Object.entries(spokenFields).map(([name, field]) => [name, readLater(field.optional())]),
) as { [Name in keyof typeof spokenFields]: z.ZodCatch<z.ZodOptional<(typeof spokenFields)[Name]>> }

/** Current names by former name. */
const formerNames = {
  departure: 'departureTime',
  arrival: 'arrivalTime',
  aircraftReg: 'registration',
  flightReason: 'reason',
  confirmDuplicate: 'allowDuplicate',
} as const

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Strict: silently ignoring a misspelt field would lose data. */
const SpokenFields = unknownLater(
  {
    text: readLater(LineText.optional()),
    ...optional,
    companions: readLater(z.array(readLater(SpokenCompanion)).max(50).optional()).describe(
      'Others on the flight.',
    ),
    customFields: readLater(flightInputShape.customFields),
    lookup: readLater(z.boolean().default(true)).describe(
      'With a number and a date, no route and no such flight in the log: ask the provider.',
    ),
    allowDuplicate: readLater(z.boolean().default(false)).describe('Log it although it resembles another.'),
  },
  'SpokenFlight',
)
export const spokenNames = Object.keys(SpokenFields.shape)

/** Also accepts the former names. Null counts as absent. */
export const SpokenFlight = z.preprocess((given, context) => {
  if (!isRecord(given)) return given
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const twice = (field: string, now: string) =>
    context.issues.push({
      code: 'custom',
      path: [field],
      params: problem('named_twice', { field, now }),
      input: given,
    })
  for (const [former, now] of Object.entries(formerNames)) {
    if (!(former in said)) continue
    if (now in said) twice(former, now)
    said[now] = said[former]
    delete said[former]
  }
  const { companionIds, ...rest } = said
  const companions = namedCompanions(said['companions'])
  if (companionIds === undefined) return { ...rest, ...(companions !== undefined && { companions }) }
  const isFormer = isTexts(said['companions'] ?? [])
  if (!isFormer || !Array.isArray(companionIds)) twice('companionIds', 'companions')
  const users = Array.isArray(companionIds) ? companionIds.map((userId) => ({ userId })) : []
  return { ...rest, companions: [...users, ...((companions as unknown[] | undefined) ?? [])] }
}, SpokenFields)
export type Spoken = z.output<typeof SpokenFlight>

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A former companion was only a name. */
const namedCompanions = (given: unknown): unknown =>
  Array.isArray(given) ? given.map((one: unknown) => (typeof one === 'string' ? { name: one } : one)) : given

/** Completes the fields from the text. Fields win; problems with the text are collected. */
export async function withText(
  words: Pick<Words, 'problems'>,
  given: Spoken,
  text: TextRead,
): Promise<Spoken> {
  const { fields, problem: found, period, legs } = text
  const { companions, ...rest } = given
  // A given departure has a day, so a month or a year in the text is less precise.
  const isVaguer =
    hasOwnDay(given.departureTime ?? '') && fields.date !== undefined && precisionOf(fields.date) !== 'day'
  const merged: Spoken = {
    ...fields,
    date: isVaguer ? undefined : fields.date,
    ...rest,
    companions: companions?.length ? companions : fields.companions,
    // Text that was not understood is added to the given note.
    note: [given.note, fields.note].filter((note) => note !== undefined).join('\n') || undefined,
  }
  const reason = found?.reason
  const noDay = period ? problem('text_names_period', period) : 'text_names_no_day'
  if (!namesDay(merged))
    await collected(words, () => refuse('date', reason === 'no_such_day' ? reason : noDay))
  if (found && reason && reason !== 'no_such_day' && !isSettled(given, reason))
    await collected(words, () => refuse('text', problem(reason, { text: found.text })))
  else if (legs.length > 0 && !isSettled(given, 'text_names_several_flights'))
    await collected(words, () => refuse('text', problem('text_names_flights', { legs })))
  for (const [field, missing] of missingEnds(merged, text))
    await collected(words, () => refuse(field, missing))
  return merged
}

type Given = Parameters<typeof invalidField>[1]

/** What is wrong with the ends that the text does not name: misspelt words, each for its own end, or what was not understood. */
function missingEnds({ from, to, flightNumber }: Spoken, { near, unknown }: TextRead): [string, Given][] {
  const missing = [...(from === undefined ? ['from'] : []), ...(to === undefined ? ['to'] : [])]
  const misspelt = near.filter(({ field }) => missing.includes(field))
  // A number alone gets its route from the log.
  const isByNumber = missing.length === 2 && flightNumber !== undefined && misspelt.length < 2
  if (missing.length === 0 || isByNumber) return []
  if (misspelt.length > 0)
    return misspelt.map(({ field, ...one }) => [field, problem('text_names_similar', one)])
  return [[missing[0]!, unknown ? problem('text_place_unknown', { text: unknown }) : 'text_names_no_route']]
}

/** Whether the given fields settle what the text leaves open. */
const isSettled = (
  { from, to, outcome }: Spoken,
  reason: 'text_names_diversion' | 'text_names_several_flights',
) => to !== undefined && (reason === 'text_names_diversion' ? outcome : from) !== undefined

const refuse = (field: string, given: Given): never => {
  throw invalidField([field], given)
}

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
  { fields, near, problem: found }: TextRead,
): Promise<Spoken> {
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
  if (!namesDay(merged))
    await collected(words, () => refuse('date', reason === 'no_such_day' ? reason : 'text_names_no_day'))
  if (found && reason && reason !== 'no_such_day' && !isSettled(given, reason))
    await collected(words, () => refuse('text', problem(reason, { text: found.text })))
  const { from, to, flightNumber } = merged
  const isMissing = from === undefined || to === undefined
  if (isMissing && (from !== undefined || to !== undefined || flightNumber === undefined))
    await collected(words, () =>
      refuse(
        from === undefined ? 'from' : 'to',
        near[0] ? problem('text_names_similar', near[0]) : 'text_names_no_route',
      ),
    )
  return merged
}

/** Whether the given fields settle what the text leaves open. */
const isSettled = (
  { from, to, outcome }: Spoken,
  reason: 'text_names_diversion' | 'text_names_several_flights',
) => to !== undefined && (reason === 'text_names_diversion' ? outcome : from) !== undefined

const refuse = (field: string, given: Parameters<typeof invalidField>[1]): never => {
  throw invalidField([field], given)
}

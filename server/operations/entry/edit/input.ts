// The body of edit-flight: which flight, and its changes, in the fields that log a flight.
import * as z from 'zod'
import { because } from '../../../base/request/validation.ts'
import { GivenRowId } from '../../../domain/row-id.ts'
import { flightPatchShape, SeatClass } from '../../wire/schemas.ts'
import { readLater, spokenFields, unknownLater } from '../fields.ts'

type Fields = typeof spokenFields
/** Fields that every flight has. */
type Always = 'from' | 'to' | 'date'
const always: readonly string[] = ['from', 'to', 'date'] satisfies Always[]

/** Described at log-flight only: repeating it would make every list of tools longer. */
const editable = Object.fromEntries(
  Object.entries(spokenFields).map(([name, described]) => {
    const field = described.meta({ description: undefined })
    return [name, readLater((always.includes(name) ? field : field.nullable()).optional())]
  }),
) as {
  [Name in keyof Fields]: z.ZodCatch<
    z.ZodOptional<Name extends Always ? Fields[Name] : z.ZodNullable<Fields[Name]>>
  >
}

const { flightNumber, date, from, to } = spokenFields
const Match = z
  .strictObject({
    flightNumber: flightNumber.optional(),
    date: date.optional(),
    from: from.optional(),
    to: to.optional(),
  })
  .refine((match) => Object.values(match).some((value) => value !== undefined), because('match_empty'))

const Person = z.strictObject({
  name: z.string().trim().min(1).max(100),
  seatNumber: spokenFields.seatNumber.meta({ description: undefined }).nullable().optional(),
  seatClass: SeatClass.nullable().optional(),
  remove: z.boolean().optional(),
})
export type EditedPerson = z.output<typeof Person>

/** Strict: silently ignoring a misspelt field would lose data. */
const EditFields = unknownLater(
  {
    id: readLater(GivenRowId.optional()).describe('In place of match.'),
    match: readLater(Match.optional()).describe(
      '{flightNumber?, date?, from?, to?}. The date may be a month or year. If several flights fit, they are listed and none is changed.',
    ),
    ...editable,
    people: readLater(z.array(readLater(Person), because('people_form')).max(50).optional()).describe(
      'Who joins, changes seat or leaves; “me” is the person.',
    ),
    customFields: readLater(flightPatchShape.customFields),
    ifVersion: readLater(z.int().min(1).optional()).describe('Refused if the flight has another version.'),
  },
  'FlightEdit',
)
export const editNames = Object.keys(EditFields.shape)

/** An empty text empties a field, like null. */
export const EditFlight = z.preprocess(
  (given) =>
    typeof given !== 'object' || given === null || Array.isArray(given)
      ? given
      : Object.fromEntries(Object.entries(given).map(([name, value]) => [name, meant(name, value)])),
  EditFields,
)
function meant(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return name in editable && !always.includes(name) && value.trim() === '' ? null : value
}
export type EditFlight = z.output<typeof EditFlight>

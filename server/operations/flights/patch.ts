// A merge patch (RFC 7396) applied to a stored flight. The result is the body of a full update and validated like
// one; problems are then reported by their path in the patch.
import { AppError, type ErrorDetail, invalidField } from '../../base/errors.ts'
import {
  flightFieldNames,
  flightFields,
  keptFields,
  passengerFieldNames,
} from '../../domain/flights/fields.ts'
import { derivedDuration } from '../../domain/flights/flight.ts'
import { pick } from '../../domain/pick.ts'
import type { CustomField } from '../../store/flights/custom-fields.ts'
import type { StoredFlight, StoredPassenger, StoredValues } from '../../store/flights/flights.ts'
import type { FlightPatch } from '../wire/schemas.ts'
import type { FlightDraft } from './input.ts'

type Values = Record<string, unknown>
type Definitions = readonly CustomField[]

interface Merged {
  /** Not validated yet. */
  input: FlightDraft
  /** The path in the patch of each passenger. */
  passengerPaths: string[][] | undefined
}

const isKept = (name: string): boolean => keptFields.some((kept) => kept === name)
/** The other fields keep their stored values in a full update too. */
const replacedFields = flightFieldNames.filter((name) => !isKept(name))

/** Fields that are not in the patch keep their stored values. */
export function mergePatch(stored: StoredFlight, patch: FlightPatch, definitions: Definitions): Merged {
  const { passengers, customFields, ...rest } = patch
  const people = mergePassengers(stored.passengers, passengers, definitions)
  const values = clearedValues(definitions, 'flight', stored.customFields, customFields)
  const input = {
    ...pick(stored, replacedFields),
    ...(followsFromTimes(stored, patch) ? { duration: null } : {}),
    ...withoutAbsent(rest),
    ...mergedObjects(stored, rest),
    ...(people ? { passengers: people.map(({ entry }) => entry) } : {}),
    ...(values ? { customFields: values } : {}),
  }
  return { input: withUsual(input) as FlightDraft, passengerPaths: people?.map(({ path }) => path) }
}

/** A cleared choice gets the default that it has in a body without it. */
const withUsual = (input: Values): Values =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== null || !hasUsual(name)))

const hasUsual = (name: string): boolean => {
  const field = (flightFields as Record<string, { kind: string; usual?: string | null }>)[name]
  return field?.kind === 'choice' && field.usual !== null && !isKept(name)
}

/** A value with members, such as a price, is merged with the stored one. */
const mergedObjects = (stored: StoredFlight, patch: Values): Values =>
  Object.fromEntries(
    flightFieldNames
      .filter((name) => isObject(stored[name]) && isObject(patch[name]))
      .map((name) => [name, { ...(stored[name] as object), ...(patch[name] as object) }]),
  )
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const withoutAbsent = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** New times give a new duration, unless the stored one was entered by a person. */
const followsFromTimes = (stored: StoredFlight, { duration, departure, arrival }: FlightPatch): boolean =>
  duration === undefined &&
  (departure !== undefined || arrival !== undefined) &&
  stored.duration === derivedDuration({ ...stored, duration: null })

interface MergedPassenger {
  entry: Values
  path: string[]
}

function mergePassengers(
  stored: readonly StoredPassenger[],
  patch: FlightPatch['passengers'],
  definitions: Definitions,
): MergedPassenger[] | undefined {
  if (patch === undefined) return undefined
  if (Array.isArray(patch)) return patch.map((entry, i) => ({ entry, path: ['passengers', String(i)] }))
  const { new: added = [], ...changes } = patch
  const unknown = Object.keys(changes).find((id) => !stored.some((passenger) => String(passenger.id) === id))
  if (unknown !== undefined) throw invalidField(['passengers', unknown], 'passenger_not_on_flight')
  const kept = stored.filter(({ id }) => changes[id] !== null)
  return [
    ...kept.map((passenger) => ({
      entry: mergePassenger(passenger, changes[passenger.id] as Values | undefined, definitions),
      path: ['passengers', String(passenger.id)],
    })),
    ...added.map((entry, i) => ({ entry, path: ['passengers', 'new', String(i)] })),
  ]
}

function mergePassenger(
  stored: StoredPassenger,
  { customFields, ...changes }: Values = {},
  definitions: Definitions,
): Values {
  const given = customFields as StoredValues | null | undefined
  const values = clearedValues(definitions, 'flight_passenger', stored.customFields, given)
  return {
    id: stored.id,
    ...pick(stored, passengerFieldNames),
    ...withoutAbsent(changes),
    ...(values ? { customFields: values } : {}),
  }
}

/** A full update merges values by key, so null for all becomes null for each. */
const clearedValues = (
  definitions: Definitions,
  entityType: CustomField['entityType'],
  stored: StoredValues,
  given: StoredValues | null | undefined,
): StoredValues | undefined =>
  given === null
    ? Object.fromEntries(
        definitions
          .filter(
            (field) => field.active && field.entityType === entityType && Object.hasOwn(stored, field.id),
          )
          .map((field) => [field.key, null]),
      )
    : given

// Problems

/** Converts an error about the merged body to one about the patch. */
export function withPathsInPatch(
  error: unknown,
  patch: FlightPatch,
  passengerPaths: string[][] | undefined,
): unknown {
  if (!(error instanceof AppError) || !error.details) return error
  const details = error.details.map((found) => ({
    ...found,
    path: pathInPatch(found, patch, passengerPaths),
  }))
  return new AppError(error.code, error.problem, { details })
}

function pathInPatch(
  { path, params }: ErrorDetail,
  patch: FlightPatch,
  passengerPaths: string[][] | undefined,
): string[] {
  const [name = '', index = '', ...rest] = path
  if (name === 'passengers' && passengerPaths?.[Number(index)] && index !== '') {
    return [...passengerPaths[Number(index)]!, ...rest]
  }
  if (isIn(patch, name)) return path
  // If two times are in the wrong order, the problem is reported for the one in the patch.
  const earlier = (params as { earlier?: string } | undefined)?.earlier
  return earlier !== undefined && isIn(patch, earlier) ? [earlier] : path
}

const isIn = (patch: FlightPatch, name: string): boolean => (patch as Values)[name] !== undefined

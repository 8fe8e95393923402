// A flight in a request: its schema, the records and people that it refers to, and the values to store.
import * as z from 'zod'
import { invalid } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import {
  aircraftFields,
  airlineFields,
  airportFields,
  type FlightFields,
  flightFieldNames,
  flightFields,
  type KeptField,
  keptFields,
  nothingKnown,
  type PassengerFields,
  passengerFieldNames,
  referenceFields,
} from '../../domain/flights/fields.ts'
import {
  backwardPairs,
  backwardProblem,
  derivedDuration,
  plansWithoutDiversion,
} from '../../domain/flights/flight.ts'
import { pick } from '../../domain/pick.ts'
import type { PlainReason } from '../../domain/reasons.ts'
import type { Call } from '../../door/operation.ts'
import { existingPeople } from '../../store/people/people.ts'
import { flightInputShape, fromShownFlight, type PassengerInput } from '../wire/schemas.ts'

const PlainFlightInput = z
  .object(flightInputShape)
  .superRefine((flight, context) => {
    for (const later of backwardPairs(flight)) {
      context.addIssue({ code: 'custom', path: [later], params: backwardProblem(later) })
    }
    // Without an outcome, the stored one applies: see `fieldsOf`.
    const { outcome, plannedToId = null } = flight
    if (outcome !== undefined && plansWithoutDiversion({ outcome: outcome ?? 'flown', plannedToId })) {
      context.addIssue({ code: 'custom', path: ['plannedToId'], message: because('planned_only_diverted') })
    }
    for (const index of repeatedPassengers(flight.passengers ?? [])) {
      context.addIssue({
        code: 'custom',
        path: ['passengers', index],
        message: because('passenger_repeated'),
      })
    }
  })
  .meta({ id: 'FlightInput' })
/** Also accepts a flight as returned. */
export const FlightInput = z.preprocess(fromShownFlight, PlainFlightInput)
export type FlightInput = z.output<typeof FlightInput>
/** A flight that is not validated yet. */
export type FlightDraft = z.input<typeof PlainFlightInput>
/** Indexes of entries that repeat a user or a guest. */
function repeatedPassengers(entries: readonly PassengerInput[]): number[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, index) => {
    const name = entry.userId !== null ? `user:${entry.userId}` : `guest:${entry.guestName}`
    if (seen.has(name)) return [index]
    seen.add(name)
    return []
  })
}

/**
 * The airports, aircraft, airline and people that a body refers to must exist. `known` are the existing people, if
 * they were looked up before.
 */
export async function requireReferences(
  call: Call,
  input: FlightInput,
  known?: ReadonlySet<string>,
): Promise<void> {
  const { db, principal, services } = call
  // From memory: the store rejects a record that is being deleted concurrently.
  const records = await services.reference.records(db, principal.revisions.reference, {
    airports: airportFields.map((name) => input[name] ?? null),
    airlines: airlineFields.map((name) => input[name] ?? null),
    aircraft: aircraftFields.map((name) => input[name] ?? null),
  })
  const passengers = input.passengers ?? []
  const people = known ?? (await peopleAmong(call, passengers))
  const missing: [boolean, (string | number)[], PlainReason][] = [
    ...referenceFields.map((name): [boolean, (string | number)[], PlainReason] => {
      const { to, unknown } = flightFields[name]
      const id = input[name] ?? null
      return [id !== null && !records[to].has(id), [name], unknown]
    }),
    ...passengers.map((entry, i): [boolean, (string | number)[], PlainReason] => [
      entry.userId !== null && !people.has(entry.userId),
      ['passengers', i, 'userId'],
      'no_such_user',
    ]),
  ]
  const issues = missing.flatMap(([isMissing, path, problem]) => (isMissing ? [{ path, problem }] : []))
  if (issues.length > 0) throw invalid(issues[0]!.problem, ...issues)
}

/** Those of the users among these passengers who exist. The caller does: the credential was just read. */
async function peopleAmong({ db, principal }: Call, passengers: readonly PassengerInput[]) {
  const { id } = principal.user
  const others = passengers.flatMap(({ userId }) => (userId === null || userId === id ? [] : userId))
  const people = others.length > 0 ? await existingPeople(db, others) : new Set<string>()
  return people.add(id)
}

/** The values to store; omitted ones keep their stored value where the field says so. */
export function fieldsOf(input: FlightInput, stored?: FlightFields): FlightFields {
  const fields: FlightFields = {
    ...pick({ ...input, ...keptValues(input, stored) }, flightFieldNames),
    duration: derivedDuration(input),
  }
  if (input.plannedToId === undefined && fields.outcome !== 'diverted') fields.plannedToId = null
  if (plansWithoutDiversion(fields)) {
    throw invalid('planned_only_diverted', { path: ['plannedToId'], problem: 'planned_only_diverted' })
  }
  return fields
}

function keptValues(input: FlightInput, stored: FlightFields | undefined): Pick<FlightFields, KeptField> {
  const usual: Pick<FlightFields, KeptField> = nothingKnown
  return Object.fromEntries(
    keptFields.map((name) => [
      name,
      input[name] === undefined ? (stored ?? usual)[name] : (input[name] ?? usual[name]),
    ]),
  ) as Pick<FlightFields, KeptField>
}

export const passengerFieldsOf = (input: PassengerInput): PassengerFields => pick(input, passengerFieldNames)

// A flight as a request sends it: its schema, the records and people it refers to, and the values that are stored of it.
import * as z from 'zod'
import { invalid } from '../base/errors.ts'
import { backwardPairs, derivedDuration } from '../domain/flight.ts'
import {
  aircraftFields,
  airlineFields,
  airportFields,
  type FlightFields,
  flightFieldNames,
  flightFields,
  type PassengerFields,
  passengerFieldNames,
  pick,
  referenceFields,
} from '../domain/flight-fields.ts'
import type { Call } from '../operation.ts'
import { existingPeople } from '../store/people.ts'
import { flightInputShape, type PassengerInput } from './schemas.ts'

export const FlightInput = z
  .object(flightInputShape)
  .superRefine((flight, context) => {
    for (const later of backwardPairs(flight)) {
      context.addIssue({ code: 'custom', path: [later], message: 'Must not lie before its counterpart' })
    }
    for (const index of repeatedPassengers(flight.passengers ?? [])) {
      context.addIssue({
        code: 'custom',
        path: ['passengers', index],
        message: 'This person is already on the flight',
      })
    }
  })
  .meta({ id: 'FlightInput' })
export type FlightInput = z.output<typeof FlightInput>
/** Indexes of entries that name a user or a guest a second time. */
function repeatedPassengers(entries: readonly PassengerInput[]): number[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, index) => {
    const name = entry.userId !== null ? `user:${entry.userId}` : `guest:${entry.guestName}`
    if (seen.has(name)) return [index]
    seen.add(name)
    return []
  })
}

/** Airports, aircraft, airline and people that a body refers to must exist. */
export async function requireReferences(call: Call, input: FlightInput): Promise<void> {
  const { db, principal, services } = call
  // From memory: a record that is deleted at this moment is refused by the store.
  const records = await services.reference.records(db, principal.revisions.reference, {
    airports: airportFields.map((name) => input[name]),
    airlines: airlineFields.map((name) => input[name]),
    aircraft: aircraftFields.map((name) => input[name]),
  })
  const passengers = input.passengers ?? []
  const people = await existingPeople(
    db,
    passengers.flatMap((entry) => entry.userId ?? []),
  )
  const missing: [boolean, (string | number)[], string][] = [
    ...referenceFields.map((name): [boolean, (string | number)[], string] => {
      const { to, called } = flightFields[name]
      const id = input[name]
      return [id !== null && !records[to].has(id), [name], `There is no such ${called}`]
    }),
    ...passengers.map((entry, i): [boolean, (string | number)[], string] => [
      entry.userId !== null && !people.has(entry.userId),
      ['passengers', i, 'userId'],
      'There is no such user',
    ]),
  ]
  const issues = missing.flatMap(([isMissing, path, message]) => (isMissing ? [{ path, message }] : []))
  if (issues.length > 0) throw invalid(issues[0]!.message, ...issues)
}

export const fieldsOf = (input: FlightInput): FlightFields => ({
  ...pick(input, flightFieldNames),
  duration: derivedDuration(input),
})

export const passengerFieldsOf = (input: PassengerInput): PassengerFields => pick(input, passengerFieldNames)

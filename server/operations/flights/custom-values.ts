// Custom field values sent with a flight: merged with the stored ones, then checked against the rules.

import { matchesPattern } from '../../base/bounded-pattern.ts'
import { invalid } from '../../base/errors.ts'
import { mergeValues, problemsWithNames, problemsWithValues } from '../../domain/flights/custom-fields.ts'
import type { PassengerMatch } from '../../domain/flights/flight.ts'
import { type Problem, problem } from '../../domain/reasons.ts'
import type { Call } from '../../door/operation.ts'
import { credentialMay, type Principal, roleMay } from '../../services/access/principal.ts'
import type { CustomField } from '../../store/flights/custom-fields.ts'
import type { StoredFlight, StoredPassenger } from '../../store/flights/flights.ts'
import type { PassengerInput } from '../wire/schemas.ts'
import type { FlightInput } from './input.ts'

export interface MergedValues {
  flight: Record<string, unknown>
  /** In the order of the matches. */
  passengers: Record<string, unknown>[]
  passengersChange: boolean
  rules: { flight: CustomField[]; passenger: CustomField[] }
  /** Keys of no custom field, whose values would be lost. */
  lost: Fault[]
}

interface Fault {
  path: (string | number)[]
  problem: Problem
}

/** The values to store, not yet checked. */
export async function mergeCustomFields(
  { services, principal, db }: Call,
  input: Pick<FlightInput, 'customFields'>,
  existing: StoredFlight | undefined,
  matches: readonly PassengerMatch<PassengerInput, StoredPassenger>[],
): Promise<MergedValues> {
  const all = await services.reference.customFields(db, principal.revisions.reference)
  const defined = {
    flight: all.filter((field) => field.entityType === 'flight'),
    passenger: all.filter((field) => field.entityType === 'flight_passenger'),
  }
  const rules = {
    flight: defined.flight.filter((field) => field.active),
    passenger: defined.passenger.filter((field) => field.active),
  }
  const stored = matches.map((match) => match.existing?.customFields ?? {})
  const mayCreate = mayCreateFields(principal)
  const passengers = matches.map(({ wanted }, i) =>
    mergeValues(rules.passenger, stored[i]!, wanted.customFields ?? {}),
  )
  return {
    flight: mergeValues(rules.flight, existing?.customFields ?? {}, input.customFields),
    passengers,
    passengersChange: passengers.some((values, i) => JSON.stringify(values) !== JSON.stringify(stored[i])),
    rules,
    lost: [
      ...lostNames(defined.flight, existing?.customFields ?? {}, input.customFields, [], mayCreate),
      ...matches.flatMap(({ wanted }, i) =>
        lostNames(defined.passenger, stored[i]!, wanted.customFields ?? {}, ['passengers', i], mayCreate),
      ),
    ],
  }
}

const lostNames = (
  defined: readonly CustomField[],
  stored: Record<string, unknown>,
  given: Record<string, unknown>,
  path: (string | number)[],
  mayCreate: boolean,
): Fault[] =>
  problemsWithNames(defined, stored, given, mayCreate).map(({ key, problem }) => ({
    path: [...path, 'customFields', key],
    problem,
  }))

/** Whether the caller may use create-custom-field. */
const mayCreateFields = (principal: Principal): boolean =>
  roleMay(principal, 'custom_fields.manage') && credentialMay(principal, 'custom_fields.read')

const FAULTS_SHOWN = 20

/**
 * Reports unknown names and invalid values together. Passengers' values are only checked if passengers change,
 * because rules may be newer than the flight.
 */
export function requireSoundValues(
  { flight, passengers, rules, lost }: MergedValues,
  passengersChange: boolean,
): void {
  const faults = [
    ...lost.map((fault) => ({ ...fault, named: fault.problem })),
    ...refusedValues(rules.flight, flight, []),
    ...(passengersChange
      ? passengers.flatMap((values, i) => refusedValues(rules.passenger, values, ['passengers', i]))
      : []),
  ]
  if (faults[0]) throw invalid(faults[0].named, ...faults.slice(0, FAULTS_SHOWN))
}

/** Checks only the flight's own values, to report them with its other problems. */
export const requireFlightValues = async (
  call: Call,
  customFields: FlightInput['customFields'],
  existing: StoredFlight | undefined,
): Promise<void> => requireSoundValues(await mergeCustomFields(call, { customFields }, existing, []), false)

/** `named` includes the field's name in the message, for clients that do not show the path. */
const refusedValues = (
  rules: readonly CustomField[],
  values: Record<string, unknown>,
  path: (string | number)[],
): (Fault & { named: Problem })[] =>
  problemsWithValues(rules, values, matchesPattern).map(({ key, label, problem: fault }) => ({
    path: [...path, 'customFields', key],
    problem: fault,
    named: problem('custom_field_invalid', { label, problem: fault }),
  }))

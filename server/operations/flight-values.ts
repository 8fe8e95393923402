// Values of custom fields that a request sends with a flight: merged with what is stored, then checked by the rules.
import { credentialMay, type Principal, roleMay } from '../auth/principal.ts'
import { matchesPattern } from '../base/bounded-pattern.ts'
import { invalid } from '../base/errors.ts'
import { mergeValues, problemsWithNames, problemsWithValues } from '../domain/custom-fields.ts'
import type { PassengerMatch } from '../domain/flight.ts'
import { type Problem, problem } from '../domain/reasons.ts'
import type { Call } from '../operation.ts'
import type { CustomField } from '../store/custom-fields.ts'
import type { StoredFlight, StoredPassenger } from '../store/flights.ts'
import type { FlightInput } from './flight-input.ts'
import type { PassengerInput } from './schemas.ts'

export interface MergedValues {
  flight: Record<string, unknown>
  /** In the order of the matches. */
  passengers: Record<string, unknown>[]
  passengersChange: boolean
  rules: { flight: CustomField[]; passenger: CustomField[] }
  /** Keys that no custom field has: their values would be lost. */
  lost: Fault[]
}

interface Fault {
  path: (string | number)[]
  problem: Problem
}

/** Values as they will be stored, not yet checked. */
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

/** Whether create-custom-field would run. */
const mayCreateFields = (principal: Principal): boolean =>
  roleMay(principal, 'custom_fields.manage') && credentialMay(principal, 'custom_fields.read')

const FAULTS_SHOWN = 20

/**
 * Unknown names and refused values are reported together. Passengers' values are checked only if something about passengers
 * changes: rules may be newer than the flight.
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

/** `named` says the field too, for where the path is not seen. */
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

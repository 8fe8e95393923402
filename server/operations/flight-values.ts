// Values of custom fields that a request sends with a flight: merged with what is stored, then checked by the rules.
import { matchesPattern } from '../base/bounded-pattern.ts'
import { invalid } from '../base/errors.ts'
import { mergeValues, problemsWithNames, problemWithValues } from '../domain/custom-fields.ts'
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
  lost: { path: (string | number)[]; problem: Problem }[]
}

/** Values as they will be stored, not yet checked. */
export async function mergeCustomFields(
  { services, principal, db }: Call,
  input: FlightInput,
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
  const passengers = matches.map(({ wanted }, i) =>
    mergeValues(rules.passenger, stored[i]!, wanted.customFields ?? {}),
  )
  return {
    flight: mergeValues(rules.flight, existing?.customFields ?? {}, input.customFields),
    passengers,
    passengersChange: passengers.some((values, i) => JSON.stringify(values) !== JSON.stringify(stored[i])),
    rules,
    lost: [
      ...lostNames(defined.flight, existing?.customFields ?? {}, input.customFields, []),
      ...matches.flatMap(({ wanted }, i) =>
        lostNames(defined.passenger, stored[i]!, wanted.customFields ?? {}, ['passengers', i]),
      ),
    ],
  }
}

const lostNames = (
  defined: readonly CustomField[],
  stored: Record<string, unknown>,
  given: Record<string, unknown>,
  path: (string | number)[],
) =>
  problemsWithNames(defined, stored, given).map(({ key, problem }) => ({
    path: [...path, 'customFields', key],
    problem,
  }))

const LOST_NAMES_SHOWN = 20

/** Passengers' values are checked only if something about passengers changes: rules may be newer than the flight. */
export function requireSoundValues(
  { flight, passengers, rules, lost }: MergedValues,
  passengersChange: boolean,
): void {
  if (lost.length > 0) throw invalid(lost[0]!.problem, ...lost.slice(0, LOST_NAMES_SHOWN))
  requireSound(rules.flight, flight, [])
  if (!passengersChange) return
  for (const [i, values] of passengers.entries()) requireSound(rules.passenger, values, ['passengers', i])
}

function requireSound(
  rules: readonly CustomField[],
  values: Record<string, unknown>,
  path: (string | number)[],
): void {
  const found = problemWithValues(rules, values, matchesPattern)
  if (!found) return
  const { key, label, problem: fault } = found
  const named = problem('custom_field_invalid', { label, problem: fault })
  throw invalid(named, { path: [...path, 'customFields', key], problem: fault })
}

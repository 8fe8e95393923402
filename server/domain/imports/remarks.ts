// Remarks: warnings that a value of the file was left out or assumed. The riskiest ones are looked at first.
import type { ImportWarning, ImportWarningCode } from './imports.ts'

/** They explain what was read, and nothing was left out or assumed. */
const explanations: ReadonlySet<ImportWarningCode> = new Set([
  'arrival_from_duration',
  'diverted',
  'recurring',
  'not_confirmed',
])

/** What may be wrong in the log comes before what is only missing there. Other codes are in between. */
const riskiest: readonly ImportWarningCode[] = [
  'airport_by_name',
  'airport_moved',
  'airport_closed_then',
  'year_assumed',
  'airline_disagrees',
  'airline_guessed',
  'code_changed_hands',
  'airline_not_flying_then',
  'implausible',
  'duration_disagrees',
]
const leastRisky: readonly ImportWarningCode[] = [
  'value_not_understood',
  'airline_unknown',
  'aircraft_unknown',
  'text_shortened',
  'text_cleaned',
]
const BETWEEN = leastRisky.length + 1
const risks = new Map([
  ...leastRisky.map((code, i) => [code, leastRisky.length - i] as const),
  ...riskiest.map((code, i) => [code, BETWEEN + riskiest.length - i] as const),
])

const riskOfCode = (code: ImportWarningCode): number =>
  explanations.has(code) ? 0 : (risks.get(code) ?? BETWEEN)

/** 0: the record has no remark. A larger number is riskier. */
export const riskOf = (warnings: readonly Pick<ImportWarning, 'code'>[]): number =>
  warnings.reduce((most, { code }) => Math.max(most, riskOfCode(code)), 0)

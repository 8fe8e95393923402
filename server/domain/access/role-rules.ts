// Which role a person gets from their identity provider's claims: rules in order; the first match wins.
// The settings page tests them on pasted claims with the same functions.

export interface RoleRule {
  /** A JSON Pointer into the claims. */
  claim: string
  contains: string
  role: string
}

export type Claims = Readonly<Record<string, unknown>>

/** Why a rule matches or not. */
export type RuleOutcome = 'matches' | 'claim_missing' | 'not_contained' | 'wrong_kind'

/** The value at a JSON Pointer (RFC 6901); undefined if there is none. */
function valueAt(claims: unknown, pointer: string): unknown {
  let value = claims
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/**
 * A list contains its members, a text its words between blanks or commas. Never a part of a word: `flyers` must not match
 * the group `former-flyers`.
 */
export function ruleOutcome({ claim, contains }: RoleRule, claims: Claims): RuleOutcome {
  const value = valueAt(claims, claim)
  if (value === undefined || value === null) return 'claim_missing'
  if (Array.isArray(value)) {
    return value.some((member) => isScalar(member) && String(member) === contains)
      ? 'matches'
      : 'not_contained'
  }
  if (!isScalar(value)) return 'wrong_kind'
  const text = String(value)
  return text === contains || text.split(/[\s,]+/).includes(contains) ? 'matches' : 'not_contained'
}

/** The first rule that matches. */
export const matchingRule = (rules: readonly RoleRule[], claims: Claims): RoleRule | undefined =>
  rules.find((rule) => ruleOutcome(rule, claims) === 'matches')

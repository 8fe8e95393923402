// The countries there are, and which of them a log of flights shows a person to have been in.

const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

/** ISO 3166-1 alpha-2, and XK for Kosovo, which everybody uses and ISO leaves to its users. */
const countryCodes: ReadonlySet<string> = new Set([...codes.split(' '), 'XK'])

export const isCountry = (code: string): boolean => countryCodes.has(code)

export const visitStatuses = ['lived', 'visited', 'layover', 'wishlist'] as const
export type VisitStatus = (typeof visitStatuses)[number]

/** A completed flight as far as this matters; instants in milliseconds, null where unknown. */
export interface Leg {
  from: { id: number; country: string } | null
  to: { id: number; country: string } | null
  departs: number | null
  arrives: number | null
}

const CONNECTION_MS = 24 * 3_600_000

/**
 * Every country a flight began or ended in. One is only a layover if each stop there was a connection: the person
 * left the airport they had landed at within 24 hours, and not back to where they had come from.
 */
export function countriesFlownTo(legs: readonly Leg[]): Map<string, 'visited' | 'layover'> {
  const inOrder = legs.toSorted((a, b) => startOf(a) - startOf(b))
  const found = new Map<string, 'visited' | 'layover'>()
  const note = (country: string | undefined, connected: boolean) => {
    if (!country || !isCountry(country)) return
    if (!connected) found.set(country, 'visited')
    else if (!found.has(country)) found.set(country, 'layover')
  }
  for (const [i, leg] of inOrder.entries()) {
    note(leg.from?.country, connects(inOrder[i - 1], leg))
    note(leg.to?.country, connects(leg, inOrder[i + 1]))
  }
  return found
}

const startOf = (leg: Leg): number => leg.departs ?? leg.arrives ?? Number.NEGATIVE_INFINITY

function connects(before: Leg | undefined, after: Leg | undefined): boolean {
  if (!before?.to || !after?.from || before.to.id !== after.from.id) return false
  if (before.arrives === null || after.departs === null) return false
  const wait = after.departs - before.arrives
  return wait >= 0 && wait <= CONNECTION_MS && after.to?.id !== before.from?.id
}

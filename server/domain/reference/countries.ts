// All countries, and which of them a person has visited according to their flights.
import { type Continent, continents } from '../enums.ts'
import { searchFold } from '../text/fold.ts'

/** The 249 of ISO 3166-1 and Kosovo (XK): alpha-2 code and number, by continent. The country outlines use the numbers. */
const table: Record<Continent, string> = {
  EU: `
    AD020 AL008 AX248 SJ744 AT040 BA070 BE056 BG100 BY112 CH756 CZ203 DE276 DK208 EE233 ES724 FI246 FO234 FR250 GB826
    GG831 GI292 GR300 HR191 HU348 IE372 IM833 IS352 IT380 JE832 LI438 LT440 LU442 LV428 MC492 MD498 ME499
    MK807 MT470 NL528 NO578 PL616 PT620 RO642 RS688 RU643 SE752 SI705 SK703 SM674 UA804 VA336 XKXK
  `,
  AS: `
    AE784 AF004 AM051 AZ031 BD050 BH048 BN096 BT064 CC166 CN156 CX162 CY196 GE268 HK344 ID360 IL376 IN356
    IO086 IQ368 IR364 JO400 JP392 KG417 KH116 KP408 KR410 KW414 KZ398 LA418 LB422 LK144 MM104 MN496 MO446
    MV462 MY458 NP524 OM512 PH608 PK586 PS275 QA634 SA682 SG702 SY760 TH764 TJ762 TL626 TM795 TR792 TW158
    UZ860 VN704 YE887
  `,
  AF: `
    AO024 BF854 BI108 BJ204 BW072 CD180 CF140 CG178 CI384 CM120 CV132 DJ262 DZ012 EG818 EH732 ER232 ET231
    GA266 GH288 GM270 GN324 GQ226 GW624 KE404 KM174 LR430 LS426 LY434 MA504 MG450 ML466 MR478 MU480 MW454
    MZ508 NA516 NE562 NG566 RE638 RW646 SC690 SD729 SH654 SL694 SN686 SO706 SS728 ST678 SZ748 TD148 TF260
    TG768 TN788 TZ834 UG800 YT175 ZA710 ZM894 ZW716
  `,
  NA: `
    AG028 AI660 AW533 BB052 BL652 BM060 BQ535 BS044 BZ084 CA124 CR188 CU192 CW531 DM212 DO214 GD308 GL304
    GP312 GT320 HN340 HT332 JM388 KN659 KY136 LC662 MF663 MQ474 MS500 MX484 NI558 PA591 PM666 PR630 SV222
    SX534 TC796 TT780 US840 VC670 VG092 VI850
  `,
  SA: `
    AR032 BO068 BR076 CL152 CO170 EC218 FK238 GF254 GY328 PE604 PY600 SR740 UY858 VE862
  `,
  OC: `
    AS016 AU036 CK184 FJ242 FM583 GU316 HM334 KI296 MH584 MP580 NC540 NF574 NR520 NU570 NZ554 PF258 PG598
    PN612 PW585 SB090 TK772 TO776 TV798 UM581 VU548 WF876 WS882
  `,
  AN: `
    BV074 AQ010 GS239
  `,
}

export interface Country {
  code: string
  /** ISO 3166-1 numeric, by which the land file identifies shapes; XK has none there and uses its code. */
  number: string
  continent: Continent
}

export const countries: readonly Country[] = continents.flatMap((continent) =>
  table[continent]
    .trim()
    .split(/\s+/)
    .map((entry) => ({ code: entry.slice(0, 2), number: entry.slice(2), continent })),
)

const countryCodes: ReadonlySet<string> = new Set(countries.map(({ code }) => code))

export const isCountry = (code: string): boolean => countryCodes.has(code)

/** The name of a country in English. */
export const countryName = (code: string): string =>
  new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code

export const shownCountry = (code: string): string => `${code} ${countryName(code)}`

/** Languages in which country names are recognized. */
const nameLanguages = ['en', 'de', 'fr', 'es', 'it', 'da', 'nl']
/** Common names that the language data does not have. */
const otherNames: Record<string, string> = {
  america: 'US',
  'czech republic': 'CZ',
  england: 'GB',
  'great britain': 'GB',
  großbritannien: 'GB',
  holland: 'NL',
  schottland: 'GB',
  scotland: 'GB',
  turkey: 'TR',
  uk: 'GB',
  usa: 'US',
  wales: 'GB',
}

/** The code of the country with this name. */
export function countryNamed(text: string): string | undefined {
  const wanted = searchFold(text)
  const other = Object.entries(otherNames).find(([name]) => searchFold(name) === wanted)
  if (other) return other[1]
  for (const language of nameLanguages) {
    const styles = (['short', 'long'] as const).map(
      (style) => new Intl.DisplayNames(language, { type: 'region', style }),
    )
    const found = countries.find(({ code }) =>
      styles.some((names) => searchFold(names.of(code) ?? '') === wanted),
    )
    if (found) return found.code
  }
  return undefined
}

export const visitStatuses = ['lived', 'visited', 'layover', 'wishlist'] as const
export type VisitStatus = (typeof visitStatuses)[number]

interface Place {
  id: number
  country: string
}

/** The status of a country, from flights alone. */
export type FlownStatus = Extract<VisitStatus, 'visited' | 'layover'>

/**
 * Every country where a completed flight began or ended, with flights joined into journeys (journey.ts). Where a person only
 * changed planes, they were in transit. A person who flies back to where they came from spent the day there instead.
 */
export function countriesFlownTo(
  journeys: readonly { flights: readonly { from: Place | null; to: Place | null }[] }[],
): Map<string, FlownStatus> {
  const found = new Map<string, FlownStatus>()
  const note = (place: Place | null, status: FlownStatus) => {
    if (!place || !isCountry(place.country)) return
    if (status === 'visited' || !found.has(place.country)) found.set(place.country, status)
  }
  for (const { flights } of journeys) {
    for (const [i, flight] of flights.entries()) {
      const next = flights[i + 1]
      if (i === 0) note(flight.from, 'visited')
      const isTransit = next !== undefined && next.to?.id !== flight.from?.id
      note(flight.to, isTransit ? 'layover' : 'visited')
    }
  }
  return found
}

/** How many flights began or ended in each country. */
export function countFlightsByCountry(
  flights: readonly { from: Place | null; to: Place | null }[],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { from, to } of flights) {
    for (const code of new Set([from?.country, to?.country])) {
      if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1)
    }
  }
  return counts
}

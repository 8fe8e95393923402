// Greenhouse gas emissions of one passenger on a flight, by a published method (docs/decisions/018).

/** Describes the method; shown next to the figures. */
export const emissionMethod = {
  name: 'UK Government GHG Conversion Factors for Company Reporting 2026 (DESNZ), version 1, business travel by air, with indirect effects',
  year: 2026,
  source: 'https://www.gov.uk/government/publications/greenhouse-gas-reporting-conversion-factors-2026',
  description:
    'Kilograms of CO2 equivalent: distance times a factor per passenger-kilometre, by haul and cabin. Hauls: domestic within the UK, Guernsey, Jersey and the Isle of Man; to or from them short-haul or long-haul by the other country; international for all other flights, also those within one country, for which the method has no factor of its own. A passenger whose class is unknown, or has no factor on that haul, counts as an average one. The factors contain 8 % for detours and the indirect effects at altitude (70 % on CO2). Not included: the production of the fuel, the airports, and what is particular to a flight, such as its aircraft, load and route. Without a figure: private flights, flights that end where they began or lack an airport, and flights between the UK and a country that the method does not list.',
} as const

type Haul = 'domestic' | 'short' | 'long' | 'international'
type EmissionCabin = 'average' | 'economy' | 'economy+' | 'business' | 'first'

/** The edition's sheet "Business travel- air", column "With RF": kg CO2e per passenger-kilometre. A class it does not print is left out. */
const factors: Record<Haul, { average: number } & Partial<Record<EmissionCabin, number>>> = {
  domestic: { average: 0.22928 },
  short: { average: 0.12786, economy: 0.12576, business: 0.18863 },
  long: { average: 0.15282, economy: 0.11704, 'economy+': 0.18726, business: 0.3394, first: 0.46814 },
  international: {
    average: 0.14253,
    economy: 0.10916,
    'economy+': 0.17465,
    business: 0.31656,
    first: 0.43663,
  },
}

// The edition's sheet "Haul definition": 215 territories, here by their ISO 3166-1 alpha-2 codes.

const listed = (codes: string): ReadonlySet<string> => new Set(codes.trim().split(/\s+/))
const domestic = listed('GB GG IM JE')
const shortHaul = listed(`
  AL AT BA BE BG BY CH CY CZ DE DK DZ EE EG EH ES FI FO FR GI GL GR HR HU IE IS IT LT LU LV LY MA ME MK MT NL NO PL PT
  RO RS SE SI SK TN TR XK
`)
const longHaul = listed(`
  AE AF AG AI AM AO AR AS AU AW AZ BB BD BF BH BI BJ BM BN BO BR BS BW BZ CA CD CF CG CI CK CL CM CN CO CR CU CV CW DJ
  DM DO EC ER ET FJ FK GA GD GE GF GH GM GN GP GQ GT GU GW GY HK HN HT ID IL IN IQ IR JM JO JP KE KG KH KM KN KP KR KW
  KY KZ LA LB LC LK LR LS MD MG MH ML MM MN MO MQ MR MU MV MW MX MY MZ NA NC NE NG NI NP NZ OM PA PE PF PG PH PK PR PW
  PY QA RE RU RW SA SB SC SD SG SH SL SN SO SR SS ST SV SY SZ TC TD TG TH TJ TL TM TO TT TW TZ UA UG UM US UY UZ VC VE
  VG VI VN VU YE ZA ZM ZW
`)

/** Null for a flight between the UK and a country that is not on the sheet. */
function haulBetween(a: string, b: string): Haul | null {
  if (domestic.has(a) && domestic.has(b)) return 'domestic'
  if (!domestic.has(a) && !domestic.has(b)) return 'international'
  const abroad = domestic.has(a) ? b : a
  if (shortHaul.has(abroad)) return 'short'
  return longHaul.has(abroad) ? 'long' : null
}

interface Leg {
  from: { country: string } | null
  to: { country: string } | null
  distanceKm: number | null
}

/** The parts of a figure: distance times factor. */
interface Emission {
  kilograms: number
  /** Kilograms per kilometre. */
  factor: number
  haul: Haul
  /** The class that the factor is for. */
  cabin: EmissionCabin
}

/** For one passenger; null if the method has no figure. A flight that ends where it began has no distance. */
export function emissionOf({ from, to, distanceKm }: Leg, seatClass: string | null): Emission | null {
  if (!from || !to || !distanceKm || seatClass === 'private') return null
  const haul = haulBetween(from.country, to.country)
  if (!haul) return null
  const known = factors[haul][seatClass as EmissionCabin]
  const factor = known ?? factors[haul].average
  return {
    kilograms: distanceKm * factor,
    factor,
    haul,
    cabin: known === undefined ? 'average' : (seatClass as EmissionCabin),
  }
}

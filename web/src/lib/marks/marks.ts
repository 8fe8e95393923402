/** Drawings for airlines without their own icon and for aircraft types. Logos are never drawn. */

import type { AircraftClass } from '../../../../server/domain/enums.ts'
import { initialsOf } from '../../../../server/domain/text/shown-text.ts'
import type { Aircraft, Airline } from '../../api/types.ts'

/** Background and text. */
type Badge = readonly [ground: string, text: string]

/** The colours by which well-known airlines are recognised. Every pair has at least 4.5:1. */
export const knownBadges: Readonly<Record<string, Badge>> = {
  A3: ['#1b3f7d', '#ffffff'],
  AA: ['#0b5a9e', '#ffffff'],
  AC: ['#b8121f', '#ffffff'],
  AF: ['#002157', '#ffffff'],
  AI: ['#8a1326', '#ffd9a0'],
  AM: ['#0b2343', '#ffffff'],
  AS: ['#01426a', '#ffffff'],
  AY: ['#0b1560', '#ffffff'],
  AZ: ['#00573f', '#ffffff'],
  B6: ['#003876', '#ffffff'],
  BA: ['#075aaa', '#ffffff'],
  BR: ['#00653a', '#ffffff'],
  BT: ['#c5d600', '#23300a'],
  CA: ['#a8121c', '#ffffff'],
  CI: ['#8c1d5b', '#ffffff'],
  CX: ['#00645a', '#ffffff'],
  CZ: ['#00618f', '#ffffff'],
  DE: ['#ffad00', '#2b1d00'],
  DL: ['#9b1631', '#ffffff'],
  DY: ['#c30f2d', '#ffffff'],
  EI: ['#006a5a', '#ffffff'],
  EK: ['#b5121b', '#ffffff'],
  ET: ['#006837', '#fff2b3'],
  EW: ['#8c0f4d', '#ffffff'],
  EY: ['#6a5115', '#ffffff'],
  FI: ['#00205b', '#f7c948'],
  FR: ['#073590', '#f1c933'],
  FZ: ['#003b6f', '#ff9b3d'],
  GA: ['#00697f', '#ffffff'],
  HA: ['#41236b', '#ffffff'],
  IB: ['#b3131d', '#ffd24d'],
  JL: ['#b3000f', '#ffffff'],
  KE: ['#0a4b9c', '#ffffff'],
  KL: ['#00679f', '#ffffff'],
  LA: ['#2a0088', '#ffffff'],
  LH: ['#05164d', '#f9ba00'],
  LO: ['#11397e', '#ffffff'],
  LX: ['#c8102e', '#ffffff'],
  MH: ['#003b7c', '#ffffff'],
  MS: ['#0a2a5e', '#ffffff'],
  MU: ['#0b3583', '#ffffff'],
  NH: ['#13448f', '#ffffff'],
  NK: ['#ffec00', '#1a1a1a'],
  NZ: ['#111111', '#ffffff'],
  OS: ['#c41019', '#ffffff'],
  OZ: ['#5a3a2e', '#ffffff'],
  PC: ['#ffc400', '#221a00'],
  QF: ['#c20a0a', '#ffffff'],
  QR: ['#5c0632', '#ffffff'],
  RJ: ['#2a2018', '#e8c98a'],
  SA: ['#00337f', '#ffffff'],
  SK: ['#0a2a88', '#ffffff'],
  SN: ['#0a2d6b', '#ffffff'],
  SQ: ['#11284b', '#f3b61f'],
  SU: ['#0a3a8c', '#ffffff'],
  SV: ['#00503b', '#ffffff'],
  TG: ['#4b1c6e', '#f4c542'],
  TK: ['#b3121d', '#ffffff'],
  TO: ['#00683f', '#ffffff'],
  TP: ['#00693c', '#ffffff'],
  U2: ['#c14600', '#ffffff'],
  UA: ['#0a3a8f', '#ffffff'],
  UX: ['#0a3f7d', '#ffffff'],
  VN: ['#00586a', '#f3c969'],
  VS: ['#b20e2a', '#ffffff'],
  VY: ['#ffcc00', '#2d2a26'],
  W6: ['#b0006d', '#ffffff'],
  WF: ['#00663d', '#ffffff'],
  WN: ['#23398b', '#ffbf27'],
  WS: ['#00616f', '#ffffff'],
}

/** All other airlines get one of these by their code, always the same one. */
export const otherGrounds = [
  '#1f4f8b',
  '#6b2f7a',
  '#8a2f2f',
  '#1f5f4b',
  '#6b4a12',
  '#3d3f8f',
  '#7a2450',
  '#245a6b',
  '#4f5a1a',
  '#5a3b2a',
  '#2f4858',
  '#543a82',
] as const

export function badgeColours(code: string): Badge {
  const known = knownBadges[code]
  if (known) return known
  let hash = 7
  for (const letter of code) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0
  return [otherGrounds[hash % otherGrounds.length]!, '#ffffff']
}

/** At most three characters: its code, otherwise the letters of the flight number, otherwise its initials. */
export function badgeCode(
  airline: Pick<Airline, 'iata' | 'icao' | 'name'> | null,
  flightNumber: string | null = null,
): string {
  const code = airline?.iata || airline?.icao
  if (code) return code
  if (airline) return initialsOf(airline.name)
  return /^([A-Z]{2,3}|[A-Z]\d|\d[A-Z])(?= ?\d)/.exec(flightNumber?.toUpperCase() ?? '')?.[1] ?? ''
}

// Aircraft

type Silhouette = 'wide' | 'narrow' | 'regional' | 'turboprop' | 'small' | 'helicopter' | 'supersonic'

const wide = /^(A30|A31[0]|A3ST|A33|A34|A35[9K]|A388|A225|B74|B76|B77|B78|DC10|MD11|L101|IL86|IL96|E767)/
const regional = /^(CRJ|E1[347]|E19|E2[79]|E7[05]|F70|F100|B46|RJ[178]|SU95|J328|AJ27|A148|A158)/
const business =
  /^(C25|C5[0-9]|C6[58]|C7[05]|CL[36]|E5[05]|EA50|F2TH|F900|FA|G[ALS]|GLF|H25|HA4|HDJ|LJ|PC24|PRM|SF50|BE40|C500)/

/** The known properties of a type decide how it is drawn; an otherwise unknown jet looks like most jets. */
export function silhouetteOf({ icao, class: kind }: Pick<Aircraft, 'icao' | 'class'>): Silhouette | null {
  if (kind === null) return null
  return silhouettes[kind](icao ?? '')
}

const jet = (icao: string): Silhouette => {
  if (wide.test(icao)) return 'wide'
  if (regional.test(icao)) return 'regional'
  return business.test(icao) ? 'small' : 'narrow'
}
const silhouettes: Record<AircraftClass, (icao: string) => Silhouette> = {
  jet,
  turboprop: () => 'turboprop',
  piston: () => 'small',
  helicopter: () => 'helicopter',
  supersonic: () => 'supersonic',
}

/** Seen from above with the nose up, on a 24 px grid, filled. */
export const silhouettePaths: Record<Silhouette, string> = {
  wide: 'M12 1c1.300 0 1.900 1.500 1.900 3.200v4.300L23 14.200v1.900l-9.100-2.600v5l3.100 2.300v1.500L12 21.200l-5 1.100v-1.500l3.100-2.300v-5L1 16.100v-1.900l9.100-5.700V4.200C10.100 2.500 10.700 1 12 1Z',
  narrow:
    'M12 2c1 0 1.400 1.300 1.400 2.800v4.600l7.600 4.800v1.700l-7.600-2.200v4.600l2.600 2v1.400L12 21l-4 .7v-1.400l2.600-2v-4.600L3 15.900v-1.700l7.600-4.800V4.800C10.600 3.300 11 2 12 2Z',
  regional:
    'M12 3c.900 0 1.200 1.200 1.200 2.500V10l6.300 3.800v1.500l-6.300-1.800v4.200h1.600v-1.200h1.100v2.300L17.500 20v1.300L12 20.400l-5.500.9V20l1.600-1.200v-2.300h1.100v1.200h1.600v-4.200l-6.300 1.800v-1.500l6.300-3.800V5.500C10.800 4.200 11.100 3 12 3Z',
  turboprop:
    'M12 3c.9 0 1.200 1.100 1.200 2.400v3.300h3.200V7.300h-1.200v-.9h3.600v.9h-1.200v1.400H22v2l-8.800.6v6.300l2.800 1v1.500L12 20.500l-4-.4v-1.500l2.800-1v-6.300L2 10.700v-2h4.400V7.300H5.200v-.9h3.600v.9H7.600v1.400h3.200V5.400C10.800 4.100 11.100 3 12 3Z',
  small:
    'M12 3.500c.6 0 .9.6 1 1.500h2.500v.9H13v2.600h8.500v2.600L13 12l-.4 6 2.900.7v1.400L12 20.400l-3.500-.3v-1.400l2.900-.7L11 12l-8.500-.9V8.500H11V5.900H8.500V5H11c.1-.9.400-1.500 1-1.500Z',
  helicopter:
    'M3.600 4.300l.9-.9L11 9.300c.3-.5.600-.8 1-.8s.7.3 1 .8l6.500-5.900.9.9-6.200 6.300c.2.700.3 1.500.3 2.400 0 2-.6 3.300-1.500 3.800l-.4 3.700h1.800v1.200h-4.800v-1.200h1.800l-.4-3.700c-.9-.5-1.500-1.800-1.500-3.800 0-.9.1-1.700.3-2.400Z',
  supersonic:
    'M12 1c.5 0 .9 1.500 1.100 3.500l.4 4.500 2.200 5 4.800 5.500v1.600l-5.500-.6L12 22.500l-3-2-5.500.6v-1.600L8.300 14l2.200-5 .4-4.500C11.100 2.500 11.500 1 12 1Z',
}

/** `Boeing 777-300ER` → `777-300ER`: types of these two manufacturers are recognised by their number. */
export const shortAircraftName = (name: string): string => name.replace(/^(?:Airbus|Boeing) (?=A?\d)/, '')

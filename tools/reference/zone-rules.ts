// Generates server/domain/time/zone-rules.json, the offsets from UTC of every time zone, from tables/tzdata.zi: tzdata with each
// zone's own history before 1970, as Debian's package tzdata has it in /usr/share/zoneinfo. The same source gives the
// same bytes. With --check nothing is written: the file must be what would be written.
import { readFileSync, writeFileSync } from 'node:fs'
import { readSource, type Zone } from './zone-source.ts'

const SOURCE = `${import.meta.dirname}/tables/tzdata.zi`
const TARGET = `${import.meta.dirname}/../../server/domain/time/zone-rules.json`
const DAY = 86_400

/** Names of Unix System V. IANA made them links in 2024; Debian keeps rules of their own, which fit no place. */
const SYSTEM_V = {
  CET: 'Europe/Brussels',
  EET: 'Europe/Athens',
  EST: 'America/Panama',
  HST: 'Pacific/Honolulu',
  MET: 'Europe/Brussels',
  MST: 'America/Phoenix',
  WET: 'Europe/Lisbon',
}

/** Names of places whose own history backzone has. The build of tzdata.zi shortens these links as if it had not: to the zone that
 *  had the same clocks since 1970. */
const BACKZONE_LINKS = {
  'Africa/Asmera': 'Africa/Asmara',
  'Africa/Timbuktu': 'Africa/Bamako',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Kralendijk': 'America/Curacao',
  'America/Lower_Princes': 'America/Curacao',
  'America/Marigot': 'America/Port_of_Spain',
  'America/St_Barthelemy': 'America/Port_of_Spain',
  'America/Virgin': 'America/St_Thomas',
  'Antarctica/South_Pole': 'Antarctica/McMurdo',
  'Arctic/Longyearbyen': 'Europe/Oslo',
  'Atlantic/Jan_Mayen': 'Europe/Oslo',
  Iceland: 'Atlantic/Reykjavik',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
  'Pacific/Yap': 'Pacific/Chuuk',
}

/** Stands for a computer whose zone was not set. */
const NOT_A_ZONE = 'Factory'

function main(): number {
  const text = `${JSON.stringify(rulesFile(readFileSync(SOURCE, 'utf8')), null, 2)}\n`
  if (!process.argv.includes('--check')) {
    writeFileSync(TARGET, text)
  } else if (readFileSync(TARGET, 'utf8') !== text) {
    console.error('server/domain/time/zone-rules.json is not what tables/tzdata.zi gives: npm run zones')
    return 1
  }
  return 0
}

function rulesFile(source: string) {
  const { version, zones, links } = readSource(source)
  for (const [name, zone] of Object.entries({ ...SYSTEM_V, ...BACKZONE_LINKS })) links.set(name, zone)
  const kept = [...zones].filter(([name]) => name !== NOT_A_ZONE && !(name in SYSTEM_V))
  const lost = [...links].filter(([, zone]) => !kept.some(([name]) => name === zone))
  if (lost.length > 0) throw new Error(`links to nothing: ${lost.join(' ')}`)
  return {
    version,
    zones: kept.map(([name, zone]) => pack(name, zone)).sort(),
    links: [...links].map(([name, zone]) => `${name} ${zone}`).sort(),
  }
}

/** name|its offsets|which of them holds first and from each change on|seconds between the changes|yearly changes
 *
 *  Numbers of the third and fourth part are in base 36, others decimal. The gap of the first change is since 1970. */
function pack(name: string, { first, changes, yearly }: Zone): string {
  const offsets = [first, ...changes.map((change) => change.offset)]
  const gaps = changes.map(({ at }, index) => at - (changes[index - 1]?.at ?? 0))
  const kinds = [...new Set(offsets)]
  // Reading a wall clock looks at the offsets a day before and a day after it, so no two changes may be that close.
  const readable = kinds.length <= 36 && gaps.every((gap, index) => index === 0 || gap > 2 * DAY)
  if (!readable || (yearly.length > 0 && !(changes.at(-1)!.at > 0)))
    throw new Error(`cannot be packed: ${name}`)
  return [
    name,
    kinds.join(' '),
    offsets.map((offset) => kinds.indexOf(offset).toString(36)).join(''),
    gaps.map((gap) => gap.toString(36)).join(' '),
    yearly
      .flatMap(({ month, day, weekday, seconds, offset }) => [month, day, weekday, seconds, offset])
      .join(' '),
  ].join('|')
}

process.exitCode = main()

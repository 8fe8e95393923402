// Aircraft types that share one design: an A321neo is an A320, a 747-400 a 747.

interface AircraftType {
  name: string
  icao?: string | null
}

/** Designs whose types have different names. */
const families: readonly [RegExp, string][] = [
  [/^A(318|319|320|321|19N|20N|21N)$/, 'Airbus A320'],
  [/^(A337|A33\d)$/, 'Airbus A330'],
  [/^(BLCF|BSCA)$/, 'Boeing 747'],
  [/^CRJ\w$/, 'Bombardier CRJ'],
  [/^E(170|190|195|275|290|295|75L|75S)$/, 'Embraer E-Jet'],
  [/^E(135|145|45X)$/, 'Embraer ERJ'],
  [/^(B46\d|RJ1H|RJ70|RJ85)$/, 'British Aerospace 146'],
  [/^MD8\d$/, 'McDonnell Douglas MD-80'],
]

/** The part after the number of a design: "-300ER", "SP", " MAX 8". */
const variant = /(\d)(?:-\d.*|[A-Z]{2}.*| MAX .*)$/

export function aircraftFamily({ name, icao }: AircraftType): string {
  const known = icao ? families.find(([pattern]) => pattern.test(icao)) : undefined
  return known ? known[1] : name.replace(variant, '$1')
}

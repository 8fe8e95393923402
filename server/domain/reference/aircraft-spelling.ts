// How programs and people write the names of aircraft types, and how the reference set writes them.

/** What people leave out of a name. */
export const makers = ['Airbus', 'Boeing', 'Embraer', 'Bombardier', 'McDonnell Douglas', 'Fokker', 'ATR']

/** Each replaces a part of the text; they are applied one after the other. */
const rewrites: readonly (readonly [RegExp, string])[] = [
  [/[[(][^\])]*[\])]?/g, ' '],
  [/\b(?:passenger|pax|winglets|sharklets|scimitars?|jet|all series|series)\b/gi, ' '],
  [/^BAe\b/i, 'British Aerospace'],
  [/^(Airbus )(3[1-8]\d)\b/i, '$1A$2'],
  [/^Embraer (1[12]\d)\b/i, 'Embraer EMB $1'],
  // A320-214, and A320-251N for the neo.
  [/\b(A3(?:18|19|20|21))-[12]\d\dN\b/i, '$1neo'],
  [/\b(A3(?:18|19|20|21))-[12]\d\d\b/i, '$1'],
  [/\b(?:Dash 8|DHC-?8) ?-?(?=Q\d00\b)/i, ''],
  [/\b(DHC-8-\d00) ?Q? Dash 8(?:-\d00)? ?Q?$/i, '$1'],
  [/\bDash 8-?\s*(\d00)\b/i, 'DHC-8-$1'],
]

const otherMakers = ['Canadair', 'De Havilland Canada', 'De Havilland', 'Douglas', 'Aérospatiale', 'BAC']
const maker = new RegExp(`^(?:(?:${[...makers, ...otherMakers].join('|')})[ /-]+)+`, 'i')

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The text, then other spellings of it, the nearest first: `Airbus A330-900neo`, `A330-900neo`. */
export function aircraftSpellings(text: string): readonly string[] {
  const rewritten = tidy(rewrites.reduce((written, [from, to]) => written.replace(from, to), text))
  const all = [text, rewritten, tidy(text.replace(maker, '')), tidy(rewritten.replace(maker, ''))]
  // A number alone means something else: Cessna's 120 is not Embraer's.
  return [...new Set(all)].filter((one, i) => i === 0 || /\p{L}|-/u.test(one))
}

/** Codes of timetables that leave the type open, and the family that they mean. Boeing's are found as names. */
const familyCodes: ReadonlyMap<string, string> = new Map([
  ['AB3', 'A300'],
  ['ARJ', 'Avro RJ'],
  ['AT7', 'ATR 72'],
  ['D9S', 'DC-9'],
  ['DH8', 'Dash 8'],
  ['EMJ', 'E-Jet'],
  ['32S', 'Airbus A32'],
  ['330', 'A330'],
  ['340', 'A340'],
  ['350', 'A350'],
])

/** The name of the family that the code means, if it is such a code. */
export const familyOfCode = (text: string): string | undefined => familyCodes.get(text.trim().toUpperCase())

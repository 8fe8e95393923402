// Flight numbers as people write them: "SK 909", "sk0909", "SAS909", "U2-1234".

interface FlightNumber {
  /** IATA (two characters, at least one letter) or ICAO (three letters). */
  airlineCode: string
  /** Without leading zeros; may end in a letter. */
  number: string
}

const plain = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '')

interface Codes {
  iata: string | null
  icao: string | null
}

/** By ICAO code: airlines whose flights have the designator of another one. easyJet Europe and easyJet Switzerland fly as U2. */
const flownAs = new Map<string | null, string>([
  ['EJU', 'U2'],
  ['EZS', 'U2'],
])

/** The code in front of the airline's flight numbers. */
export const designatorOf = ({ iata, icao }: Codes): string => flownAs.get(icao) ?? iata ?? icao ?? ''

/** Whether the airline's numbers begin with this code although another airline has it. */
export const isFlownAs = ({ icao }: Pick<Codes, 'icao'>, code: string): boolean => flownAs.get(icao) === code

export function parseFlightNumber(text: string): FlightNumber | undefined {
  const match = /^([A-Z]{3}|[A-Z][A-Z0-9]|[0-9][A-Z])0*(\d{1,4}[A-Z]?)$/.exec(plain(text))
  return match ? { airlineCode: match[1]!, number: match[2]! } : undefined
}

/** The same spelling for all ways to write a number. */
export function canonicalFlightNumber(text: string): string {
  const parsed = parseFlightNumber(text)
  return parsed ? parsed.airlineCode + parsed.number : plain(text)
}

/** All spellings of a number without blanks and hyphens, with and without leading zeros. */
export function flightNumberSpellings(text: string): string[] {
  const parsed = parseFlightNumber(text)
  if (!parsed) return [plain(text)]
  return ['', '0', '00', '000'].map((zeros) => parsed.airlineCode + zeros + parsed.number)
}

/** The number if only digits were given: it matches the flights of any airline. */
export const bareNumber = (text: string): string | undefined => /^0*(\d{1,4})$/.exec(text.trim())?.[1]

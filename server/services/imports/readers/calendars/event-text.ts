// Recognises a flight in the text of a calendar event: a flight number and two airports. Programs and people write them in many
// ways, in English and German; anything ambiguous is not a flight.
import type { Named } from '../../reading/source.ts'
import { airportNamed, namedBy } from '../../values/named.ts'

interface EventTexts {
  summary: string
  location: string
  description: string
}

interface EventFlight {
  flightNumber: string
  from: Named
  to: Named
  /** The summary has the number and both codes. */
  isUnmistakable: boolean
}

/** How many characters of a text are examined. */
const LONGEST = 5_000

/** `SK1416`, `SK 1416`, `U2 8642`, `SAS1416`: three-letter codes only without a blank. */
const NUMBER =
  /(?<![\p{L}\d])((?=[A-Z0-9]?[A-Z])[A-Z0-9]{2}[ -]?|[A-Z]{3})(\d{1,4}[A-Z]?)(?![\p{L}\d]|[:.]\d)/u

function numberIn(text: string): string | null {
  const [, carrier, number] = NUMBER.exec(text) ?? []
  if (carrier === undefined || number === undefined) return null
  // `Q3 2026` is a quarter.
  if (/^Q[1-4] $/.test(carrier) && /^20\d\d$/.test(number)) return null
  return `${carrier.replace(/[ -]$/, '')}${number}`
}

const ARROW = '(?:-+>?|–|—|→|⇒|➔|✈️?|>|/|to|nach|bis|à|pour|a|hasta|per)'
const CODES = new RegExp(
  `(?<![\\p{L}\\d])\\(?([A-Z]{3})\\)?\\s*${ARROW}\\s*\\(?([A-Z]{3})\\)?(?![\\p{L}\\d])`,
  'u',
)

/** `AZ608 FCO JFK`: without an arrow, nothing else may be in the text. */
const BARE_CODES = /^[A-Z0-9]{2,3}[ -]?\d{1,4}[A-Z]?[: ]+([A-Z]{3}) ([A-Z]{3})$/

/** Excludes other words of three letters that are written between dashes. */
const isCodePair = (from: string, to: string): boolean =>
  from !== to && !/^(?:THE|AND|FOR|UND|MIT|VON)$/.test(from)

function codesIn(text: string): [Named, Named] | null {
  const [, from, to] = CODES.exec(text) ?? BARE_CODES.exec(text) ?? []
  return from && to && isCodePair(from, to) ? [namedBy([from])!, namedBy([to])!] : null
}

const labels = {
  from: 'from|origin|departure|departs|departing|depart|dep|von|ab|abflug|abflugort|start|départ|origine|origen|salida|partenza',
  to: 'to|destination|arrival|arrives|arriving|arrive|arr|nach|an|ankunft|ziel|zielort|arrivée|destino|llegada|destinazione|arrivo',
}

/** `Origin: CPH - Copenhagen`, `Abflug: Kopenhagen (CPH) 09:20`, `From CPH`. Only codes count. */
function labelledCode(text: string, side: keyof typeof labels): Named | null {
  const line =
    new RegExp(
      `(?:^|\\n)[^\\S\\n]*(?:${labels[side]})(?!\\p{L})[^\\S\\n]*:?[^\\S\\n]*([^\\n]{0,200})`,
      'iu',
    ).exec(text)?.[1] ?? ''
  const code = /\(([A-Z]{3})\)/.exec(line)?.[1] ?? /^([A-Z]{3})(?![\p{L}\d])/u.exec(line)?.[1]
  return code ? namedBy([code]) : null
}

/** `… (CPH)`, a code alone, or `Tokyo HND`. */
function placeIn(location: string): Named | null {
  const text = location.trim()
  const code =
    /\(([A-Z]{3})\)/.exec(text)?.[1] ??
    /^([A-Z]{3})(?:$|\s[-–,])/.exec(text)?.[1] ??
    /^\p{L}[\p{L} .'-]*\s(?!USA$|UAE$)([A-Z]{3})$/u.exec(text)?.[1]
  return code ? namedBy([code]) : null
}

const PLACE = "([\\p{L}][\\p{L} .'/-]{2,40}?)"
const FLIGHT = '(?:flight|flug|vol|vuelo|volo)'
const TO = '(?:to|nach|à|pour|a|hasta|para|per)'
/** `Flight SK 501 Copenhagen - London`, `Flug LH 123 von München nach Hamburg`. */
const BY_NAMES = new RegExp(
  `^(?:✈️?\\s*)?(?:${FLIGHT}|flug nr\\.?)\\b[: ]*(?:[A-Z0-9]{2} ?\\d{1,4}[A-Z]?)[:, ]*(?:(?:from|von|de|da|desde) )?${PLACE}\\s+(?:-|–|—|→|->|${TO})\\s+${PLACE}$`,
  'iu',
)
/** `Flight to Tokyo (NH 110)`, `Volo per Francoforte (LH 305)`. */
const TO_NAME = new RegExp(`^(?:✈️?\\s*)?${FLIGHT} ${TO}\\s+${PLACE}\\s*\\([A-Z0-9 ]{3,8}\\)$`, 'iu')

function namesIn(summary: string): [Named, Named] | null {
  const [, from, to] = BY_NAMES.exec(summary) ?? []
  const places = [airportNamed(from), airportNamed(to)]
  return places[0] && places[1] ? [places[0], places[1]] : null
}

export function flightInEvent(event: EventTexts): EventFlight | null {
  const summary = event.summary.slice(0, LONGEST).replace(/\s+/g, ' ').trim()
  const [location, description] = [event.location.slice(0, LONGEST), event.description.slice(0, LONGEST)]
  const inSummary = numberIn(summary)
  const flightNumber = inSummary ?? labelledNumber(description)
  if (flightNumber === null) return null
  const codes = codesIn(summary)
  const ends =
    codes ??
    codesIn(location) ??
    inDescription(description) ??
    endsApart(summary, location, description) ??
    namesIn(summary)
  if (!ends || ends[0].text === ends[1].text) return null
  return { flightNumber, from: ends[0], to: ends[1], isUnmistakable: inSummary !== null && codes !== null }
}

/** A description has many numbers, so a flight number must have a label. */
function labelledNumber(description: string): string | null {
  const rest =
    /(?:^|\n|\b)(?:flight(?: number| no\.?)?|flug(?:nummer|nr\.?)?|vol|vuelo|volo)\s*:?\s+([^\n]{2,20})/i.exec(
      description,
    )?.[1]
  return rest === undefined ? null : numberIn(rest)
}

function inDescription(description: string): [Named, Named] | null {
  const [, from, to] =
    /\b(?:[Ff]rom|[Vv]on|[Dd]e|[Dd]a|[Dd]esde)\s+([A-Z]{3})\s+(?:to|nach|à|a|hasta|per)\s+([A-Z]{3})\b/.exec(
      description,
    ) ?? []
  if (from && to) return [namedBy([from])!, namedBy([to])!]
  const [origin, destination] = [labelledCode(description, 'from'), labelledCode(description, 'to')]
  return origin && destination ? [origin, destination] : null
}

/** One end is in the location, the other in the summary or the description. */
function endsApart(summary: string, location: string, description: string): [Named, Named] | null {
  const from = placeIn(location) ?? labelledCode(description, 'from')
  const name = TO_NAME.exec(summary)?.[1]
  const to = labelledCode(description, 'to') ?? (name ? airportNamed(name) : null)
  return from && to ? [from, to] : null
}

/** `SK1416 CPH → ARN`, as written by our own feed, which may omit the number and use codes of four letters. */
const OWN = /^(?:(\S{2,10}) )?([A-Z0-9]{3,4}) → ([A-Z0-9]{3,4})$/

export function flightInOwnFeed(
  summary: string,
): (Omit<EventFlight, 'flightNumber'> & { flightNumber: string | null }) | null {
  const [, flightNumber = null, from, to] = OWN.exec(summary.trim()) ?? []
  if (!from || !to) return null
  return { flightNumber, from: namedBy([from])!, to: namedBy([to])!, isUnmistakable: true }
}

const LABELLED = {
  seat: /\b(?:seat|sitz(?:platz)?):?\s+(\d{1,2}[A-HJ-L])\b/i,
  booking:
    /\b(?:booking (?:reference|code|number|ref)|confirmation(?: (?:code|number|#))?|pnr|record locator|buchungs(?:code|nummer|referenz)):?\s*#?\s*([A-Z0-9]{5,8})\b/i,
} as const

export const labelledIn = (text: string, what: keyof typeof LABELLED): string | null =>
  LABELLED[what].exec(text.slice(0, LONGEST))?.[1]?.toUpperCase() ?? null

// Aircraft registrations in a line, with their hyphen, or without it where a country's rules make it unambiguous.
import { between } from './atoms.ts'
import type { Candidate, Search } from './candidate.ts'
import { WORD } from './candidate.ts'
import { namesNear } from './near.ts'
import { spans } from './spans.ts'

/** Nationality marks that are written with a hyphen. */
const marks = new Set(
  (
    'A2 A3 A4O A5 A6 A7 A8 A9C AP B C C2 C3 C5 C6 C9 CC CF CN CP CR CS CU CX D D2 D4 D6 DQ E3 E5 E7 EC EI EJ EK EP ER ES ET EW EX EY EZ F ' +
    'G H4 HA HB HC HH HI HK HP HR HS HV HZ I J2 J3 J5 J6 J7 J8 JU JY LN LV LX LY LZ M MT OB OD OE OH OK OM OO OY P P2 P4 PH PJ PK PP PR PS PT ' +
    'PU PZ RA RDPL RF RP S2 S5 S7 S9 SE SP ST SU SX T2 T7 T8 T9 TC TF TG TI TJ TL TN TR TS TT TU TY TZ UK UN UP UR V2 V3 V4 V5 V6 V7 V8 VH VN ' +
    'VP VQ VT XA XB XC XT XU XW XY XZ YA YI YJ YK YL YN YR YS YU YV Z Z3 ZA ZJ ZK ZP ZS ZT ZU 2 3A 3B 3C 3D 3X 4K 4L 4O 4R 4X 5A 5B 5H 5N 5R 5T ' +
    '5U 5V 5W 5X 5Y 6O 6V 6W 6Y 7O 7P 7Q 7T 8P 8Q 8R 9A 9G 9H 9J 9K 9L 9M 9N 9Q 9S 9T 9U 9V 9XR 9Y'
  ).split(' '),
)

/** Registrations of countries that use no hyphen. */
const undashed =
  /^N[1-9]\d{0,4}$|^N[1-9]\d{0,3}[A-HJ-NP-Z]$|^N[1-9]\d{0,2}[A-HJ-NP-Z]{2}$|^JA\d{3}[A-Z0-9]$|^HL\d{4}$/

export const registrationsAt = spans(3, (search, first, end) => {
  const typed = between(search.line, first, end)
  const text = typed.toUpperCase()
  const dashed = /^([A-Z0-9]{1,4})-([A-Z0-9]{2,5})$/.exec(text)
  if (dashed && marks.has(dashed[1]!)) return registration(text, 12 + WORD)
  // `N3` could be anything.
  if (undashed.test(text) && text.length >= 4) return registration(text, 11)
  const undoubted = end - first === 1 ? markOf(search, typed) : null
  const mark = undoubted ?? (end - first === 1 ? possibleMark(typed) : null)
  const score = undoubted === null ? OFFERED : WITHOUT_DASH
  return mark === null ? null : registration(`${mark}-${text.slice(mark.length)}`, score)
})

const registration = (aircraftReg: string, score: number): Omit<Candidate, 'first' | 'end'> => ({
  ...{ slot: 'registration', kind: 'registration', sets: { aircraftReg }, others: [], score },
})

// Without the dash

/** Below every name and code. */
const WITHOUT_DASH = 5
/** Below the cost of an unknown word, so that it stays unknown, with the registration as its other meaning. */
const OFFERED = -6

/**
 * Marks and the letters after them, where no word begins like this: `phbxa`, `dabyt`, `gxwba`, `cfabc`. A D is followed by
 * the weight class; A, B and C are airliners and jets.
 */
const certain = [
  /^(PH|LN|OY|HB|OE|TC|CS|LZ|SX|YR|PT|PS|PP|VH|ZK|ZS|JY|CN|VT|HS|PK|XA|XB|LV|CC|TF|YL|LX)[A-Z]{3}$/,
  /^(A6|A7|A9C|S5|E7|Z3|T7|V5|V8)[A-Z]{3}$/,
  /^(D)[ABC][A-Z]{3}$/,
  /^(G)[BCDFGJKMPQSTVXZ][A-Z]{3}$/,
  /^(F)[BCDFGHKMNPQSTVWXZ][A-Z]{3}$/,
  /^(C)[FG][A-Z]{3}$/,
  /^(VN)A\d{3}$/,
]
/** In lower case they are a number before a word: `9hour`, `5tage`. */
const withDigit = /^(3B|4K|4L|4O|4R|4X|5A|5B|5H|5N|5R|5T|5X|5Y|6V|6Y|7T|9A|9G|9H|9J|9K|9M|9V|9XR|9Y)[A-Z]{3}$/
/** Words begin like this too, and people write them in upper case: GREAT, SUPER. */
const likeWords = [/^(D|G|F|I)[A-Z]{4}$/, /^(SE|EC|EI|HA|OK|OM|PR|SP|SU|ET|ES|LY|UR|EW|EK|EP|ER)[A-Z]{3}$/]
const words = new Set(
  (
    'phone photo phase phony daily dairy daisy dally damon dance danny dandy dante darcy daria darya daryl dated dates david davis davos ' +
    'dazed dares darts dales danes dacia darth dachs dampf dario gmail ' +
    'dabei daher dahin damit danke daran darin darum dauer davon davor datum daten damen dacht daddy debit'
  ).split(' '),
)

const firstOf = (patterns: readonly RegExp[], text: string): string | null =>
  patterns.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined) ?? null

function markOf({ line, known }: Search, typed: string): string | null {
  const text = typed.toUpperCase()
  const isCapital = typed === text
  const mark = firstOf(isCapital ? [...certain, withDigit] : certain, text)
  if (mark === null || words.has(typed.toLowerCase())) return null
  // `dakra` is more likely Dakar, unless it is the upper-case word of a lower-case line.
  const isMarked = isCapital && line.text !== line.text.toUpperCase()
  return isMarked || namesNear(known.reference, typed).length === 0 ? mark : null
}

function possibleMark(typed: string): string | null {
  const text = typed.toUpperCase()
  return firstOf(typed === text ? likeWords : [withDigit], text)
}

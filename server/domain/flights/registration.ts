// Aircraft registrations. Some files drop the hyphen; it is restored if the nationality mark is unambiguous.

/** Nationality marks, and the rest of a registration. The United States, Japan, South Korea and Venezuela use no hyphen. */
const marks: [mark: string, rest: RegExp][] = [
  ...split('G F I M 2', '[A-Z]{4}'),
  ...split('D', '[A-PR-Z][A-Z]{3}'),
  ['C', /^[FGI][A-Z]{3}$/],
  ['B', /^(?:\d{4,5}|\d{3}[0-9A-Z]|[HKL][A-Z]{2}|M[A-Z]{2})$/],
  ...split(
    'VH EI HB OE OO PH SE LN OY OH TF CS EC SP OK OM HA YR LZ SX TC YU ES YL LY ER EW LX ZA ZK ZS DQ VT HS PK VQ VP XA XB XC PP PR PS PT PU LV CC CP CX CN SU TS ET OD AP HZ JY YK YI OB HC',
    '[A-Z]{3}',
  ),
  ...split(
    '4X 4L 4K 4O 4R 5A 5B 5H 5N 5R 5T 5W 5X 5Y 6V 7T 8P 8Q 8R 9A 9G 9H 9J 9K 9L 9M 9N 9V A2 A6 A7 A8 C5 C6 C9 D2 D4 D6 E3 E5 E7 J2 J8 P2 P4 S2 S5 S7 T7 T8 V5 V7 V8 Z3',
    '[A-Z]{3}',
  ),
  ...split('RA', '\\d{4,5}'),
  ...split('UR', '(?:[A-Z]{3,4}|\\d{5})'),
  ...split('UP UK UN', '(?:[A-Z]{1,2}\\d{3,4}|\\d{5})'),
  ...split('RP', 'C\\d{2,4}'),
  ...split('VN', 'A\\d{3}'),
  ...split('HK', '\\d{4}[A-Z]?'),
  ...split('A9C A4O', '[A-Z]{2,3}'),
]

function split(names: string, rest: string): [string, RegExp][] {
  return names.split(' ').map((mark) => [mark, new RegExp(`^${rest}$`)])
}

/** Complete without a hyphen; Uzbekistan's are painted and listed both ways. */
const unhyphenated =
  /^(?:UK\d{5}|N[1-9]\d{0,4}|N[1-9]\d{0,3}[A-Z]|N[1-9]\d{0,2}[A-Z]{2}|JA\d{2}[0-9A-Z]{2}|HL\d{4})$/

/** `VHOQA` → `VH-OQA`, `GEUYA` → `G-EUYA`; upper case; unknown forms are not changed. */
export function writeRegistration(text: string): string {
  const plain = text
    .trim()
    .toUpperCase()
    .replace(/\s*[-–—‐]\s*/g, '-')
  if (!/^[A-Z0-9]{4,7}$/.test(plain) || unhyphenated.test(plain)) return plain
  const fitting = marks.filter(
    ([mark, rest]) => plain.startsWith(mark) && rest.test(plain.slice(mark.length)),
  )
  const [only, ...others] = fitting
  return only && others.length === 0 ? `${only[0]}-${plain.slice(only[0].length)}` : plain
}

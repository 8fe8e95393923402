// Writers of the formats that airlines, calendars and mail programs use. They print facts that stand in rows beside the truth; nothing
// here reads.

/** A moment at an airport, with the offset that was valid there: `2025-09-01T07:50+02:00`. */
export interface Clock {
  date: string
  time: string
  offset: string
}

/** What a person knows of one flight. */
export interface Leg {
  number: string
  carrier: string
  digits: string
  airline: string
  from: string
  to: string
  dep: Clock
  arr: Clock
  seat: string
}

const clock = (text: string): Clock => ({
  date: text.slice(0, 10),
  time: text.slice(11, 16),
  offset: text.slice(16),
})

/** A row: `IB3170 IBE MAD 2025-09-01T07:50+02:00 LHR 2025-09-01T09:20+01:00 12C`; the seat may be missing. */
export const legOf = (row: string): Leg => {
  const [number = '', airline = '', from = '', dep = '', to = '', arr = '', seat = ''] = row
    .trim()
    .split(/\s+/)
  const flown = { number, carrier: number.slice(0, 2), digits: number.slice(2), airline, from, to, seat }
  return { ...flown, dep: clock(dep), arr: clock(arr) }
}

export const legsOf = (rows: string): Leg[] => rows.trim().split('\n').map(legOf)

const days = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** A flight's line of the truth with what its file says of it. */
export const truthOf = (leg: Leg, fields = 'number airline dep arr'): string => {
  const later = days(leg.dep.date, leg.arr.date)
  const values: Record<string, string> = {
    number: leg.number,
    airline: leg.airline,
    dep: leg.dep.time,
    arr: later === 0 ? leg.arr.time : `${leg.arr.time}${later > 0 ? '+' : ''}${later}`,
    seat: leg.seat,
  }
  const said = fields.split(' ').filter((name) => values[name])
  return [leg.dep.date, leg.from, leg.to, ...said.map((name) => `${name}=${values[name]}`)].join(' ')
}

export const truthsOf = (legs: Leg[], fields?: string): string =>
  legs.map((leg) => truthOf(leg, fields)).join('\n')

// Boarding passes (IATA Resolution 792)

/** Conditional parts. A text cuts the block where that airline stops. */
export interface Conditional {
  version?: string
  /** Passenger, source of check-in, source of issuance. */
  description?: string
  /** The day of issue; empty if the airline leaves it blank. */
  issued?: string
  issuer?: string
  bags?: string
  /** Per leg: what the airline repeats, already in columns. */
  repeated?: string
  /** Without `>`: only the airline's own text. */
  own?: string
  security?: string
}

const hex = (size: number): string => size.toString(16).toUpperCase().padStart(2, '0')

export const dayOfYear = (date: string): string =>
  String(days(`${date.slice(0, 4)}-01-01`, date) + 1).padStart(3, '0')

const onceOnly = (said: Conditional): string => {
  const issued = said.issued ? said.issued.slice(3, 4) + dayOfYear(said.issued) : '    '
  const block = `${said.description ?? '1WW'}${issued}B${(said.issuer ?? '').padEnd(3)}${said.bags ?? ''}`
  return `>${said.version ?? '6'}${hex(block.length)}${block}`
}

const conditional = (said: Conditional | undefined, first: boolean): string => {
  if (!said) return '00'
  const repeated = hex(said.repeated?.length ?? 0) + (said.repeated ?? '')
  const coded = said.version === '' ? '' : (first ? onceOnly(said) : '') + repeated
  const text = coded + (said.own ?? '')
  return hex(text.length) + text
}

const CABINS: Record<string, string> = {
  economy: 'YMBHKLQTVSOGNXU',
  'economy+': 'WE',
  business: 'JCDZIP',
  first: 'FA',
}

const classOf = (letter: string): string =>
  Object.entries(CABINS).find(([, letters]) => letters.includes(letter))?.[0] ?? '?'

/** The columns of repeated data: ticket, marketing carrier, frequent flyer, bags, fast track. */
export const repeatedOf = (ticket: string, marketing: string, traveller = '', rest = ''): string =>
  `${ticket.padEnd(13)}0 ${marketing.padEnd(3)}${traveller.padEnd(19)}${rest}`

const columns = (row: string): string[] => row.trim().split(/\s+/)

const passLeg = (row: string): string => {
  const [
    date = '',
    from = '',
    to = '',
    carrier = '',
    number = '',
    ,
    cabin = '',
    seat = '',
    order = '',
    locator = '',
  ] = columns(row)
  const [, digits = '', suffix = ''] = /^(\d+)(\w?)$/.exec(number) ?? []
  const chair = seat === '-' ? '    ' : /^\d/.test(seat) ? seat.padStart(4, '0') : seat.padEnd(4)
  return (
    locator.padEnd(7) +
    from +
    to +
    carrier.padEnd(3) +
    digits.padStart(4, '0') +
    (suffix || ' ') +
    dayOfYear(date) +
    cabin +
    chair +
    order.padStart(4, '0').padEnd(5) +
    '1'
  )
}

/**
 * The text of a pass. Rows are legs: `2024-03-14 CPH LHR SK 501 SAS M 12A 41 Q7RT2M`, that is day, route, carrier, number, the airline's
 * ICAO code (for the truth), compartment, seat or `-`, sequence and locator.
 */
export const passText = (name: string, rows: string, said?: Conditional, flag = 'E'): string => {
  const legs = rows.trim().split('\n')
  const body = legs.map((row, at) => passLeg(row) + conditional(said, at === 0)).join('')
  const security = said?.security ? `^1${hex(said.security.length)}${said.security}` : ''
  return `M${legs.length}${name.slice(0, 20).padEnd(20)}${flag}${body}${security}`
}

/** What a pass says, from the same rows. */
export const passTruth = (rows: string): string =>
  rows
    .trim()
    .split('\n')
    .map((row) => {
      const [date, from, to, carrier, number, airline, cabin = '', seat = ''] = columns(row)
      const chair = /^\d/.test(seat) ? ` seat=${seat}` : ''
      return `${date} ${from} ${to} number=${carrier}${number} airline=${airline}${chair} class=${classOf(cabin)}`
    })
    .join('\n')

// Calendars (RFC 5545)

const squeezed = (text: string): string => text.replaceAll(/[-:]/g, '')

export const localTime = (at: Clock): string => `${squeezed(at.date)}T${squeezed(at.time)}00`

/** The moment on clocks that are `offset` from UTC. */
export const timeAt = (at: Clock, offset = '+00:00'): string => {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  const ahead = (hours * 60 + minutes) * (offset.startsWith('-') ? -1 : 1)
  const moved = new Date(Date.parse(`${at.date}T${at.time}:00${at.offset}`) + ahead * 60_000)
  return squeezed(moved.toISOString().slice(0, 19))
}

export const utcTime = (at: Clock): string => `${timeAt(at)}Z`

export const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll(/[,;]/g, '\\$&').replaceAll('\n', '\\n')

/** Folded by bytes, as RFC 5545 wants it: a letter of two bytes may be cut by some programs, here it is not. */
const folded = (line: string, ending: string): string => {
  const parts: string[] = []
  let part = ''
  for (const letter of line) {
    if (Buffer.byteLength(part + letter) > 74) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part].join(`${ending} `)
}

/** An event of `NAME: value` pairs; names may carry parameters. */
export const event = (properties: Record<string, string>): string[] => [
  'BEGIN:VEVENT',
  ...Object.entries(properties).map(([name, value]) => `${name}:${value}`),
  'END:VEVENT',
]

export const calendar = (head: string[], events: string[][], ending = '\r\n'): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...head, ...events.flat(), 'END:VCALENDAR', '']
    .map((line) => folded(line, ending))
    .join(ending)

// Mails (RFC 5322, 2045)

export interface Part {
  type: string
  body: string | Uint8Array
  coding?: '8bit' | 'quoted-printable' | 'base64'
  filename?: string
}

const wrapped = (text: string, ending: string): string => (text.match(/.{1,76}/gs) ?? []).join(ending)

const quotedPrintable = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const coded = Array.from(Buffer.from(line), (byte) =>
        byte === 61 || byte > 126 ? `=${hex(byte)}` : String.fromCharCode(byte),
      )
      let width = 0
      return coded
        .map((letter) => {
          const broken = width + letter.length > 72
          width = broken ? letter.length : width + letter.length
          return broken ? `=\n${letter}` : letter
        })
        .join('')
    })
    .join('\n')

const encoded = ({ body, coding = '8bit' }: Part): string => {
  if (coding === 'base64') return wrapped(Buffer.from(body).toString('base64'), '\n')
  const text = Buffer.from(body).toString('utf8')
  return coding === 'quoted-printable' ? quotedPrintable(text) : text
}

const partLines = (part: Part): string => {
  const attached = part.filename ? `\nContent-Disposition: attachment; filename="${part.filename}"` : ''
  return `Content-Type: ${part.type}\nContent-Transfer-Encoding: ${part.coding ?? '8bit'}${attached}\n\n${encoded(part)}\n`
}

/** A message: one part stands alone, several are alternatives or, with files, mixed. */
export const mail = (headers: Record<string, string>, ...parts: Part[]): string => {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const [only] = parts
  if (parts.length === 1 && only) return `${head.join('\n')}\nMIME-Version: 1.0\n${partLines(only)}`
  const kind = parts.some((part) => part.filename) ? 'mixed' : 'alternative'
  const mark = `=_part_${parts.length}_${head.join('').length}`
  const bodies = parts.map((part) => `--${mark}\n${partLines(part)}`).join('')
  return `${head.join('\n')}\nMIME-Version: 1.0\nContent-Type: multipart/${kind}; boundary="${mark}"\n\n${bodies}--${mark}--\n`
}

export const html = (body: string, coding: Part['coding'] = 'quoted-printable'): Part => ({
  type: 'text/html; charset="utf-8"',
  body: `<!DOCTYPE html>\n<html><body>\n${body}\n</body></html>\n`,
  coding,
})

export const plain = (body: string, coding: Part['coding'] = 'quoted-printable'): Part => ({
  type: 'text/plain; charset="utf-8"',
  body,
  coding,
})

/** Lines of a truth that stand indented in the source. */
export const lines = (text: string): string => text.trim().replaceAll(/\n\s+/g, '\n')

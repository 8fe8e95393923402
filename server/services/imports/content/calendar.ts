// Calendars (RFC 5545): events with their properties. The reader handles zones and repetition.
import ICAL from 'ical.js'

interface CalendarValue {
  /** As written, with escapes resolved; dates as 2025-09-01, instants as 2025-09-01T05:50:00Z. */
  text: string
  /** `date`, `date-time`, `text`, `uri` … */
  type: string
  /** Names in lower case: `tzid`. */
  parameters: Readonly<Record<string, string>>
}

/** Properties by name, in lower case. */
export type CalendarProperties = ReadonlyMap<string, readonly CalendarValue[]>

interface CalendarEvent {
  line: number
  /** The lines of the event, unfolded. */
  raw: string
  properties: CalendarProperties
  /** `END:VEVENT` is missing. */
  cut: boolean
}

export interface CalendarPart {
  /** Properties of the calendar that precede the event: `prodid`, `x-wr-timezone`. */
  calendar: CalendarProperties
  event: CalendarEvent
}

/** Far longer than any real text. */
const PROPERTY_AT_MOST = 200_000

/** Yields the events. Lines that are not properties are only in `raw`. */
export function* eventsOf(text: string): Generator<CalendarPart> {
  const calendar = new Map<string, CalendarValue[]>()
  let event: { line: number; lines: string[]; properties: Map<string, CalendarValue[]> } | null = null
  // Alarms and time zones are separate components.
  const open: string[] = []
  for (const { line, content } of unfold(text)) {
    const [, verb, component] = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(content) ?? []
    const name = component?.toUpperCase()
    if (verb?.toUpperCase() === 'BEGIN' && name === 'VEVENT') {
      if (event) yield { calendar, event: finished(event, true) }
      event = { line, lines: [content], properties: new Map() }
      open.length = 0
      continue
    }
    event?.lines.push(content)
    if (verb?.toUpperCase() === 'END' && name === 'VEVENT') {
      if (event) yield { calendar, event: finished(event, false) }
      event = null
      open.length = 0
    } else if (verb?.toUpperCase() === 'BEGIN') {
      if (name !== 'VCALENDAR') open.push(name!)
    } else if (verb) open.splice(Math.max(0, open.lastIndexOf(name!)))
    else if (open.length === 0) addProperty(event?.properties ?? calendar, content)
  }
  if (event) yield { calendar, event: finished(event, true) }
}

const finished = (
  { line, lines, properties }: { line: number; lines: string[]; properties: Map<string, CalendarValue[]> },
  cut: boolean,
): CalendarEvent => ({ line, raw: lines.join('\n'), properties, cut })

/** A line that begins with a blank continues the previous one. */
function* unfold(text: string): Generator<{ line: number; content: string }> {
  let [line, number] = [1, 0]
  let parts: string[] = []
  for (const [source] of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    number++
    const content = source.replace(/[\r\n]+$/, '')
    if (/^[ \t]/.test(content) && parts.length > 0) {
      parts.push(content.slice(1))
      continue
    }
    if (parts.length > 0) yield { line, content: parts.join('') }
    parts = content.trim() === '' ? [] : [content]
    line = number
  }
  if (parts.length > 0) yield { line, content: parts.join('') }
}

function addProperty(into: Map<string, CalendarValue[]>, content: string): void {
  const read = readProperty(content.slice(0, PROPERTY_AT_MOST))
  if (!read) return
  const values = into.get(read.name)
  if (values) values.push(read.value)
  else into.set(read.name, [read.value])
}

function readProperty(content: string): { name: string; value: CalendarValue } | null {
  try {
    const [name, parameters, type, ...values] = ICAL.parse.property(content) as [
      string,
      Record<string, unknown>,
      string,
      ...unknown[],
    ]
    return {
      name,
      value: {
        text: values.map(String).join(','),
        type,
        parameters: Object.fromEntries(
          Object.entries(parameters).map(([key, value]) => [key, String(value)]),
        ),
      },
    }
  } catch {
    // Not a property, or a value that does not match its type: only the raw text has it.
    return null
  }
}

// The fields that a pass of Apple Wallet shows to people. Their keys and labels are free and in any language, so words identify
// them and the shape of the value must match.

import { latestOfDay } from '../../../../domain/imports/boarding-pass.ts'
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import { searchFold } from '../../../../domain/text/fold.ts'
import type { Pass } from '../../content/content.ts'
import type { Named, ReadContext, SourceTime, YearGuess } from '../../reading/source.ts'
import { readDateText } from '../../values/dates.ts'
import { airportNamed, namedBy } from '../../values/named.ts'
import { readClock, readSourceTime } from '../../values/times.ts'
import { readBookingLetter, readSeatClass } from '../../values/words.ts'
import { isRecord, type JsonRecord } from '../documents/json.ts'
import type { PassFacts, PassLegFacts } from './facts.ts'

export const sections = [
  'headerFields',
  'primaryFields',
  'secondaryFields',
  'auxiliaryFields',
  'backFields',
  'additionalInfoFields',
] as const

interface PassField {
  section: (typeof sections)[number]
  /** Its key and its labels in every language of the pass, folded. */
  words: string
  /** As written, in English if possible. */
  label: string
  value: string
  /** Its date-time is shown as written, whatever the zone of the phone. */
  isLocal: boolean
}

const FIELDS_AT_MOST = 100
const VALUE_AT_MOST = 500

export function fieldsOf(card: JsonRecord, strings: Pass['strings']): PassField[] {
  const languages = Object.keys(strings).sort((a, b) => rank(a) - rank(b))
  const inAll = (text: string) => languages.flatMap((language) => strings[language]![text] ?? [])
  return sections.flatMap((section) => {
    const fields = card[section]
    return (Array.isArray(fields) ? fields.slice(0, FIELDS_AT_MOST) : [])
      .filter(isRecord)
      .map((field): PassField => {
        const [label, value] = [plain(field['label']), shownIn(field)]
        return {
          section,
          words: ` ${[plain(field['key']).replace(/([a-z])([A-Z])/g, '$1 $2'), label, ...inAll(label)].map(searchFold).join(' ')} `,
          label: inAll(label)[0] ?? label,
          value: inAll(value)[0] ?? value,
          isLocal: field['ignoresTimeZone'] === true,
        }
      })
  })
}

/** English first, because its words are the same on every pass. */
const rank = (language: string): number => (/^en/i.test(language) ? 0 : /^base$/i.test(language) ? 1 : 2)

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, VALUE_AT_MOST) : ''

/** Removes links from a text for display. */
const shownIn = (field: JsonRecord): string =>
  plain(field['value']) ||
  plain(field['attributedValue'])
    .replace(/<[^>]*>/g, '')
    .trim()

const concepts = {
  boarding:
    'boarding board einstieg einsteigen embarquement embarque imbarco instappen ombordstigning boardingzeit closes closing',
  flight:
    'flight flug flugnummer flugnr vol vuelo volo voo vlucht vluchtnummer fly flyg flight_no flightno flightnumber fltnum lento',
  gate: 'gate porte puerta uscita portao flugsteig ausgang portti',
  terminal: 'terminal terminale aerogare terminaali',
  seat: 'seat sitz sitzplatz platz siege asiento posto assento stoel stoelnummer saede sete sittplats paikka seatnumber seatno',
  cabin: 'class klasse reiseklasse classe clase cabin cabina kabine klass luokka travelclass cabinclass',
  departure:
    'departure depart departs dep std etd abflug abflugzeit depart salida partenza partida vertrek afgang avgang lahto departuretime',
  arrival:
    'arrival arrive arrives arr sta eta ankunft ankunftszeit arrivee llegada arrivo chegada aankomst ankomst saapuminen arrivaltime',
  date: 'date datum fecha data dato paiva day tag jour flightdate',
  time: 'time zeit uhrzeit heure hora ora tijd tid',
  name: 'passenger name passagier passager pasajero passeggero passageiro fluggast reisender reiziger passager matkustaja nombre nome nom passengername traveler traveller',
  booking:
    'pnr booking bookingreference confirmation reservation reference referenz buchung buchungscode buchungsnummer reserva localizador prenotazione codice boeking boekingscode bokning bestilling varaus locator record confirmationnumber bookingcode',
} as const
type Concept = keyof typeof concepts
const wordsOf = new Map(
  Object.entries(concepts).map(([name, list]): [string, ReadonlySet<string>] => [
    name,
    new Set(list.split(' ').map(searchFold)),
  ]),
)

const says = (field: PassField, concept: Concept): boolean =>
  field.words.split(' ').some((word) => wordsOf.get(concept)!.has(word))

export function fieldFacts(
  fields: readonly PassField[],
  { documentDate, documentDateOf, options }: Pick<ReadContext, 'documentDate' | 'documentDateOf' | 'options'>,
): PassLegFacts {
  const warnings: ImportWarning[] = []
  const value = (concept: Concept, shape: RegExp, ...not: Concept[]) =>
    fields.find(
      (field) => says(field, concept) && !not.some((other) => says(field, other)) && shape.test(field.value),
    )?.value ?? null
  const [from, to] = fields.filter(({ section }) => section === 'primaryFields').map(placeOf)
  const number = value('flight', /^[A-Z0-9]{2,3}[ -]?\d{1,4}[A-Z]?$/i) ?? numberUnderAirline(fields)
  const by = { date: documentDate, isFlightDay: documentDateOf === 'flight' }
  const { date = null, yearGuess = null } = fields.flatMap((field) => dateOf(field, by) ?? [])[0] ?? {}
  const facts: PassFacts = {
    date: date === null ? null : { iso: date, precision: 'day' },
    yearGuess,
    from: from ?? null,
    to: to ?? null,
    flightNumber: number?.replace(/[ -]/g, '').toUpperCase() ?? null,
    departure: timeOf(fields, 'departure', date),
    arrival: timeOf(fields, 'arrival', null),
    departureTerminal:
      value('terminal', /^(?:terminal )?[A-Z0-9]{1,4}$/i)?.replace(/^(?:terminal |T(?=\d))/i, '') ?? null,
    departureGate: value('gate', /^[A-Z]{0,2}\d{0,3}[A-Z]?$/i, 'boarding'),
    seatNumber:
      value('seat', /^0*\d{1,3} ?[A-Z]$/i)
        ?.replace(/^0+| /g, '')
        .toUpperCase() ?? null,
    seatClass: classOf(value('cabin', /\S/, 'seat')),
    name: value('name', /^[\p{L} .'/-]{4,}$/u),
    bookingReference:
      options.bookingReference === false ? null : value('booking', /^[A-Z0-9]{5,7}$/i, 'flight'),
  }
  return { facts, warnings }
}

const OTHER_LABEL =
  /^(?:seq|sequence|zone|group|gruppe|groupe|grupo|gruppo|no|nr|row|reihe|priority|status|bag|bags|ref|code|lounge|fare|tier)\b/i
const NUMBER = /^(?=[A-Z0-9]?[A-Z])[A-Z0-9]{2} ?\d{1,4}[A-Z]?$/

/** `Qatar Airways: QR 123`: the label is the airline, and no word says that it is the flight. */
function numberUnderAirline(fields: readonly PassField[]): string | null {
  const saysNothing = (field: PassField) =>
    (Object.keys(concepts) as Concept[]).every((concept) => !says(field, concept))
  const found = fields.filter(
    (field) =>
      NUMBER.test(field.value) &&
      /\p{L}{3}/u.test(field.label) &&
      !OTHER_LABEL.test(field.label) &&
      saysNothing(field),
  )
  return found.length === 1 ? found[0]!.value : null
}

/** Either the value is a code, or the label is one and the value is the city. */
function placeOf({ label, value }: PassField): Named | null {
  if (/^[A-Z]{3}$/.test(value)) return namedBy([value], /^[A-Z]{3}$/.test(label) ? null : readableName(label))
  if (/^[A-Z]{3}$/.test(label)) return namedBy([label], value)
  return airportNamed(value)
}

/** The label over a code is the city, or a word for departure. */
const readableName = (label: string): string | null =>
  label === '' || /^(?:from|to|departure|arrival|origin|destination|von|nach|abflug|ankunft)\b/i.test(label)
    ? null
    : label

interface FieldDate {
  date: string
  yearGuess: YearGuess | null
}

function dateOf(field: PassField, by: { date: string; isFlightDay: boolean }): FieldDate | null {
  if (says(field, 'arrival') || !(says(field, 'date') || says(field, 'departure'))) return null
  const iso = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(field.value)?.[0]
  if (iso) return { date: iso, yearGuess: null }
  // Only a day counts; four digits are a time.
  if (readClock(field.value)) return null
  const read = readDateText(field.value, 'dmy', by.date)
  if (read?.precision !== 'day') return null
  const isWhole = by.isFlightDay || /\d{4}|\d[./-]\d{1,2}[./-]\d{2}|'\d{2}|\p{L}\W?\d{2}$/u.test(field.value)
  return isWhole ? { date: read.iso, yearGuess: null } : inLatestYear(read.iso.slice(5), by.date)
}

function inLatestYear(day: string, by: string): FieldDate | null {
  const { date, otherDate } = latestOfDay(day, by)
  if (date === null) return null
  return { date, yearGuess: otherDate === null ? null : { day, yearsAfter: 0, otherDate } }
}

function timeOf(
  fields: readonly PassField[],
  concept: 'departure' | 'arrival',
  date: string | null,
): SourceTime | null {
  for (const field of fields) {
    if (!says(field, concept) || says(field, 'boarding')) continue
    const isWhole = /^\d{4}-\d{2}-\d{2}T/.test(field.value)
    const text = isWhole && field.isLocal ? field.value.replace(/(?:Z|[+-]\d{2}:?\d{2})$/, '') : field.value
    if (!isWhole && !/^\d{1,2}[:.h]?\d{2}(?: ?[ap]\.?m\.?)?(?:\+\d)?$/i.test(text)) continue
    const read = readSourceTime(text.replace(/^(\d{1,2})h(\d{2})/, '$1:$2'), {
      date: date === null ? null : { iso: date, precision: 'day' },
    })
    if (read) return read
  }
  return null
}

/** A word, or a letter of a booking class. */
function classOf(text: string | null) {
  if (text === null) return null
  return /^[A-Z]$/.test(text) ? readBookingLetter(text, []) : readSeatClass(text, [])
}

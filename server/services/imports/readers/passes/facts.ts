// The facts on passes of Apple and Google Wallet. A pass repeats a fact in several places of different reliability; the first
// one counts. The bar code's text, the booking reference and the ticket number are never in a record's `raw`.
import type { Seat, SeatClass } from '../../../../domain/enums.ts'
import type { ImportWarning, SkipCode } from '../../../../domain/imports/imports.ts'
import type { Named, ReadContext, SourceFlight, SourceRecord } from '../../reading/source.ts'
import { recordsOfPass } from './boarding-pass.ts'

export interface PassFacts extends Partial<Omit<SourceFlight, 'passengers'>> {
  name?: string | null
  seat?: Seat | null
  seatNumber?: string | null
  seatClass?: SeatClass | null
}

/** One flight of a pass. */
export interface PassLegFacts {
  facts: PassFacts
  warnings: ImportWarning[]
  skip?: SkipCode | undefined
  error?: SourceRecord['error']
}

/** Takes the first value that is not empty; extras are combined. */
export function mergedFacts(...all: readonly PassFacts[]): PassFacts {
  const merged: PassFacts & Record<string, unknown> = {}
  for (const facts of all)
    for (const [key, value] of Object.entries(hasDay(merged) ? withoutGuess(facts) : facts))
      if (value !== null && value !== undefined && merged[key] === undefined) merged[key] = value
  const extras = new Map<string, string>()
  for (const [label, value] of all.flatMap((facts) => facts.extras ?? []))
    if (!extras.has(label)) extras.set(label, value)
  return { ...merged, ...(extras.size > 0 && { extras: [...extras] }) }
}

/** For a pass that states the day of its flight elsewhere. */
export const onFlightDay = <Context extends Pick<ReadContext, 'documentDate'>>(
  context: Context,
  day: string | null,
): Context => (day === null ? context : { ...context, documentDate: day, documentDateOf: 'flight' })

const hasDay = ({ date, departure, departureScheduled }: PassFacts): boolean =>
  !!(date ?? departure?.date ?? departureScheduled?.date)

function withoutGuess({ date, yearGuess, ...facts }: PassFacts): PassFacts {
  return yearGuess ? facts : { ...facts, date: date ?? null }
}

/** The flights in the bar codes of a pass. Bar codes that are not boarding passes are ignored. */
export function legsInBarcodes(
  texts: readonly string[],
  context: Pick<ReadContext, 'documentDate' | 'documentDateOf' | 'options'>,
): PassLegFacts[] {
  return [...new Set(texts)].flatMap((text) =>
    recordsOfPass(text, context).flatMap(({ flight, skip, error, warnings = [] }): PassLegFacts[] => {
      if (!flight) return []
      const { passengers, ...facts } = flight
      const traveller = passengers?.[0]
      return [
        {
          facts: {
            ...facts,
            name: traveller?.who.kind === 'named' ? traveller.who.name : null,
            seatNumber: traveller?.seatNumber ?? null,
            seatClass: traveller?.seatClass ?? null,
          },
          warnings,
          skip,
          ...(error && { error }),
        },
      ]
    }),
  )
}

/** Whether both can be the same flight: no fact that both have differs. */
export function isSameLeg(one: PassFacts, other: PassFacts): boolean {
  const agree = (a: Named | null | undefined, b: Named | null | undefined) =>
    !a || !b || a.codes.length === 0 || b.codes.length === 0 || a.codes.some((code) => b.codes.includes(code))
  return agree(one.from, other.from) && agree(one.to, other.to)
}

export function recordOfFacts(
  { facts, warnings, skip, error }: PassLegFacts,
  raw: readonly (string | null | undefined)[] = [],
): SourceRecord {
  const { name, seat, seatNumber, seatClass, ...flight } = facts
  const isNothing = !flight.from && !flight.to && !flight.flightNumber
  const wrong = isNothing
    ? { code: 'unreadable_row' as const }
    : hasDay(flight)
      ? undefined
      : (error ?? { code: 'bad_date' as const })
  return {
    line: null,
    raw: [...raw, ...writtenFacts(facts)].flatMap((text) => text || []).join(', '),
    ...(!isNothing && {
      flight: {
        ...flight,
        date: flight.date ?? null,
        from: flight.from ?? null,
        to: flight.to ?? null,
        passengers: [
          {
            who: name ? { kind: 'named', name } : { kind: 'self' },
            seat: seat ?? null,
            seatNumber: seatNumber ?? null,
            seatClass: seatClass ?? null,
          },
        ],
        ...(name && { areAllNamed: true as const }),
      },
    }),
    ...(skip && { skip }),
    ...(wrong && !skip && { error: wrong }),
    ...(warnings.length > 0 && { warnings }),
  }
}

function writtenFacts({
  name,
  flightNumber,
  from,
  to,
  date,
  departure,
  seatNumber,
}: PassFacts): (string | null)[] {
  const day = date ?? departure?.date ?? null
  return [
    name ?? null,
    flightNumber ?? null,
    from || to ? `${from?.text ?? '?'}–${to?.text ?? '?'}` : null,
    day && ('iso' in day ? day.iso : day.text),
    seatNumber ? `seat ${seatNumber}` : null,
  ]
}

/** The content of the line as a form draft, which is what is sent, stored while offline, and opened in the form. */

import type { LineDraft } from '../../../server/domain/entry/line/types.ts'
import { addDays } from '../draft/dates.ts'
import { type Draft, emptyDraft, guest, type PassengerDraft, person } from '../draft/draft.ts'
import { session } from '../session/session.svelte.ts'
import type { Lookup } from './words.ts'

const texts = [
  'flightNumber',
  'aircraftReg',
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'note',
] as const

/** An arrival typed without a day has none yet: `withArrivalDay` finds it when the server can be reached. */
function momentsOf(draft: Draft, { date = '', departure, arrival }: LineDraft): Draft['times'] {
  const day = arrival?.dayShift == null ? '' : addDays(date, arrival.dayShift)
  return {
    ...draft.times,
    ...(departure && { departure: { date, time: departure, kept: null } }),
    ...(arrival && { arrival: { date: day, time: arrival.time, kept: null } }),
  }
}

export function formDraftOf(line: LineDraft, lookup: Lookup, today: string): Draft {
  const draft = emptyDraft(session.user, line.date ?? today)
  const [me, ...others] = draft.passengers
  const own: PassengerDraft | undefined = me && {
    ...me,
    seat: line.seat ?? '',
    seatNumber: line.seatNumber ?? '',
    seatClass: line.seatClass ?? '',
    flightReason: line.flightReason ?? '',
  }
  const companions = (line.people ?? []).map(({ userId, name }) =>
    userId ? person({ id: userId, displayName: name }) : guest(name),
  )
  return {
    ...draft,
    datePrecision: line.datePrecision ?? 'day',
    outcome: line.outcome ?? draft.outcome,
    from: lookup.airport(line.fromId),
    to: lookup.airport(line.toId),
    airline: lookup.airline(line.airlineId),
    aircraft: lookup.aircraft(line.aircraftId),
    times: momentsOf(draft, line),
    arrivalDateChosen: line.arrival?.dayShift != null,
    texts: { ...draft.texts, ...Object.fromEntries(texts.map((name) => [name, line[name] ?? ''])) },
    passengers: [...(own ? [own] : []), ...others, ...companions],
  }
}

/** What happened, saved to the flight as any edit is: now or when there is a connection, and with Undo. */

import { ApiError } from '../api/client.ts'
import { explain } from '../api/explain.ts'
import type { FlightRecord, TimeField } from '../api/types.ts'
import { type Draft, draftOf } from '../draft/draft.ts'
import { flightFromLog } from '../draft/from-log.ts'
import { localAt } from '../draft/moments.ts'
import { undoAction } from '../history/offer.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { toast } from '../lib/overlay/toast.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { loadFlight } from '../queue/flight.ts'
import { loadQueue } from '../queue/parts.ts'
import type { Day } from '../screen/day.ts'
import { travel } from '../screen/days.svelte.ts'
import { hasLanded, isOver } from './words.ts'

/** Offline as the server said last, else from the log alone: the fields that it lacks keep their values. */
async function read(id: number): Promise<FlightRecord> {
  try {
    return await loadFlight(id)
  } catch (error) {
    const isOffline = error instanceof ApiError && error.offline
    const known = isOffline ? (travel.recordOf(id) ?? (await flightFromLog(id))) : undefined
    if (!known) throw error
    return known
  }
}

async function save(
  id: number,
  edit: (draft: Draft) => Draft | Promise<Draft>,
  text: string,
): Promise<boolean> {
  try {
    const { id: flightId, version, ...rest } = await read(id)
    const base = await draftOf({ id: flightId, version, ...rest })
    const draft = await edit(base)
    const { submit } = await loadQueue()
    const outcome = await submit({ kind: 'edit', flight: { id, version }, base, draft })
    if (outcome.is === 'changed') {
      toast(t('today.changedElsewhere'), { tone: 'error' })
      await log.refresh()
      return false
    }
    if (outcome.is === 'waiting') {
      const undo = async () => {
        // It was sent meanwhile.
        if (!(await outcome.undo())) undoAction([id]).run()
      }
      toast(t('waiting.saved'), { action: { label: t('action.undo'), run: () => void undo() } })
    } else {
      toast(text, { action: undoAction([id]) })
      await log.refresh()
    }
    return true
  } catch (error) {
    toast(explain(error), { tone: 'error' })
    return false
  }
}

export const saveDidNotFly = (id: number): Promise<boolean> =>
  save(id, (draft) => ({ ...draft, outcome: 'cancelled' }), t('today.markedCancelled'))

/** The times at the gate, or on the runway; the planned ones stay as the schedule. */
export function saveActual({ entry, status }: Day): Promise<boolean> {
  const edit = async (draft: Draft): Promise<Draft> => {
    const times = { ...draft.times }
    for (const [side, airport] of [
      ['departure', entry.from],
      ['arrival', entry.to],
    ] as const) {
      const actual = status[side].actual
      if (!actual || !airport) continue
      const scheduled: TimeField = `${side}Scheduled`
      if (!times[scheduled].time) times[scheduled] = draft.times[side]
      const { local } = await localAt(airport.id, actual, airport.timezone)
      const [date = '', time = ''] = local.split('T')
      times[side] = { date, time, kept: { text: actual, date, time, airportId: airport.id } }
    }
    return { ...draft, times, arrivalDateChosen: true }
  }
  return save(entry.id, edit, t('today.saved'))
}

/** It is over, and the log does not say how it went. */
export const needsAnswer = (day: Day): boolean => isOver(day) && (hasActual(day) || !hasLanded(day))

/** Reported, and not in the log yet. */
export function hasActual({ entry, status }: Day): boolean {
  const isNew = (actual: string | null, logged: number | null) =>
    actual !== null && Date.parse(actual) !== logged
  return isNew(status.departure.actual, entry.departs) || isNew(status.arrival.actual, entry.arrives)
}

// Shared by the readers of pilots' logbooks.
import type { Seat } from '../../../../domain/enums.ts'
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import type { SourceFlight, SourcePerson } from '../../reading/source.ts'
import { readDuration } from '../../values/times.ts'
import { durationIn } from './cells.ts'

/** Whether the cell has a time: `0`, `0.0` and `0:00` do not count. */
export const hasTime = (text: string): boolean => readDuration(text, 'hours') !== undefined

const TENTH_OF_HOUR = 360

/** Hours, rounded to tenths by pilots: `1.3`. */
export function totalTime(
  text: string,
  warnings: ImportWarning[],
): Pick<SourceFlight, 'duration' | 'durationStep'> {
  const duration = durationIn(text, 'hours', warnings)
  return duration !== null && /^\d+[.,]\d$/.test(text)
    ? { duration, durationStep: TENTH_OF_HOUR }
    : { duration }
}

/** The owner of the logbook was the pilot, unless there is only time as second in command. */
export const pilotSeat = (pic: string, sic: string): Seat =>
  hasTime(sic) && !hasTime(pic) ? 'copilot' : 'pilot'

/** Others on board, each once. */
export function named(name: string, seat?: Seat | undefined): SourcePerson[] {
  const plain = name.trim()
  return plain === '' ? [] : [{ who: { kind: 'named', name: plain }, ...(seat && { seat }) }]
}

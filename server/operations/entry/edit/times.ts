// The day and the times of an edited flight. Times are local to the airports: if the day or an airport changes, the
// local time stays.
import { invalidField } from '../../../base/errors.ts'
import { hasOwnDay, readTime, type TimeRead } from '../../../domain/entry/spoken-times.ts'
import type { AircraftClass, DatePrecision } from '../../../domain/enums.ts'
import { type FlightFields, type TimeField, timeFields } from '../../../domain/flights/fields.ts'
import { writtenDate } from '../../../domain/time/calendar.ts'
import { addDays, daysBetween, instantOf, localDate, localSecond } from '../../../domain/time/time.ts'
import { readTime as readTyped } from '../../../domain/time/typed-time.ts'
import type { StoredFlight } from '../../../store/flights/flights.ts'
import type { Airport } from '../../../store/reference/records.ts'
import { collected, type Words } from '../../reference/named.ts'
import { firstDayOf, precisionOf, readTimes } from '../fields.ts'
import type { EditFlight } from './input.ts'

export interface Ends {
  from: Airport | null
  to: Airport | null
}

type Times = Partial<Pick<FlightFields, TimeField>>
interface EditedTimes extends Times {
  date?: string
  datePrecision?: DatePrecision
}

/** The changes. `before` and `after` are the airports; `after` lacks rejected ones. */
export async function readEditedTimes(
  words: Words,
  said: EditFlight,
  stored: StoredFlight,
  ends: { before: Ends; after: Ends },
  aircraftClass: AircraftClass | null,
): Promise<EditedTimes> {
  if (said.date !== undefined && precisionOf(said.date) !== 'day') return vaguer(words, said, stored)
  const day = dayOf(said, stored, ends.after)
  const isVague = day === null
  const moved = isVague ? {} : movedTimes(words, { said, stored, day }, ends)
  const { from, to } = ends.after
  const read = await readTimes(
    words,
    {
      date: day ?? writtenDate(stored),
      departureTime:
        said.departureTime ?? (said.arrivalTime ? departureOn(day, stored, moved, from) : undefined),
      arrivalTime: said.arrivalTime ? arrivalText(said, stored, moved, to) : undefined,
    },
    from && to ? { from, to } : undefined,
    aircraftClass,
  )
  if (!(from && to)) requireNoClock(words, said)
  const isRead = [
    said.departureTime ? read.departure : undefined,
    said.arrivalTime ? read.arrival : undefined,
  ]
  words.warnings.push(...isRead.flatMap((time) => time?.warning ?? []))
  return {
    ...(day !== null && day !== stored.date && { date: day }),
    ...(said.date !== undefined && { date: said.date, datePrecision: 'day' as const }),
    ...(hasOwnDay(said.departureTime ?? '') && { datePrecision: 'day' as const }),
    ...moved,
    ...(said.departureTime !== undefined && { departure: read.departure?.dateTime ?? null }),
    ...(said.arrivalTime !== undefined && { arrival: read.arrival?.dateTime ?? null }),
  }
}

/** Without both airports, the times have no zone. */
function requireNoClock({ problems }: Words, { departureTime, arrivalTime }: EditFlight): void {
  if (departureTime || arrivalTime)
    problems.push(invalidField([departureTime ? 'departureTime' : 'arrivalTime'], 'airports_missing'))
}

/** The given day, or that of the departure, or the stored one; null if only the month or the year is known. */
function dayOf({ date, departureTime }: EditFlight, stored: StoredFlight, { from }: Ends): string | null {
  if (date !== undefined) return date
  if (departureTime && hasOwnDay(departureTime) && from)
    return readTime(departureTime, from.timezone, undefined)?.date ?? stored.date
  return stored.datePrecision === 'day' ? stored.date : null
}

/** If only the month or the year is known, there can be no times. They are emptied only if the person asks for it. */
async function vaguer(words: Words, said: EditFlight, stored: StoredFlight): Promise<EditedTimes> {
  await readTimes(
    words,
    {
      date: said.date,
      departureTime: said.departureTime ?? undefined,
      arrivalTime: said.arrivalTime ?? undefined,
    },
    undefined,
    null,
  )
  const keepsDeparture = stored.departure !== null && said.departureTime === undefined
  const keepsArrival = stored.arrival !== null && said.arrivalTime === undefined
  if (keepsDeparture || keepsArrival)
    await collected(words, () => {
      throw invalidField(['date'], 'date_too_vague_for_times')
    })
  const known = timeFields.filter((name) => stored[name] !== null)
  return {
    date: firstDayOf(said.date!),
    datePrecision: precisionOf(said.date!),
    ...Object.fromEntries(known.map((name) => [name, null])),
  }
}

/**
 * The times of the flight on another day, or at other airports. Empty if neither changes. Warns if the local time is
 * skipped or repeated on that day, unless a new time is given.
 */
function movedTimes(
  { warnings }: Words,
  { said, stored, day }: { said: EditFlight; stored: StoredFlight; day: string },
  { before, after }: { before: Ends; after: Ends },
): Times {
  const days = daysBetween(stored.date, day)
  const sides = { from: [before.from, after.from], to: [before.to, after.to] } as const
  const given: Partial<Record<TimeField, string | null | undefined>> = {
    departure: said.departureTime,
    arrival: said.arrivalTime,
  }
  return Object.fromEntries(
    timeFields.flatMap((name) => {
      const text = stored[name]
      const [was, is] = sides[isOfDeparture(name) ? 'from' : 'to']
      const isElsewhere = was !== null && is !== null && was.timezone !== is.timezone
      if (text === null || (days === 0 && !isElsewhere)) return []
      const { dateTime, warning } = movedTime(text, days, was?.timezone, (is ?? was)?.timezone)
      const isNew = warning && !warnings.some(({ message }) => message === warning.message)
      if (isNew && given[name] === undefined) warnings.push(warning)
      return [[name, dateTime]]
    }),
  )
}

const isOfDeparture = (name: TimeField): boolean => /^(departure|takeoff)/.test(name)

/** The same local time some days later, perhaps in another zone. Without a zone the offset stays. */
function movedTime(
  text: string,
  days: number,
  was: string | undefined,
  is: string | undefined,
): Pick<TimeRead, 'dateTime' | 'warning'> {
  if (was === undefined || is === undefined)
    return { dateTime: addDays(text.slice(0, 10), days) + text.slice(10), warning: undefined }
  const local = localSecond(instantOf(text), was)
  const clock = local.slice(11).replace(/:00$/, '')
  return readTime(`${addDays(local.slice(0, 10), days)}T${clock}`, is, undefined)!
}

/** The departure from which an arrival without a day is counted, if it is on the day of the flight. */
function departureOn(day: string | null, stored: StoredFlight, moved: Times, from: Airport | null) {
  const departure = moved.departure ?? stored.departure
  if (departure === null || from === null) return undefined
  return localDate(instantOf(departure), from.timezone) === day ? departure : undefined
}

/** Without a departure to count from, an arrival time without a date keeps the date of the stored arrival. */
function arrivalText(said: EditFlight, stored: StoredFlight, moved: Times, to: Airport | null): string {
  const text = said.arrivalTime!
  const arrival = moved.arrival ?? stored.arrival
  const hasDeparture = said.departureTime || (said.departureTime === undefined && stored.departure !== null)
  if (hasOwnDay(text) || hasDeparture || arrival === null || to === null) return text
  const typed = readTyped(text, { allowDayShift: true })
  if (!typed.ok || typed.dayShift !== null) return text
  return `${localDate(instantOf(arrival), to.timezone)}T${typed.time}`
}

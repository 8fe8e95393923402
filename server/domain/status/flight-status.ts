// The status of a flight as the API returns it and as browsers compute it, which import only its types.
import * as z from 'zod'
import { RowId } from '../row-id.ts'

const phases = ['scheduled', 'boarding', 'departed', 'landed', 'cancelled', 'diverted', 'unknown'] as const
export type Phase = (typeof phases)[number]

/** Who says what a status says, best first. */
const statusSources = ['pass', 'provider', 'times'] as const

const timestamp = (about: string) => z.string().describe(about).meta({ format: 'date-time' })
const time = z.string().nullable().meta({ format: 'date-time' })
const movement = {
  scheduled: time.describe(
    'As planned: the scheduled time, else the time that was logged before the flight.',
  ),
  estimated: time.describe('As expected now; null if that is not known, or no other than planned.'),
  actual: time,
  delaySeconds: z.int().nullable().describe('Negative if it is early; null if it is not known.'),
  terminal: z.string().nullable(),
  gate: z.string().nullable(),
}
const Movement = z.object(movement)
export type Movement = z.output<typeof Movement>
const source = z.enum(statusSources)

export const FlightStatus = z
  .object({
    flightId: RowId,
    phase: z
      .enum(phases)
      .describe(
        '`departed`: off the gate or in the air. `unknown`: it should have landed by the timetable, but no source says that it has.',
      ),
    phaseIsEstimated: z.boolean().describe('By the timetable alone.'),
    departure: z.object({ ...movement, boarding: time.describe('When boarding begins.') }),
    arrival: Movement,
    aircraftReg: z.string().nullable(),
    position: z
      .object({
        latitude: z.number(),
        longitude: z.number(),
        altitudeFt: z.number().nullable(),
        at: timestamp('When it was there.'),
        source: z.literal('estimate').describe('On the shortest way, by the time that has passed.'),
      })
      .nullable()
      .describe('While it flies.'),
    progress: z.number().nullable().describe('From 0 to 1 while it flies.'),
    landsInSeconds: z.int().nullable().describe('While it flies.'),
    suggestions: z.array(
      z.object({
        field: z.string(),
        from: z.string().nullable(),
        to: z.string(),
        source,
        at: timestamp('When it was reported.'),
      }),
    ),
    sources: z.array(
      z.object({
        source: source.describe('`times`: computed from the times of the flight.'),
        checkedAt: timestamp('When it was last asked.'),
        changedAt: timestamp('When it last said something new.'),
        problem: z.string().nullable(),
      }),
    ),
    updatedAt: timestamp('When the status last changed.'),
  })
  .meta({ id: 'FlightStatus' })
export type FlightStatus = z.output<typeof FlightStatus>

// Which values an undo of a change, or of the import it belongs to, restores: those that are still as the change left them.
// Values that were changed since stay, and so do values that depend on them. No I/O.

import type { FlightFields } from '../flights/fields.ts'
import { derivedDuration, followsTimes } from '../flights/flight.ts'
import { alike, type FlightEdit, type KeptPassenger } from './edits.ts'
import {
  type ComparedPart,
  changesClock,
  comparedParts,
  onlyParts,
  type StateNow,
  withDependents,
} from './parts.ts'

export interface PutBack {
  /** The parts that differ from before the change. */
  parts: ComparedPart[]
  /** Those of `parts` that were changed since. */
  changed: ComparedPart[]
  /** Names of the parts that stay. */
  left: string[]
  /** The change without the parts that stay. */
  free: FlightEdit
  /** The fields to restore. */
  fields: Partial<FlightFields>
  /** All passengers after the undo. */
  passengers: KeptPassenger[]
}

/** `isOpposed`: whether a part stays although it is still as the change left it. */
export function putBack(
  edit: FlightEdit,
  now: StateNow,
  isOpposed: (part: ComparedPart) => boolean = () => false,
): PutBack {
  const parts = comparedParts(edit, now).filter(({ isAsBefore }) => !isAsBefore)
  const changed = parts.filter((part) => !part.isAsWritten || isOpposed(part))
  const staying = withDependents(
    changed.map(({ name }) => name),
    edit,
  )
  const [left, wanted] = [new Set<string>(), new Set<string>()]
  for (const { name } of parts) (staying.has(name) ? left : wanted).add(name)
  const free = onlyParts(edit, wanted, now)
  return {
    parts,
    changed,
    left: [...left],
    free,
    fields: fieldsBefore(now, free),
    passengers: passengersBefore(now.passengers, free),
  }
}

function fieldsBefore(now: StateNow, free: FlightEdit): Partial<FlightFields> {
  const changes = free.fields ?? {}
  const fields: Partial<FlightFields> = Object.fromEntries(
    Object.entries(changes).map(([name, [was]]) => [name, was]),
  )
  const written = changes.duration
  if (written && alike(written[1], now.duration)) return fields
  if (!changesClock(Object.keys(changes)) || !followsTimes(now)) return fields
  return { ...fields, duration: derivedDuration({ ...now, ...fields, duration: null }) }
}

function passengersBefore(now: StateNow['passengers'], { passengers = [] }: FlightEdit): KeptPassenger[] {
  if (passengers.length === 0) return [...now]
  const changed = new Map(passengers.map(([was, became]) => [(was ?? became)!.id, was]))
  const present = now.map(({ id }) => id)
  return [
    ...now.flatMap((passenger): KeptPassenger[] => {
      const was = changed.get(passenger.id)
      return was === undefined ? [passenger] : was === null ? [] : [was]
    }),
    ...[...changed.values()].flatMap((was) => (was && !present.includes(was.id) ? [was] : [])),
  ]
}

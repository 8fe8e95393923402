// The person's options for reading a file: merged with earlier ones, and checked.
import type * as z from 'zod'
import { invalidField } from '../../base/errors.ts'
import type { Scope } from '../../domain/access/access.ts'
import type { ImportOptions } from '../../domain/imports/imports.ts'
import { timeZoneNamed } from '../../domain/time/time.ts'
import { type Call, credentialWith } from '../../door/operation.ts'
import { type Principal, requireScope } from '../../services/access/principal.ts'
import { existingPeople } from '../../store/people/people.ts'
import type { OptionsInput } from './schema.ts'

/** Some options import other people's flights. */
const wider: Scope[] = ['flight.import.any', 'users.directory.read']
/** For operations that accept options. */
export const importAccess = credentialWith(['flight.import.own'], wider)

type GivenOptions = z.output<typeof OptionsInput>

/** Without the members that are null or absent. */
export const withoutNulls = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Given]?: NonNullable<Given[Name]>
  }

export const merged = (before: ImportOptions, given: GivenOptions): ImportOptions =>
  withoutNulls({ ...before, ...given })

/** Other people's flights need a wider scope, and the people named must exist. */
export async function requireOptions(
  { principal, db }: Pick<Call, 'principal' | 'db'>,
  { mode, users, timezoneHint }: GivenOptions,
): Promise<void> {
  const people = Object.values(users ?? {}).flatMap((id) => id ?? [])
  if (mode === 'restore' || people.some((id) => id !== principal.user.id)) requireWider(principal)
  if (timezoneHint && !timeZoneNamed(timezoneHint))
    throw invalidField(['options', 'timezoneHint'], 'unknown_time_zone')
  const known = await existingPeople(db, people)
  for (const [account, id] of Object.entries(users ?? {})) {
    if (id !== null && !known.has(id)) throw invalidField(['options', 'users', account], 'no_such_user')
  }
}

function requireWider(principal: Principal): void {
  const needed: Scope[] = ['flight.import.own', ...wider]
  for (const scope of wider) requireScope(principal, scope, needed)
}

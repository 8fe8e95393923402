// From a name to the person on this instance that it means.
import { findPersonByUsername, type Person } from '../store/people.ts'
import type { Executor } from '../store/store.ts'
import { foundOrUnknown, type Resolution } from './resolution.ts'

/** By user name, ignoring case. */
export const resolvePerson = async (db: Executor, username: string): Promise<Resolution<Person>> =>
  foundOrUnknown(await findPersonByUsername(db, username))

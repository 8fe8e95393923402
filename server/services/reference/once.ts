// A value that is read on first use and kept.
import { type Executor, onceCommitted } from '../../store/store.ts'

/** Reads a value on first use; a failed attempt is not cached. */
export function once<Name extends string, Place extends { [Key in Name]?: Promise<unknown> | undefined }>(
  db: Executor,
  here: Place,
  name: Name,
  read: () => NonNullable<Place[Name]>,
): NonNullable<Place[Name]> {
  const kept = here[name]
  if (kept) return kept
  const reading = read()
  const keep = () => {
    here[name] = reading
  }
  if (db.afterCommit) reading.then(() => onceCommitted(db, keep)).catch(() => undefined)
  else {
    keep()
    reading.catch(() => delete here[name])
  }
  return reading
}

// Variables of the environment that look like a setting and are not: the server ignores them, and the person who set them
// does not notice. Most variables belong to other programs, so a name must be very close to count.
import { editsBetween } from '../domain/text/spelling.ts'
import { secretSettings, settings } from './config.ts'

/** Shorter names, such as HOST, are close to too many others. */
const SHORTEST = 6
const EDITS_AT_MOST = 2

const names = Object.keys(settings.shape)
const known = new Set([...names, ...secretSettings.map((name) => `${name}_FILE`)])
const long = [...known].filter((name) => name.length >= SHORTEST)

/** One sentence for each, which never contains a value. */
export function misspeltSettings(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment)
    .filter((name) => environment[name] && !known.has(name))
    .sort()
    .flatMap((name) => {
      const meant = meantBy(name)
      return meant === undefined ? [] : [`${name} is not a setting (did you mean ${meant}?)`]
    })
}

function meantBy(given: string): string | undefined {
  // Only secrets can be read from files.
  const withoutFile = given.replace(/_FILE$/, '')
  if (withoutFile !== given && names.includes(withoutFile)) return withoutFile
  const upper = given.toUpperCase()
  const [nearest] = long
    .filter((name) => Math.abs(name.length - upper.length) <= EDITS_AT_MOST)
    .map((name) => ({ name, edits: editsBetween(name, upper) }))
    .filter(({ edits }) => edits <= EDITS_AT_MOST)
    .sort((a, b) => a.edits - b.edits)
  return nearest?.name
}

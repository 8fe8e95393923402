// Finds the text in a result that people wrote: notes, names, custom fields, contents of files. An assistant must report such
// text and never follow it, so each result lists the members that contain it (`data[].note`), if there are any.
type Json = Record<string, unknown>

/** Members that people write, at any depth. */
const written = new Set([
  'note',
  'guestName',
  'displayName',
  'deletedBy',
  'with',
  'people',
  'customFields',
  'externalIds',
  'filename',
  'raw',
  'slug',
  'sourceName',
  'app',
])

/** Members that are usually short codes but may hold any text. */
const codes = new Set([
  'number',
  'flightNumber',
  'operatingFlightNumber',
  'aircraftReg',
  'registration',
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'seat',
  'seatNumber',
  'bookingReference',
  'key',
])
const isCode = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 14 && value.split(' ').length <= 2

/** Our own texts, which may quote people. */
const sentences = new Set(['message', 'reason', 'url'])
const quoting = /[“"][^”"]{15,}[”"]/
const quotes = (value: unknown, texts: readonly string[]): boolean =>
  typeof value === 'string' &&
  (quoting.test(value) || texts.some((text) => isLong(text) && value.includes(text)))
const isLong = (text: string): boolean => text.length >= 6

/** Warnings about people. Errors write people as `Grace Hopper (@grace)` or `Grace (guest)`. */
const peopleWarnings = new Set<unknown>(['guest_added', 'person_by_name', 'may_also_mean'])
const namingPeople = /\(@[^\s)]+\)|\(guest\)|the people you may see|On this flight there is no/
const namesPeople = ({ code }: Json, value: unknown): boolean =>
  peopleWarnings.has(code) || (typeof value === 'string' && namingPeople.test(value))

/** Members of the definition of a custom field. */
const definition = new Set(['label', 'description', 'options', 'defaultValue'])

/** Facts that cannot be read from the result itself. */
interface Known {
  /** Paths that the tool declares. */
  declared: readonly string[]
  /** Lines with the city of an airport that was added on this instance. */
  withCustom: ReadonlySet<unknown>
  /** Names of records that were added on this instance. */
  customNames: readonly string[]
}

/** The paths of text from people in a result, in its order. */
export function userTextIn(result: Json, { declared, withCustom, customNames }: Known): string[] {
  const found = new Set<string>()
  const texts = new Set<string>()
  const look = (isMarked: (owner: Json, name: string, value: unknown) => boolean) =>
    visit(result, '', (owner, name, value, at) => {
      if (!isMarked(owner, name, value)) return false
      found.add(at)
      for (const text of [value].flat()) if (typeof text === 'string') texts.add(text)
      return true
    })
  look(
    (owner, name, value) =>
      (name === 'cities' && withCustom.has(owner)) ||
      isWritten(owner, name, value) ||
      namesAny(customNames, value),
  )
  look(
    (owner, name, value) => sentences.has(name) && (quotes(value, [...texts]) || namesPeople(owner, value)),
  )
  for (const path of declared) if (occurs(result, path.split('.'))) found.add(path)
  // Paths inside a listed member are not listed again.
  const all = [...found]
  return all.filter((path) => !all.some((outer) => isInside(path, outer)))
}

/** A short name counts only as the whole value or right after its code. */
const namesAny = (names: readonly string[], value: unknown): boolean =>
  names.length > 0 &&
  [value]
    .flat(2)
    .some(
      (text) =>
        typeof text === 'string' &&
        names.some(
          (name) => text === name || text.endsWith(` ${name}`) || (isLong(name) && text.includes(name)),
        ),
    )

const isInside = (path: string, outer: string): boolean =>
  path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)

/** Checks one member; returns true if its contents need not be checked. */
type Look = (owner: Json, name: string, value: unknown, at: string) => boolean

function visit(value: unknown, path: string, look: Look): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, `${path}[]`, look)
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const at = path === '' ? name : `${path}.${name}`
      if (!isBlank(inner) && !look(value, name, inner, at)) visit(inner, at, look)
    }
  }
}

function isWritten(owner: Json, name: string, value: unknown): boolean {
  if (written.has(name)) return true
  if (codes.has(name)) return typeof value === 'string' && !isCode(value)
  if ('fieldType' in owner) return definition.has(name)
  if (name === 'municipality') return owner['custom'] === true
  if (name === 'value') return 'field' in owner && 'code' in owner
  // Airports, airlines and aircraft types have names of their own.
  return name === 'name' && typeof value === 'string' && (!isRecord(owner) || owner['custom'] === true)
}

const isRecord = (owner: Json): boolean => 'icao' in owner || 'code' in owner || isGroupOfRecords(owner)

/** A total of anything but people, who have a string id or, as guests, only a name. */
const isGroupOfRecords = ({ key, id, name }: Json): boolean =>
  typeof key === 'string' && typeof id !== 'string' && key !== name

/** Whether there is a value at a path such as `data.rows[].draft`. */
function occurs(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return !isBlank(value)
  if (!isObject(value)) return false
  const inner = value[step.replace('[]', '')]
  if (!step.endsWith('[]')) return occurs(inner, rest)
  return Array.isArray(inner) && inner.some((item) => occurs(item, rest))
}

const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

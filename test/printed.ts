// Responses as the documentation prints them: … stands for any value, for further fields or items, or for any part of a text.
const ELLIPSIS = '…'

/** Where the actual value differs from the printed one, or undefined. */
export function difference(printed: unknown, actual: unknown, path = 'response'): string | undefined {
  if (printed === ELLIPSIS) return undefined
  if (Array.isArray(printed) && Array.isArray(actual)) {
    const items = printed.at(-1) === ELLIPSIS ? printed.slice(0, -1) : printed
    const hasAll =
      items.length === printed.length ? actual.length === items.length : actual.length >= items.length
    if (!hasAll) return `${path} has ${actual.length} items`
    return items.map((item, i) => difference(item, actual[i], `${path}[${i}]`)).find((found) => found)
  }
  if (isObject(printed) && isObject(actual)) {
    const { [ELLIPSIS]: more, ...fields } = printed
    const unprinted = Object.keys(actual).filter((name) => !(name in fields))
    if (more === undefined && unprinted.length > 0) return `${path} also has ${unprinted.join(', ')}`
    return Object.entries(fields)
      .map(([name, value]) => difference(value, actual[name], `${path}.${name}`))
      .find((found) => found)
  }
  return isSame(printed, actual) ? undefined : `${path} is ${JSON.stringify(actual)}`
}

function isSame(printed: unknown, actual: unknown): boolean {
  if (typeof printed !== 'string' || typeof actual !== 'string') return Object.is(printed, actual)
  const parts = printed.split(ELLIPSIS).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(actual)
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The flights behind a figure: the filters of the page combined with those of the figure. */

import { alsoOf, type Filters, manyOfFlight } from '../log/filters.ts'

const later = (a: string, b: string) => (a > b ? a : b)
const earlier = (a: string, b: string) => (!a || !b ? a || b : a < b ? a : b)

/**
 * Flights that match both. Where a flight has one value, such as its year, the figure has one of the values that the page
 * shows. For airports or people it may be another value than the page is filtered by, and both must match.
 */
export function narrowed(page: Filters, figure: Partial<Filters>): Filters {
  const both: Filters = { ...page, ...figure, also: [...page.also] }
  for (const name of manyOfFlight) {
    const [given, added]: [(string | number)[], (string | number)[]] = [page[name], figure[name] ?? []]
    if (given.length === 0 || added.length === 0 || added.every((value) => given.includes(value))) continue
    Object.assign(both, { [name]: given })
    both.also.push(...added.map((value) => alsoOf(name, value)).filter((value) => !page.also.includes(value)))
  }
  both.without = [...new Set([...page.without, ...(figure.without ?? [])])]
  if (figure.after) both.after = later(page.after, figure.after)
  if (figure.before) both.before = earlier(page.before, figure.before)
  return both
}

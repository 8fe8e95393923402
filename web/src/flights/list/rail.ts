/** The rail of years: which ones are labelled, how long their bars are, and which one is at a given height. */

export interface RailYear {
  year: number
  count: number
}

const NAMED_AT_MOST = 40
const EACH = 5

/** Whether a year is labelled: all of them if there are few, every fifth if there are many or there is little room. */
export function isNamed(year: number, years: number, roomForAll: boolean): boolean {
  return (roomForAll && years <= NAMED_AT_MOST) || year % EACH === 0
}

/** From a dot to the full width, by square root, so that a year of a few flights is visible next to one of hundreds. */
export function barLength(count: number, most: number, longest: number): number {
  const shortest = 3
  if (most <= 0 || count <= 0) return shortest
  return shortest + (longest - shortest) * Math.sqrt(count / most)
}

/** Index of the year at a height of the rail, which all years share equally. */
export function yearAt(y: number, height: number, years: number): number {
  if (height <= 0) return 0
  return Math.max(0, Math.min(years - 1, Math.floor((y / height) * years)))
}

// Type-ahead search over tens of thousands of names in a few megabytes: all rows are one long folded text, most
// important first, and each kind of match is one pass of `indexOf` over it. Few thousand microseconds at worst, and
// the same on every engine.

export interface SearchIndex {
  /** Ids of the best matches, best first. The query is folded already. */
  find(query: string, limit: number): number[]
}

/** Marks in the text: `^code^` current, `~code~` former, `|` before a name, blank before a word. */
export function searchText(parts: {
  codes: readonly (string | null)[]
  formerCodes?: readonly string[]
  names: readonly (string | null)[]
}): string {
  const codes = wrap('^', parts.codes)
  const former = wrap('~', parts.formerCodes ?? [])
  const names = parts.names.filter((name) => name).map((name) => `|${clean(name!)}`)
  return `${codes}${former}${names.join('')}`
}

export function createSearchIndex(rows: readonly { id: number; search: string }[]): SearchIndex {
  const ids = Int32Array.from(rows, (row) => row.id)
  const starts = new Int32Array(rows.length + 1)
  let length = 0
  for (const [i, row] of rows.entries()) {
    starts[i] = length
    length += row.search.length + 1
  }
  starts[rows.length] = length
  const text = flat(rows.map((row) => `${row.search}\n`).join(''))

  const rowAt = (offset: number): number => {
    let [low, high] = [0, rows.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Adds rows that contain the pattern, in order of importance, until there are enough. */
  function collect(
    found: Set<number>,
    pattern: string,
    limit: number,
    also?: (row: string) => boolean,
  ): void {
    let offset = text.indexOf(pattern)
    while (offset !== -1 && found.size < limit) {
      const row = rowAt(offset)
      if (!also || also(text.slice(starts[row], starts[row + 1]))) found.add(ids[row]!)
      offset = text.indexOf(pattern, starts[row + 1])
    }
  }

  return {
    find(query, limit) {
      const wanted = clean(query)
      if (!wanted) return []
      const found = new Set<number>()
      for (const pattern of [`^${wanted}^`, `~${wanted}~`, `|${wanted}`, ` ${wanted}`]) {
        collect(found, pattern, limit)
      }
      const words = wanted.split(' ').sort((a, b) => b.length - a.length)
      if (words.length > 1) {
        collect(found, words[0]!, limit, (row) =>
          words.every((word) => row.includes(` ${word}`) || row.includes(`|${word}`)),
        )
        collect(found, words[0]!, limit, (row) => words.every((word) => row.includes(word)))
      }
      if (wanted.length > 1)
        collect(found, wanted, limit, (row) => row.indexOf(wanted, row.indexOf('|')) !== -1)
      return [...found]
    },
  }
}

/** Marks and line ends cannot be part of what is searched for. */
const clean = (text: string) =>
  text
    .replace(/[\^~|\n]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()

const wrap = (mark: string, codes: readonly (string | null)[]) => {
  const list = codes.filter((code) => code).map((code) => clean(code!.toLowerCase()))
  return list.length ? `${mark}${list.join(mark)}${mark}` : ''
}

/** Joined strings are trees inside; one pass through a buffer makes a flat one, a byte per letter where it can. */
function flat(text: string): string {
  const bytes = Buffer.from(text, 'latin1').toString('latin1')
  return bytes === text ? bytes : text
}

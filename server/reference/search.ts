// Type-ahead search over tens of thousands of names: all rows are one long folded text outside the JavaScript heap,
// most important first, and each kind of match is one pass over it that stops when it has enough. Takes about a
// millisecond, with the same results on both engines.

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

/** Each text holds lines of an id followed by `searchText`, the most important first. */
export async function createSearchIndex(texts: AsyncIterable<string>): Promise<SearchIndex> {
  const parts: Buffer[] = []
  for await (const text of texts) parts.push(Buffer.from(`${text}\n`))
  const text = Buffer.concat(parts)
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  const ids = Int32Array.from({ length: starts.length - 1 }, (_, row) =>
    Number.parseInt(text.toString('latin1', starts[row], starts[row]! + ID_DIGITS_AT_MOST), 10),
  )
  return searchIn(text, ids, Int32Array.from(starts))
}

const ID_DIGITS_AT_MOST = 10

function searchIn(text: Buffer, ids: Int32Array, starts: Int32Array): SearchIndex {
  const rowAt = (offset: number): number => {
    let [low, high] = [0, ids.length - 1]
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
    begin: number,
    limit: number,
    also?: (row: string, id: number) => boolean,
  ): void {
    const needle = Buffer.from(pattern)
    let offset = text.indexOf(needle, begin)
    while (offset !== -1 && found.size < limit) {
      const row = rowAt(offset)
      const id = ids[row]!
      if (!also || also(text.toString('utf8', starts[row], starts[row + 1]), id)) found.add(id)
      offset = text.indexOf(needle, starts[row + 1])
    }
  }

  return {
    find(query, limit) {
      const wanted = clean(query)
      if (!wanted) return []
      const words = wanted.split(' ').sort((a, b) => b.length - a.length)
      // Whatever matches contains the longest word: most mistyped queries end here, after one pass.
      const first = text.indexOf(words[0]!)
      if (first === -1) return []
      const begin = starts[rowAt(first)]!
      const found = new Set<number>()
      for (const pattern of [`^${wanted}^`, `~${wanted}~`, `|${wanted}`, ` ${wanted}`]) {
        collect(found, pattern, begin, limit)
      }
      if (words.length > 1) {
        const startsWord = (row: string, word: string) => row.includes(` ${word}`) || row.includes(`|${word}`)
        const inside = new Set<number>()
        collect(found, words[0]!, begin, limit, (row, id) => {
          if (!words.every((word) => row.includes(word))) return false
          if (words.every((word) => startsWord(row, word))) return true
          inside.add(id)
          return false
        })
        for (const id of inside) if (found.size < limit) found.add(id)
      }
      // Neither a single letter inside a word nor a part of a code counts as a match.
      if (wanted.length > 1)
        collect(found, wanted, begin, limit, (row) => row.indexOf(wanted, row.indexOf('|')) !== -1)
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

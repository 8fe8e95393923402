// Readers of spans: the possible meanings of one or more adjacent words.
import type { Candidate, Search } from './candidate.ts'

type Read = (search: Search, first: number, end: number) => Omit<Candidate, 'first' | 'end'> | null

/** All readings of the spans that begin here, up to a number of atoms. */
export const spans =
  (longest: number, read: Read) =>
  (search: Search, first: number): Candidate[] => {
    const { atoms } = search.line
    const found: Candidate[] = []
    if (atoms[first]!.isSign) return found
    for (let end = first + 1; end <= Math.min(atoms.length, first + longest); end++) {
      if (atoms[end - 1]!.isSign) continue
      const candidate = read(search, first, end)
      if (candidate) found.push({ first, end, ...candidate })
    }
    return found
  }

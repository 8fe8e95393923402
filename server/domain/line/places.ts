// Airports in a line, by code, city or name. A word that names several means the one that the person flies to most, then the
// one at home, then the largest; the others are its alternatives.
import { searchFold } from '../search-text.ts'
import { between } from './atoms.ts'
import { type Candidate, type Search, WORD } from './candidate.ts'
import { byCodeOn } from './data.ts'
import type { LineMemory } from './memory.ts'
import type { LineAirport } from './types.ts'
import { commonWords, fromWords, toWords } from './words.ts'

/** Signs inside a name: `Frankfurt (Main)`, `Rhein-Main`. */
const LONGEST = 8

export function airportsAt(search: Search, first: number): Candidate[] {
  const { atoms } = search.line
  const { plain } = atoms[first]!
  const slot = fromWords.has(plain) ? 'from' : toWords.has(plain) ? 'to' : 'airport'
  const found = unplaced(search, first, first, 'airport')
  return slot === 'airport' || !atoms[first + 1] ? found : [...found, ...unplaced(search, first, first + 1, slot)]
}

/** Names that begin at `start`, as a candidate that begins at `first`, where the word before it says which end it is. */
function unplaced(search: Search, first: number, start: number, slot: 'airport' | 'from' | 'to'): Candidate[] {
  const { line, known } = search
  if (line.atoms[start]!.isSign) return []
  const most = Math.min(line.atoms.length, start + LONGEST)
  const found: Candidate[] = []
  for (let end = start + 1; end <= most; end++) {
    if (line.atoms[end - 1]!.isSign) continue
    const text = between(line, start, end)
    const { airports, score, isCode } = meant(search, text, slot !== 'airport')
    const [best, ...others] = ranked(airports, known.memory)
    if (!best) continue
    const words = line.atoms.slice(start, end).filter(({ isSign }) => !isSign).length
    found.push({
      ...{ first, end, slot, kind: slot === 'to' ? 'to' : 'from' },
      sets: { fromId: best.id },
      others: others.map(({ id }) => ({ fromId: id })),
      score: score + WORD * (words - 1) + (slot === 'airport' ? 0 : WORD),
      ...(isCode ? { isCode } : {}),
    })
  }
  return found
}

interface Meant {
  isCode?: boolean
  airports: readonly LineAirport[]
  score: number
}

function meant({ known, day }: Search, text: string, isPlaced: boolean): Meant {
  const { airports } = known.reference
  const code = text.toUpperCase()
  const isCommon = commonWords.has(text) && !isPlaced
  if (/^[A-Z]{3}$|^[A-Z][A-Z0-9]{3}$/.test(code)) {
    const held = byCodeOn(airports, code, day)
    const city = (airports.cities.get(code) ?? []).flatMap(({ id }) => airports.byId.get(id) ?? [])
    const [first] = held
    const named = airports.byName.get(searchFold(text)) ?? []
    // Bali, Riga, Rome: a city of four letters is meant more often than a code.
    if (first && !(code.length === 4 && named.length > 0)) return coded(held, city, code, isCommon)
    if (!first && city.length > 0) return { airports: city, score: isCommon ? COMMON : 9 }
  }
  const folded = searchFold(text)
  const found = folded.length < 3 ? [] : (airports.byName.get(folded) ?? [])
  return { airports: found, score: isCommon ? COMMON : nameScore(folded, found) }
}

/** Below what an unknown word costs: it stays one. */
const COMMON = -6

/** The one that has the code first, whatever the log says; then those of the city. */
const coded = (held: readonly LineAirport[], city: readonly LineAirport[], code: string, isCommon: boolean): Meant => ({
  airports: [...new Set([held[0]!, ...held, ...city])].map((airport, i) => (i === 0 ? { ...airport, size: CERTAIN } : airport)),
  score: isCommon ? COMMON : code.length === 4 ? 8 : 9,
  isCode: true,
})
const CERTAIN = 1000

/** A small place whose name is a word of everyday speech is not meant by it. */
const nameScore = (folded: string, found: readonly LineAirport[]): number =>
  (folded.length >= 5 ? 10 : 9) - ((found[0]?.size ?? 0) < 40 ? 3 : 0)

/** By the log, home, and size. A code is certain. */
function ranked(airports: readonly LineAirport[], { airports: visits, homeId }: LineMemory): LineAirport[] {
  const weight = ({ id, size }: LineAirport) =>
    (size === CERTAIN ? 1e9 : 0) + (visits.get(id) ?? 0) * 1000 + (id === homeId ? 500 : 0) + size
  return airports.toSorted((a, b) => weight(b) - weight(a) || a.id - b.id)
}

// A line as atoms: words, and the signs between them. Spans of atoms are what candidates are made of.

export interface Atom {
  start: number
  end: number
  text: string
  /** Lower case, without accents; for comparing with words. */
  plain: string
  isSign: boolean
}

/** Signs that stand between words. A dot belongs to the word before it only after a digit (`3.`) or inside one (`8.25`). */
const pattern = /->|<-|[→←⇒➔>,;()[\]{}"„“”«»!?|/\\–—−‐-]|[^\s→←⇒➔>,;()[\]{}"„“”«»!?|/\\–—−‐-]+/gu

export function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = []
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const word = withoutEnd(found)
    atoms.push(atom(word, index))
    for (let i = word.length; i < found.length; i++) atoms.push(atom(found[i]!, index + i))
  }
  return atoms
}

/** Without the signs at the end that are not part of the word: `Paris.`, `0825:`. */
function withoutEnd(word: string): string {
  const [kept] = /^.*?(?=[.:]*$)/u.exec(word)!
  if (kept === '') return word.slice(0, 1)
  return /\d$/.test(kept) && word[kept.length] === '.' ? word.slice(0, kept.length + 1) : kept
}

const atom = (text: string, start: number): Atom => ({
  start,
  end: start + text.length,
  text,
  plain: plainOf(text),
  isSign: !/[\p{L}\p{N}&+]/u.test(text),
})

/** As words are compared here: `für` and `fur`, `Übermorgen` and `ubermorgen`, but not `fuer`. */
export const plainOf = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('’', "'")

/** A line with its atoms. */
export interface Line {
  text: string
  atoms: readonly Atom[]
}

/** What was typed from one atom up to, not including, another. */
export const between = ({ text, atoms }: Line, first: number, end: number): string =>
  text.slice(atoms[first]!.start, atoms[end - 1]!.end)

/** The words of a span, joined by single blanks, with no blank around signs that touch them. */
export const plainBetween = (line: Line, first: number, end: number): string =>
  plainOf(between(line, first, end)).replaceAll(/\s+/g, ' ')

/** A part of something longer that is joined by signs: the year of `2026-02-30`. */
export function isInside({ atoms }: Line, first: number, end: number): boolean {
  const touches = (a: number, b: number) => atoms[a] && atoms[b] && atoms[a].end === atoms[b].start
  const [before, after] = [atoms[first - 1], atoms[end]]
  const isDash = (sign: string | undefined) => sign !== undefined && /^[-/–]$/.test(sign)
  return !!(
    (isDash(before?.text) && touches(first - 1, first)) ||
    (isDash(after?.text) && touches(end - 1, end))
  )
}

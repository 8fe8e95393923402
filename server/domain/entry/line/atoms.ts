// Splits a line into atoms: words, and the signs between them. Candidates are spans of atoms.
import { plain } from '../../text/fold.ts'

export interface Atom {
  start: number
  end: number
  text: string
  /** For comparison with words: `für` and `fur`, `Übermorgen` and `ubermorgen`, but not `fuer`. */
  plain: string
  isSign: boolean
}

/**
 * Signs between words. A dot belongs to the word before it only after a digit (`3.`) or inside a word (`8.25`). `w/` and `w/o`
 * are words.
 */
const pattern =
  /(?<![\p{L}\p{N}])[wW]\/(?:o(?![\p{L}\p{N}]))?|->|<-|[→←⇒➔>,;()[\]{}"„“”«»!?|/\\–—−‐-]|[^\s→←⇒➔>,;()[\]{}"„“”«»!?|/\\–—−‐-]+/gu

export function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = []
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const word = withoutEnd(found)
    atoms.push(atom(word, index))
    for (let i = word.length; i < found.length; i++) atoms.push(atom(found[i]!, index + i))
  }
  return atoms
}

/** Without trailing signs that are not part of the word: `Paris.`, `0825:`. */
function withoutEnd(word: string): string {
  const [kept] = /^.*?(?=[.:]*$)/u.exec(word)!
  if (kept === '') return word.slice(0, 1)
  return /\d$/.test(kept) && word[kept.length] === '.' ? word.slice(0, kept.length + 1) : kept
}

const atom = (text: string, start: number): Atom => ({
  start,
  end: start + text.length,
  text,
  plain: plain(text),
  isSign: !/[\p{L}\p{N}&+]/u.test(text),
})

/** A line with its atoms. */
export interface Line {
  text: string
  atoms: readonly Atom[]
}

/** The typed text from one atom up to, not including, another. */
export const between = ({ text, atoms }: Line, first: number, end: number): string =>
  text.slice(atoms[first]!.start, atoms[end - 1]!.end)

/** The words of a span, joined by single blanks, but without blanks around signs that touch them. */
export const plainBetween = (line: Line, first: number, end: number): string =>
  plain(between(line, first, end)).replaceAll(/\s+/g, ' ')

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

// Finds the airport, airline or aircraft type that a text means on the days of a flight, for fields, filters, imports and the
// previous API: by its codes (by-code.ts) or by its name (by-name.ts). Pure: the data come from an index, which the server fills for
// all texts of a request or a file.

import { isHolderThen, ofAirline } from './airline-choice.ts'
import { agreed, ofCode } from './by-code.ts'
import { byImportance, havingName, ofName, ofWholeName } from './by-name.ts'
import { SERVED } from './place-choice.ts'
import {
  type Coded,
  type Holders,
  type How,
  type Index,
  isAddedHere,
  type Place,
  type RecordKind,
  type Resolution,
  rules,
  spellingsOf,
} from './resolution.ts'

// The entry point

/** `name`: only whole names. `text`: what people write, a code or a name; a similar name is ambiguous. */
interface Strictly extends How {
  strictness: 'name' | 'text'
}

/** For codes alone there is `ofCode`, which needs less of an index. */
export const resolve = <Item extends Coded>(
  index: Index<Item>,
  text: string,
  how: Strictly,
): Resolution<Item> => {
  const meaningOf = (spelling: string) =>
    how.strictness === 'name'
      ? ofWholeName(index.byName(spelling), spelling, how)
      : ofText(index, spelling, how)
  const [written, ...others] = spellingsOf(text, how.kind)
  const meaning = meaningOf(written!)
  if (meaning.outcome === 'found') return meaning
  return others.map(meaningOf).find(({ outcome }) => outcome === 'found') ?? meaning
}

/** A code, or else a whole name; if several records have the name, the rules of the kind may choose one. */
function ofText<Item extends Coded>(index: Index<Item>, text: string, how: How): Resolution<Item> {
  const { codes, rest } = codesWithin(text, how.kind)
  if (codes.length > 0 && how.kind === 'airline') {
    const { meaning } = ofAirline(index, { codes, name: rest }, how)
    return meaning.outcome === 'found' ? { ...meaning, isByName: true } : meaning
  }
  if (codes.length > 0) return ofCodesAndName(index, codes, rest, how)
  const byCode = ofCode(index, text, how)
  const byName = () => ofName(index, text, how)
  if (byCode.outcome === 'unknown') return byName()
  if (!isWord(text)) return knownByName(index, { text, byCode, byName }, how) ?? byCode
  const { place } = index.byName(text)
  if (place) return ofCodeOrPlace(index, { text, place, byCode }, how)
  if (isInUse(index, byCode, how)) return orByName(index, { byCode, byName }, how)
  const meaning = byName()
  return meaning.outcome === 'unknown' ? withoutTaking(byCode) : meaning
}

/** Whether a text may be a name, so that the index must include it. */
export const mayBeName = (text: string, { periods }: Holders<unknown>, kind: RecordKind): boolean =>
  periods.length === 0 || isWord(text) || (kind === 'airline' && isShort(text))

/** What a search for the text may mean on any day: all holders of the code, or all records with the name if there are none. */
export function everyMeaning<Item extends Coded>(
  index: Index<Item>,
  text: string,
  kind: RecordKind,
  { isSearch }: { isSearch: boolean },
): readonly Item[] {
  const { codes, rest } = codesWithin(text, kind)
  if (codes.length > 0) {
    const holders = codes.map((code) => index.byCode(code).records)
    // A pair of codes of an airport also means what one of them meant before: OSL with ENGM was Fornebu until 1998.
    const common =
      kind === 'airport'
        ? []
        : holders[0]!.filter(({ id }) => holders.every((all) => all.some((other) => other.id === id)))
    const meant =
      common.length > 0 ? common : [...new Map(holders.flat().map((one) => [one.id, one])).values()]
    if (meant.length > 0 || rest === '') return meant
    return everyMeaning(index, rest, kind, { isSearch })
  }
  const { records } = index.byCode(text.toUpperCase())
  const named = index.byName(text)
  if (kind === 'airport') {
    const { all = [] } = named.place ?? {}
    const isName = isWord(text) && !isTyped(text) && all.length > 0
    return records.length > 0 && !isName ? byImportance(index, records).slice(0, HOLDERS_AT_MOST) : all
  }
  if (records.length > 0) return records
  const { matches, names, whole, beginning } = named
  if (kind === 'aircraft' && !isSearch) return whole.length > 0 ? whole : beginning
  if (kind === 'aircraft')
    return codeForm.test(text) || whole.length === 0 ? matches : whole.toSorted((a, b) => a.id - b.id)
  // “Lufthansa” is the airline with that name, not its subsidiaries.
  const same = whole.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (whole.length > 0) return same.length > 0 ? same : whole
  return havingName(matches, names, text, rules[kind].omitted)
}
const HOLDERS_AT_MOST = 20
const codeForm = /^[a-z0-9]{2,4}$/i

// Texts with codes and a name

interface CodesWithin {
  codes: readonly string[]
  rest: string
}

/**
 * `Copenhagen / Kastrup (CPH/EKCH)`, `CPH (Kastrup)`, `EKCH/CPH`, `CPH - Copenhagen/DK`: a place with its codes. `Swiss (LX/SWR)`: an
 * airline with its codes.
 */
export function codesWithin(text: string, kind: RecordKind): CodesWithin {
  const none = { codes: [], rest: '' }
  if (kind === 'aircraft' || text.length > LONGEST_WITH_CODE) return none
  if (kind === 'airline') {
    const [, name, written] =
      /^([^()]+)\(\s*([A-Z0-9]{2,3}\s*\/?\s*(?:[A-Z0-9]{2,3})?)\s*\)\s*$/.exec(text) ?? []
    const codes = written?.split('/').map((code) => code.trim()) ?? []
    return { codes: codes.filter((code) => code !== ''), rest: name?.trim() ?? '' }
  }
  const found =
    /^([^()]+)\(\s*([A-Z]{3,4}(?:\s*\/\s*[A-Z]{3,4})?)\s*\)\s*$/.exec(text) ??
    /^()([A-Z]{3,4}\s*\/\s*[A-Z]{3,4})$/.exec(text)
  const front = found ? null : /^([A-Z]{3,4})\s*(?:\(([^()]+)\)|[-–—]\s+(.+))$/.exec(text)
  if (found) return { codes: found[2]!.split('/').map((code) => code.trim()), rest: found[1]!.trim() }
  if (!front) return none
  return { codes: [front[1]!], rest: (front[2] ?? front[3]!).replace(/\/[A-Z]{2}$/, '').trim() }
}
const LONGEST_WITH_CODE = 200

/** The codes decide, unless the name next to them means another place. */
function ofCodesAndName<Item extends Coded>(
  index: Index<Item>,
  codes: readonly string[],
  rest: string,
  how: How,
): Resolution<Item> {
  const meaning = agreed(codes.map((code) => ofCode(index, code, how)))
  if (meaning.outcome !== 'found')
    return meaning.outcome === 'unknown' && rest !== '' ? ofText(index, rest, how) : meaning
  // The text is more than a code, so the result is reported like a name.
  const taken: Resolution<Item> = { ...meaning, isByName: true }
  const { place } = index.byName(rest)
  if (rest === '' || !place) return taken
  const byName = place.on(how.days)
  const isMeant = (record: Item) => record.id === meaning.record.id
  const isOther =
    byName.outcome === 'found'
      ? !isMeant(byName.record)
      : byName.outcome === 'ambiguous' && byName.by === 'name'
  if (!isOther || place.all.some(isMeant)) return taken
  return byName.outcome === 'ambiguous' && byName.candidates.some(isMeant)
    ? taken
    : withCandidate(byName, meaning.record, true)
}

// Texts that look like a code but may be a name

/** Written like a name or all in lower case; codes are written in capitals. */
export const isWord = (text: string): boolean => /^\p{L}{3,4}$/u.test(text) && text !== text.toUpperCase()
/** People also type codes that they know in lower case. */
const isTyped = (text: string): boolean => /^[a-z]{3}$/.test(text)
const isShort = (text: string): boolean => /^[A-Z]{3}$/.test(text)

/**
 * `Lima` and `Kos` are cities, although LIMA and KOS are codes of other places. A word is only a code if the airport has airline
 * service and no town with an airport has that name. If the word is written like a name, the result is marked `isCodeOfWord`.
 */
function ofCodeOrPlace<Item extends Coded>(
  index: Index<Item>,
  { text, place, byCode }: { text: string; place: Place<Item>; byCode: Resolution<Item> },
  { days }: How,
): Resolution<Item> {
  const { like } = place
  const byName = place.on(days)
  if (byCode.outcome !== 'found')
    return !isTyped(text) && (like.isCity || byName.outcome === 'found') ? byName : byCode
  if (isAddedHere(byCode.record)) return byCode
  const isKnown = isServed(index, byCode.record, text)
  const isName = isTyped(text) ? like.isTown : like.isAny
  if (!isName && isKnown) return isTyped(text) && !like.isAny ? byCode : { ...byCode, isCodeOfWord: true }
  if (byName.outcome === 'found' && !(isTyped(text) && isKnown)) return byName
  return withCandidate(byName, byCode.record)
}

/** Whether the airport has airline service, or had it while it had the code that another airport has today. */
function isServed<Item extends Coded>(index: Index<Item>, record: Item, code: string): boolean {
  if (record.type === 'closed') return record.iata !== null
  if (code.length === 3 && record.iata !== code.toUpperCase()) return true
  return index.importance(record) >= SERVED
}

interface CodeAndName<Item> {
  byCode: Resolution<Item>
  byName(): Resolution<Item>
}

/** `ITA` was the code of a company of unknown years and is the name of a large airline: the well-known one wins. */
function knownByName<Item extends Coded>(
  index: Index<Item>,
  { text, byCode, byName }: CodeAndName<Item> & { text: string },
  how: How,
): Resolution<Item> | undefined {
  if (!rules[how.kind].existedOnDays || !isShort(text) || isHolderThen(byCode, how)) return undefined
  const meaning = byName()
  return isInUse(index, meaning, how) ? meaning : undefined
}

/** `Jet` was the code of Wind Jet and the name of Jet Airways: as a word, it may mean either. */
function orByName<Item extends Coded>(
  index: Index<Item>,
  { byCode, byName }: CodeAndName<Item>,
  how: How,
): Resolution<Item> {
  const { existedOnDays } = rules[how.kind]
  if (!existedOnDays || byCode.outcome !== 'found' || isAddedHere(byCode.record)) return byCode
  const meaning = byName()
  const isOther = meaning.outcome === 'found' && meaning.record.id !== byCode.record.id
  return isOther && isInUse(index, meaning, how) ? withCandidate(meaning, byCode.record) : byCode
}

/** From this importance, an airline has many flights. */
const KNOWN = 200

/** A word is only an airline's code if that airline is well known and operated on the days: `klm`, but not `Sun`. */
function isInUse<Item extends Coded>(
  index: Index<Item>,
  meaning: Resolution<Item>,
  { kind, days }: How,
): boolean {
  const { existedOnDays } = rules[kind]
  if (!existedOnDays) return true
  if (meaning.outcome !== 'found') return false
  const { record } = meaning
  return isAddedHere(record) || (index.importance(record) >= KNOWN && existedOnDays(record, days))
}

/** Turns a match into a suggestion. */
const withoutTaking = <Item>(meaning: Resolution<Item>): Resolution<Item> =>
  meaning.outcome === 'found' ? { outcome: 'ambiguous', candidates: [meaning.record], by: 'part' } : meaning

/** Both the matches of the name and the holder of the code, as uncertain candidates. A word never means a heliport. */
function withCandidate<Item extends Coded>(
  byName: Resolution<Item>,
  record: Item,
  isFirst = false,
): Resolution<Item> {
  if (record.type === 'heliport') return byName
  if (byName.outcome === 'unknown') return { outcome: 'ambiguous', candidates: [record], by: 'part' }
  const known = byName.outcome === 'found' ? [byName.record] : byName.candidates
  const by = byName.outcome === 'found' ? 'name' : byName.by
  const others = known.filter(({ id }) => id !== record.id)
  // Only a few candidates are shown, and the text matches the code exactly.
  const before = isFirst ? 0 : 1
  return {
    outcome: 'ambiguous',
    candidates: [...others.slice(0, before), record, ...others.slice(before)],
    by,
  }
}

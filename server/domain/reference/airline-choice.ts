// Which airline is meant by codes and a name that stand next to each other, or by a word that is both. A code is the designator of
// the day before it is anything else, and a contradiction is always reported.

import { meaningOfAll, ofCode } from './by-code.ts'
import { ofBeginning, ofWholeName } from './by-name.ts'
import { type Days, isDated } from './code-periods.ts'
import { type Coded, type How, type Index, type Resolution, rules } from './resolution.ts'

interface Written {
  /** The most certain first. */
  codes: readonly string[]
  /** Null if there are only codes. A text such as `SAS` is both. */
  name: string | null
}

export interface AirlineMeant<Item> {
  meaning: Resolution<Item>
  /** The name is only the beginning of the airline's name. */
  isGuess?: true
  /** The code and the name mean different airlines. */
  isDisputed?: true
}

const unknown = { outcome: 'unknown' } as const

/** `byName` replaces the search for the whole name. `now` is today: codes are handed on. */
export function ofAirline<Item extends Coded>(
  index: Index<Item>,
  written: Written,
  how: How,
  {
    now = how.days,
    byName = (name: string) => wholeOrBeginning(index, name, how),
  }: { now?: Days; byName?: (name: string) => AirlineMeant<Item> } = {},
): AirlineMeant<Item> {
  const { codes, name } = written
  const byCode = meaningOfAll(index, codes, how, now)
  if (name === null) return { meaning: byCode }
  // KLM is both the name and the code.
  const isBoth = codes.length === 1 && name.toUpperCase() === codes[0]
  if (isBoth && isHolderThen(byCode, how)) return { meaning: orExactName(index, byCode, name, how) }
  const named = byName(name)
  if (named.meaning.outcome !== 'found')
    return byCode.outcome === 'found' ? { meaning: byCode } : several(byCode, named)
  if (byCode.outcome !== 'found') return named
  if (byCode.record.id === named.meaning.record.id) return { meaning: byCode }
  if (named.isGuess) return { meaning: byCode }
  const isCode = !isBoth && isCertain(index, codes, byCode, how)
  return { meaning: isCode ? byCode : named.meaning, isDisputed: true }
}

/** `mas` is also written like the name of mas, and not like the code of Malaysia Airlines. */
function orExactName<Item extends Coded>(
  index: Index<Item>,
  byCode: Resolution<Item>,
  name: string,
  { kind, days }: How,
): Resolution<Item> {
  if (byCode.outcome !== 'found' || name === name.toUpperCase()) return byCode
  const exact = index.byName(name).whole.find((record) => record.name === name)
  const isOther = exact && exact.id !== byCode.record.id && rules[kind].existedOnDays?.(exact, days)
  return isOther ? { outcome: 'ambiguous', candidates: [exact, byCode.record], by: 'name' } : byCode
}

/** What is uncertain: the holders of the code, or else the airlines with the name. */
const several = <Item>(byCode: Resolution<Item>, named: AirlineMeant<Item>): AirlineMeant<Item> =>
  byCode.outcome === 'ambiguous' ? { meaning: byCode } : named

/** By whole name, or the only airline whose name begins with it. */
export function wholeOrBeginning<Item extends Coded>(
  index: Index<Item>,
  name: string,
  how: How,
): AirlineMeant<Item> {
  const meaning = ofWholeName(index.byName(name), name, how)
  if (meaning.outcome !== 'unknown') return { meaning }
  const after = ofNameAfterCode(index, name, how)
  if (after) return { meaning: after }
  const record = ofBeginning(index.byName(name), how)
  return record
    ? { meaning: { outcome: 'found', record, isByName: true }, isGuess: true }
    : { meaning: unknown }
}

/** `ANA All Nippon Airways`: the airline's own code, then its name. */
export const nameAfterCode = (name: string): { code: string; rest: string } | undefined => {
  const [, code, rest] = /^([A-Z0-9]{2,3}) (\p{Lu}.+)$/u.exec(name) ?? []
  return code && rest ? { code, rest } : undefined
}

function ofNameAfterCode<Item extends Coded>(
  index: Index<Item>,
  name: string,
  how: How,
): Resolution<Item> | undefined {
  const { code, rest } = nameAfterCode(name) ?? {}
  if (!code || !rest) return undefined
  const meaning = ofWholeName(index.byName(rest), rest, how)
  const isOwn = meaning.outcome === 'found' && [meaning.record.icao, meaning.record.iata].includes(code)
  return isOwn ? meaning : undefined
}

/** Whether the holder of the code is known to have existed on the days. */
export const isHolderThen = <Item extends Coded>(byCode: Resolution<Item>, { kind, days }: How): boolean =>
  byCode.outcome === 'found' &&
  byCode.warning === undefined &&
  (rules[kind].existedOnDays?.(byCode.record, days) ?? true)

/**
 * Whether the codes decide although the name means another airline: two of them agree, or the only one is known to have been that
 * airline's on the days. A code without dates may have passed from the airline that has the name.
 */
function isCertain<Item extends Coded>(
  index: Index<Item>,
  codes: readonly string[],
  byCode: Extract<Resolution<Item>, { outcome: 'found' }>,
  how: How,
): boolean {
  if (!isHolderThen(byCode, how)) return false
  const meanings = codes
    .map((code) => ofCode(index, code, how))
    .filter(({ outcome }) => outcome !== 'unknown')
  const isOne = meanings.every(
    (meaning) => meaning.outcome === 'found' && meaning.record.id === byCode.record.id,
  )
  const isDatedHolder = codes.some((code) =>
    index
      .byCode(code.toUpperCase())
      .periods.some((period) => period.id === byCode.record.id && isDated(period)),
  )
  return isOne && (meanings.length > 1 || isDatedHolder)
}

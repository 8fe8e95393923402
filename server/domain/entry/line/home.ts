// Words that mean a place by the person's own flights: `flew home`, `from home`, and `return on Sunday`, which is the newest
// flight the other way round.
import { plainBetween } from './atoms.ts'
import { WORD } from './candidate.ts'
import { spans } from './spans.ts'

const toHome =
  /^(?:(?:(?:flew|fly|flying|flight|back|went|going|return|way) )?home|flight back home|(?:(?:flug|ruckflug|zuruck|flog|fliege|wieder) )?nach hause|(?:wieder )?heim|heimflug|heimwarts|heimgeflogen|(?:retour |vol )?a la maison|(?:vuelta |vuelo |volo |ritorno )?a casa)$/
const fromHome = /^(?:from home|(?:von|ab) (?:zu hause|zuhause|daheim)|depuis la maison|desde casa|da casa)$/

/** Above a place that has this name, below a code. */
const HOME = 6

export const homeAt = spans(4, ({ line, known }, first, end) => {
  const { homeId } = known.memory
  const text = plainBetween(line, first, end)
  const slot = toHome.test(text) ? 'to' : fromHome.test(text) ? 'from' : null
  if (slot === null || homeId === null) return null
  const score = HOME + WORD * (end - first - 1)
  // Until their ends are decided, all airports are `fromId`: see route.ts.
  return { slot, kind: slot, sets: { fromId: homeId }, others: [], score, isCode: true }
})

const back =
  /^(?:return|the return|return flight|flight back|way back|the way back|flew back|fly back|flying back|ruckflug|der ruckflug|zuruck|zuruckgeflogen|retour|le retour|vol retour|vuelta|la vuelta|vuelo de vuelta|regreso|ritorno|il ritorno|volo di ritorno)$/

/** Takes the places of the number and of both airports, so that typed ones win. */
export const returnsAt = spans(3, ({ line, known, day }, first, end) => {
  if (!back.test(plainBetween(line, first, end))) return null
  const last = known.memory.all?.flights.findLast(({ date }) => date <= day)
  if (!last || last.fromId === null || last.toId === null) return null
  const sets = { fromId: last.toId, toId: last.fromId }
  return { slot: 'return', kind: 'route', sets, others: [], score: HOME + WORD * (end - first - 1) }
})

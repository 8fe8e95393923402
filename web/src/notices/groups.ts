/** Notices as the page shows them: many flights that one person added in a row become one entry. */

import type { Notice } from '../api/types.ts'

type Entry = { one: Notice } | { many: Notice[]; by: Notice['data']['addedBy'] }

const GROUP_FROM = 4

/** In the given order. Only notices that wait for a decision are grouped, because it can be made for all of them together. */
export function entriesOf(notices: readonly Notice[]): Entry[] {
  const runs: Notice[][] = []
  for (const notice of notices) {
    const run = runs.at(-1)
    if (run && belongsTo(run[0]!, notice)) run.push(notice)
    else runs.push([notice])
  }
  return runs.flatMap((run): Entry[] =>
    run.length >= GROUP_FROM ? [{ many: run, by: run[0]!.data.addedBy }] : run.map((one) => ({ one })),
  )
}

const belongsTo = (first: Notice, next: Notice): boolean =>
  first.data.state === 'open' && next.data.state === 'open' && first.data.addedBy.id === next.data.addedBy.id

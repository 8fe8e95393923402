/** Notices as the page shows them: many flights that one person added in a row become one entry. */

import type { AddedNotice, Notice } from '../api/types.ts'

type Entry = { one: Notice } | { many: AddedNotice[]; by: AddedNotice['data']['addedBy'] }

const GROUP_FROM = 4

/** In the given order. Only notices with an open decision are grouped, because one decision can apply to all of them. */
export function entriesOf(notices: readonly Notice[]): Entry[] {
  const runs: Notice[][] = []
  for (const notice of notices) {
    const run = runs.at(-1)
    if (run && belongsTo(run[0]!, notice)) run.push(notice)
    else runs.push([notice])
  }
  return runs.flatMap((run): Entry[] => {
    const many = run.filter((notice) => notice.kind === 'flight.added')
    return many.length >= GROUP_FROM ? [{ many, by: many[0]!.data.addedBy }] : run.map((one) => ({ one }))
  })
}

const belongsTo = (first: Notice, next: Notice): boolean =>
  first.kind === 'flight.added' &&
  next.kind === 'flight.added' &&
  first.data.state === 'open' &&
  next.data.state === 'open' &&
  first.data.addedBy.id === next.data.addedBy.id

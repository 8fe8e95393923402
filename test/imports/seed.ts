// Evaluated imports, written to the store as an evaluation leaves them: for suites about later steps.

import { nothingKnown } from '../../server/domain/flights/fields.ts'
import type { ImportOptions, Verdict } from '../../server/domain/imports/imports.ts'
import { DAY } from '../../server/domain/time/durations.ts'
import type { Draft } from '../../server/services/imports/drafting/draft.ts'
import { CHANGES, readRevisions } from '../../server/store/engine/revisions.ts'
import { insertImport, saveEvaluation } from '../../server/store/imports/imports.ts'
import {
  countRows,
  packRow,
  type StoredChoice,
  saveChoice,
  saveRows,
} from '../../server/store/imports/rows.ts'
import type { Store } from '../../server/store/store.ts'

type RowToSave = Parameters<typeof packRow>[1]

export const passenger = (userId: string | null, more: object = {}) => ({
  userId,
  guestName: null,
  seat: null,
  seatNumber: null,
  seatClass: null,
  flightReason: null,
  customFields: {},
  ...more,
})

export const draftOf = (userId: string, fields: object): Draft =>
  ({
    ...nothingKnown,
    passengers: [passenger(userId)],
    people: [],
    customFields: {},
    externalIds: {},
    track: null,
    ...fields,
  }) as unknown as Draft

export interface SeedRow extends Partial<Omit<RowToSave, 'number'>> {
  verdict?: Verdict
  draft: Draft | null
  choice?: StoredChoice
}

interface Seed {
  rows: readonly SeedRow[]
  options?: ImportOptions
  now: number
}

/** Returns the id of a person's import with these rows, ready to be committed. */
export async function seedImport(
  store: Store,
  userId: string,
  { rows, options = {}, now }: Seed,
): Promise<number> {
  const at = new Date(now).toISOString()
  return store.transaction(async (tx) => {
    const { id } = await insertImport(tx, userId, {
      source: 'fr24',
      filename: 'flights.csv',
      bytes: 100,
      sha256: `seed ${Math.random()}`,
      file: 'none',
      options,
      lease: 'seed',
      leaseUntil: at,
      now: at,
      expiresAt: new Date(now + 30 * DAY).toISOString(),
    })
    await saveRows(
      tx,
      rows.map(({ choice: _choice, ...row }, i) =>
        packRow(id, {
          line: i + 2,
          raw: ['cell'],
          verdict: 'new',
          code: null,
          warnings: [],
          waitsFor: [],
          of: null,
          updates: [],
          ...row,
          number: i + 1,
        }),
      ),
    )
    for (const [i, { choice }] of rows.entries()) if (choice) await saveChoice(tx, id, i + 1, choice)
    const [seenChanges = 0] = await readRevisions(tx, [CHANGES])
    await saveEvaluation(tx, {
      id,
      lease: 'seed',
      status: 'ready',
      source: 'fr24',
      detectedBy: 'heading',
      mapping: null,
      counts: await countRows(tx, id),
      questions: [],
      trips: [],
      problem: null,
      seenChanges,
      now: at,
    })
    return id
  })
}

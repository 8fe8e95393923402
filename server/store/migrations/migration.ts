import type { columnTypes } from '../engine/dialect.ts'

export interface Migration {
  name: string
  /** Statements in order; released migrations are never edited. */
  statements(types: (typeof columnTypes)['sqlite']): string[]
}

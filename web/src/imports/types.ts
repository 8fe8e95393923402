/** Imports as the server's document has them. */

import { type Verdict, verdicts } from '../../../server/domain/imports/imports.ts'
import type { components } from '../api/schema.d.ts'

export type { ColumnField, Verdict } from '../../../server/domain/imports/imports.ts'
export { columnFields, verdicts } from '../../../server/domain/imports/imports.ts'

/** What the list can be reduced to. `twice`: duplicates within the file, which are not those in the log. */
export const shows: readonly Show[] = [...verdicts, 'twice', 'remarks']
export type Show = Verdict | 'twice' | 'remarks'

type Schemas = components['schemas']

export type ImportRecord = Schemas['Import']
export type ImportQuestion = Schemas['ImportQuestion']
export type ImportChoice = ImportQuestion['choices'][number]
export type ImportAnswer = Schemas['ImportAnswerInput']
export type ImportMapping = Schemas['ImportMapping']
export type ImportPatch = Schemas['ImportPatch']
export type ImportRow = Schemas['ImportRow']
export type ImportDraft = Schemas['ImportDraft']
export type RowWarning = ImportRow['warnings'][number]
export type RowUpdate = ImportRow['updates'][number]
export type RowChoice = Schemas['ImportRowPatch']
export type ImportOverview = Schemas['ImportOverview']
export type OverviewRoute = ImportOverview['routes'][number]
export type ImportSource = Schemas['ImportSource']
export type RememberedAnswer = Schemas['RememberedAnswer']

// Imports and their rows as the API returns them. The records of a page of rows are looked up together.

import { notFound } from '../../base/errors.ts'
import {
  aircraftFields,
  airlineFields,
  airportFields,
  flightFields,
  passengerFieldNames,
  plainFields,
  type ReferenceField,
  referenceFields,
  shownReferences,
} from '../../domain/flights/fields.ts'
import { emptyWithoutAnswer } from '../../domain/imports/imports.ts'
import { pick } from '../../domain/pick.ts'
import type { Call } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import type { Draft, Question } from '../../services/imports/drafting/draft.ts'
import { warningMessage } from '../../services/imports/drafting/messages.ts'
import { keyOfQuestion } from '../../services/imports/drafting/questions.ts'
import type { Records } from '../../services/reference/reference.ts'
import { findImport, type StoredImport } from '../../store/imports/imports.ts'
import type { StoredRow } from '../../store/imports/rows.ts'
import { listNames } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { routeKm } from '../flights/view.ts'
import { describedKinds } from '../reference/named.ts'
import type { DraftView, ImportView, RowView } from './schema.ts'

/** Another person's import is not found. */
export async function requireOwnImport(db: Executor, { user }: Principal, id: number): Promise<StoredImport> {
  const found = await findImport(db, { userId: user.id, id })
  if (!found) throw notFound('Import')
  return found
}

/** The tag of a state of an import. While the import is being worked on, its progress changes without a new tag. */
export const importTag = ({ id, version }: Pick<StoredImport, 'id' | 'version'>): string =>
  `"i${id}-${version}"`

export const isBeingWorkedOn = ({ status }: Pick<StoredImport, 'status'>): boolean =>
  status === 'reading' || status === 'committing' || status === 'undoing'

export const showImport = (given: StoredImport): ImportView => ({
  ...pick(given, [
    'id',
    'status',
    'source',
    'detectedBy',
    'filename',
    'bytes',
    'sha256',
    'mapping',
    'counts',
    'rowsDone',
    'problem',
    'receipt',
    'createdAt',
    'updatedAt',
    'committedAt',
    'undoneAt',
    'expiresAt',
  ]),
  options: { ...given.options },
  questions: (given.questions as Question[]).map(showQuestion),
  committed: { created: given.createdCount, updated: given.updatedCount },
  trips: {
    found: given.trips.length,
    committed: given.trips.filter(({ tripId }) => tripId !== null).length,
  },
})

/** A field that may stay empty does so unless the person answers. */
function showQuestion({ answer, choices, rowNumbers = [], example, ...question }: Question) {
  const { kind, value } = question
  const preselected = answer === null && emptyWithoutAnswer.has(kind)
  return {
    ...question,
    rowNumbers: [...rowNumbers],
    example: example ?? null,
    choices: choices.map(showChoice),
    answer: preselected ? { kind, value, leaveEmpty: true as const } : answer,
    preselected,
  }
}

const showChoice = (choice: Question['choices'][number]) => ({ reason: null, ...choice })

type Viewing = Pick<Call, 'db' | 'principal' | 'services'>
type Names = ReadonlyMap<string, { id: string; username: string; displayName: string }>

export async function showRows(
  { db, principal, services }: Viewing,
  given: Pick<StoredImport, 'questions'>,
  rows: readonly StoredRow[],
): Promise<RowView[]> {
  const drafts = rows.flatMap(({ draft }) => (draft ? [draft as Draft] : []))
  const changes = rows.flatMap(({ updates }) => updates)
  const idsOf = (fields: readonly ReferenceField[]) => [
    ...drafts.flatMap((draft) => fields.map((name) => draft[name])),
    ...changes.flatMap(({ field, from, to }) =>
      fields.includes(field as ReferenceField) ? [from as number | null, to as number | null] : [],
    ),
  ]
  const records = await services.reference.records(db, principal.revisions.reference, {
    airports: idsOf(airportFields),
    airlines: idsOf(airlineFields),
    aircraft: idsOf(aircraftFields),
  })
  const people = drafts.flatMap(({ passengers }) => passengers.flatMap(({ userId }) => userId ?? []))
  const names = new Map((await listNames(db, [...new Set(people)])).map((name) => [name.id, name]))
  const questions = new Map(
    (given.questions as Question[]).map((question) => [
      keyOfQuestion(question.kind, question.value),
      question,
    ]),
  )
  return rows.map((row) => showRow(row, records, names, questions))
}

function showRow(
  row: StoredRow,
  records: Records,
  names: Names,
  questions: ReadonlyMap<string, Question>,
): RowView {
  return {
    row: row.number,
    ...pick(row, ['line', 'verdict', 'code', 'of', 'flightId', 'done']),
    raw: row.raw === null || typeof row.raw === 'string' ? row.raw : [...row.raw],
    warnings: row.warnings.map((warning) => ({
      ...warning,
      message: warningMessage(warning, recordIn(row.draft as Draft | null, warning.field, records)),
    })),
    draft: row.draft ? showDraft(row.draft as Draft, records, names) : null,
    updates: row.updates.map((update) => showUpdate(update, records)),
    questions: row.waitsFor.flatMap((key) => {
      const question = questions.get(key)
      return question
        ? { ...pick(question, ['kind', 'value']), choices: question.choices.map(showChoice) }
        : []
    }),
    choice: {
      include: row.choice?.include ?? null,
      accept: row.choice?.accept ?? null,
      edited: row.choice?.draft !== undefined,
    },
  }
}

/** The airport in a field of the draft, as text for people: `NCE, Nice Côte d'Azur, France`. */
function recordIn(draft: Draft | null, field: string | null, { airports }: Records): string | undefined {
  if (!draft || !field || !airportFields.includes(field as (typeof airportFields)[number])) return undefined
  const airport = airports.get((draft[field as keyof Draft] as number | null) ?? 0)
  return airport && describedKinds.airports.show(airport)
}

const isReference = (field: string): field is ReferenceField =>
  referenceFields.includes(field as ReferenceField)

/** A changed record is shown as on a flight. */
function showUpdate({ field, from, to }: StoredRow['updates'][0], records: Records) {
  if (!isReference(field)) return { field, from, to }
  const { to: kind, shownAs } = flightFields[field]
  const shown = (id: unknown) => records[kind].get(id as number) ?? null
  return { field: shownAs, from: shown(from), to: shown(to) }
}

function showDraft(draft: Draft, records: Records, names: Names): DraftView {
  const { fromId, toId } = draft
  const from = fromId === null ? undefined : records.airports.get(fromId)
  const to = toId === null ? undefined : records.airports.get(toId)
  const referred = Object.fromEntries(
    shownReferences.map((name) => {
      const { to: kind, shownAs } = flightFields[name]
      return [shownAs, records[kind].get(draft[name] ?? 0) ?? null]
    }),
  ) as Pick<DraftView, 'from' | 'to' | 'airline' | 'aircraft' | 'plannedTo' | 'operatingAirline'>
  return {
    ...pick(draft, plainFields),
    ...referred,
    ...texts(draft),
    passengers: draft.passengers.map((passenger) => ({
      user: passenger.userId === null ? null : (names.get(passenger.userId) ?? null),
      ...pick(passenger, shownPassengerFields),
      customFields: passenger.customFields,
    })),
    people: draft.people,
    track: showTrack(draft.track),
    customFields: draft.customFields,
    distanceKm: from && to ? routeKm(from, to) : null,
    externalIds: draft.externalIds,
  } as DraftView
}

/** A user is returned as a record, not by id. */
const shownPassengerFields = passengerFieldNames.filter((name) => name !== 'userId')

const draftTexts = [
  'fromText',
  'toText',
  'airlineText',
  'aircraftText',
  'plannedToText',
  'operatingAirlineText',
] as const

const texts = (draft: Draft) =>
  Object.fromEntries(draftTexts.flatMap((name) => (draft[name] === undefined ? [] : [[name, draft[name]]])))

function showTrack(track: unknown): DraftView['track'] {
  const given = track as { coordinates: unknown[]; sourceFormat: string; sourceName?: string | null } | null
  if (!given) return null
  const { coordinates, sourceFormat, sourceName = null } = given
  return { pointCount: coordinates.length, sourceFormat, sourceName }
}

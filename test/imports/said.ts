// The result of a source's reader for a file, in one line per record, so that expectations can be written manually.
import { readFileSync } from 'node:fs'
import type { Price } from '../../server/domain/flights/fields.ts'
import type { RecordedTrack } from '../../server/domain/flights/track.ts'
import type { SourceId } from '../../server/domain/imports/imports.ts'
import type { Content } from '../../server/services/imports/content/content.ts'
import { partsOf } from '../../server/services/imports/content/kind.ts'
import type {
  ContentReader,
  Named,
  ReadContext,
  SourceDate,
  SourceFlight,
  SourcePerson,
  SourceRecord,
  SourceTime,
} from '../../server/services/imports/reading/source.ts'
import { sources } from '../../server/services/imports/reading/sources.ts'

const context: ReadContext = {
  options: {},
  mapping: null,
  today: '2026-06-15',
  documentDate: '2026-06-15',
  preferredOrder: null,
  filename: 'file',
}

export const fileOf = (path: string): Buffer => readFileSync(`${import.meta.dirname}/files/${path}`)

/** The first source that recognises the file, and one line per record. */
export async function saidBy(
  bytes: Uint8Array,
  more: Partial<ReadContext> = {},
): Promise<{ source: SourceId | null; records: string[] }> {
  const contents = (await Promise.all(partsOf(bytes).map((open) => open()))).flat()
  const found = sources.find(({ readers }) => contents.some((content) => readerOf(readers, content)))
  return {
    source: found?.id ?? null,
    records: found
      ? contents.flatMap((content) => saidIn(content, readerOf(found.readers, content), more))
      : [],
  }
}

/** One line per record of a content, even if the reader would not recognise it. */
export const saidIn = (
  content: Content,
  reader: ContentReader<never> | undefined,
  more: Partial<ReadContext> = {},
): string[] =>
  reader ? [...reader.records(content as never, { ...context, ...more })].map(writtenRecord) : []

/** The field of each column of a table. */
export const columnsIn = (content: Content, reader: ContentReader<never>) =>
  reader.columns?.(content as never, context)

const readerOf = (readers: readonly ContentReader<never>[], content: Content) =>
  readers.find(({ kind, matches }) => kind === content.kind && matches(content as never))

/** `5 skip:cancelled date:2024-01-21 from:SFO …`: the line, its verdict, the fields with a value, warnings. */
function writtenRecord({ line, flight, skip, error, question, warnings = [] }: SourceRecord): string {
  const parts = [
    line === null ? '-' : String(line),
    ...(skip ? [`skip:${skip}`] : []),
    ...(error ? [`error:${error.code}`] : []),
    ...(question ? [`?${question.kind}`] : []),
    ...Object.entries(flight ?? {}).flatMap(([field, value]) =>
      writtenField(field as keyof SourceFlight, value),
    ),
    ...warnings.map(({ code, field, value }) => `!${[code, field, value].filter((part) => part).join(':')}`),
  ]
  return parts.join(' ')
}

function writtenField(field: keyof SourceFlight, value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (field === 'passengers') return (value as SourcePerson[]).flatMap(writtenPerson)
  if (field === 'extras') return (value as [string, string][]).map(([label, text]) => `{${label}: ${text}}`)
  if (field === 'date') return [`date:${writtenDate(value as SourceDate)}`]
  if (field === 'track') return [writtenTrack(value as RecordedTrack)]
  if (field === 'price') return [`price:${Object.values(value as Price).join(' ')}`]
  if (typeof value !== 'object') return [`${field}:${value}`]
  if ('lat' in value) return [`${field}:${Object.values(value).join(',')}`]
  if ('clock' in value) return [`${field}:${writtenTime(value as SourceTime)}`]
  return [`${field}:${'codes' in value ? writtenNamed(value as Named) : JSON.stringify(value)}`]
}

const writtenDate = (date: SourceDate): string =>
  'iso' in date ? date.iso : date.order ? `${date.text}(${date.order})` : date.text

/** `track:gpx(15,times,ground)`: the number of points, and the other series. */
function writtenTrack({ coordinates, sourceFormat, sourceName: _, ...series }: RecordedTrack): string {
  return `track:${sourceFormat}(${[coordinates.length, ...Object.keys(series)].join(',')})`
}

function writtenTime({ date, clock, zone, dayShift, doubtful }: SourceTime): string {
  const shift = dayShift === undefined ? '' : dayShift < 0 ? `${dayShift}d` : `+${dayShift}d`
  const day = date === null ? '' : `${writtenDate(date)}T`
  return `${day}${clock}${shift}${zone === 'local' ? '' : `/${zone}`}${doubtful ? '?' : ''}`
}

const writtenNamed = ({ codes, name }: Named): string =>
  [codes.join('/'), name !== null && name !== codes[0] ? `"${name}"` : ''].filter((part) => part).join(' ')

const writtenPerson = ({ who, ...seat }: SourcePerson): string[] => {
  const values = Object.values(seat).filter((value) => value !== null && value !== undefined)
  if (who.kind === 'self') return values.length > 0 ? [`me:${values.join(',')}`] : []
  return [`with:"${who.name}"${values.length > 0 ? `,${values.join(',')}` : ''}`]
}

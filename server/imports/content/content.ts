// What a file contains, by its bytes and never by its name alone. A file is one content, or several: the members of an
// archive, the sheets of a workbook.
import type { ImportWarning } from '../../domain/imports.ts'

export interface TableRow {
  /** As many as there are headings, or more; trimmed. */
  cells: string[]
  /** Of its first line in the file, counted from 1. */
  line: number
  warnings?: ImportWarning[]
}

/**
 * Delimited text, or a sheet. Dates of a sheet come as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS,
 * times and durations as HH:MM:SS.
 */
export interface Table {
  kind: 'table'
  /** The member or sheet that it comes from; null: the file itself. */
  part: string | null
  form: 'delimited' | 'sheet'
  /**
   * As written. `Column 1` … if the table begins with a record. Of a ForeFlight file its marker line: both of its tables
   * are in `rows`, with their own headings.
   */
  headings: string[]
  /** Folded: lower case, no accents, runs of other characters are one blank. */
  folded: string[]
  delimiter: string | null
  /** Can be iterated more than once. */
  rows: Iterable<TableRow>
  /** Lines before the heading, such as a marker of the source. */
  preamble: string[]
}

interface Text {
  kind: 'text'
  part: string | null
  text: string
}
export interface Json {
  kind: 'json'
  part: string | null
  value: unknown
  /** YAML has the same structure. */
  form: 'json' | 'yaml'
}
/** HTML or XML: the reader parses it by events, so that nesting builds no tree. */
interface MarkupOf<Kind extends 'html' | 'xml'> {
  kind: Kind
  part: string | null
  text: string
  /** Of the root element, in lower case. */
  root: string
}
export type Markup = MarkupOf<'html'> | MarkupOf<'xml'>
interface Calendar {
  kind: 'calendar'
  part: string | null
  text: string
}
/** One message. What is in it is made by the same rules as a file, and read by the reader of its kind. */
export interface Mail {
  kind: 'mail'
  part: string | null
  /**
   * When it was sent, YYYY-MM-DD by its own clock, or when the message was sent that is forwarded in its text; of its contents the
   * document's date. Null: it does not say.
   */
  date: string | null
  subject: string
  /** As people write it: a name, or an address. */
  from: string
  /** The beginning of its text, for people to recognise it: text alone is never read as a flight. */
  excerpt: string
  /**
   * Its pages first, then calendars and other attachments, in the order of the message. A forwarded message is a mail of its own,
   * with its own date.
   */
  contents: readonly Content[]
}
/** What a decoder found in a picture, in the order of trust: whole symbols only. */
export interface Barcode {
  format: 'PDF417' | 'Aztec' | 'QRCode' | 'DataMatrix'
  text: string
}
export interface Picture {
  kind: 'picture'
  part: string | null
  barcodes: readonly Barcode[]
  /** When it was taken by its own account, YYYY-MM-DD. */
  date: string | null
}
export interface Pdf {
  kind: 'pdf'
  part: string | null
  pages: number
  /** Of all pages that were read, in their order. */
  lines: readonly string[]
  /** In the pictures that the pages show. */
  barcodes: readonly Barcode[]
  /** How many pictures there are. */
  pictures: number
  /** When it was made by its own account, YYYY-MM-DD. */
  date: string | null
}
/** Of Apple Wallet. Its signature is not verified. */
export interface Pass {
  kind: 'pass'
  part: string | null
  /** `pass.json`, parsed. */
  value: unknown
  /** By language: what stands in `xx.lproj/pass.strings`. */
  strings: Readonly<Record<string, Readonly<Record<string, string>>>>
}
/** Nothing that is read. */
export interface Unreadable {
  kind: 'unreadable'
  part: string | null
  reason: 'unreadable_file' | 'too_large'
  /** Its first lines, or what it seems to be. */
  excerpt: string
}

export type Content = Table | Text | Json | Markup | Calendar | Mail | Picture | Pdf | Pass | Unreadable
export type ContentKind = Content['kind']

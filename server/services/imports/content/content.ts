// The contents of a file, recognised by its bytes and never by its name alone. A file has one content or several: the members
// of an archive, the sheets of a workbook.
import type { ImportWarning } from '../../../domain/imports/imports.ts'

export interface TableRow {
  /** Trimmed; at least as many as there are headings. */
  cells: string[]
  /** The number of its first line in the file, from 1. */
  line: number
  warnings?: ImportWarning[]
}

/**
 * Delimited text, or a sheet. A sheet's dates are written YYYY-MM-DD or YYYY-MM-DD HH:MM:SS, its times and durations HH:MM:SS.
 */
export interface Table {
  kind: 'table'
  /** The name of the member or sheet; null for the file itself. */
  part: string | null
  form: 'delimited' | 'sheet'
  /**
   * As written, or `Column 1` … if the table begins with a record. A ForeFlight file has its marker line here; both of its
   * tables, with their headings, are in `rows`.
   */
  headings: string[]
  /** The headings folded: lower case, no accents, one blank for every run of other characters. */
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
/** HTML or XML. The reader parses events, so that deep nesting builds no tree. */
interface MarkupOf<Kind extends 'html' | 'xml'> {
  kind: Kind
  part: string | null
  text: string
  /** The name of the root element, in lower case. */
  root: string
}
export type Markup = MarkupOf<'html'> | MarkupOf<'xml'>
interface Calendar {
  kind: 'calendar'
  part: string | null
  text: string
}
/** One message. Its contents follow the same rules as files and are read by the readers for their kinds. */
export interface Mail {
  kind: 'mail'
  part: string | null
  /**
   * When it was sent, or when the message forwarded in its text was sent: YYYY-MM-DD by the sender's clock. It is the document
   * date of the contents. Null if unknown.
   */
  date: string | null
  subject: string
  /** The sender for display: a name or an address. */
  from: string
  /** The beginning of its text, so that people recognise it. */
  excerpt: string
  /** Its text without markup, up to a limit. What it says about flights is only asked about. */
  text: string
  /**
   * Its pages first, then calendars and other attachments, in the order of the message. A forwarded message is a separate mail
   * with its own date.
   */
  contents: readonly Content[]
}
/** A complete symbol that the decoder found in a picture. */
export interface Barcode {
  format: 'PDF417' | 'Aztec' | 'QRCode' | 'DataMatrix'
  text: string
}
export interface Picture {
  kind: 'picture'
  part: string | null
  barcodes: readonly Barcode[]
  /** The day on which it was taken according to its metadata, YYYY-MM-DD. */
  date: string | null
}
export interface Pdf {
  kind: 'pdf'
  part: string | null
  pages: number
  /** The lines of all pages that were read, in order. */
  lines: readonly string[]
  /** The bar codes in the pictures on its pages. */
  barcodes: readonly Barcode[]
  /** How many pictures there are. */
  pictures: number
  /** The day on which it was made according to its metadata, YYYY-MM-DD. */
  date: string | null
}
/** A pass of Apple Wallet. Its signature is not verified. */
export interface Pass {
  kind: 'pass'
  part: string | null
  /** `pass.json`, parsed. */
  value: unknown
  /** The texts of `xx.lproj/pass.strings` by language. */
  strings: Readonly<Record<string, Readonly<Record<string, string>>>>
}
/** Content that cannot be read. */
export interface Unreadable {
  kind: 'unreadable'
  part: string | null
  reason: 'unreadable_file' | 'too_large'
  /** Its first lines, or a description. */
  excerpt: string
}

export type Content = Table | Text | Json | Markup | Calendar | Mail | Picture | Pdf | Pass | Unreadable
export type ContentKind = Content['kind']

// The boarding pass that a person keeps until the flight has landed.
import { DAY } from '../time/durations.ts'
import { endsAt, type Span } from './travel-day.ts'

export const passFormats = ['aztec', 'pdf417', 'qr', 'datamatrix'] as const
export type PassFormat = (typeof passFormats)[number]

export const PASS_FILE_BYTES = 5 * 1024 * 1024
export const PASS_TEXT_BYTES = 2000

/** What is kept of a bar code. With the name in it, it opens the booking. */
export interface PassCode {
  format: PassFormat
  text: string
  /** What the airline writes below the bar code. */
  altText: string | null
  seat: string | null
}

/** The airline's service that has the changes of a wallet pass. */
export interface PassUpdate {
  service: string
  token: string
  type: string
  serial: string
}

/** A sealed pass opens only for the person who keeps it. */
export const passPurpose = (userId: string): string => `pass of ${userId}`

const ERASED_AFTER_MS = 2 * DAY
export const isErasable = (span: Span, now: number): boolean => now > endsAt(span) + ERASED_AFTER_MS

/** A file with more rows is an archive, whose flights are over. */
export const PASS_ROWS_AT_MOST = 20
/** So long the file of an imported pass remains after the commit, because the person may want to keep the pass. */
export const PASS_OFFER_DAYS = 2

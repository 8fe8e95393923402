// Tokens of the change feed and cursors of its first pages: text that is opaque to clients, contains no secret and
// stays valid after a restart. The prefix is the kind and version, the suffix detects a truncated copy.
import { hash } from 'node:crypto'
import * as z from 'zod'
import { because } from '../../base/request/validation.ts'
import { type ChangeType, changeTypes } from '../../domain/history/changes.ts'
import type { PlainReason } from '../../domain/reasons.ts'
import { MAX_ID } from '../../store/engine/codecs.ts'
import type { Position } from '../../store/flights/flights.ts'

/** How far a client has read, and in which view. */
export interface Point {
  /** Whose changes, and of what: a token is invalid in any other view. */
  view: string
  epoch: number
  /** The last change that was read. */
  number: number
  /** While the view's counters are equal to these, there are no newer changes. Empty if there already were. */
  seen: string
}
/** Where a page of the first read ended. */
export interface SnapshotPlace extends Point {
  type: ChangeType
  position: Position
}
/** With the text as it was sent. */
type Sent<Kind> = Kind & { text: string }

const CHECK_LENGTH = 6
const checkOf = (text: string) => hash('sha256', text, 'base64url').slice(0, CHECK_LENGTH)

function seal(prefix: string, parts: readonly (string | number)[]): string {
  const text = prefix + Buffer.from(parts.join(' ')).toString('base64url')
  return text + checkOf(text)
}

/** The parts, or undefined if `seal` did not create this text with this prefix. */
function unseal(prefix: string, sealed: string): string[] | undefined {
  const text = sealed.slice(0, -CHECK_LENGTH)
  if (!text.startsWith(prefix) || checkOf(text) !== sealed.slice(-CHECK_LENGTH)) return undefined
  return Buffer.from(text.slice(prefix.length), 'base64url').toString().split(' ')
}

const TOKEN = 'ct1_'
const CURSOR = 'cc1_'

const partsOf = ({ view, epoch, number, seen }: Point) => [view, epoch, number, seen]

export const writeToken = (point: Point): string => seal(TOKEN, partsOf(point))
export const writeCursor = (place: SnapshotPlace): string =>
  seal(CURSOR, [...partsOf(place), place.type, place.position.date, place.position.id])

function pointFrom([view = '', epoch = '', number = '', seen = '']: readonly string[]): Point | undefined {
  if (![epoch, number].every((text) => /^\d{1,16}$/.test(text))) return undefined
  return { view, epoch: Number(epoch), number: Number(number), seen }
}

export function readToken(text: string): Sent<Point> | undefined {
  const parts = unseal(TOKEN, text)
  const point = parts?.length === 4 ? pointFrom(parts) : undefined
  return point && { ...point, text }
}

function readCursor(text: string): Sent<SnapshotPlace> | undefined {
  const parts = unseal(CURSOR, text)
  const point = parts?.length === 7 ? pointFrom(parts) : undefined
  const type = changeTypes.find((name) => name === parts?.[4])
  const [date, id] = [parts?.[5] ?? '', Number(parts?.[6])]
  const isSound = /^[\w-]+$/.test(date) && Number.isInteger(id) && id >= 0 && id <= MAX_ID
  return point && type && isSound ? { ...point, type, position: { date, id }, text } : undefined
}

const sealed = <Kind>(read: (text: string) => Kind | undefined, reason: PlainReason) =>
  z
    .string()
    .transform((text, context) => {
      const found = read(text)
      if (found !== undefined) return found
      context.addIssue({ code: 'custom', message: because(reason) })
      return z.NEVER
    })
    .optional()

export const Since = sealed(readToken, 'invalid_token')
  .describe('`sync.token` of the last response, unchanged. If omitted: everything as it is now.')
  .meta({ type: 'string' })
export const SnapshotCursor = sealed(readCursor, 'invalid_cursor')
  .describe('`page.nextCursor` of the previous page, unchanged; not together with `since`.')
  .meta({ type: 'string' })

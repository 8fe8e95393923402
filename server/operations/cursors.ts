// Cursors of lists: opaque to clients, which list it is and the last row's place in it.
import * as z from 'zod'
import { MAX_ID } from '../store/codecs.ts'
import { type Position, START } from '../store/flights.ts'

/** Each list has a version of its own, so that a cursor of one means nothing to another. */
export function createCursors(version: string, dates = /^\d{4}-\d{2}-\d{2}$/) {
  const write = ({ date, id }: Position): string =>
    Buffer.from(`${version}.${date}.${id}`).toString('base64url')

  const read = (text: string): Position | undefined => {
    const plain = Buffer.from(text, 'base64url').toString()
    const [, kind, date, id] = /^(\w+)\.(.+)\.(\d{1,10})$/.exec(plain) ?? []
    const sound = kind === version && dates.test(date!) && Buffer.from(plain).toString('base64url') === text
    return sound && Number(id) <= START.id ? { date: date!, id: Number(id) } : undefined
  }

  const Cursor = z
    .string()
    .transform((text, context) => {
      const position = read(text)
      if (position) return position
      context.addIssue({ code: 'custom', message: 'Invalid cursor' })
      return z.NEVER
    })
    .optional()
    .describe('`page.nextCursor` of the previous page, unchanged.')
    .meta({ type: 'string' })

  return { Cursor, write }
}

/** For lists that are ordered by id, newest first. Without a cursor a list starts above every id. */
export function createIdCursors(version: string) {
  const write = (id: number): string => Buffer.from(`${version}.${id}`).toString('base64url')

  const read = (text: string): number | undefined => {
    const plain = Buffer.from(text, 'base64url').toString()
    const [kind, id, ...more] = plain.split('.')
    const sound = kind === version && /^\d{1,10}$/.test(id ?? '') && more.length === 0
    if (!sound || Buffer.from(plain).toString('base64url') !== text) return undefined
    return Math.min(Number(id), MAX_ID)
  }

  const Cursor = z
    .string()
    .transform((text, context) => {
      const id = read(text)
      if (id !== undefined) return id
      context.addIssue({ code: 'custom', message: 'Invalid cursor' })
      return z.NEVER
    })
    .default(MAX_ID)
    .describe('`page.nextCursor` of the previous page, unchanged.')
    .meta({ type: 'string' })

  return { Cursor, write }
}

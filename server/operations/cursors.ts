// Cursors of flight lists: opaque to clients, which list it is and the last row's place in it.
import * as z from 'zod'
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
    .describe('`page.nextCursor` of the page before, unchanged.')
    .meta({ type: 'string' })

  return { Cursor, write }
}

// The token of a log that a browser keeps: a point of the change feed, and everything else that the log was made from. A
// token of another person, of another version of the server, or from before a rename or a restore is of no use; nothing
// is refused then, the whole log is sent.
import type { Call } from '../operation.ts'
import { type AudienceInput, audienceOf, namesRevision } from './audience.ts'
import { readToken, writeToken } from './change-tokens.ts'

type LogCall = Call<AudienceInput>

export interface LogSource {
  view: string
  epoch: number
  seen: string
}

/** Call it before the log is read: a name that changes meanwhile is then sent again. */
export async function logSource(call: LogCall): Promise<LogSource> {
  const { principal, input, services } = call
  const view = `log:${audienceOf(principal, input) ?? '*'}`
  const seen = `${services.version}/${await namesRevision(call)}`
  return { view, epoch: principal.revisions.epoch, seen }
}

export const writeLogToken = (source: LogSource, number: number): string => writeToken({ ...source, number })

/** The number of the last change that the token's log contains; undefined if only the whole log will do. */
export function readLogToken(source: LogSource, token: string | undefined): number | undefined {
  const point = token === undefined ? undefined : readToken(token)
  const isSame = point?.view === source.view && point.epoch === source.epoch && point.seen === source.seen
  return isSame ? point.number : undefined
}

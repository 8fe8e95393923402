// The token of a log that a browser stores: a position in the change feed, and everything else that the log was built
// from. With a token of another person, of another server version, or from before a rename or a restore, the response
// is the whole log, not an error.
import type { Call } from '../../../door/operation.ts'
import { readToken, writeToken } from '../../wire/change-tokens.ts'
import { type AudienceInput, audienceOf, namesRevision } from '../audience.ts'

type LogCall = Call<AudienceInput>

export interface LogSource {
  view: string
  epoch: number
  seen: string
}

/** Call it before reading the log: a name that changes meanwhile is then sent again. */
export async function logSource(call: LogCall): Promise<LogSource> {
  const { principal, input, services } = call
  const view = `log:${audienceOf(principal, input) ?? '*'}`
  const seen = `${services.version}/${await namesRevision(call)}`
  return { view, epoch: principal.revisions.epoch, seen }
}

export const writeLogToken = (source: LogSource, number: number): string => writeToken({ ...source, number })

/** The last change that the token's log contains; undefined if the whole log has to be sent. */
export function readLogToken(source: LogSource, token: string | undefined): number | undefined {
  const point = token === undefined ? undefined : readToken(token)
  const isSame = point?.view === source.view && point.epoch === source.epoch && point.seen === source.seen
  return isSame ? point.number : undefined
}

// The token of a log that a browser keeps: a point of the change feed, and everything else that the log was made from. A
// token of another person, of another version of the server, or from before a rename or a restore is of no use; nothing
// is refused then, the whole log is sent.
import type { Call } from '../operation.ts'
import { type AudienceInput, audienceOf } from './audience.ts'
import { readToken, writeToken } from './change-tokens.ts'

type LogCall = Call<AudienceInput>

function sourceOf({ principal, input, services }: LogCall) {
  const { people, reference, epoch } = principal.revisions
  const view = `log:${audienceOf(principal, input) ?? '*'}`
  return { view, epoch, seen: `${services.version}/${people}.${reference}` }
}

export const writeLogToken = (call: LogCall, number: number): string =>
  writeToken({ ...sourceOf(call), number })

/** The number of the last change that the token's log contains; undefined if only the whole log will do. */
export function readLogToken(call: LogCall, token: string | undefined): number | undefined {
  const point = token === undefined ? undefined : readToken(token)
  const source = sourceOf(call)
  const isSame = point?.view === source.view && point.epoch === source.epoch && point.seen === source.seen
  return isSame ? point.number : undefined
}

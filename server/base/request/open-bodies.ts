// Limits how many large request bodies are open at the same time, per person and in this process.
import { problem } from '../../domain/reasons.ts'
import { AppError, Unavailable } from '../errors.ts'

export interface OpenBodies {
  /** Throws if the person, or all people together, have too many open. Call the returned function when the body is closed. */
  take(personId: string): () => void
}

const PER_PERSON = 3
const PER_PROCESS = 8
const RETRY_AFTER_SECONDS = 10

export function createOpenBodies(reason: 'too_many_uploads' | 'too_many_at_once'): OpenBodies {
  const open = new Map<string, number>()
  return {
    take(personId) {
      const own = open.get(personId) ?? 0
      if (own >= PER_PERSON) throw tooMany(reason)
      let all = 0
      for (const count of open.values()) all += count
      if (all >= PER_PROCESS) throw new Unavailable('server_busy')
      open.set(personId, own + 1)
      return () => {
        const left = open.get(personId)! - 1
        if (left === 0) open.delete(personId)
        else open.set(personId, left)
      }
    },
  }
}

const tooMany = (reason: Parameters<typeof createOpenBodies>[0]) =>
  new AppError('too_many_requests', problem(reason, { seconds: RETRY_AFTER_SECONDS }), {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })

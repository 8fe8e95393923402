// The one way to wait in a test: repeats a question until it has an answer, and names the question if there is none in
// time.
import { setTimeout as pause } from 'node:timers/promises'

const PAUSE_MS = 20
/** Longer than anything takes on a busy machine, shorter than the limit of a test. */
const LIMIT_MS = Number(process.env['BROWSER_TIMEOUT_MS'] ?? 90_000)

/** Returns the first non-empty result: `await until('the import is read', async () => (await find(id)).readAt)`. */
export async function until<Result>(
  what: string,
  find: () => Result | Promise<Result>,
  { limitMs = LIMIT_MS, everyMs = PAUSE_MS } = {},
): Promise<NonNullable<Exclude<Result, false>>> {
  const started = performance.now()
  for (;;) {
    const result = await find()
    if (result) return result as NonNullable<Exclude<Result, false>>
    if (performance.now() - started > limitMs)
      throw new Error(`Waited ${limitMs / 1000} s, but it never came true that ${what}`)
    await pause(everyMs)
  }
}

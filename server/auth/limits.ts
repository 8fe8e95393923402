// Fixed one-minute windows per rule and client, in memory and per process, with a bound on what is remembered.
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

const WINDOW_MS = 60_000
const WINDOWS_AT_MOST = 10_000

export interface RateLimiter {
  /** Counts one request; returns whole seconds to wait if that was one too many, else 0. */
  hit(rule: string, who: string, limit: number): number
}

export function createRateLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, { endsAt: number; count: number }>()

  function makeRoom(now: number) {
    if (windows.size < WINDOWS_AT_MOST) return
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key)
    for (const key of windows.keys()) {
      if (windows.size <= WINDOWS_AT_MOST * 0.9) break
      windows.delete(key)
    }
  }

  return {
    hit(rule, who, limit) {
      const now = clock.now()
      const key = `${rule} ${who}`
      let window = windows.get(key)
      if (!window || window.endsAt <= now || window.endsAt > now + WINDOW_MS) {
        makeRoom(now)
        window = { endsAt: now + WINDOW_MS, count: 0 }
        windows.set(key, window)
      }
      window.count++
      return window.count > limit ? Math.max(1, Math.ceil((window.endsAt - now) / 1000)) : 0
    },
  }
}

const SIGN_INS_PER_ADDRESS = 10
const SIGN_INS_PER_NAME = 5
const SIGN_INS_PER_NAME_ANYWHERE = 30
const TOOL_CALLS_PER_CREDENTIAL = 600

export interface Limits {
  /** Throws once an address, or an address with one name, or one name from anywhere, tries too often. */
  signIn(address: string | undefined, username: string): void
  /** Throws once a credential's assistant calls tools faster than any person could follow. */
  toolCall(credentialId: number | string): void
  /** Counts a call of an OAuth endpoint; whole seconds to wait, or 0. Without an address nobody is limited. */
  oauth(endpoint: string, address: string | undefined, perMinute: number): number
}

export function createLimits(limiter: RateLimiter): Limits {
  return {
    oauth: (endpoint, address, perMinute) =>
      address === undefined ? 0 : limiter.hit(`oauth ${endpoint}`, address, perMinute),
    signIn(address, username) {
      const name = username.toLowerCase()
      const waits = [
        limiter.hit('sign-in name', name, SIGN_INS_PER_NAME_ANYWHERE),
        ...(address
          ? [
              limiter.hit('sign-in', address, SIGN_INS_PER_ADDRESS),
              limiter.hit('sign-in pair', `${address} ${name}`, SIGN_INS_PER_NAME),
            ]
          : []),
      ]
      requireNoWait(Math.max(...waits), 'attempts')
    },
    toolCall: (credentialId) =>
      requireNoWait(limiter.hit('tool', String(credentialId), TOOL_CALLS_PER_CREDENTIAL), 'calls'),
  }
}

function requireNoWait(seconds: number, what: string): void {
  if (seconds === 0) return
  throw new AppError('too_many_requests', `Too many ${what}; try again in ${seconds} seconds`, {
    headers: { 'retry-after': String(seconds) },
  })
}

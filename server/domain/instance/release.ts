// The newest released version, as the project publishes it, and whether it is newer than another one.
import * as z from 'zod'

const Version = z
  .string()
  .max(100)
  .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.]+)?$/)

/** `latest.json` of the documentation's site (tools/release.ts). */
export const LatestRelease = z.object({
  version: Version,
  date: z.iso.date(),
  security: z.boolean(),
  notes: z.url({ protocol: /^https$/ }).max(500),
})
export type LatestRelease = z.output<typeof LatestRelease>

/** `unreachable`: the last attempt failed. */
export const releaseStates = ['off', 'current', 'newer', 'unreachable'] as const
export type ReleaseState = (typeof releaseStates)[number]

const numbersOf = (version: string) => version.split('-')[0]!.split('.').map(Number)

/** By the three numbers; a pre-release is never newer. */
export function isNewer(version: string, than: string): boolean {
  if (version.includes('-')) return false
  const [before, after] = [numbersOf(than), numbersOf(version)]
  const place = after.findIndex((number, i) => number !== before[i])
  return place >= 0 && after[place]! > before[place]!
}

// The result of a check: one line, with advice unless all is well.
import { MINUTE } from '../domain/time/durations.ts'

type Level = 'ok' | 'warn' | 'fail'

export interface Finding {
  level: Level
  name: string
  found: string
  advice?: string | undefined
}

export const ok = (name: string, found: string): Finding => ({ level: 'ok', name, found })
export const warn = (name: string, found: string, advice: string): Finding => ({
  level: 'warn',
  name,
  found,
  advice,
})
export const fail = (name: string, found: string, advice: string): Finding => ({
  level: 'fail',
  name,
  found,
  advice,
})

export const lineOf = ({ level, name, found, advice }: Finding): string =>
  `${level.padEnd(4)}  ${name.padEnd(11)}  ${[found, advice].filter(Boolean).join('; ')}`.replace(
    /\s*\n\s*/g,
    ' ',
  )

export const reasonOf = (error: unknown): string => {
  const { message, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  // The reason is in the cause of `fetch failed`. The error for several addresses has a code but no message.
  if (cause instanceof Error && /^fetch failed/.test(message)) return reasonOf(cause)
  return message || code || String(error)
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

export function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

export function ageOf(ms: number): string {
  const minutes = Math.round(ms / MINUTE)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 72 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

// Structured logs: one JSON object per line. Callers never pass secrets.
import type { Config } from './config.ts'

const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const
type Facts = Record<string, unknown>

export interface Logger {
  debug(message: string, facts?: Facts): void
  info(message: string, facts?: Facts): void
  warn(message: string, facts?: Facts): void
  error(message: string, facts?: Facts): void
}

export function createLogger(
  level: Config['logLevel'],
  write = (line: string) => void process.stdout.write(line),
): Logger {
  const at =
    (name: Exclude<keyof typeof levels, 'silent'>) =>
    (message: string, facts: Facts = {}) => {
      if (levels[name] < levels[level]) return
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...plain(facts) })}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export type Speaker = (line: string) => void

/** Messages for the person who starts the server: on standard error, because every line on standard output is JSON. */
export const createSpeaker =
  (level: Config['logLevel']): Speaker =>
  (line) => {
    if (level !== 'silent') process.stderr.write(`${line}\n`)
  }

/**
 * For intrusion detection such as fail2ban. The format of the line and the names of events are documented in
 * docs/monitoring.md; the address comes before any value that a client can choose.
 */
export const logSecurityEvent = (log: Logger, event: string, { address, ...facts }: Facts): void =>
  log.info('security event', { event, address, ...facts })

function plain(facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
    ]),
  )
}

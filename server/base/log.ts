// Structured logs: one JSON object a line. Callers pass plain facts; secrets are never among them.
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

/**
 * What an intrusion detector such as fail2ban looks for. The form of the line and the names are promised in
 * docs/operations.md; the address comes before anything that a stranger can choose.
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

// Metrics of mailboxes, calendars and received mail. The primary process reads and receives them; a reading on request runs in
// the process that serves the request.
import { Counter, Registry } from 'prom-client'
import { type IntakeProblem, intakeProblems } from '../../domain/intake/intake.ts'
import type { Family } from './metrics.ts'

const mailWays = ['mailbox', 'mail'] as const
const sources = ['mailbox', 'calendar'] as const

/** Why a mail was not accepted. `failed` is our own error, and the sender tries again. */
const refusedMails = [
  'too_many_connections',
  'unknown_recipient',
  'too_many_unknown_recipients',
  'too_many_mails',
  'too_large',
  'access_lost',
  'failed',
] as const
export type RefusedMail = (typeof refusedMails)[number]
type ReadSource = (typeof sources)[number]

export interface IntakeMetrics {
  countMail(way: (typeof mailWays)[number]): void
  countRefusedMail(reason: RefusedMail): void
  countReading(source: ReadSource): void
  countFailedReading(source: ReadSource, problem: IntakeProblem): void
  read(): Promise<Family[]>
}

export function createIntakeMetrics(): IntakeMetrics {
  const registry = new Registry()
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const mails = counter(
    'contrail_mails_taken_total',
    'Mails that were imported, from mailboxes (mailbox) or forwarded to the instance (mail).',
    'way',
  )
  const refused = counter(
    'contrail_mails_refused_total',
    'Mails, recipients and connections that were refused, by reason.',
    'reason',
  )
  const readings = counter(
    'contrail_intake_readings_total',
    'Readings of mailboxes and calendars that succeeded.',
    'source',
  )
  const failures = counter(
    'contrail_intake_readings_failed_total',
    'Readings of mailboxes and calendars that failed, by problem.',
    'source',
    'problem',
  )
  // All series exist from the start: the rate of a series that appears with its first error would miss that error.
  for (const way of mailWays) mails.inc({ way }, 0)
  for (const reason of refusedMails) refused.inc({ reason }, 0)
  for (const source of sources) readings.inc({ source }, 0)
  for (const source of sources) for (const problem of intakeProblems) failures.inc({ source, problem }, 0)
  return {
    countMail: (way) => mails.inc({ way }),
    countRefusedMail: (reason) => refused.inc({ reason }),
    countReading: (source) => readings.inc({ source }),
    countFailedReading: (source, problem) => failures.inc({ source, problem }),
    read: () => registry.getMetricsAsJSON(),
  }
}

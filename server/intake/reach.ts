// Hosts that people name for their mail and their calendars: which of them may be reached, what goes wrong, and how what
// is needed to reach them is sealed.
import type { Config } from '../base/config.ts'
import { type InstanceSecret, Unreadable } from '../base/instance-secret.ts'
import { OutboundError, type OutboundRules, rulesFor } from '../base/outbound.ts'
import type { IntakeProblem } from '../domain/intake.ts'

/** Why a mailbox or a calendar was not read. The message contains nothing that the other host said. */
export class IntakeError extends Error {
  readonly problem: IntakeProblem
  /** Of an HTTP response. */
  readonly status: number | undefined
  constructor(problem: IntakeProblem, status?: number) {
    super(status === undefined ? problem : `${problem} ${status}`)
    this.problem = problem
    this.status = status
  }
}

/** Which addresses may be reached on this instance. */
export const intakeRules = (
  config: Pick<Config, 'host' | 'origin' | 'intakePrivateAddresses'>,
): OutboundRules => rulesFor(config, config.intakePrivateAddresses)

/** What a failed connection means to the person who named the host. */
export function problemOf(error: unknown): IntakeProblem {
  if (error instanceof IntakeError) return error.problem
  if (error instanceof OutboundError) return error.reason
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/WRONG_VERSION_NUMBER|^EPROTO$|PACKET_LENGTH_TOO_LONG|RECORD_LAYER/.test(code))
    return 'encryption_missing'
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code))
    return 'certificate_invalid'
  if (/TIMEOUT$|^ABORT_ERR$|^23$/.test(code)) return 'timeout'
  return /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/.test(code)
    ? 'no_connection'
    : 'connection_broken'
}

/** What is sealed: only the same person's things of the same kind open it. */
export const sealPurposes = {
  mailbox: (userId: string): string => `mailbox of ${userId}`,
  mailAddress: (userId: string): string => `mail address of ${userId}`,
  subscription: (userId: string): string => `subscription of ${userId}`,
}

/** Undefined if it was sealed with another instance secret. */
export function unsealOrNot(secret: InstanceSecret, purpose: string, sealed: string): string | undefined {
  try {
    return secret.unseal(purpose, sealed)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

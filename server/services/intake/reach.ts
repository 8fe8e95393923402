// The hosts that people enter for their mail and calendars: the rules for reaching them, the problems, and the sealing of their
// credentials.
import type { Config } from '../../base/config.ts'
import { OutboundError, type OutboundRules, rulesFor } from '../../base/network/outbound.ts'
import { type InstanceSecret, Unreadable } from '../../base/secret/instance-secret.ts'
import type { IntakeProblem } from '../../domain/intake/intake.ts'

/** Why a mailbox or a calendar was not read. The message contains nothing from the other host. */
export class IntakeError extends Error {
  readonly problem: IntakeProblem
  /** The status of an HTTP response. */
  readonly status: number | undefined
  constructor(problem: IntakeProblem, status?: number) {
    super(status === undefined ? problem : `${problem} ${status}`)
    this.problem = problem
    this.status = status
  }
}

/** The addresses that may be reached on this instance. */
export const intakeRules = (
  config: Pick<Config, 'host' | 'origin' | 'intakePrivateAddresses'>,
): OutboundRules => rulesFor(config, config.intakePrivateAddresses)

/** The problem behind a failed connection, for the person who entered the host. */
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

/** Sealed values can only be opened for the same person and the same purpose. */
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

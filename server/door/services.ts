// The services of one application that every operation may use, created in `app.ts`. A helper that needs only some
// takes `Pick<Services, …>`.
import type * as z from 'zod'
import type { Background } from '../base/background.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import type { ResponseCache } from '../base/response/cache.ts'
import type { Completions } from '../base/response/completions.ts'
import type { Zip } from '../base/response/gzip.ts'
import type { KeptPieces } from '../base/response/kept-pieces.ts'
import type { OutageLog } from '../base/response/outage-log.ts'
import type { Spool } from '../base/response/spool.ts'
import type { InstanceSecret } from '../base/secret/instance-secret.ts'
import type { Turns } from '../base/turns.ts'
import type { Limits } from '../services/access/limits.ts'
import type { Mailer } from '../services/accounts/mailer.ts'
import type { Provider } from '../services/accounts/provider.ts'
import type { SetupToken } from '../services/accounts/setup-token.ts'
import type { Imports } from '../services/imports/verdicts/runner.ts'
import type { Lookups } from '../services/lookup/lookups.ts'
import type { IntakeMetrics } from '../services/metrics/intake.ts'
import type { DrawIcon } from '../services/preview/icon.ts'
import type { Previews } from '../services/preview/previews.ts'
import type { Push } from '../services/push/push.ts'
import type { Reference } from '../services/reference/reference.ts'
import type { KeptLogs } from '../services/statistics/kept-logs.ts'
import type { ChangeWaiters } from '../store/history/change-waiters.ts'
import type { ImportFiles } from '../store/imports/files.ts'
import type { Store } from '../store/store.ts'
import type { Uploads } from '../store/uploads/pictures.ts'

/** All state of an application: two applications in one process share nothing. */
export interface Services {
  store: Store
  config: Config
  clock: Clock
  log: Logger
  logOutage: OutageLog
  reference: Reference
  cache: ResponseCache
  /** Creates and caches documents that may be long. */
  spool: Spool
  keptPieces: KeptPieces
  /** When the next flight of each log completes. */
  completions: Completions
  /** Logs prepared for statistics. */
  keptLogs: KeptLogs
  limits: Limits
  /** Requests waiting for a change. */
  changeWaiters: ChangeWaiters
  uploads: Uploads
  /** Encrypts stored values that are needed again in plain text. */
  secret: InstanceSecret
  /** Limits how many exports run at the same time. */
  exportTurns: Turns
  /** The same for whole logs and lists. */
  listTurns: Turns
  /** The same for bulk requests and their transactions. */
  bulkTurns: Turns
  /** Compresses responses. */
  zip: Zip
  /** Work that continues after the response. */
  background: Background
  /** Reads and evaluates imported files. */
  imports: Imports
  importFiles: ImportFiles
  intakeMetrics: IntakeMetrics
  /** Looks up flights at providers. */
  lookups: Lookups
  /** Sends notifications to devices. */
  push: Push
  /** The images of link previews. */
  previews: Previews
  /** Draws SVGs that people upload. */
  drawIcon: DrawIcon
  /** Undefined if this instance does not send mail. */
  mailer: Mailer | undefined
  /** The identity provider, if the instance has one. */
  provider: Provider | undefined
  /** Required for the first set-up if strangers could reach the instance. */
  setupToken: SetupToken | undefined
  version: string
  /** Receives every output before it is sent; tests check it against the declaration. */
  onOutput?: ((op: Declared, output: unknown) => void) | undefined
}

/** The declaration that an output is checked against. */
interface Declared {
  id: string
  status?: number | undefined
  output: z.ZodType
}

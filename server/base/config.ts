// All settings: name, permitted values, default and description. The server does not start with an invalid value.
import { join, resolve } from 'node:path'
import * as z from 'zod'
import type { RoleRule } from '../domain/access/role-rules.ts'
import { DAY, HOUR, MINUTE } from '../domain/time/durations.ts'
import { serversOf } from './database-url.ts'
import { secretIn } from './secret-file.ts'
import { docsAddress } from './version.ts'

const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')

const wholeNumber = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .pipe(z.number(rule).min(least, rule).max(most, rule))
}

const ENCODE_PASSWORD =
  'is not a valid address; percent-encode special characters in the password (@ is %40, : is %3A, / is %2F, ? is %3F, # is %23, % is %25)'

/** With an unencoded special character in the password, the rest of it is parsed as host, path or fragment. */
function isReadable(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hash, username, password, pathname, search } = new URL(address)
  if (hash !== '' || (username === '' && `${pathname}${search}`.includes('@'))) return false
  try {
    decodeURIComponent(`${username}${password}${pathname}`)
    return true
  } catch {
    return false
  }
}

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
  .refine((text) => serversOf(text).every(isReadable), { error: ENCODE_PASSWORD, abort: true })

const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

const bytes = (least: [number, string], most: [number, string]) => {
  const rule = `must be a number of bytes from ${least[1]} to ${most[1]}, optionally with K, M or G`
  return z
    .string()
    .regex(/^\d{1,15}[KMG]?$/i, rule)
    .transform(
      (text) => Number.parseInt(text, 10) * ({ K: KB, M: MB, G: GB }[text.slice(-1).toUpperCase()] ?? 1),
    )
    .pipe(z.number().min(least[0], rule).max(most[0], rule))
}

/** Creating a folder in /proc never returns. */
const folder = z
  .string()
  .min(1)
  .refine(
    (path) => !/^\/(proc|sys)(\/|$)/.test(resolve(path)),
    'must be a folder on a disk, not in /proc or /sys',
  )

const duration = z
  .string()
  .regex(/^[1-9]\d{0,4}[mhd]$/i, 'must be a number with m, h or d, such as 6h or 1d')
  .transform((text, context) => {
    const unit = { m: MINUTE, h: HOUR, d: DAY }[text.slice(-1).toLowerCase()]!
    const ms = Number.parseInt(text, 10) * unit
    if (ms <= 366 * DAY) return ms
    context.addIssue('must be at most 366d')
    return z.NEVER
  })

const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.origin === text.replace(/\/$/, '').toLowerCase()
  ) {
    return url.origin
  }
  context.addIssue('must be the public address without a path, such as https://flights.example.org')
  return z.NEVER
})

const baseUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url.href.replace(/\/+$/, '')
  context.addIssue('must be an http or https address without a password, a query or a fragment')
  return z.NEVER
})

/** The issuer address of an identity provider: https, or http on this machine. */
const issuer = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (isPlain && isSafe) return text
  context.addIssue(
    'must be an https address (http on this machine only) without a password, query or fragment',
  )
  return z.NEVER
})

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

const roleRules = z
  .array(
    z.strictObject({
      claim: z.string().max(200).startsWith('/'),
      contains: z.string().min(1).max(200),
      role: z.string().min(1).max(50),
    }),
  )
  .max(100)

const rules = z.string().transform((text, context) => {
  const parsed = roleRules.safeParse(jsonOrNothing(text))
  if (parsed.success) return parsed.data
  context.addIssue(
    'must be a JSON list of rules such as [{"claim": "/groups", "contains": "flyers", "role": "Family"}]',
  )
  return z.NEVER
})

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** In the order in which the guide and .env.example show them. */
export const settingGroups = [
  'Address',
  'Storage',
  'PostgreSQL',
  'Proxy',
  'Sign-in',
  'Mail',
  'Intake',
  'Lookup',
  'Programs',
  'Backups',
  'Limits and logs',
] as const

declare module 'zod' {
  interface GlobalMeta {
    group?: (typeof settingGroups)[number]
    /** One of the few that most instances set; the guide begins with them. */
    common?: true
    /** Can be read from a file that `NAME_FILE` names. */
    secret?: true
  }
}

export const settings = z.object({
  PORT: wholeNumber(0, 65_535)
    .default(3000)
    .describe('port to listen on')
    .meta({ group: 'Address', common: true }),
  HOST: z
    .string()
    .min(1)
    .default('0.0.0.0')
    .describe('address to listen on')
    .meta({ group: 'Address', common: true }),
  ORIGIN: origin
    .optional()
    .describe('public address, exactly as in the browser; unset, `http://localhost:PORT`')
    .meta({ group: 'Address', common: true }),
  DATA_DIR: folder
    .default('./data')
    .describe('folder of the SQLite file, uploads, files of imports and cached responses')
    .meta({ group: 'Storage', common: true }),
  UPLOADS: z
    .enum(['folder', 'database', 's3'], 'must be folder, database or s3')
    .default('folder')
    .describe(
      'where uploaded pictures are kept: `folder` (in `DATA_DIR`), `database`, or `s3`; several machines share the last two',
    )
    .meta({ group: 'Storage' }),
  S3_ENDPOINT: baseUrl
    .optional()
    .describe(
      'address of an S3-compatible store, such as `https://s3.eu-central-1.amazonaws.com`; with `UPLOADS=s3`',
    )
    .meta({ group: 'Storage' }),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional()
    .describe('bucket for uploads and files of imports, which only this instance uses')
    .meta({ group: 'Storage' }),
  S3_REGION: z
    .string()
    .min(1)
    .default('us-east-1')
    .describe('region of the bucket')
    .meta({ group: 'Storage' }),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('access key for the bucket')
    .meta({ group: 'Storage' }),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('its secret')
    .meta({ group: 'Storage', secret: true }),
  DATABASE_CONNECTIONS: wholeNumber(2, 1000)
    .default(10)
    .describe('most connections to PostgreSQL, per process')
    .meta({ group: 'PostgreSQL' }),
  DATABASE_PREPARE: z
    .enum(['auto', 'true', 'false'], 'must be auto, true or false')
    .default('auto')
    .describe(
      'whether PostgreSQL keeps prepared statements; `auto`: unless a pooler such as PgBouncer is in between',
    )
    .meta({ group: 'PostgreSQL' }),
  DATABASE_READ_URL: databaseUrl
    .optional()
    .describe(
      '`postgres://…` of a read replica for exports, shares, feeds and statistics of everyone; unset, none',
    )
    .meta({ group: 'PostgreSQL', secret: true }),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      '`postgres://…` to use PostgreSQL instead of SQLite; of several hosts (`a:5432,b:5432`) the one that accepts writes is used',
    )
    .meta({ group: 'PostgreSQL', common: true, secret: true }),
  WORKERS: z
    .string()
    .regex(/^(auto|[1-9]\d?|1\d\d|2[0-4]\d|25[0-6])$/, 'must be auto or a number from 1 to 256')
    .transform((text) => (text === 'auto' ? text : Number(text)))
    .default(1)
    .describe('processes to run; `auto` is one per core')
    .meta({ group: 'Address', common: true }),
  ADDRESS_HEADER: z
    .string()
    .regex(/^[!#$%&'*+\-.^_`|~\w]+$/, 'must be the name of a header, such as x-forwarded-for')
    .optional()
    .describe('header in which your proxy names the client, such as `x-forwarded-for`')
    .meta({ group: 'Proxy', common: true }),
  XFF_DEPTH: wholeNumber(1, 32)
    .default(1)
    .describe('how many of your proxies append to `x-forwarded-for`')
    .meta({ group: 'Proxy' }),
  BODY_SIZE_LIMIT: bytes([64 * KB, '64K'], [GB, '1G'])
    .default(20 * MB)
    .describe('largest request body, in bytes or with K, M, G')
    .meta({ group: 'Limits and logs' }),
  IMPORT_SIZE_LIMIT: bytes([64 * KB, '64K'], [GB, '1G'])
    .default(100 * MB)
    .describe('largest file that can be imported, in bytes or with K, M, G')
    .meta({ group: 'Intake' }),
  RESPONSE_CACHE_DISK: bytes([0, '0'], [1024 * GB, '1024G'])
    .default(256 * MB)
    .describe(
      'space in `DATA_DIR/cache` for long lists and exports, in bytes or with K, M, G; 0 turns it off',
    )
    .meta({ group: 'Storage' }),
  KITINERARY_PATH: z
    .string()
    .regex(/^\//, 'must be an absolute path')
    .optional()
    .describe(
      'program of KItinerary that also reads mails, pages and PDF documents to import; unset, none is run',
    )
    .meta({ group: 'Intake' }),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .default('info')
    .describe('`debug`, `info`, `warn`, `error` or `silent`')
    .meta({ group: 'Limits and logs' }),
  ACCESS_LOG: flag
    .default(false)
    .describe('log every request: method, path, status, time, address')
    .meta({ group: 'Limits and logs' }),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .regex(/^\S+$/, 'must not contain blanks')
    .optional()
    .describe(
      'bearer token for `/metrics`; unset, only this machine may read them, and only if `ORIGIN` is a loopback address',
    )
    .meta({ group: 'Limits and logs', secret: true }),
  CLIENT_ID_DOCUMENTS: flag
    .default(true)
    .describe('fetch OAuth client metadata documents from their https URLs')
    .meta({ group: 'Programs' }),
  REQUIRE_IF_MATCH: flag
    .default(false)
    .describe(
      'refuse programs’ changes of a flight without `If-Match`; the owner can also turn it on in the settings',
    )
    .meta({ group: 'Programs' }),
  SECRET_KEY: z
    .string()
    .min(32, 'must have at least 32 characters')
    .regex(/^\S+$/, 'must not contain blanks')
    .optional()
    .describe(
      'encrypts stored secrets, such as those of webhooks; unset, one is made in `DATA_DIR/secret.key`',
    )
    .meta({ group: 'Storage', secret: true }),
  OIDC_ISSUER: issuer
    .optional()
    .describe('address of an OpenID Connect provider that people may sign in with; unset, none')
    .meta({ group: 'Sign-in', common: true }),
  OIDC_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe('client id of this instance at the provider')
    .meta({ group: 'Sign-in' }),
  OIDC_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('client secret; unset, this instance is a public client')
    .meta({ group: 'Sign-in', secret: true }),
  OIDC_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40, 'must have at most 40 characters')
    .default('Single sign-on')
    .describe('name of the provider on the button “Sign in with …”')
    .meta({ group: 'Sign-in' }),
  OIDC_SCOPE: z
    .string()
    .regex(/(^|\s)openid(\s|$)/, 'must contain openid')
    .default('openid profile email')
    .describe('scopes to request; many providers need one more for groups')
    .meta({ group: 'Sign-in' }),
  OIDC_REGISTER: flag
    .default(true)
    .describe('create an account for people whom the provider knows and this instance does not')
    .meta({ group: 'Sign-in' }),
  OIDC_AUTO: flag
    .default(false)
    .describe('go straight to the provider; `/sign-in?local=1` shows the other ways')
    .meta({ group: 'Sign-in' }),
  OIDC_PASSWORDS: flag
    .default(true)
    .describe('`false` refuses password sign-in for everyone but the owner; needs `OIDC_ISSUER`')
    .meta({ group: 'Sign-in' }),
  OIDC_ROLES: rules
    .optional()
    .describe(
      'roles from the provider’s claims: a JSON list of `{claim, contains, role}`, the first match wins',
    )
    .meta({ group: 'Sign-in' }),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .refine(isReadable, { error: ENCODE_PASSWORD, abort: true })
    .optional()
    .describe(
      '`smtp://…` to send mails by, so that people can ask for a link to a new password; a new e-mail address is used only after its person has opened the link mailed there; encryption is required unless it ends in `?requireTLS=false`; unset, none are sent',
    )
    .meta({ group: 'Mail', common: true, secret: true }),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an address, such as contrail@example.org')
    .optional()
    .describe('sender of mails; unset, `contrail` at the host of `ORIGIN`')
    .meta({ group: 'Mail' }),
  WEBHOOKS: flag
    .default(true)
    .describe('send changes of flights to the addresses that users enter')
    .meta({ group: 'Programs' }),
  WEBHOOK_PRIVATE_ADDRESSES: flag
    .default(false)
    .describe('also send webhooks to private addresses, such as those of a home network and of this machine')
    .meta({ group: 'Programs' }),
  PUSH: flag
    .default(true)
    .describe('send notifications to the browsers that people register')
    .meta({ group: 'Programs' }),
  PUSH_PRIVATE_ADDRESSES: flag
    .default(false)
    .describe('also send notifications to push services at private addresses')
    .meta({ group: 'Programs' }),
  MAILBOXES: flag
    .default(true)
    .describe('read the mailboxes (IMAP) that users enter')
    .meta({ group: 'Intake' }),
  SUBSCRIPTIONS: flag
    .default(true)
    .describe('read the calendars (ICS addresses) that users enter')
    .meta({ group: 'Intake' }),
  INTAKE_PRIVATE_ADDRESSES: flag
    .default(false)
    .describe(
      'also read mailboxes and calendars at private addresses, such as those of a home network and of this machine',
    )
    .meta({ group: 'Intake' }),
  MAIL_IN_PORT: wholeNumber(1, 65_535)
    .optional()
    .describe(
      'port on which to receive forwarded mails (SMTP); needs `MAIL_IN_DOMAIN`; unset, none are received',
    )
    .meta({ group: 'Intake' }),
  MAIL_IN_DOMAIN: z
    .string()
    .regex(/^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i, 'must be a domain, such as in.example.org')
    .optional()
    .describe('domain of the addresses to which users forward mails; needs `MAIL_IN_PORT`')
    .meta({ group: 'Intake' }),
  MAIL_IN_TLS_CERT: z
    .string()
    .min(1)
    .optional()
    .describe(
      'PEM file with the certificate and its chain, to offer encryption (STARTTLS) to servers that send mails here; needs `MAIL_IN_TLS_KEY`; read again when it changes',
    )
    .meta({ group: 'Intake' }),
  MAIL_IN_TLS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('PEM file with the private key of that certificate, without a passphrase')
    .meta({ group: 'Intake' }),
  IMPORT_DIR: folder
    .optional()
    .describe(
      'folder to watch for files to import, with one folder per person, named like the user; unset, none is watched',
    )
    .meta({ group: 'Intake' }),
  AERODATABOX_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must not contain blanks')
    .optional()
    .describe('key of AeroDataBox, to look flights up by number and date; unset, it is not asked')
    .meta({ group: 'Lookup', secret: true }),
  AERODATABOX_URL: baseUrl
    .default('https://aerodatabox.p.rapidapi.com')
    .describe('address of AeroDataBox, for keys of another market')
    .meta({ group: 'Lookup' }),
  ADSBDB: flag
    .default(false)
    .describe('ask adsbdb.com for the usual route of a flight number')
    .meta({ group: 'Lookup' }),
  ADSBDB_URL: baseUrl
    .default('https://api.adsbdb.com')
    .describe('address of adsbdb')
    .meta({ group: 'Lookup' }),
  BACKUP_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('folder for automatic backups; unset, `DATA_DIR/backups`; `off`: none are made')
    .meta({ group: 'Backups', common: true }),
  BACKUP_EVERY: duration
    .default(DAY)
    .describe('time between automatic backups, such as `6h` or `1d`')
    .meta({ group: 'Backups' }),
  BACKUP_KEEP: wholeNumber(1, 10_000)
    .default(7)
    .describe('how many automatic backups to keep')
    .meta({ group: 'Backups' }),
})

export interface Config {
  /** Not a setting: where the project publishes its documentation and its newest version, if it has an address. */
  docsAddress: string | undefined
  port: number
  host: string
  origin: string
  dataDir: string
  uploads: 'folder' | 'database' | 's3'
  /** Also set if uploads are not in S3, so that they can be moved to or from it. */
  s3: S3Config | undefined
  /** May name several hosts; see base/database-url.ts. */
  databaseUrl: string | undefined
  databaseReadUrl: string | undefined
  databasePrepare: 'auto' | 'true' | 'false'
  databaseConnections: number
  workers: number | 'auto'
  addressHeader: string | undefined
  xffDepth: number
  bodySizeLimit: number
  importSizeLimit: number
  responseCacheDisk: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  accessLog: boolean
  metricsToken: string | undefined
  clientIdDocuments: boolean
  requireIfMatch: boolean
  secretKey: string | undefined
  /** The identity provider; undefined if there is none. */
  oidc: OidcConfig | undefined
  /** undefined: no mails are sent. */
  smtp: { url: string; from: string } | undefined
  webhooks: boolean
  webhookPrivateAddresses: boolean
  push: boolean
  pushPrivateAddresses: boolean
  mailboxes: boolean
  subscriptions: boolean
  intakePrivateAddresses: boolean
  /** Both or neither. */
  mailIn: { port: number; domain: string; tls: { cert: string; key: string } | undefined } | undefined
  kitineraryPath: string | undefined
  importDir: string | undefined
  aerodataboxKey: string | undefined
  /** Without a slash at the end. */
  aerodataboxUrl: string
  adsbdb: boolean
  adsbdbUrl: string
  backupDir: string | undefined
  backupEveryMs: number
  backupKeep: number
}

export interface S3Config {
  /** Without a slash at the end. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  name: string
  scope: string
  register: boolean
  auto: boolean
  /** Whether people other than the owner may sign in with a password. */
  passwords: boolean
  roles: readonly RoleRule[]
}

export class ConfigError extends Error {}

/** Settings whose value can be read from a file instead, named in `NAME_FILE`. */
export const secretSettings: readonly string[] = Object.entries(settings.shape)
  .filter(([, schema]) => schema.meta()?.['secret'] === true)
  .map(([name]) => name)

type Environment = Record<string, string | undefined>

/** Reads the settings from an environment; empty means unset. Throws ConfigError naming the first bad one. */
export function readConfig(environment: Environment): Config {
  const fromFiles = secretsFromFiles(environment)
  const given = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => {
      const value = fromFiles.get(name) ?? environment[name]
      return value ? [[name, value]] : []
    }),
  )
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    const name = String(path[0])
    throw new ConfigError(`${fromFiles.has(name) ? `${name}_FILE` : name}: ${message}`)
  }
  const env = parsed.data
  const publicOrigin = env.ORIGIN ?? `http://localhost:${env.PORT}`
  return {
    docsAddress,
    port: env.PORT,
    host: env.HOST,
    origin: publicOrigin,
    dataDir: resolve(env.DATA_DIR),
    uploads: env.UPLOADS,
    s3: s3Of(env),
    databaseUrl: env.DATABASE_URL,
    databaseReadUrl: readUrlOf(env),
    databasePrepare: env.DATABASE_PREPARE,
    databaseConnections: env.DATABASE_CONNECTIONS,
    workers: env.WORKERS,
    addressHeader: env.ADDRESS_HEADER?.toLowerCase(),
    xffDepth: env.XFF_DEPTH,
    bodySizeLimit: env.BODY_SIZE_LIMIT,
    importSizeLimit: env.IMPORT_SIZE_LIMIT,
    responseCacheDisk: env.RESPONSE_CACHE_DISK,
    logLevel: env.LOG_LEVEL,
    accessLog: env.ACCESS_LOG,
    metricsToken: env.METRICS_TOKEN,
    clientIdDocuments: env.CLIENT_ID_DOCUMENTS,
    requireIfMatch: env.REQUIRE_IF_MATCH,
    secretKey: env.SECRET_KEY,
    oidc: oidcOf(env),
    smtp: smtpOf(env, publicOrigin),
    webhooks: env.WEBHOOKS,
    webhookPrivateAddresses: env.WEBHOOK_PRIVATE_ADDRESSES,
    push: env.PUSH,
    pushPrivateAddresses: env.PUSH_PRIVATE_ADDRESSES,
    mailboxes: env.MAILBOXES,
    subscriptions: env.SUBSCRIPTIONS,
    intakePrivateAddresses: env.INTAKE_PRIVATE_ADDRESSES,
    mailIn: mailInOf(env),
    kitineraryPath: env.KITINERARY_PATH,
    importDir: env.IMPORT_DIR === undefined ? undefined : resolve(env.IMPORT_DIR),
    aerodataboxKey: env.AERODATABOX_KEY,
    aerodataboxUrl: env.AERODATABOX_URL,
    adsbdb: env.ADSBDB,
    adsbdbUrl: env.ADSBDB_URL,
    backupDir: backupDirOf(env),
    backupEveryMs: env.BACKUP_EVERY,
    backupKeep: env.BACKUP_KEEP,
  }
}

function secretsFromFiles(environment: Environment): Map<string, string> {
  const named = secretSettings.filter((name) => environment[`${name}_FILE`])
  return new Map(named.map((name) => [name, secretFromFile(environment, name)]))
}

function secretFromFile(environment: Environment, name: string): string {
  if (environment[name]) throw new ConfigError(`${name}_FILE: set either this or ${name}, not both`)
  try {
    return secretIn(environment[`${name}_FILE`]!)
  } catch (error) {
    throw new ConfigError(`${name}_FILE: ${(error as Error).message}`)
  }
}

const backupDirOf = ({ BACKUP_DIR, DATA_DIR }: z.output<typeof settings>): string | undefined =>
  BACKUP_DIR === 'off' ? undefined : resolve(BACKUP_DIR ?? join(DATA_DIR, 'backups'))

function readUrlOf({
  DATABASE_URL: url,
  DATABASE_READ_URL: readUrl,
}: z.output<typeof settings>): string | undefined {
  if (readUrl !== undefined && url === undefined)
    throw new ConfigError('DATABASE_READ_URL: needs DATABASE_URL')
  return readUrl
}

function s3Of(env: z.output<typeof settings>): S3Config | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = env
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (endpoint && bucket && accessKeyId && secretAccessKey)
    return { endpoint, bucket, region, accessKeyId, secretAccessKey }
  if (env.UPLOADS === 's3')
    throw new ConfigError(
      'UPLOADS: s3 needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    )
  return undefined
}

function mailInOf({
  MAIL_IN_PORT: port,
  MAIL_IN_DOMAIN: domain,
  MAIL_IN_TLS_CERT: cert,
  MAIL_IN_TLS_KEY: key,
}: z.output<typeof settings>): Config['mailIn'] {
  if ((port === undefined) !== (domain === undefined))
    throw new ConfigError('MAIL_IN_PORT: set it together with MAIL_IN_DOMAIN, or set neither')
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigError('MAIL_IN_TLS_CERT: set it together with MAIL_IN_TLS_KEY, or set neither')
  if (port === undefined || domain === undefined) return undefined
  const tls = cert === undefined || key === undefined ? undefined : { cert: resolve(cert), key: resolve(key) }
  return { port, domain: domain.toLowerCase(), tls }
}

const onlyWithProvider = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'] as const

function oidcOf(env: z.output<typeof settings>): OidcConfig | undefined {
  const { OIDC_ISSUER: at, OIDC_CLIENT_ID: clientId } = env
  if (at === undefined) {
    const lone = onlyWithProvider.find((name) => env[name] !== undefined)
    if (lone) throw new ConfigError(`${lone}: needs OIDC_ISSUER`)
    if (!env.OIDC_PASSWORDS) throw new ConfigError('OIDC_PASSWORDS: can be false only if OIDC_ISSUER is set')
    return undefined
  }
  if (clientId === undefined) throw new ConfigError('OIDC_CLIENT_ID: is required if OIDC_ISSUER is set')
  return {
    issuer: at,
    clientId,
    clientSecret: env.OIDC_CLIENT_SECRET,
    name: env.OIDC_NAME,
    scope: env.OIDC_SCOPE,
    register: env.OIDC_REGISTER,
    auto: env.OIDC_AUTO,
    passwords: env.OIDC_PASSWORDS,
    roles: env.OIDC_ROLES ?? [],
  }
}

const smtpOf = (
  { SMTP_URL: url, MAIL_FROM: from }: z.output<typeof settings>,
  publicOrigin: string,
): Config['smtp'] =>
  url === undefined ? undefined : { url, from: from ?? `contrail@${new URL(publicOrigin).hostname}` }

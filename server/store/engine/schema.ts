// The tables as the code sees them, in camelCase (naming.ts). Both engines store the same types: text ids, integers, ISO text
// for dates and date-times, JSON as text, booleans as 0/1.
import type { Generated, Selectable } from 'kysely'
import type { LookupProvider, LookupReason } from '../../domain/entry/lookup.ts'
import type { AircraftClass, LegacyFormat } from '../../domain/enums.ts'
import type { FlightColumns, PassengerFields, ReferenceField } from '../../domain/flights/fields.ts'
import type { ChangeType, RemovalReason } from '../../domain/history/changes.ts'
import type { HistoryKind, HistoryVia } from '../../domain/history/edits.ts'
import type { ImportStatus, QuestionKind, RowCode, SourceId, Verdict } from '../../domain/imports/imports.ts'
import type { IntakeProblem, IntakeStatus, MailSecurity } from '../../domain/intake/intake.ts'
import type { Language } from '../../domain/languages.ts'
import type { NotificationKind } from '../../domain/push/notifications.ts'
import type { FeedKind } from '../../domain/sharing/feed.ts'
import type { TripColour } from '../../domain/trips/trip.ts'
import type {
  DeliveryState,
  StopReason,
  WebhookEvent,
  WebhookPayload,
  WebhookScope,
  WebhookStatus,
} from '../../domain/webhooks/webhooks.ts'

type Flag = 0 | 1
type Json = string
type Timestamp = string

/** A row of a table, as a query returns it. */
export type RowOf<Table extends keyof Schema> = Selectable<Schema[Table]>

export interface Schema {
  migration: { name: string; appliedAt: Timestamp }
  setting: { name: string; value: string }
  revision: { name: string; value: number }
  role: {
    id: string
    name: string
    nameFolded: string
    description: string | null
    permissions: Json
    createdAt: Timestamp
    updatedAt: Timestamp
  }
  person: {
    id: string
    username: string
    usernameFolded: string
    displayName: string
    passwordHash: string | null
    roleId: string | null
    isOwner: Flag
    preferences: Json
    createdAt: Timestamp
    email: string | null
    emailVerified: 0 | 1
    roleByHand: Generated<Flag>
    browserKey: Generated<string>
  }
  identity: {
    id: Generated<number>
    userId: string
    issuer: string
    subject: string
    label: string
    createdAt: Timestamp
    lastUsedAt: Timestamp
  }
  passkey: {
    id: Generated<number>
    userId: string
    credentialId: string
    /** COSE, as base64url. */
    publicKey: string
    counter: number
    transports: Json
    name: string
    createdAt: Timestamp
    lastUsedAt: Timestamp | null
  }
  secondFactor: {
    userId: string
    /** Sealed. */
    secret: string
    enabledAt: Timestamp | null
    createdAt: Timestamp
  }
  recoveryCode: {
    id: Generated<number>
    userId: string
    hash: string
    usedAt: Timestamp | null
  }
  trustedBrowser: {
    hash: string
    userId: string
    expiresAt: Timestamp
  }
  accountLink: {
    id: Generated<number>
    purpose: 'invite' | 'reset' | 'mailed-reset'
    hash: string
    userId: string | null
    roleId: string | null
    createdBy: string | null
    createdAt: Timestamp
    expiresAt: Timestamp
    endApiKeys: Flag
    endApps: Flag
    endSecondFactor: Flag
  }
  oneTime: {
    hash: string
    purpose: string
    browser: string | null
    userId: string | null
    data: Json
    expiresAt: Timestamp
  }
  signInTry: {
    rule: string
    who: string
    state: Json
    expiresAt: Timestamp
  }
  upload: {
    path: string
    bytes: Uint8Array
    writtenAt: Timestamp
  }
  apiKey: {
    id: Generated<number>
    userId: string
    name: string
    hash: string
    lastFour: string
    scopes: Json
    legacyFormat: LegacyFormat
    createdAt: Timestamp
    lastUsedAt: Timestamp | null
  }
  session: {
    id: Generated<number>
    hash: string
    userId: string
    userAgent: string | null
    createdAt: Timestamp
    lastSeenAt: Timestamp
    expiresAt: Timestamp
    address: string | null
    way: Generated<string>
    confirmedAt: Timestamp | null
    identityId: number | null
    providerSession: string | null
    /** Sealed. */
    idToken: string | null
  }
  airport: {
    id: number
    icao: string
    iata: string | null
    name: string
    municipality: string | null
    latitude: number
    longitude: number
    timezone: string
    type: string
    continent: string
    country: string
    formerCodes: Json
    custom: Flag
    search: string
    importance: Generated<number>
  }
  airline: {
    id: number
    name: string
    icao: string | null
    iata: string | null
    country: string | null
    callsign: string | null
    active: Flag
    iconPath: string | null
    custom: Flag
    search: string
    importance: Generated<number>
    /** A year or a day. */
    activeFrom: string | null
    activeTo: string | null
    successorId: number | null
  }
  aircraft: {
    id: number
    name: string
    icao: string | null
    /** All IATA type codes, each surrounded by spaces; null for types without one. */
    iata: string | null
    custom: Flag
    search: string
    importance: Generated<number>
    class: AircraftClass | null
  }
  codePeriod: {
    kind: 'airport' | 'city' | 'airline'
    code: string
    /** An airport or an airline. */
    recordId: number
    /** Days; null if unknown or unlimited. */
    validFrom: string | null
    validTo: string | null
  }
  customField: {
    id: Generated<number>
    entityType: 'flight' | 'flight_passenger'
    key: string
    label: string
    description: string | null
    fieldType: string
    required: Flag
    position: number
    defaultValue: Json | null
    options: Json | null
    validation: Json | null
    active: Flag
    createdAt: Timestamp
    updatedAt: Timestamp
  }
  flight: FlightColumns & {
    id: Generated<number>
    customFields: Json | null
    createdAt: Timestamp
    updatedAt: Timestamp
    version: Generated<number>
    /** The revisions of people and reference records at the last write. */
    seenRecords: string | null
    importId: number | null
  }
  flightPassenger: PassengerFields & {
    id: Generated<number>
    flightId: number
    /** Copied from the flight, so that one index serves "my flights, newest first". */
    flightDate: string
    customFields: Json | null
    /** The other person who added this one. Not a foreign key: that account may be deleted. */
    addedBy: string | null
    keptAt: Timestamp | null
  }
  track: {
    flightId: number
    pointCount: number
    sourceFormat: string
    sourceName: string | null
    createdAt: Timestamp
    updatedAt: Timestamp
    body: Uint8Array
  }
  change: {
    /** A person, or `*` for people who see everything. */
    viewer: string
    type: ChangeType
    itemId: number
    number: number
    /** The change since which the viewer sees the item; 0 if that was before changes were numbered. */
    appeared: number
    version: number
    removed: RemovalReason | null
    at: Timestamp
    /** The external ids of a removed flight, by the person's id. */
    externalIds: Json | null
    /** The change since which the viewer has seen the flight, including in the bin; 0 if unknown. */
    since: number
  }
  flightHistory: {
    changeId: number
    flightId: number
    kind: HistoryKind
    version: number
    at: Timestamp
    /** Null if the account was deleted. */
    userId: string | null
    via: HistoryVia
    credential: string | null
    importId: number | null
    /** The changed values of a flight, before and after. */
    edit: Json | null
    /** The body of a track that was replaced. */
    track: Uint8Array | null
    undoneBy: number | null
  }
  externalId: {
    id: Generated<number>
    userId: string
    source: string
    value: string
    flightId: number
  }
  idempotency: {
    credential: string
    method: string
    path: string
    key: string
    bodyHash: string
    /** Null until the response is known. */
    status: number | null
    headers: Json | null
    body: string | null
    /** What a request that runs in several transactions has done so far. */
    progress: Json | null
    createdAt: Timestamp
    touchedAt: Timestamp
  }
  demoFlight: { flightId: number; userId: string }
  deletedFlight: Pick<FlightColumns, ReferenceField> & {
    id: number
    deletedAt: Timestamp
    deletedBy: string | null
    customFields: Json | null
    /** The other columns of the flight. */
    content: Json
  }
  deletedFlightRow: {
    id: Generated<number>
    flightId: number
    /** The table that the row was in. */
    origin: string
    /** Copied from the flight, so that one index serves "my deleted flights, newest first". */
    deletedAt: Timestamp
    userId: string | null
    customFields: Json | null
    content: Json
    body: Uint8Array | null
  }
  notice: {
    id: Generated<number>
    userId: string
    kind: string
    at: Timestamp
    data: Json
    readAt: Timestamp | null
    /** The flight it is about. Not a foreign key: a deleted flight may be restored. */
    flightId: number | null
    /** When the person left that flight from this notice. */
    leftAt: Timestamp | null
    /** The import it is about; the notice is deleted with it. */
    importId: Generated<number | null>
  }
  visitedCountry: {
    id: Generated<number>
    userId: string
    code: string
    status: string
    note: string | null
  }
  share: {
    id: Generated<number>
    userId: string
    slug: string
    expiresAt: Timestamp | null
    createdAt: Timestamp
    settings: Json
    flightId: number | null
    tripId: number | null
  }
  trip: {
    id: Generated<number>
    userId: string
    name: string
    note: string | null
    colour: TripColour
    createdAt: Timestamp
    updatedAt: Timestamp
    /** The import that created it, until someone changes it. */
    importId: number | null
  }
  demoTrip: { tripId: number; userId: string }
  tripFlight: { id: Generated<number>; tripId: number; flightId: number; userId: string }
  feed: {
    id: Generated<number>
    userId: string
    hash: string
    lastFour: string
    kind: FeedKind
    name: string
    settings: Json
    createdAt: Timestamp
    updatedAt: Timestamp
    lastReadAt: Timestamp | null
  }
  webhook: {
    id: Generated<number>
    userId: string
    url: string
    description: string
    events: Json
    scope: WebhookScope
    payload: WebhookPayload
    /** The credential that created or last changed it: `session`, `key:12` or `grant:7`; and its scopes. */
    credential: string
    scopes: Json
    /** Sealed with the instance secret. */
    secret: string
    oldSecret: string | null
    oldSecretUntil: Timestamp | null
    status: WebhookStatus
    stoppedBecause: StopReason | null
    failingSince: Timestamp | null
    position: number
    lease: string | null
    leaseUntil: Timestamp | null
    createdAt: Timestamp
    updatedAt: Timestamp
  }
  pushSubscription: {
    id: Generated<number>
    userId: string
    /** What registered it, and ends it: one of these. None if that session has expired. */
    sessionId: number | null
    apiKeyId: number | null
    grantId: number | null
    /** Sealed with the instance secret, like the keys. */
    endpoint: string
    keys: string
    endpointHash: string
    host: string
    label: string
    language: Language
    createdAt: Timestamp
    lastSuccessAt: Timestamp | null
    failingSince: Timestamp | null
    /** Consecutive failures. */
    failures: number
  }
  notificationSettings: {
    userId: string
    settings: Json
    /** The address that a mailed link confirmed. */
    mail: string | null
    mailsDay: string | null
    /** Mails sent on that day. */
    mails: number
  }
  notification: {
    id: Generated<number>
    userId: string
    key: string
    kind: NotificationKind
    noticeId: number | null
    flightId: number | null
    data: Json
    dueAt: Timestamp
    expiresAt: Timestamp
    /** When it was turned into deliveries, or dropped. */
    expandedAt: Timestamp | null
  }
  notificationDelivery: {
    id: Generated<number>
    userId: string
    channel: 'push' | 'mail'
    subscriptionId: number | null
    data: Json
    nextAttemptAt: Timestamp
    expiresAt: Timestamp
    attempts: number
    refusals: number
    lease: string | null
    leaseUntil: Timestamp | null
  }
  lookupAnswer: {
    provider: LookupProvider
    what: string
    number: string
    date: string
    reason: LookupReason | null
    answer: Json | null
    askedAt: Timestamp
    expiresAt: Timestamp | null
  }
  lookupPace: {
    provider: LookupProvider
    nextAt: number
    pausedUntil: number
  }
  lookupUse: {
    userId: string
    provider: LookupProvider
    day: string
    requests: number
  }
  webhookDelivery: {
    id: Generated<number>
    webhookId: number
    /** The number of the change; null for a ping. */
    number: number | null
    event: WebhookEvent
    flightId: number | null
    /** What is known about a removed flight. */
    removal: Json | null
    at: Timestamp
    state: DeliveryState
    attempts: Json
    attemptCount: number
    firstAttemptAt: Timestamp | null
    nextAttemptAt: Timestamp | null
    createdAt: Timestamp
  }
  import: {
    id: Generated<number>
    userId: string
    status: ImportStatus
    /** Null until the source is recognised. */
    source: SourceId | null
    /** How the source was recognised: `heading`, `content` or `choice`. */
    detectedBy: string | null
    filename: string
    bytes: number
    sha256: string
    /** The file's name in the uploads; null once it is deleted. */
    file: string | null
    options: Json
    /** The mapping that was used. */
    mapping: Json | null
    /** The person's decisions about columns. */
    confirmedMapping: Json | null
    counts: Json
    questions: Json
    /** The trips of one of our own exports, and their rows. */
    trips: Generated<Json>
    /** Answers for this import only; `import_answer` has remembered ones. */
    answers: Json
    /** The last change of the log at the last evaluation. After a later one, it is evaluated again. */
    seenChanges: number | null
    /** What the last commit did to the log. */
    receipt: Json | null
    /** Why the import failed. */
    problem: Json | null
    /** Progress of the current step. */
    rowsDone: Generated<number>
    createdCount: Generated<number>
    updatedCount: Generated<number>
    version: Generated<number>
    /** The lease of the process that reads, commits or undoes the import. */
    lease: string | null
    leaseUntil: Timestamp | null
    /** How often an abandoned evaluation was resumed. */
    attempts: Generated<number>
    createdAt: Timestamp
    updatedAt: Timestamp
    committedAt: Timestamp | null
    undoneAt: Timestamp | null
    expiresAt: Timestamp | null
  }
  importRow: {
    id: Generated<number>
    importId: number
    /** 1, 2, 3 … in file order. */
    number: number
    line: number | null
    /** JSON: cells or text. Null once the file is deleted. */
    raw: Json | null
    verdict: Verdict
    code: RowCode | null
    warnings: Json | null
    /** Of its remarks (`domain/imports/remarks.ts`); 0 if there are none. */
    risk: Generated<number>
    /** Keys of the questions that must be answered first. */
    waitsFor: Json | null
    draft: Json | null
    ofFlightId: number | null
    ofRow: number | null
    updates: Json | null
    /** The person's decision about this row. */
    choice: Json | null
    /** Created or updated by the commit, with its version afterwards. */
    flightId: number | null
    flightVersion: number | null
    done: 'created' | 'updated' | 'undone' | null
    /** The values that an update replaced. */
    before: Json | null
  }
  importAnswer: {
    id: Generated<number>
    userId: string
    kind: QuestionKind
    value: string
    answer: Json
    updatedAt: Timestamp
  }
  keptPass: {
    passengerId: number
    userId: string
    /** Sealed. */
    code: string
    /** Sealed. */
    passUpdate: string | null
    host: string | null
    keptAt: Timestamp
  }
  mailbox: {
    id: Generated<number>
    userId: string
    host: string
    port: number
    security: MailSecurity
    username: string
    /** Sealed with the instance secret. */
    password: string
    folder: string
    /** Null until the folder is first read. */
    uidValidity: number | null
    lastUid: number
    /** Older messages are not read. */
    since: Timestamp
    status: IntakeStatus
    problem: IntakeProblem | null
    failingSince: Timestamp | null
    /** Consecutive failures. */
    failures: number
    /** How many messages were read. */
    messages: number
    lastCheckedAt: Timestamp | null
    nextCheckAt: Timestamp
    lease: string | null
    leaseUntil: Timestamp | null
    createdAt: Timestamp
    updatedAt: Timestamp
  }
  mailAddress: {
    id: Generated<number>
    userId: string
    /** Sealed with the instance secret. */
    token: string
    hash: string
    /** Addresses whose mail is committed automatically. */
    senders: Json
    messages: number
    lastMailAt: Timestamp | null
    createdAt: Timestamp
  }
  subscription: {
    id: Generated<number>
    userId: string
    /** Sealed with the instance secret. */
    url: string
    host: string
    name: string
    etag: string | null
    lastModified: string | null
    memory: Json
    status: IntakeStatus
    problem: IntakeProblem | null
    /** The status of the last response. */
    httpStatus: number | null
    failingSince: Timestamp | null
    failures: number
    lastCheckedAt: Timestamp | null
    /** When the contents last changed. */
    lastChangedAt: Timestamp | null
    nextCheckAt: Timestamp
    lease: string | null
    leaseUntil: Timestamp | null
    createdAt: Timestamp
    updatedAt: Timestamp
  }
  oauthClient: {
    id: string
    /** Registered here, or described by the document at the https URL that is its id. */
    source: 'registration' | 'document'
    name: string
    redirectUris: Json
    authMethod: 'none' | 'client_secret_post' | 'client_secret_basic'
    secretHash: string | null
    createdAt: Timestamp
    expiresAt: Timestamp | null
  }
  oauthRequest: {
    id: string
    /** Hash of the cookie of the browser that opened the request. */
    browserHash: string
    clientId: string
    userId: string | null
    redirectUri: string
    resource: string
    scopes: Json
    state: string | null
    codeChallenge: string
    expiresAt: Timestamp
  }
  oauthGrant: {
    id: Generated<number>
    clientId: string
    userId: string
    resource: string
    scopes: Json
    redirectUri: string
    createdAt: Timestamp
    updatedAt: Timestamp
    lastUsedAt: Timestamp | null
  }
  oauthCode: {
    hash: string
    grantId: number
    family: string
    redirectUri: string
    codeChallenge: string
    scopes: Json
    expiresAt: Timestamp
    usedAt: Timestamp | null
  }
  oauthAccessToken: {
    hash: string
    grantId: number
    family: string
    scopes: Json
    expiresAt: Timestamp
  }
  oauthRefreshToken: {
    hash: string
    grantId: number
    family: string
    scopes: Json
    expiresAt: Timestamp
    usedAt: Timestamp | null
  }
  auditEvent: {
    id: Generated<number>
    happenedAt: Timestamp
    kind: string
    actorId: string | null
    actorName: string | null
    subjectId: string | null
    subjectName: string | null
    address: string | null
    details: Json
  }
}

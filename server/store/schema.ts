// The tables as the code sees them. Both engines store the same shapes: text ids, integers, ISO text for dates and
// date-times, JSON as text, booleans as 0/1.
import type { Generated } from 'kysely'
import type { ChangeType, RemovalReason } from '../domain/changes.ts'
import type { AircraftClass, LegacyFormat } from '../domain/enums.ts'
import type { FeedKind } from '../domain/feed.ts'
import type { HistoryKind, HistoryVia } from '../domain/flight-edits.ts'
import type { FlightColumns, PassengerFields, ReferenceField } from '../domain/flight-fields.ts'
import type { ImportStatus, QuestionKind, RowCode, SourceId, Verdict } from '../domain/imports.ts'
import type { IntakeProblem, IntakeStatus, MailSecurity } from '../domain/intake.ts'
import type { LookupProvider, LookupReason } from '../domain/lookup.ts'
import type { TripColour } from '../domain/trip.ts'
import type {
  DeliveryState,
  StopReason,
  WebhookEvent,
  WebhookPayload,
  WebhookScope,
  WebhookStatus,
} from '../domain/webhooks.ts'
import type { Columns } from './columns.ts'

type Flag = 0 | 1
type Json = string
type Timestamp = string

export interface Schema {
  migration: { name: string; applied_at: Timestamp }
  setting: { name: string; value: string }
  revision: { name: string; value: number }
  role: {
    id: string
    name: string
    name_folded: string
    description: string | null
    permissions: Json
    created_at: Timestamp
    updated_at: Timestamp
  }
  person: {
    id: string
    username: string
    username_folded: string
    display_name: string
    password_hash: string | null
    role_id: string | null
    is_owner: Flag
    preferences: Json
    created_at: Timestamp
    email: string | null
    email_verified: 0 | 1
    role_by_hand: Generated<Flag>
    browser_key: Generated<string>
  }
  identity: {
    id: Generated<number>
    user_id: string
    issuer: string
    subject: string
    label: string
    created_at: Timestamp
    last_used_at: Timestamp
  }
  passkey: {
    id: Generated<number>
    user_id: string
    credential_id: string
    /** COSE, as base64url. */
    public_key: string
    counter: number
    transports: Json
    name: string
    created_at: Timestamp
    last_used_at: Timestamp | null
  }
  second_factor: {
    user_id: string
    /** Sealed. */
    secret: string
    enabled_at: Timestamp | null
    created_at: Timestamp
  }
  recovery_code: {
    id: Generated<number>
    user_id: string
    hash: string
    used_at: Timestamp | null
  }
  trusted_browser: {
    hash: string
    user_id: string
    expires_at: Timestamp
  }
  account_link: {
    id: Generated<number>
    purpose: 'invite' | 'reset' | 'mailed-reset'
    hash: string
    user_id: string | null
    role_id: string | null
    created_by: string | null
    created_at: Timestamp
    expires_at: Timestamp
    end_api_keys: Flag
    end_apps: Flag
    end_second_factor: Flag
  }
  one_time: {
    hash: string
    purpose: string
    browser: string | null
    user_id: string | null
    data: Json
    expires_at: Timestamp
  }
  sign_in_try: {
    rule: string
    who: string
    state: Json
    expires_at: Timestamp
  }
  upload: {
    path: string
    bytes: Uint8Array
    written_at: Timestamp
  }
  api_key: {
    id: Generated<number>
    user_id: string
    name: string
    hash: string
    last_four: string
    scopes: Json
    legacy_format: LegacyFormat
    created_at: Timestamp
    last_used_at: Timestamp | null
  }
  session: {
    id: Generated<number>
    hash: string
    user_id: string
    user_agent: string | null
    created_at: Timestamp
    last_seen_at: Timestamp
    expires_at: Timestamp
    address: string | null
    way: Generated<string>
    confirmed_at: Timestamp | null
    identity_id: number | null
    provider_session: string | null
    /** Sealed. */
    id_token: string | null
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
    former_codes: Json
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
    icon_path: string | null
    custom: Flag
    search: string
    importance: Generated<number>
    /** A year or a day. */
    active_from: string | null
    active_to: string | null
    successor_id: number | null
  }
  aircraft: {
    id: number
    name: string
    icao: string | null
    /** All IATA type codes, each between blanks; null for types without one. */
    iata: string | null
    custom: Flag
    search: string
    importance: Generated<number>
    class: AircraftClass | null
  }
  code_period: {
    kind: 'airport' | 'city' | 'airline'
    code: string
    /** Of an airport, or of an airline. */
    record_id: number
    /** Days; null if unknown or unlimited. */
    valid_from: string | null
    valid_to: string | null
  }
  custom_field: {
    id: Generated<number>
    entity_type: 'flight' | 'flight_passenger'
    key: string
    label: string
    description: string | null
    field_type: string
    required: Flag
    position: number
    default_value: Json | null
    options: Json | null
    validation: Json | null
    active: Flag
    created_at: Timestamp
    updated_at: Timestamp
  }
  flight: Columns<FlightColumns> & {
    id: Generated<number>
    custom_fields: Json | null
    created_at: Timestamp
    updated_at: Timestamp
    version: Generated<number>
    /** The revisions of people and of reference records that the last write saw. */
    seen_records: string | null
    import_id: number | null
  }
  flight_passenger: Columns<PassengerFields> & {
    id: Generated<number>
    flight_id: number
    /** Copied from the flight, so that one index serves "my flights, newest first". */
    flight_date: string
    custom_fields: Json | null
    /** Another person who added this one. Not a foreign key: that account may be deleted. */
    added_by: string | null
    kept_at: Timestamp | null
  }
  track: {
    flight_id: number
    point_count: number
    source_format: string
    source_name: string | null
    created_at: Timestamp
    updated_at: Timestamp
    body: Uint8Array
  }
  change: {
    /** A person, or `*` for those who see everything. */
    viewer: string
    type: ChangeType
    item_id: number
    number: number
    /** The change by which the item came into the viewer's sight; 0 if that was before changes were numbered. */
    appeared: number
    version: number
    removed: RemovalReason | null
    at: Timestamp
    /** Of a removed flight: each person's external ids, by the person's id. */
    external_ids: Json | null
    /** The change since which the viewer has seen the flight, its time in the bin included; 0 if that is not known. */
    since: number
  }
  flight_history: {
    change_id: number
    flight_id: number
    kind: HistoryKind
    version: number
    at: Timestamp
    /** Null if the account was deleted. */
    user_id: string | null
    via: HistoryVia
    credential: string | null
    import_id: number | null
    /** Of a changed flight: each value before and after. */
    edit: Json | null
    /** Of a flight whose track changed: the body of the one before. */
    track: Uint8Array | null
    undone_by: number | null
  }
  external_id: {
    id: Generated<number>
    user_id: string
    source: string
    value: string
    flight_id: number
  }
  idempotency: {
    credential: string
    method: string
    path: string
    key: string
    body_hash: string
    /** Null until the response is known. */
    status: number | null
    headers: Json | null
    body: string | null
    /** What a request that runs in several transactions has done so far. */
    progress: Json | null
    created_at: Timestamp
    touched_at: Timestamp
  }
  demo_flight: { flight_id: number; user_id: string }
  deleted_flight: Columns<Pick<FlightColumns, ReferenceField>> & {
    id: number
    deleted_at: Timestamp
    deleted_by: string | null
    custom_fields: Json | null
    /** The other columns of the flight. */
    content: Json
  }
  deleted_flight_row: {
    id: Generated<number>
    flight_id: number
    /** The table that the row was in. */
    origin: string
    /** Copied from the flight, so that one index serves "my deleted flights, newest first". */
    deleted_at: Timestamp
    user_id: string | null
    custom_fields: Json | null
    content: Json
    body: Uint8Array | null
  }
  notice: {
    id: Generated<number>
    user_id: string
    kind: string
    at: Timestamp
    data: Json
    read_at: Timestamp | null
    /** The flight it is about. Not a foreign key: a deleted flight may be restored. */
    flight_id: number | null
    /** When the person left that flight by way of this notice. */
    left_at: Timestamp | null
    /** The import it is about; the notice is deleted with it. */
    import_id: Generated<number | null>
  }
  visited_country: {
    id: Generated<number>
    user_id: string
    code: string
    status: string
    note: string | null
  }
  share: {
    id: Generated<number>
    user_id: string
    slug: string
    expires_at: Timestamp | null
    created_at: Timestamp
    settings: Json
    flight_id: number | null
    trip_id: number | null
  }
  trip: {
    id: Generated<number>
    user_id: string
    name: string
    note: string | null
    colour: TripColour
    created_at: Timestamp
    updated_at: Timestamp
    /** The import that created it, until someone changes it. */
    import_id: number | null
  }
  demo_trip: { trip_id: number; user_id: string }
  trip_flight: { id: Generated<number>; trip_id: number; flight_id: number; user_id: string }
  feed: {
    id: Generated<number>
    user_id: string
    hash: string
    last_four: string
    kind: FeedKind
    name: string
    settings: Json
    created_at: Timestamp
    updated_at: Timestamp
    last_read_at: Timestamp | null
  }
  webhook: {
    id: Generated<number>
    user_id: string
    url: string
    description: string
    events: Json
    scope: WebhookScope
    payload: WebhookPayload
    /** What it was made with, and the scopes of that: `session`, `key:12` or `grant:7`. */
    credential: string
    scopes: Json
    /** Sealed with the instance secret. */
    secret: string
    old_secret: string | null
    old_secret_until: Timestamp | null
    status: WebhookStatus
    stopped_because: StopReason | null
    failing_since: Timestamp | null
    position: number
    lease: string | null
    lease_until: Timestamp | null
    created_at: Timestamp
    updated_at: Timestamp
  }
  lookup_answer: {
    provider: LookupProvider
    what: string
    number: string
    date: string
    reason: LookupReason | null
    answer: Json | null
    asked_at: Timestamp
    expires_at: Timestamp | null
  }
  lookup_pace: {
    provider: LookupProvider
    next_at: number
    paused_until: number
  }
  lookup_use: {
    user_id: string
    provider: LookupProvider
    day: string
    requests: number
  }
  webhook_delivery: {
    id: Generated<number>
    webhook_id: number
    /** Of the change; null for a ping. */
    number: number | null
    event: WebhookEvent
    flight_id: number | null
    /** What is known of a removed flight. */
    removal: Json | null
    at: Timestamp
    state: DeliveryState
    attempts: Json
    attempt_count: number
    first_attempt_at: Timestamp | null
    next_attempt_at: Timestamp | null
    created_at: Timestamp
  }
  import: {
    id: Generated<number>
    user_id: string
    status: ImportStatus
    /** Null until it is recognised. */
    source: SourceId | null
    /** Why it is taken for this source: `heading`, `content` or `choice`. */
    detected_by: string | null
    filename: string
    bytes: number
    sha256: string
    /** Its name where uploads are kept; null once it is forgotten. */
    file: string | null
    options: Json
    /** As it was used. */
    mapping: Json | null
    /** What the person said about columns. */
    confirmed_mapping: Json | null
    counts: Json
    questions: Json
    /** Of our own export: its trips, and which rows are part of them. */
    trips: Generated<Json>
    /** Given for this import; `import_answer` has those that are remembered. */
    answers: Json
    /** The change of the log that the last evaluation saw; what came after it is compared at the commit. */
    seen_changes: number | null
    /** Why it failed. */
    problem: Json | null
    /** Of the step that is running. */
    rows_done: Generated<number>
    created_count: Generated<number>
    updated_count: Generated<number>
    version: Generated<number>
    /** The process that reads, commits or undoes it at the moment, and until when it must report again. */
    lease: string | null
    lease_until: Timestamp | null
    /** How often an abandoned evaluation was taken up again. */
    attempts: Generated<number>
    created_at: Timestamp
    updated_at: Timestamp
    committed_at: Timestamp | null
    undone_at: Timestamp | null
    expires_at: Timestamp | null
  }
  import_row: {
    id: Generated<number>
    import_id: number
    /** 1, 2, 3 … in the order of the file. */
    number: number
    line: number | null
    /** JSON: cells or text. Null once the file is forgotten. */
    raw: Json | null
    verdict: Verdict
    code: RowCode | null
    warnings: Json | null
    /** Keys of the questions that it waits for. */
    waits_for: Json | null
    draft: Json | null
    of_flight_id: number | null
    of_row: number | null
    updates: Json | null
    /** What the person decided for this row. */
    choice: Json | null
    /** Created or updated by the commit, with the version that it then had. */
    flight_id: number | null
    flight_version: number | null
    done: 'created' | 'updated' | 'undone' | null
    /** What an update replaced. */
    before: Json | null
  }
  import_answer: {
    id: Generated<number>
    user_id: string
    kind: QuestionKind
    value: string
    answer: Json
    updated_at: Timestamp
  }
  mailbox: {
    id: Generated<number>
    user_id: string
    host: string
    port: number
    security: MailSecurity
    username: string
    /** Sealed with the instance secret. */
    password: string
    folder: string
    /** Null until it was read for the first time. */
    uid_validity: number | null
    last_uid: number
    /** Messages from before are not read. */
    since: Timestamp
    status: IntakeStatus
    problem: IntakeProblem | null
    failing_since: Timestamp | null
    /** In a row. */
    failures: number
    /** How many were read. */
    messages: number
    last_checked_at: Timestamp | null
    next_check_at: Timestamp
    lease: string | null
    lease_until: Timestamp | null
    created_at: Timestamp
    updated_at: Timestamp
  }
  mail_address: {
    id: Generated<number>
    user_id: string
    /** Sealed with the instance secret. */
    token: string
    hash: string
    /** Addresses whose mails are committed by themselves. */
    senders: Json
    messages: number
    last_mail_at: Timestamp | null
    created_at: Timestamp
  }
  subscription: {
    id: Generated<number>
    user_id: string
    /** Sealed with the instance secret. */
    url: string
    host: string
    name: string
    etag: string | null
    last_modified: string | null
    memory: Json
    status: IntakeStatus
    problem: IntakeProblem | null
    /** Of the last response. */
    http_status: number | null
    failing_since: Timestamp | null
    failures: number
    last_checked_at: Timestamp | null
    /** When it last had other contents. */
    last_changed_at: Timestamp | null
    next_check_at: Timestamp
    lease: string | null
    lease_until: Timestamp | null
    created_at: Timestamp
    updated_at: Timestamp
  }
  oauth_client: {
    id: string
    /** Registered here, or described by the document at the https URL that is its id. */
    source: 'registration' | 'document'
    name: string
    redirect_uris: Json
    auth_method: 'none' | 'client_secret_post' | 'client_secret_basic'
    secret_hash: string | null
    created_at: Timestamp
    expires_at: Timestamp | null
  }
  oauth_request: {
    id: string
    browser_hash: string
    client_id: string
    user_id: string | null
    redirect_uri: string
    resource: string
    scopes: Json
    state: string | null
    code_challenge: string
    expires_at: Timestamp
  }
  oauth_grant: {
    id: Generated<number>
    client_id: string
    user_id: string
    resource: string
    scopes: Json
    redirect_uri: string
    created_at: Timestamp
    updated_at: Timestamp
    last_used_at: Timestamp | null
  }
  oauth_code: {
    hash: string
    grant_id: number
    family: string
    redirect_uri: string
    code_challenge: string
    scopes: Json
    expires_at: Timestamp
    used_at: Timestamp | null
  }
  oauth_access_token: {
    hash: string
    grant_id: number
    family: string
    scopes: Json
    expires_at: Timestamp
  }
  oauth_refresh_token: {
    hash: string
    grant_id: number
    family: string
    scopes: Json
    expires_at: Timestamp
    used_at: Timestamp | null
  }
  audit_event: {
    id: Generated<number>
    happened_at: Timestamp
    kind: string
    actor_id: string | null
    actor_name: string | null
    subject_id: string | null
    subject_name: string | null
    address: string | null
    details: Json
  }
}

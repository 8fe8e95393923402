// Every reason for which a request can be refused: a stable key for programs and translations, its parameters and its English
// message. A message may be reworded here at any time; a reason is never renamed.
import { counted } from './text/shown-text.ts'
import { namesSentence } from './text/spelling.ts'

const list = (names: readonly string[]): string => names.join(', ')

/** What is wrong with one value. The message does not name the field: `path` does, or the reason that encloses this one. */
const fieldReasons = {
  required: () => 'This field is required.',
  invalid_value: () => 'This value is not valid',
  wrong_form: () => 'Does not have the required form',
  not_a_text: () => 'Must be a text',
  not_a_number: () => 'Must be a number',
  not_an_integer: () => 'Must be a whole number',
  not_a_boolean: () => 'Must be true or false',
  not_a_list: () => 'Must be a list',
  not_an_object: () => 'Must be an object',
  not_an_option: ({ options }: { options: readonly string[] }) => `Must be one of: ${list(options)}`,
  not_options: ({ options }: { options: readonly string[] }) =>
    `Must be a list of some of these: ${list(options)}`,
  not_an_id: () => 'Must be an id: a positive whole number',
  not_a_date: () => 'Must be a date in the form YYYY-MM-DD',
  not_a_period: () => 'Write YYYY-MM-DD, or YYYY-MM or YYYY for a whole month or year',
  not_a_moment: () => 'Must be a time such as 2026-03-01T09:00:00Z, or a token of the change feed',
  change_or_since: () => 'Give either changeId or since',
  not_a_date_time: () => 'Must be an ISO 8601 date-time with UTC offset, such as 2026-02-20T09:05:00+01:00',
  no_such_day: () => 'This day does not exist',
  no_such_month: () => 'This month does not exist',
  not_storable: () => 'Contains characters that are not text',
  pattern_mismatch: () => 'Does not match the pattern of this field',
  too_short: ({ min }: { min: number }) => `Must have at least ${min} characters`,
  too_long: ({ max }: { max: number }) => `Must have at most ${max} characters`,
  wrong_length: ({ length }: { length: number }) => `Must have exactly ${length} characters`,
  too_few: ({ min }: { min: number }) => `Must have at least ${min} ${min === 1 ? 'entry' : 'entries'}`,
  too_many: ({ max }: { max: number }) => `Must have at most ${max} entries`,
  too_small: ({ min }: { min: number }) => `Must be at least ${min}`,
  too_large: ({ max }: { max: number }) => `Must be at most ${max}`,
  not_above: ({ limit }: { limit: number }) => `Must be greater than ${limit}`,
  not_below: ({ limit }: { limit: number }) => `Must be less than ${limit}`,
  unknown_field: ({ field, known }: { field: string; known: readonly string[] }) =>
    `There is no field ${namesSentence(field, known)}`,
}

type Messages = Record<string, (params: never) => string>
type ProblemsByReason<Catalogue extends Messages> = {
  [Name in keyof Catalogue & string]: Catalogue[Name] extends () => string
    ? { reason: Name; params?: undefined }
    : { reason: Name; params: Parameters<Catalogue[Name]>[0] }
}
type ProblemOf<Catalogue extends Messages> = ProblemsByReason<Catalogue>[keyof Catalogue & string]

/** What is wrong with a value, without naming the field. */
export type FieldProblem = ProblemOf<typeof fieldReasons>

const fieldMessage = ({ reason, params }: FieldProblem): string =>
  (fieldReasons[reason] as (params: unknown) => string)(params)

/** The message as the end of a sentence that names the field. */
const fieldPhrase = (given: FieldProblem): string => {
  const text = fieldMessage(given).replace(/\.$/, '')
  return text[0]!.toLowerCase() + text.slice(1)
}

/** `landingActual` as `landing actual`, `arrivalScheduled` as `arrival scheduled`. */
const spacedName = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
const timeName = (field: string): string => {
  const [moment, kind] = spacedName(field).split(' ')
  return kind === undefined ? moment! : `${kind} ${moment}`
}
const upperFirst = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const inOrder = ({ field, earlier }: { field: string; earlier: string }) =>
  `${upperFirst(timeName(field))} must be after ${timeName(earlier)}`

/** `Ada, Bob and 3 more` */
function enumerated({ names, more }: { names: readonly string[]; more: number }): string {
  if (more > 0) return `${list(names)} and ${more} more`
  return names.length > 1 ? `${list(names.slice(0, -1))} and ${names.at(-1)}` : (names[0] ?? '')
}

/** Longer waits are rounded up to minutes. */
const wait = (seconds: number): string =>
  seconds <= 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')

interface Duplicate {
  id: number
  /** `2026-03-02`, `2026-03` or `2026`. */
  date: string
  from: string
  to: string
  flightNumber: string | null
}

const flightText = ({ id, date, from, to, flightNumber }: Duplicate): string =>
  `flight ${id}: ${date} ${from}–${to}${flightNumber === null ? '' : ` ${flightNumber}`}`

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
/** `2019-08` as `August 2019`. */
const periodText = (date: string): string =>
  date.length === 7 ? `${months[Number(date.slice(5)) - 1]} ${date.slice(0, 4)}` : date

const reasons = {
  ...fieldReasons,

  // General reasons, named like their error codes, for when nothing more specific is known
  bad_request: () => 'The request is malformed',
  invalid_json: () => 'The body is not valid JSON',
  unauthorized: () => 'A valid bearer credential is required',
  forbidden: () => 'Your role does not permit this',
  credential_only_reads: () => 'This credential is read-only. Use one with a write scope.',
  insufficient_scope: ({ scope }: { scope: string }) => `This credential lacks the scope ${scope}`,
  not_found: () => 'There is nothing at this address',
  method_not_allowed: ({ method }: { method: string }) => `${method} is not allowed here`,
  payload_too_large: ({ max }: { max: number }) => `The body is larger than ${max} bytes`,
  validation_failed: () => 'Request validation failed',
  internal_error: () => 'Something went wrong; it has been logged',

  // Things that do not exist, or that the caller may not see
  flight_not_found: () => 'Flight not found',
  flight_in_bin: () => 'Flight not found. It was deleted and can be restored from the bin.',
  others_on_flight: () =>
    'Other people are on this flight. Move it to the bin instead: it is erased there after 30 days.',
  flight_not_deleted: () => 'This flight is not in the bin. There is nothing to restore.',
  change_not_found: () => 'Change not found. Changes are kept for 30 days.',
  share_not_found: () => 'Share not found',
  feed_not_found: () => 'Feed not found',
  backup_not_found: () => 'Backup not found',
  invitation_not_found: () => 'Invitation not found',
  reset_link_not_found: () => 'This person has no open reset link',
  trip_not_found: () => 'Trip not found',
  role_not_found: () => 'Role not found',
  user_not_found: () => 'User not found',
  airport_not_found: () => 'Airport not found',
  airline_not_found: () => 'Airline not found',
  aircraft_not_found: () => 'Aircraft not found',
  custom_field_not_found: () => 'Custom field not found',
  api_key_not_found: () => 'API key not found',
  session_not_found: () => 'Session not found',
  passkey_not_found: () => 'Passkey not found',
  identity_not_found: () => 'Identity not found',
  provider_not_found: () => 'This instance has no identity provider',
  connected_app_not_found: () => 'Connected application not found',
  notice_not_found: () => 'Notice not found',
  file_not_found: () => 'File not found',
  just_deleted: () => 'Something that this refers to has just been deleted',

  // Conditions of a request
  version_changed: () => 'The flight has changed since it was read; read it again, then repeat the change',
  already_exists: () => 'The flight already exists',
  precondition_required: () =>
    'This server requires If-Match with the ETag that was read (ifVersion in an MCP tool)',

  // Addresses and their parameters
  id_not_positive: () => 'id must be a positive integer',
  invalid_scope: () => 'Invalid scope',
  invalid_pagination: () => 'Invalid pagination',
  invalid_cursor: () => 'Invalid cursor',
  invalid_token: () => 'Invalid token',
  resync_required: () => 'Changes since this token are no longer known; call again without it',
  too_many_waiting: ({ max }: { max: number }) =>
    `At most ${max} requests per credential may wait for changes at the same time`,
  invalid_format: () => 'Invalid format',
  limit_out_of_range: () => 'limit must be 1 to 100',
  top_out_of_range: () => 'top must be 1 to 500',
  top_without_group_by: () => 'top needs groupBy. Add groupBy, or leave top out.',
  same_person_twice: ({ name }: { name: string }) =>
    `Both names mean ${name}. Give the name of another person as b; list_people shows the names.`,
  query_required: () => 'query parameter is required',
  flight_number_form: () => 'number must be a flight number with the code of the airline, such as SK909',
  query_or_codes: () => 'Give either query or codes, not both',
  query_too_long: () => 'query is too long',
  local_time_form: () => 'local must be a local time such as 2026-02-20T09:05',
  user_id_required: () => 'userId is required with scope=user. list_people (GET /people) lists the ids.',
  user_id_unknown: () => 'userId: there is no such user. list_people (GET /people) lists the ids.',
  user_id_without_user_scope: () => 'userId needs scope=user. Add scope=user, or leave userId out.',
  invalid_parameter: ({ parameter, problem }: { parameter: string; problem: FieldProblem }) =>
    `${parameter}: ${fieldPhrase(problem)}`,
  unknown_parameter: ({ names, known }: { names: readonly string[]; known: readonly string[] }) =>
    `Unknown parameter ${list(names)}. ${known.length > 0 ? `Known: ${list(known)}` : 'There are none'}`,
  parameter_not_storable: ({ parameter }: { parameter: string }) =>
    `${parameter} contains characters that are not text`,
  parameter_matches_nothing: ({ parameter, value }: { parameter: string; value: string }) =>
    `${parameter}: nothing matches “${value}”`,
  parameter_nearly_matches: ({
    parameter,
    value,
    near,
  }: {
    parameter: string
    value: string
    near: string
  }) => `${parameter}: nothing matches “${value}”. Did you mean ${near}?`,
  parameter_repeated: ({ parameter }: { parameter: string }) => `${parameter} must not be repeated`,

  // Requests in general
  json_expected: () => 'Send the body as JSON (Content-Type: application/json)',
  body_required: () => 'A JSON body is required',
  body_too_deep: ({ max }: { max: number }) => `The body is nested more than ${max} levels deep`,
  body_too_many_values: ({ max }: { max: number }) => `The body has more than ${max} values`,
  body_too_many_members: ({ max }: { max: number }) => `The body has more than ${max} members`,
  form_expected: () => 'Send the parameters as application/x-www-form-urlencoded',
  multipart_unreadable: () => 'The multipart body cannot be read',
  headers_too_large: () => 'The headers are too large',
  request_too_slow: () => 'The request took too long to arrive',
  not_http: () => 'This is not an HTTP request',
  cross_origin: ({ origin }: { origin: string }) =>
    `This request does not come from the web app at ${origin}. Is ORIGIN set to the address you use?`,
  host_mismatch: () => 'The Host header does not match the ORIGIN of this instance',
  origin_malformed: () => 'The Origin header is malformed',
  web_app_only: () => 'This is only available in the web app',
  metrics_token_required: () => 'The metrics token is required',
  too_many_attempts: ({ seconds }: { seconds: number }) => `Too many attempts; try again in ${wait(seconds)}`,
  too_many_calls: ({ seconds }: { seconds: number }) => `Too many calls; try again in ${wait(seconds)}`,
  too_many_at_once: ({ seconds }: { seconds: number }) =>
    `Too many concurrent requests; try again in ${wait(seconds)}`,
  too_many_uploads: ({ seconds }: { seconds: number }) =>
    `You are sending too many files. Wait for one of them, then try again in ${seconds} s`,
  too_many_pictures: ({ seconds }: { seconds: number }) =>
    `Too many pictures are being read; try again in ${wait(seconds)}`,

  // Storage that is unavailable, or a server that is
  server_busy: () => 'The server is busy. Try again shortly.',
  server_starting: () => 'This server is starting',
  server_stopping: () => 'This server is stopping',
  database_unreachable: () => 'The database of this server cannot be reached',
  database_overloaded: () => 'The database of this server is overloaded',
  database_too_slow: () => 'The database of this server takes too long',
  database_locked: () => 'The database of this server is locked by another program',
  database_unreadable: () => 'The database of this server cannot be opened, read or written',
  database_damaged: () => 'The database of this server is damaged',
  database_file_gone: () => 'The database file of this server is gone. Restart the server.',
  uploads_unreachable: () => 'The store for uploaded pictures cannot be reached',
  files_unreadable: () => 'The files of this server cannot be opened, read or written',
  disk_full: () => 'The disk of this server is full',
  data_read_only: () => 'The data of this server is read-only',
  outcome_unknown: () =>
    'The connection to the database was lost while saving; it is not known whether this was saved',

  // Backups
  backups_off: () => 'Backups are off on this server. Set BACKUP_DIR and restart it',
  backup_running: () => 'A backup is being made. Wait until it is complete',

  // Accounts
  wrong_credentials: () => 'Username or password is wrong',
  passwords_off: () => 'Only the owner signs in with a password here',
  second_factor_required: () => 'The code of the second factor is required',
  second_factor_wrong: () => 'The code is wrong, or was used before',
  second_factor_expired: () => 'The code has expired. Sign in with your password again.',
  second_factor_unreadable: () =>
    'This server lost the secret of your authenticator app. Use a recovery code, or request a reset link from an administrator',
  second_factor_on: () => 'The second factor is on. Turn it off first.',
  second_factor_off: () => 'The second factor is off',
  second_factor_not_started: () => 'Start setting up the second factor first',
  second_factor_needs_password: () =>
    'A second factor is used after a password, and your account has no password',
  code_or_recovery_code: () => 'Give either code or recoveryCode',
  confirmation_required: () => 'Confirm that it is you: with your password, a passkey or your provider',
  password_unchanged: () => 'Choose a password that differs from the current one',
  last_way_in: () => 'This is the only way to sign in to this account. Add another one first.',
  passkeys_unavailable: () => 'Passkeys only work on https with a host name, or on localhost',
  passkey_refused: () =>
    'This passkey was not accepted. If you removed it here, remove it from your device too.',
  passkey_expired: () => 'This passkey request has expired or was already used. Start again.',
  passkey_of_another: () => 'This passkey belongs to another account',
  passkey_taken: () => 'This passkey is already registered',
  too_many_passkeys: ({ max }: { max: number }) => `You already have ${max} passkeys. Remove one first.`,
  identity_taken: () => 'This identity is linked to another account',
  current_password_wrong: () => 'The current password is wrong',
  new_password_required: () => 'A new password is required to end API keys or apps',
  username_form: () => 'The username may contain only letters, digits, dots, underscores and hyphens',
  username_taken: () => 'This username is taken',
  name_has_invisible: () => 'The name must not contain invisible or direction-changing characters',
  name_has_no_visible: () => 'The name must contain a visible character',
  already_set_up: () => 'This instance is already set up',
  setup_token_wrong: () => 'The set-up token is wrong. The server printed it when it started.',
  link_invalid: () => 'This link was already used, has expired or was revoked. Ask for a new one.',
  mail_off: () => 'This server sends no mails',
  email_form: () => 'Must be an e-mail address, such as ada@example.org',
  own_password_in_settings: () => 'Change your own password in your settings',
  account_deleted: () => 'This account was deleted',
  owner_cannot_be_deleted: () => 'The owner’s account cannot be deleted',
  own_account_in_settings: () => 'Delete your own account in your settings',
  too_many_feeds: ({ max }: { max: number }) => `You already have ${max} feeds. Delete one first.`,
  feed_shows_nothing: () =>
    'A feed must have past or upcoming flights. A feed with a delay cannot have upcoming ones.',
  feed_kind_fixed: () => 'The kind of a feed cannot be changed. Create another feed.',
  webhook_not_found: () => 'Webhook not found',
  delivery_not_found: () => 'Delivery not found',
  device_not_found: () => 'Device not found',
  email_required: () => 'Your profile has no e-mail address. Enter one first.',
  push_off: () => 'Notifications are turned off on this server',
  push_unavailable: () =>
    'This server can no longer open its key for notifications. Its administrator can make a new one with contrail push reset.',
  push_address_refused: () =>
    'This server sends notifications only to https addresses on the public internet. Its administrator can permit private addresses with PUSH_PRIVATE_ADDRESSES.',
  push_keys_form: () =>
    'Must be the keys of a push subscription: p256dh with 65 bytes and auth with 16, as base64url',
  too_many_devices: ({ max }: { max: number }) => `You already have ${max} devices. Delete one first.`,
  webhooks_off: () => 'Webhooks are turned off on this server',
  webhook_stopped: () => 'This webhook is stopped. Save it again to turn it on.',
  webhook_url_form: () => 'Must be an https URL without a user name, a password or a fragment',
  webhook_url_private: () =>
    'This server sends webhooks only to addresses on the public internet. Its administrator can permit private addresses with WEBHOOK_PRIVATE_ADDRESSES.',
  too_many_webhooks: ({ max }: { max: number }) => `You already have ${max} webhooks. Delete one first.`,
  too_many_webhooks_here: ({ max }: { max: number }) =>
    `This server already has ${max} webhooks, which is the most it can have`,
  mailbox_not_found: () => 'Mailbox not found',
  subscription_not_found: () => 'Subscription not found',
  mail_address_not_found: () => 'You have no address for forwarded mails',
  mailboxes_off: () => 'Reading mailboxes is turned off on this server',
  subscriptions_off: () => 'Reading calendars is turned off on this server',
  mail_in_off: () => 'This server receives no mails',
  intake_busy: () => 'This source is being read. Try again shortly.',
  too_many_mailboxes: ({ max }: { max: number }) => `You already have ${max} mailboxes. Remove one first.`,
  too_many_subscriptions: ({ max }: { max: number }) =>
    `You already have ${max} subscriptions. Remove one first.`,
  already_subscribed: () => 'You already have a subscription to this address',
  calendar_url_form: () => 'Must be an https or webcal address without user name and password',
  mail_host_form: () => 'Must be a host name such as imap.example.org, without protocol and port',
  mail_encryption_required: () =>
    'Must be tls or starttls. Only mail servers on this machine or at a permitted private address may be read without encryption.',
  mail_sender_form: () => 'Must be an e-mail address',
  intake_address_refused: () =>
    'This server reads only from addresses on the public internet. Its administrator can permit private addresses with INTAKE_PRIVATE_ADDRESSES.',
  intake_name_not_found: () => 'There is no host with this name. Check the spelling.',
  intake_no_connection: () => 'No server accepts connections at this address and port. Check both.',
  intake_certificate_invalid: () =>
    'The certificate of this server has expired, is for another name, or was not issued by a known authority. Enter the name for which it was issued.',
  intake_timeout: () => 'The server did not respond in time. Check host and port, or try again later.',
  intake_connection_broken: () => 'The server closed the connection. Check the port, or try again later.',
  intake_encryption_missing: () => 'The server does not offer encryption on this port. Try another one.',
  intake_login_refused: () =>
    'The server refused the user name or the password. Many providers require an app password.',
  intake_folder_not_found: () =>
    'There is no such folder in this mailbox. Enter its full name, such as INBOX or Travel/Flights.',
  intake_not_a_mail_server: () => 'This is not an IMAP server. The usual port is 993.',
  intake_http_status: ({ status }: { status: number }) =>
    `The server responded with status ${status}. Copy the address of the calendar again.`,
  intake_redirect_refused: () => 'This address redirects to another one. Enter that address.',
  intake_not_a_calendar: () =>
    'There is no calendar at this address. Enter the address of its ICS file, not of its page.',
  intake_too_large: ({ max }: { max: number }) =>
    `The calendar is larger than ${max} bytes. Use one that has only your trips.`,
  too_many_keys: ({ max }: { max: number }) => `You already have ${max} API keys. Delete one first.`,
  scope_not_permitted: ({ scope }: { scope: string }) => `Your role does not permit the scope ${scope}`,

  // Roles and other people
  owner_only: () => 'Only the owner can change the owner’s account',
  not_manageable: () => 'You can only manage people who have fewer permissions than you',
  role_exceeds_yours: () => 'This role includes permissions that you do not have',
  permission_not_given: ({ permission }: { permission: string }) =>
    `An API key or an app cannot give ${permission} to a role. Do it in the web app.`,
  no_such_role: () => 'There is no such role',
  role_name_taken: () => 'A role with this name already exists',
  role_is_default: () => 'This is the default role. Make another role the default first.',
  role_in_use: () => 'This role is assigned to people. Give them another role first.',

  // Shares
  slug_form: () => 'The address may contain only letters, digits, underscores and hyphens',
  slug_taken: () => 'This address is taken',
  no_update_address: () =>
    'This copy does not know where versions are published, so it cannot look for newer ones.',
  share_of_two: () => 'A share can show one flight or one trip, not both.',
  share_subject_fixed: () => 'The flight, trip or log of a share cannot be changed. Create another share.',
  last_day_before_first: () => 'The last day must not be before the first day',

  // Trips
  too_many_trips: ({ max }: { max: number }) => `You already have ${max} trips. Delete one first.`,
  too_many_in_trip: ({ max }: { max: number }) => `A trip can have at most ${max} flights`,
  flights_or_changes: () => 'Give either flightIds, or addFlightIds and removeFlightIds',

  // Custom fields: definitions
  key_form: () => 'The key may contain only lower-case letters, digits and underscores',
  key_reserved: () => 'This name cannot be a key',
  key_taken: () => 'Another field has this key',
  cannot_be_changed: () => 'This cannot be changed, because stored values depend on it',
  options_not_for_type: () => 'Only select and multi-select fields have options',
  options_required: () => 'At least one option is required',
  option_repeated: () => 'Each option must be listed only once',
  rule_not_for_type: () => 'This rule does not apply to fields of this type',
  maximum_below_minimum: () => 'The maximum must not be less than the minimum',
  pattern_malformed: () => 'This is not a valid regular expression',
  pattern_too_slow: () =>
    'This pattern can take too long: a repeated group must not contain repetitions or alternatives, and back-references are not allowed',

  // Custom fields: values
  custom_field_invalid: ({ label, problem }: { label: string; problem: FieldProblem }) =>
    `Custom field "${label}": ${fieldPhrase(problem)}`,
  custom_field_inactive: ({ label }: { label: string }) =>
    `Custom field "${label}" is inactive and accepts no new value`,
  unknown_custom_field: ({
    field,
    known,
    mayCreate = false,
  }: {
    field: string
    known: readonly string[]
    mayCreate?: boolean | undefined
  }) =>
    `There is no custom field ${namesSentence(field, known)}. ${
      mayCreate
        ? 'You can create it with create_custom_field'
        : 'People whose role manages custom fields, such as the owner, can create it'
    }`,

  // Reference data
  record_not_custom: () => 'This record comes with Contrail and cannot be changed or deleted',
  airport_code_taken: ({ code }: { code: string }) => `An airport with the code ${code} already exists`,
  unknown_time_zone: () => 'There is no such time zone',
  unknown_country: () => 'There is no such country',
  airport_icao_form: () => 'Must be 2 to 8 letters, digits or hyphens, and begin with a letter or digit',
  airport_iata_form: () => 'Must be three letters or digits',
  airline_icao_form: () => 'Must be three letters or digits',
  airline_iata_form: () => 'Must be two letters or digits',
  aircraft_icao_form: () => 'Must be two to four letters or digits',
  country_form: () => 'Must be two letters',
  icon_not_an_image: () => 'The icon must be a PNG, JPEG, WebP or SVG image',
  icon_not_drawable: () => 'This SVG cannot be drawn. Save it as a PNG and upload that.',

  // Flights
  arrival_before_departure: inOrder,
  landing_before_takeoff: inOrder,
  no_such_departure_airport: () => 'There is no such departure airport',
  no_such_arrival_airport: () => 'There is no such arrival airport',
  no_such_aircraft: () => 'There is no such aircraft type',
  no_such_airline: () => 'There is no such airline',
  no_such_planned_airport: () => 'There is no such planned destination',
  no_such_operating_airline: () => 'There is no such operating airline',
  no_such_home_airport: () => 'There is no such airport',
  planned_only_diverted: () => 'Only a diverted flight has a planned destination',
  not_an_amount: () => 'Must be a decimal number such as 129.90',
  not_a_currency: () => 'Must be an ISO 4217 currency code such as EUR',
  no_such_user: () => 'There is no such user',
  passenger_user_or_guest: () => 'A passenger is either a user or a guest: set userId or guestName, not both',
  passenger_repeated: () => 'This person is already on the flight',
  person_already_aboard: ({ text }: { text: string }) => `“${text}” is already on the flight`,
  person_is_you: ({ text }: { text: string }) =>
    `“${text}” is you, and you are on the flight anyway. Leave the name out. If it is someone else, write “${text} (guest)”`,
  nobody_left: () => 'The flight would have no passengers. Delete the flight instead.',
  passenger_not_on_flight: () => 'This passenger does not belong to the flight',
  passenger_matched_twice: () => 'Two entries refer to the same passenger',
  must_keep_first: (people: { names: readonly string[]; more: number }) =>
    `${enumerated(people)} must keep this flight first. Until then, someone who logged or kept it must stay on it.`,
  must_keep_before_alone: () => 'This person must keep the flight before they can be left alone on it',
  not_a_coordinate: () =>
    'A point must be [longitude, latitude] or [longitude, latitude, altitude], with a longitude of -180 to 180 and a latitude of -90 to 90',
  track_lists_differ: () => 'All lists of values must be as long as the list of coordinates',
  log_too_large: () => 'This log is too large for one response. Download the export instead.',
  demo_already_loaded: () => 'The demo log is already loaded',

  // Flights by codes and local times
  spoken_time_form: () =>
    'Write the local time as HH:MM, such as 07:50, or 07:50+1 for an arrival on the next day',
  spoken_date_form: () => 'Write YYYY-MM-DD, or YYYY-MM if only the month is known',
  named_twice: ({ field, now }: { field: string; now: string }) =>
    `Give either ${now} or ${field} (its former name), not both`,
  name_or_user_id: () => 'Give either name or userId',
  date_missing: () => 'Give the date: YYYY-MM-DD, or YYYY-MM if only the month is known',
  departure_on_other_date: ({ departure, date }: { departure: string; date: string }) =>
    `The departure is on ${departure}, not on ${date}`,
  arrival_date_missing: () =>
    'Give the departure time too, or the days after the departure (07:50+0, 07:50+1)',
  airports_missing: () => 'Give both airports, or a flight number that is already in the log',
  text_names_no_day: () =>
    'The text names no day. Add one, such as “20 feb” or “yesterday”, or the month or year if only that is known.',
  text_names_several_flights: ({ text }: { text: string }) =>
    `The text names a third airport (“${text}”). Log one flight per line, such as CPH–FRA and FRA–LHR, and put remarks after “note:”.`,
  text_names_flights: ({ legs }: { legs: readonly string[] }) =>
    `The text names ${legs.length} flights: ${list(legs)}. Log each on its own: together with log-flights (POST /flights/log/bulk, log_flights), or one call each.`,
  text_names_period: ({ text, candidates }: { text: string; candidates: readonly string[] }) =>
    `“${text}” names no day, month or year alone. Say which is meant: ${candidates.join(', ')} or a day.`,
  text_place_unknown: ({ text }: { text: string }) =>
    `The text does not name both airports, and “${text}” was not understood. Give the code of the airport, such as CPH.`,
  text_is_boarding_pass: () =>
    'This is the text of a boarding pass. Read it with read-boarding-pass (POST /boarding-passes, read_boarding_pass), then log the flights that it returns.',
  text_names_diversion: ({ text }: { text: string }) =>
    `The text names a diversion (“${text}”). Also give from, to (where it landed), plannedTo and outcome “diverted”, or put the remark after “note:”.`,
  text_names_no_route: () =>
    'The text does not name both airports. Add them, such as “CPH JFK”, or a flight number that is already in the log.',
  text_names_similar: ({ text, candidates }: { text: string; candidates: readonly string[] }) =>
    `No airport is called “${text}”. Perhaps you mean ${candidates.join(' or ')}.`,
  time_without_day: () => 'Needs the day of the flight. The date has only a month or a year.',
  route_unknown: ({ flightNumber }: { flightNumber: string }) =>
    `There is no earlier flight ${flightNumber} in the log to take the route from. Give from and to.`,
  route_not_found: ({ flightNumber, why }: { flightNumber: string; why: string }) =>
    `There is no earlier flight ${flightNumber} in the log, and looking it up failed: ${why} Give from and to.`,
  no_airport_matches: ({ text }: { text: string }) => `No airport matches “${text}”`,
  no_airline_matches: ({ text }: { text: string }) => `No airline matches “${text}”`,
  no_aircraft_matches: ({ text }: { text: string }) => `No aircraft type matches “${text}”`,
  ambiguous: ({ text, candidates, more }: { text: string; candidates: readonly string[]; more: boolean }) =>
    candidates.length === 1
      ? `“${text}” is ambiguous. Perhaps you mean ${candidates[0]}. Give the code.`
      : `“${text}” may mean ${list(candidates)}${more ? ', …' : ''}; give the code`,
  person_ambiguous: ({
    text,
    candidates,
    more,
  }: {
    text: string
    candidates: readonly string[]
    more: boolean
  }) =>
    `“${text}” may mean ${list(candidates)}${more ? ', …' : ''}; ask who is meant and write the name as it is here`,
  person_nearly_matches: ({ text, near }: { text: string; near: readonly string[] }) =>
    `None of the people you may see is called “${text}”. Did you mean ${near.join(' or ')}? If it is someone else, write “${text} (guest)”`,
  no_person_matches: ({
    text,
    near,
    known,
  }: {
    text: string
    near: readonly string[]
    known: readonly string[]
  }) =>
    `None of the people you may see is called ${namesSentence(text, known, near.length > 0 ? near.join(' or ') : undefined)}`,
  code_ambiguous: ({ code }: { code: string }) => `The code ${code} has several meanings`,
  code_candidate: ({ code, name }: { id: number; code: string; name: string }) => `${code} ${name}`,
  flight_candidate: (flight: Duplicate) => upperFirst(flightText(flight)),
  id_or_match: () => 'Give either id or match',
  nothing_to_change: () => 'There is nothing to change. Give a field and its new value, such as seatNumber.',
  people_form: () =>
    'Give people as a list of names: people who join or change seats, or people who leave, with remove: true',
  match_empty: () => 'Give flightNumber, date, from or to',
  match_several: ({ more }: { more: boolean }) =>
    `Several flights match${more ? '; the newest are shown' : ''}. Call again with one of the ids`,
  match_near: () => 'None of your flights matches all of this. These match in part. Call again with an id.',
  match_none: () => 'None of your flights matches this',
  you_not_on_flight: () => 'You are not on this flight. Name the person under people.',
  person_not_on_flight: ({ text, known }: { text: string; known: readonly string[] }) =>
    `On this flight there is no ${namesSentence(text, known)}`,
  times_kept_backward: () =>
    'With its current times, the flight would arrive before it departs. Give departureTime and arrivalTime too, or null to clear them.',
  date_too_vague_for_times: () =>
    'The flight has times, which need the day. Give the day, or clear departureTime and arrivalTime too.',
  likely_duplicate: (flight: Duplicate) =>
    `This looks like ${flightText(flight)}, which is already in the log. Set allowDuplicate to log it anyway.`,
  period_in_log: (flight: Duplicate) =>
    `You have an entry for ${periodText(flight.date)} on this route (${flightText(flight)}). Edit it with edit_flight, or set allowDuplicate to log another flight.`,
  duplicate_of: (flight: Duplicate) => upperFirst(flightText(flight)),

  // MCP
  post_only: () => 'Sessions and streams are not supported. Send messages with POST.',
  unknown_argument: ({ named, known }: { named: readonly string[]; known: readonly string[] }) =>
    `Unknown argument ${list(named)}. ${known.length > 0 ? `It takes: ${list(known)}.` : 'It takes no arguments.'}`,
  invalid_arguments: () => 'The arguments are not valid',
  response_full: () =>
    'Not run: the results of the previous calls fill this response (at most 4 MB). Send this call in a separate request',
  result_too_large: () =>
    'The result does not fit into the response (at most 4 MB). Request less: a smaller limit, a narrower filter, or fewer calls in one batch',
  done_result_too_large: () =>
    'The call succeeded, but its result does not fit into the response (at most 4 MB). Do not repeat the call; read the result instead',

  // External ids, retries, many operations in one request
  external_id_taken: () => 'Another flight of yours has this external id',
  external_id_differs: () => 'The address has another external id of this source',
  idempotency_key_form: () => 'Idempotency-Key must be 1 to 200 printable ASCII characters',
  idempotency_key_refused: () =>
    'This operation returns a secret, which is not kept for a retry. Send the request without Idempotency-Key',
  idempotency_mismatch: () => 'This Idempotency-Key was used for another request',
  idempotency_running: () =>
    'The first request with this Idempotency-Key is still running. Try again in a second',
  id_or_external_id: () => 'Give either id or externalId',
  bulk_failed: () => 'Nothing was kept, because an operation failed',
  bulk_undone: () => 'Not kept, because another operation failed',
  external_source_form: () =>
    'Sources have 1 to 32 characters: lower-case letters, digits, dot, underscore and hyphen, beginning with a letter or digit',
  external_value_form: () => 'External ids have 1 to 200 printable characters',
  import_not_found: () => 'Import not found',
  import_row_not_found: () => 'The import has no such row',
  import_answer_not_found: () => 'Remembered answer not found',
  import_empty: () => 'The file is empty',
  import_too_large: ({ max }: { max: number }) => `The file is larger than ${max} bytes`,
  import_content_needed: () => 'Give text, base64 or, with the source drafts, a list of drafts',
  import_bad_encoding: () => 'Must be base64',
  import_busy: () => 'This import is being committed or undone. Try again in a moment',
  import_closed: () => 'This import was undone or has expired. Send the file again',
  import_file_forgotten: () => 'The file of this import no longer exists. Send the file again.',
  import_reading: () => 'The file is still being read. Try again in a moment',
  import_unusable: () => 'This import cannot be committed: its file could not be read, or it has expired',
  import_not_committed: () => 'No flights of this import are in the log',
  import_row_committed: () => 'This row is committed. Change its flight, or undo the import',
  import_needs_reading: () => 'The file is still being read. Try again in a moment',
  not_a_boarding_pass: () =>
    'No boarding pass was found. Send the text of its bar code, or a picture (PNG, JPEG or GIF) of the whole bar code.',
  kept_pass_not_found: () => 'You keep no boarding pass of this flight',
  pass_content_needed: () => 'Give text and format, or importId and row, or send a .pkpass file',
  pass_flight_over: () => 'This flight is over',
  pass_of_other_flight: () =>
    'This boarding pass is of another flight: the route and the day must be the same',
  import_no_columns: () => 'This import has no columns',
  answer_needs_one: () => 'Give one of id, create, leaveEmpty or withdraw',
  answer_no_such_record: () => 'There is no such record',
  answer_no_such_question: ({ value, known }: { value: string; known: readonly string[] }) =>
    known.length === 0
      ? `There is no question about “${value}”. This import has no questions.`
      : `This import has no question of this kind about “${value}”. Its questions are: ${list(known)}`,
  answer_not_a_choice: ({ choices }: { choices: readonly string[] }) => `Must be one of: ${list(choices)}`,
  answer_cannot_create: () => 'A question of this kind cannot be answered by creating a record',

  // The legacy API. Existing programs compare some of these messages.
  flight_id_not_a_number: () => 'Flight id is not a number',
  invalid_departure_airport: () => 'Invalid departure airport',
  invalid_arrival_airport: () => 'Invalid arrival airport',
  ambiguous_departure_airport: ({ candidates }: { candidates: readonly string[] }) =>
    `Invalid departure airport: it may be any of ${list(candidates)}`,
  ambiguous_arrival_airport: ({ candidates }: { candidates: readonly string[] }) =>
    `Invalid arrival airport: it may be any of ${list(candidates)}`,
  invalid_airline: () => 'Invalid airline',
  invalid_aircraft: () => 'Invalid aircraft',
  code_expected: () => 'Invalid input: expected a code',
  invalid_date_time: () => 'Invalid ISO datetime',
  clock_form: () => 'Invalid time, expected HH:MM',
  user_among_passengers: () => 'At least one passenger must be a user',
  departure_date_required: () => 'A departure date is required',
  time_missing: ({ field }: { field: string }) => `${upperFirst(spacedName(field))} has a date but no time`,
  time_out_of_range: ({ field }: { field: string }) => `${upperFirst(spacedName(field))} is out of range`,
}

export type Reason = keyof typeof reasons
/** A reason with its parameters. */
export type Problem = ProblemOf<typeof reasons>
// Looked up by name: extracting one from a union of hundreds costs the type checker seconds.
type Problems = ProblemsByReason<typeof reasons>
/** Reasons that need no parameters. */
export type PlainReason = Extract<Problem, { params?: undefined }>['reason']
/** A problem, or only the reason if it has no parameters. */
export type Given = PlainReason | Problem
export type ReasonParams<Name extends Reason> = Problems[Name]['params']

export const allReasons = Object.keys(reasons) as Reason[]

/** `problem('too_long', { max: 20 })` */
export const problem = <Name extends Exclude<Reason, PlainReason>>(
  reason: Name,
  params: ReasonParams<Name>,
): Problems[Name] => ({ reason, params }) as Problems[Name]

export const asProblem = (given: Given): Problem =>
  typeof given === 'string' ? ({ reason: given } as Problem) : given

/** The English message. */
export function messageOf(given: Given): string {
  const { reason, params } = asProblem(given)
  return (reasons[reason] as (params: unknown) => string)(params)
}

/** Messages may lack the final full stop. */
export const asSentence = (message: string): string => (message.endsWith('.') ? message : `${message}.`)

/** The English message of a reason without parameters, as a sentence. */
export const sentence = (reason: PlainReason): string => asSentence(messageOf(reason))

export const isFieldProblem = (given: Problem): given is FieldProblem =>
  Object.hasOwn(fieldReasons, given.reason)

/** The plain reason with this name, or undefined if there is none. */
export const plainReasonNamed = (text: string): PlainReason | undefined =>
  Object.hasOwn(reasons, text) && reasons[text as Reason].length === 0 ? (text as PlainReason) : undefined

/** Why the server refuses something, by its reason (server/domain/reasons.ts). A reason without a text does not compile. */
import type { Reason, ReasonParams } from '../../../../server/domain/reasons.ts'
import type { Message, Values } from '../messages.ts'

const unavailable = 'The server cannot reach its data right now. Nothing was changed. Try again in a moment.'
const damaged = 'The server’s data is damaged or missing. Contact the person who runs the server.'

export const reasons = {
  // One value of a form; shown beside its field
  'error.required': 'This is required.',
  'error.invalid_value': 'This value is not valid.',
  'error.wrong_form': 'This does not have the right form.',
  'error.not_a_text': 'This must be a text.',
  'error.not_a_number': 'Enter a number.',
  'error.not_an_integer': 'Enter a whole number.',
  'error.not_a_boolean': 'Choose yes or no.',
  'error.not_a_list': 'This must be a list.',
  'error.not_an_object': 'This value is not valid.',
  'error.not_an_option': 'Choose one of: {options}.',
  'error.not_options': 'Choose only from: {options}.',
  'error.not_an_id': 'This is not available. Choose something else.',
  'error.not_a_date': 'This is not a date.',
  'error.not_a_moment': 'This is neither a time nor a token.',
  'error.change_or_since': 'Give either a change or a time.',
  'error.not_a_date_time': 'This is not a date with a time.',
  'error.no_such_day': 'This day does not exist.',
  'error.not_storable': 'This contains characters that cannot be saved. Remove them.',
  'error.pattern_mismatch': 'This does not match the pattern of this field.',
  'error.too_short': { one: 'Use at least {count} character.', other: 'Use at least {count} characters.' },
  'error.too_long': { one: 'Use at most {count} character.', other: 'Use at most {count} characters.' },
  'error.wrong_length': { one: 'Use exactly {count} character.', other: 'Use exactly {count} characters.' },
  'error.too_few': {
    one: 'At least {count} entry is required.',
    other: 'At least {count} entries are required.',
  },
  'error.too_many': {
    one: 'At most {count} entry is possible.',
    other: 'At most {count} entries are possible.',
  },
  'error.too_small': 'Must be at least {min}.',
  'error.too_large': 'Must be at most {max}.',
  'error.not_above': 'Must be greater than {limit}.',
  'error.not_below': 'Must be less than {limit}.',
  'error.unknown_field': 'There is no field “{field}”.',

  // General
  'error.bad_request': 'The server did not understand this request. Reload the page and try again.',
  'error.invalid_json': 'The server did not understand this request. Reload the page and try again.',
  'error.unauthorized': 'Please sign in.',
  'error.forbidden': 'Your role does not permit this.',
  'error.insufficient_scope': 'This needs the scope {scope}.',
  'error.not_found': 'There is nothing at this address.',
  'error.method_not_allowed': '{method} is not possible here.',
  'error.payload_too_large': 'This is too large to send.',
  'error.validation_failed': 'Please check the marked fields.',
  'error.internal_error': 'Something went wrong on the server. It has been logged.',

  // Things that do not exist, or that the reader may not see
  'error.flight_not_found': 'This flight no longer exists.',
  'error.share_not_found': 'This shared page no longer exists.',
  'error.feed_not_found': 'This feed no longer exists.',
  'error.role_not_found': 'This role no longer exists.',
  'error.user_not_found': 'This person no longer exists.',
  'error.airport_not_found': 'This airport no longer exists.',
  'error.airline_not_found': 'This airline no longer exists.',
  'error.aircraft_not_found': 'This aircraft type no longer exists.',
  'error.custom_field_not_found': 'This custom field no longer exists.',
  'error.api_key_not_found': 'This API key no longer exists.',
  'error.session_not_found': 'This session has already ended.',
  'error.connected_app_not_found': 'This app is no longer connected.',
  'error.change_not_found': 'This change is no longer known. Changes are kept for 30 days.',
  'error.notice_not_found': 'This notification no longer exists.',
  'error.file_not_found': 'This file no longer exists.',
  'error.just_deleted': 'Something that this refers to has just been deleted. Reload the page and try again.',
  'error.version_changed': 'This flight was changed in the meantime. Reload it, then repeat your change.',
  'error.already_exists': 'This flight already exists.',
  'error.precondition_required': 'This server requires the version that was read (If-Match).',

  // Addresses and their parameters
  'error.id_not_positive': 'This address is wrong.',
  'error.invalid_scope': 'This selection of flights is not valid.',
  'error.invalid_pagination': 'The number of entries per page must be 1 to 100.',
  'error.invalid_cursor': 'This list has changed. Load it again.',
  'error.invalid_token': 'Your copy of the log belongs to another view. Load it again.',
  'error.resync_required': 'Your copy of the log is too old. Load it again.',
  'error.too_many_waiting': 'At most {max} requests can wait for changes at a time.',
  'error.invalid_format': 'This file format is not available.',
  'error.limit_out_of_range': 'The number of entries must be 1 to 100.',
  'error.query_required': 'Enter a search text.',
  'error.flight_number_form': 'Enter a flight number with the airline’s code, such as SK909.',
  'error.query_or_codes': 'Give either a search or a list of codes, not both.',
  'error.query_too_long': 'The search text is too long.',
  'error.local_time_form': 'This is not a local time.',
  'error.user_id_required': 'Choose a person.',
  'error.user_id_unknown': 'There is no such person.',
  'error.invalid_parameter': 'The parameter {parameter} of this address is not valid.',
  'error.unknown_parameter': 'This address has unknown parameters: {names}.',
  'error.parameter_not_storable': 'The parameter {parameter} contains characters that are not text.',
  'error.parameter_matches_nothing': 'Nothing matches “{value}” ({parameter}).',
  'error.parameter_repeated': 'The parameter {parameter} must not be repeated.',

  // Requests
  'error.json_expected': 'The request must be sent as JSON.',
  'error.body_required': 'The request is empty.',
  'error.body_too_deep': 'The request is nested too deeply: at most {max} levels are possible.',
  'error.body_too_many_members': 'The request is too large: at most {max} values are possible.',
  'error.form_expected': 'The request must be sent as a form.',
  'error.multipart_unreadable': 'The form cannot be read.',
  'error.headers_too_large': 'The headers of the request are too large.',
  'error.request_too_slow': 'The request took too long to arrive. Try again.',
  'error.not_http': 'This is not an HTTP request.',
  'error.cross_origin':
    'The server expects requests from {origin}. Open Contrail at that address, or correct the ORIGIN setting.',
  'error.host_mismatch': 'This address does not match the ORIGIN setting of the server.',
  'error.origin_malformed': 'The Origin header is malformed.',
  'error.web_app_only': 'This is only available in the web app.',
  'error.metrics_token_required': 'The metrics token is required.',
  'error.too_many_attempts': 'Too many attempts. Try again in {seconds}.',
  'error.too_many_calls': 'Too many calls. Try again in {seconds}.',
  'error.too_many_at_once': 'Too many requests at once. Try again in {seconds}.',
  'error.too_many_pictures': 'Too many pictures are being read. Try again in {seconds}.',

  // Storage that is unavailable
  'error.server_starting': 'The server is starting. Try again in a moment.',
  'error.server_stopping': 'The server is stopping. Nothing was changed. Try again in a moment.',
  'error.database_unreachable': unavailable,
  'error.database_overloaded': unavailable,
  'error.database_too_slow': unavailable,
  'error.database_locked': unavailable,
  'error.database_unreadable': unavailable,
  'error.files_unreadable': unavailable,
  'error.database_damaged': damaged,
  'error.database_file_gone': damaged,
  'error.disk_full':
    'The server’s disk is full, so nothing can be saved. Contact the person who runs the server.',
  'error.data_read_only':
    'The server’s data is read-only, so nothing can be saved. Contact the person who runs the server.',
  'error.outcome_unknown':
    'The connection was lost while saving. Reload the page and check whether it was saved before you save again.',

  // Accounts
  'error.wrong_credentials': 'The username or password is wrong.',
  'error.current_password_wrong': 'This is not your current password.',
  'error.new_password_required': 'Set a new password to end API keys or apps.',
  'error.username_form': 'Use only letters, digits, dots, underscores and hyphens.',
  'error.username_taken': 'This username is taken. Choose another.',
  'error.name_has_invisible': 'Remove invisible characters and marks that change the reading direction.',
  'error.name_has_no_visible': 'Use at least one visible character.',
  'error.already_set_up': 'This Contrail is already set up.',
  'error.setup_token_wrong': 'The set-up token is wrong. You find it in the server’s log.',
  'error.account_deleted': 'This account was deleted.',
  'error.owner_cannot_be_deleted': 'The owner’s account cannot be deleted.',
  'error.own_account_in_settings': 'Delete your own account in your profile.',
  'error.too_many_feeds': 'You already have {max} feeds. Delete one first.',
  'error.feed_shows_nothing':
    'Choose past or upcoming flights. A feed with a delay never shows upcoming ones.',
  'error.feed_kind_fixed': 'The kind of a feed cannot be changed. Create another feed.',
  'error.webhook_not_found': 'This webhook no longer exists.',
  'error.delivery_not_found': 'This delivery no longer exists.',
  'error.webhooks_off': 'Webhooks are switched off on this server.',
  'error.webhook_stopped': 'This webhook is not sending. Save it again to switch it on.',
  'error.webhook_url_form': 'Enter an https address without a user name, password or fragment.',
  'error.webhook_url_private':
    'This address is not on the public internet. The server’s operator decides whether webhooks may be sent to it.',
  'error.too_many_webhooks': 'You already have {max} webhooks. Delete one first.',
  'error.too_many_webhooks_here': 'This server already has {max} webhooks, which is the limit.',
  'error.mailbox_not_found': 'This mailbox no longer exists.',
  'error.subscription_not_found': 'This calendar no longer exists here.',
  'error.mail_address_not_found': 'You have no address for forwarded mails.',
  'error.mailboxes_off': 'Reading mailboxes is switched off on this server.',
  'error.subscriptions_off': 'Reading calendars is switched off on this server.',
  'error.mail_in_off': 'This server receives no mails.',
  'error.intake_busy': 'It is being read right now. Try again shortly.',
  'error.too_many_mailboxes': 'You already have {max} mailboxes. Remove one first.',
  'error.too_many_subscriptions': 'You already have {max} calendars. Remove one first.',
  'error.already_subscribed': 'You already have this calendar.',
  'error.calendar_url_form': 'Enter an https or webcal address without a user name and password.',
  'error.mail_host_form': 'Enter the name of a server, such as imap.example.org, without protocol and port.',
  'error.mail_encryption_required':
    'Choose TLS or STARTTLS. Without encryption only mail servers on this machine or at a permitted private address are read.',
  'error.mail_sender_form': 'Enter e-mail addresses, such as ada@example.org.',
  'error.intake_address_refused':
    'This address is not on the public internet. The server’s operator decides whether it may be read.',
  'error.intake_name_not_found': 'There is no server of this name. Check the spelling.',
  'error.intake_no_connection': 'No server responds at this address and port. Check both.',
  'error.intake_certificate_invalid':
    'The server’s certificate has expired, is for another name, or was not issued by a known authority. Enter the name for which it was issued.',
  'error.intake_timeout': 'The server did not respond in time. Check host and port, or try again later.',
  'error.intake_connection_broken': 'The server ended the connection. Check the port, or try again later.',
  'error.intake_encryption_missing': 'The server offers no encryption here. Try another port.',
  'error.intake_login_refused':
    'The server refused the user name or the password. Many providers require a password for apps.',
  'error.intake_folder_not_found':
    'This mailbox has no such folder. Enter its full name, such as INBOX or Travel/Flights.',
  'error.intake_not_a_mail_server': 'This is not an IMAP server. Its port is usually 993.',
  'error.intake_http_status':
    'The server responded with status {status}. Copy the address of the calendar again.',
  'error.intake_redirect_refused': 'This address leads to another one. Enter that one.',
  'error.intake_not_a_calendar':
    'There is no calendar at this address. Enter the address of its ICS file, not of its page.',
  'error.intake_too_large': 'It is larger than {max} bytes. Use a calendar that has only your trips.',
  'error.too_many_keys': 'You already have {max} API keys. Delete one first.',
  'error.scope_not_permitted': 'Your role does not permit {scope}.',

  // Roles and other people
  'error.owner_only': 'Only the owner can change the owner’s account.',
  'error.not_manageable': 'You can only manage people who have fewer permissions than you.',
  'error.role_exceeds_yours': 'This role includes permissions that you do not have.',
  'error.no_such_role': 'This role no longer exists. Choose another.',
  'error.role_name_taken': 'A role with this name already exists. Choose another name.',
  'error.role_is_default': 'New people get this role. Make another role the default first.',
  'error.role_in_use': 'This role is assigned to people. Give them another role first.',

  // Shared pages
  'error.slug_form': 'Use only letters, digits, underscores and hyphens.',
  'error.slug_taken': 'Another page has this address. Choose another.',
  'error.last_day_before_first': 'The last day must not be before the first day.',

  // Custom fields
  'error.key_form': 'Use only lower-case letters, digits and underscores.',
  'error.key_reserved': 'This name cannot be a key. Choose another.',
  'error.key_taken': 'Another field has this key. Choose another.',
  'error.cannot_be_changed': 'This cannot be changed, because stored values depend on it.',
  'error.options_not_for_type': 'Only choice fields have options.',
  'error.options_required': 'Enter at least one option.',
  'error.option_repeated': 'Enter each option only once.',
  'error.rule_not_for_type': 'This rule does not apply to fields of this type.',
  'error.maximum_below_minimum': 'The maximum must not be less than the minimum.',
  'error.pattern_malformed': 'This is not a valid regular expression.',
  'error.pattern_too_slow':
    'This pattern can take too long. Do not repeat a group that contains repetitions or alternatives, and do not use back-references.',
  'error.custom_field_invalid': 'Please check the field “{label}”.',
  'error.custom_field_inactive': 'The field “{label}” is inactive and takes no new values.',
  'error.unknown_custom_field': 'There is no custom field “{field}”.',

  // Airports, airlines and aircraft types
  'error.record_not_custom': 'This record comes with Contrail and cannot be changed or deleted.',
  'error.airport_code_taken': 'An airport with the code {code} already exists.',
  'error.unknown_time_zone': 'There is no such time zone.',
  'error.unknown_country': 'There is no such country.',
  'error.airport_icao_form': 'Use 2 to 8 letters, digits or hyphens; begin with a letter or digit.',
  'error.airport_iata_form': 'Use three letters or digits.',
  'error.airline_icao_form': 'Use three letters or digits.',
  'error.airline_iata_form': 'Use two letters or digits.',
  'error.aircraft_icao_form': 'Use two to four letters or digits.',
  'error.country_form': 'Use the two letters of a country code.',
  'error.icon_not_an_image': 'Choose a PNG, JPEG, WebP or SVG image.',
  'error.icon_not_plain':
    'This SVG contains more than plain shapes. Export it as a plain SVG, or choose a PNG.',
  'error.svg_malformed': 'The SVG is not well-formed near {near}.',
  'error.svg_not_whole': 'The file must be exactly one complete SVG drawing.',
  'error.svg_too_long': 'The SVG is too large: at most {max} characters are possible.',
  'error.svg_too_many_elements': 'The SVG is too complex: at most {max} elements are possible.',
  'error.svg_too_deep': 'The SVG is too complex: at most {max} levels are possible.',
  'error.svg_element_not_allowed': 'The SVG must not contain <{element}>.',
  'error.svg_attribute_not_allowed': 'The SVG must not contain the attribute {attribute}.',
  'error.svg_foreign_reference': 'The attribute {attribute} must not refer to anything outside the SVG.',
  'error.svg_nested_use': 'A <use> must not refer to something that contains another <use>.',
  'error.svg_not_storable': 'The SVG contains characters that are not text.',

  // Flights
  'error.arrival_before_departure': '“{field}” must be after “{earlier}”.',
  'error.landing_before_takeoff': '“{field}” must be after “{earlier}”.',
  'error.no_such_departure_airport': 'This airport no longer exists. Choose another.',
  'error.no_such_arrival_airport': 'This airport no longer exists. Choose another.',
  'error.no_such_aircraft': 'This aircraft type no longer exists. Choose another.',
  'error.no_such_airline': 'This airline no longer exists. Choose another.',
  'error.no_such_planned_airport': 'This airport no longer exists. Choose another.',
  'error.no_such_operating_airline': 'This airline no longer exists. Choose another.',
  'error.no_such_home_airport': 'This airport no longer exists. Choose another.',
  'error.planned_only_diverted': 'Only a diverted flight has a planned destination.',
  'error.not_an_amount': 'Enter an amount such as 129.90.',
  'error.not_a_currency': 'Choose a currency.',
  'error.no_such_user': 'This person no longer exists. Choose another.',
  'error.passenger_user_or_guest': 'Enter the name of a person or a guest.',
  'error.passenger_repeated': 'This person is already on the flight.',
  'error.passenger_not_on_flight':
    'This passenger does not belong to the flight. Reload the page and try again.',
  'error.passenger_matched_twice': 'Two entries refer to the same passenger. Remove one of them.',
  'error.must_keep_first':
    '{names} must keep this flight first. Until then, someone who logged or kept it has to stay on it.',
  'error.must_keep_before_alone': 'This person must keep the flight before they can be its only passenger.',
  'error.coordinates_out_of_range': 'The longitude must be -180 to 180 and the latitude -90 to 90.',
  'error.track_lists_differ': 'The lists of the recorded track differ in length.',
  'error.log_too_large': 'This log is too large to show at once. Download the export instead.',
  'error.demo_already_loaded': 'The demo log is already loaded.',

  // Flights by codes and local times; the form sends none of these
  'error.spoken_time_form': 'Enter the time as HH:MM.',
  'error.date_missing': 'Enter a date.',
  'error.departure_on_other_date': 'The departure is on {departure}, not on {date}.',
  'error.arrival_date_missing': 'Enter the departure too, or the date of arrival.',
  'error.text_names_no_day': 'The text names no day. Add one, such as “20 feb” or “yesterday”.',
  'error.text_names_no_route': 'The text does not name both airports. Add them, such as “CPH JFK”.',
  'error.text_names_similar': 'No airport is called “{text}”. Perhaps you mean {candidates}.',
  'error.time_without_day': 'Enter the day too. A time says nothing with only a month or a year.',
  'error.airports_missing': 'Choose both airports.',
  'error.route_unknown':
    'There is no earlier flight {flightNumber} to take the route from. Choose both airports.',
  'error.route_not_found':
    'There is no earlier flight {flightNumber} in your log, and it could not be looked up. Enter both airports.',
  'error.no_airport_matches': 'No airport matches “{text}”.',
  'error.no_airline_matches': 'No airline matches “{text}”.',
  'error.no_aircraft_matches': 'No aircraft type matches “{text}”.',
  'error.ambiguous': '“{text}” may mean {candidates}. Enter the code.',
  'error.code_ambiguous': '“{code}” has several meanings.',
  'error.code_candidate': 'It may mean {code} {name}.',
  'error.likely_duplicate': 'This looks like a duplicate.',
  'error.duplicate_of': 'You already have a flight from {from} to {to} on {date}.',

  // MCP
  'error.post_only': 'This address accepts only POST requests.',
  'error.unknown_argument': 'Unknown arguments: {named}.',
  'error.invalid_arguments': 'These arguments cannot be accepted.',
  'error.response_full':
    'This call was not run, because the response is full. Send it in a request of its own.',
  'error.result_too_large': 'The result is too large. Request less.',
  'error.done_result_too_large': 'This was done, but its result is too large to show.',

  // External ids, retries, many operations in one request
  'error.external_id_taken': 'Another flight of yours already has this external id.',
  'error.external_id_differs': 'The address names another external id of this source.',
  'error.idempotency_key_form': 'The idempotency key is not valid.',
  'error.idempotency_key_refused': 'This request cannot have an idempotency key.',
  'error.idempotency_mismatch': 'This idempotency key was used for another request.',
  'error.idempotency_running': 'The first request with this key is still running. Try again in a second.',
  'error.id_or_external_id': 'Give either the id or the external id.',
  'error.import_reading': 'The file is still being read. Try again in a moment.',
  'error.import_unusable': 'This import cannot be committed: its file could not be read, or it has expired.',
  'error.import_not_committed': 'Nothing of this import is in your log.',
  'error.bulk_failed': 'Nothing was saved, because one of the changes failed.',
  'error.bulk_undone': 'This was not saved, because another change failed.',
  'error.external_source_form': 'Use 1 to 32 lower-case letters, digits, dots, underscores or hyphens.',
  'error.external_value_form': 'Use 1 to 200 printable characters.',

  // Imports
  'error.import_not_found': 'This import no longer exists.',
  'error.import_row_not_found': 'This row no longer exists.',
  'error.import_answer_not_found': 'This answer is no longer remembered.',
  'error.import_empty': 'This file is empty.',
  'error.import_too_large': 'This file is too large. The limit is {max} bytes.',
  'error.import_content_needed': 'There is nothing to import. Choose a file or paste its text.',
  'error.import_bad_encoding': 'The content of the file cannot be read.',
  'error.import_busy': 'This import is being saved or undone. Try again in a moment.',
  'error.import_closed': 'This import was undone or has expired. Choose the file again.',
  'error.import_file_forgotten': 'The file of this import no longer exists. Choose it again.',
  'error.import_row_committed': 'This row is in your log already. Edit the flight, or undo the import.',
  'error.import_needs_reading': 'The file is still being read. Try again in a moment.',
  'error.not_a_boarding_pass': 'There is no boarding pass in it. A picture must show the whole bar code.',
  'error.import_no_columns': 'This file has no columns.',
  'error.answer_needs_one': 'Choose one answer.',
  'error.answer_no_such_record': 'This is not available. Choose something else.',
  'error.answer_not_a_choice': 'Choose one of: {choices}.',
  'error.answer_cannot_create': 'Nothing can be added here.',

  // The legacy API
  'error.flight_id_not_a_number': 'The flight’s id is not a number.',
  'error.invalid_departure_airport': 'There is no such departure airport.',
  'error.invalid_arrival_airport': 'There is no such arrival airport.',
  'error.ambiguous_departure_airport': 'The departure airport may be any of these: {candidates}.',
  'error.ambiguous_arrival_airport': 'The arrival airport may be any of these: {candidates}.',
  'error.invalid_airline': 'There is no such airline.',
  'error.invalid_aircraft': 'There is no such aircraft type.',
  'error.code_expected': 'Enter a code.',
  'error.invalid_date_time': 'This is not a date.',
  'error.clock_form': 'Enter the time as HH:MM.',
  'error.user_among_passengers': 'At least one passenger must be a user.',
  'error.departure_date_required': 'Enter a departure date.',
  'error.time_missing': '“{field}” has a date but no time.',
  'error.time_out_of_range': '“{field}” is out of range.',
} as const satisfies Record<`error.${Reason}`, Message>

/** Parameters of a reason, and `count`: the number among them that a plural agrees with. */
type Known<Name extends Reason> = keyof NonNullable<ReasonParams<Name>> | 'count'

/** Texts with a placeholder for which the server sends no parameter. There must be none. */
type Unfilled = {
  [Name in Reason]: Exclude<keyof Values<(typeof reasons)[`error.${Name}`]>, Known<Name>> extends never
    ? never
    : Name
}[Reason]
const everyPlaceholderIsFilled: [Unfilled] extends [never] ? true : Unfilled = true
void everyPlaceholderIsFilled

// Limits that the server enforces and the web app checks before it sends a request.
export const PASSWORD_CHARACTERS_AT_LEAST = 8
export const TRACK_POINTS_AT_MOST = 100_000
/** Per person. */
export const FEEDS_AT_MOST = 20
export const SLUG_CHARACTERS_AT_MOST = 50

/** In one request. */
export const BULK_OPERATIONS_AT_MOST = 500
/** Flights in plain words in one request. */
export const LOGGED_AT_MOST = 100

// Ids that other programs give to flights
export const EXTERNAL_IDS_AT_MOST = 8
/** The name of the system that an id comes from. */
export const EXTERNAL_SOURCE = /^[a-z0-9][a-z0-9._-]{0,31}$/
/** Without control characters, line separators and lone surrogates. */
export const EXTERNAL_VALUE = /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}$/u

// Trips
/** Per person. */
export const TRIPS_AT_MOST = 2000
export const TRIP_FLIGHTS_AT_MOST = 500
export const TRIP_NAME_AT_MOST = 100
export const TRIP_NOTE_AT_MOST = 5000

/** Ids of records that people add themselves start here, far above any id of the shipped set. */
export const FIRST_CUSTOM_ID = 1_000_000_000

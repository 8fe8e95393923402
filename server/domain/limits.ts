// Limits that the server enforces and the web app checks before it sends a request.
export const PASSWORD_CHARACTERS_AT_LEAST = 8
export const TRACK_POINTS_AT_MOST = 100_000
/** Per person. */
export const FEEDS_AT_MOST = 20
export const SLUG_CHARACTERS_AT_MOST = 50

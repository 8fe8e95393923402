// How long the app waits, in milliseconds. The browser tests hold these timers.

/** A message that only tells. */
export const MESSAGE_MS = 4000
/** A message with a button, such as Undo. */
export const ACTION_MESSAGE_MS = 8000
/** The message after flights that were typed as a line. */
export const LINE_MESSAGE_MS = 10_000
/** More may be typed before a search starts. */
export const SEARCH_AFTER_MS = 120

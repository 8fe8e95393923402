// How long the app waits, in milliseconds. The browser tests hold these timers.

/** A message without a button. */
export const MESSAGE_MS = 4000
/** A message with a button, such as Undo. */
export const ACTION_MESSAGE_MS = 8000
/** The message after saving flights from the line. */
export const LINE_MESSAGE_MS = 10_000
/** Waits for more typing before a search starts. */
export const SEARCH_AFTER_MS = 120

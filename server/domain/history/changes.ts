// The items of the change feed.

export const changeTypes = [
  'flight',
  'visited_country',
  'share',
  'preferences',
  'custom_field',
  'trip',
] as const
export type ChangeType = (typeof changeTypes)[number]

/** Why an item is no longer in a person's view: it was deleted, or this person no longer sees it. */
export const removalReasons = ['deleted', 'unlisted'] as const
export type RemovalReason = (typeof removalReasons)[number]

/** How long the feed reports removals. */
export const TOMBSTONE_DAYS = 90
/** The most changes on a page, and the default. */
export const CHANGES_AT_MOST = 500
export const CHANGES_USUALLY = 100
/** How long a request may wait for a change, and how many requests per credential may wait at the same time. */
export const WAIT_SECONDS_AT_MOST = 25
export const WAITING_AT_MOST = 2
/** A person has one record of preferences; this is its id in the feed. */
export const PREFERENCES_ID = 1

// What the change feed reports.

export const changeTypes = [
  'flight',
  'visited_country',
  'share',
  'preferences',
  'custom_field',
  'trip',
] as const
export type ChangeType = (typeof changeTypes)[number]

/** Why an item is no longer in a person's view: it is gone, or only this person no longer sees it. */
export const removalReasons = ['deleted', 'unlisted'] as const
export type RemovalReason = (typeof removalReasons)[number]

/** For how long the feed reports that something was removed. */
export const TOMBSTONE_DAYS = 90
/** How many changes one page has at most, and unless a client says otherwise. */
export const CHANGES_AT_MOST = 500
export const CHANGES_USUALLY = 100
/** For how long a request may wait for a change, and how many of one credential may wait at a time. */
export const WAIT_SECONDS_AT_MOST = 25
export const WAITING_AT_MOST = 2
/** A person has one record of preferences, and this is its id in the feed. */
export const PREFERENCES_ID = 1

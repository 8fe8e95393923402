// What the change feed reports.

export const changeTypes = ['flight', 'visited_country', 'share', 'preferences', 'custom_field'] as const
export type ChangeType = (typeof changeTypes)[number]

/** Why an item is no longer in a person's view: it is gone, or only this person no longer sees it. */
export const removalReasons = ['deleted', 'unlisted'] as const
export type RemovalReason = (typeof removalReasons)[number]

/** A removal is reported for so long; a program that fetched none since then reads everything again. */
export const TOMBSTONE_DAYS = 90

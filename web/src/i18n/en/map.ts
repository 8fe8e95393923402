/** Owned by the map screens. */
export const map = {} as const

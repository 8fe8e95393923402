/** Owned by the stats screens. */
export const stats = {} as const

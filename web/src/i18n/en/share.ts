/** Owned by the share screens. */
export const share = {} as const

/** Owned by the settings screens. */
export const settings = {} as const

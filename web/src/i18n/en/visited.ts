/** Owned by the visited screens. */
export const visited = {} as const

/** Height of the bars at the top of the window that say what waits or what failed: what sticks does so below them. */
export const insets = $state({ top: 0 })

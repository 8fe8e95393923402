/** Height of the bars at the top of the window about unsynced changes and failures: sticky elements stay below them. */
export const insets = $state({ top: 0 })

/** Time on the map, loaded when it is first opened. */
export { default as ExportMenu } from './ExportMenu.svelte'
export { TimeMode } from './mode.svelte.ts'
export { default as TimePanel } from './TimePanel.svelte'

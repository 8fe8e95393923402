import { core } from './core.ts'
import { firstRun } from './first-run.ts'
import { lookup } from './lookup.ts'
import { map } from './map.ts'
import { notices } from './notices.ts'
import { share } from './share.ts'

/** What the first screen needs. */
export const first = {
  ...core,
  ...map,
  ...lookup,
  ...share,
  ...notices,
  ...firstRun,
} as const

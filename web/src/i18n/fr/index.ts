import type { en } from '../en/index.ts'
import type { Translation } from '../messages.ts'
import { core } from './core.ts'
import { firstRun } from './first-run.ts'
import { lookup } from './lookup.ts'
import { map } from './map.ts'
import { notices } from './notices.ts'
import { share } from './share.ts'

export const fr: Translation<typeof en> = {
  ...core,
  ...map,
  ...lookup,
  ...share,
  ...notices,
  ...firstRun,
}

import { feeds } from './feeds.ts'
import { notify } from './notify.ts'
import { secondFactor } from './second-factor.ts'
import { settings } from './settings.ts'
import { webhooks } from './webhooks.ts'

export const settingsPages = { ...settings, ...feeds, ...notify, ...secondFactor, ...webhooks } as const

import { feeds } from './feeds.ts'
import { secondFactor } from './second-factor.ts'
import { settings } from './settings.ts'
import { webhooks } from './webhooks.ts'

export const settingsPages = { ...settings, ...feeds, ...secondFactor, ...webhooks } as const

import { feeds } from './feeds.ts'
import { settings } from './settings.ts'
import { webhooks } from './webhooks.ts'

export const settingsPages = { ...settings, ...feeds, ...webhooks } as const

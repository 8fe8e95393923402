import type { settings as en } from '../en/settings.ts'
import type { Translation } from '../messages.ts'

export const settings: Translation<typeof en> = {}

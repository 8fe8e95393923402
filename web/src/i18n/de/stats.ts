import type { stats as en } from '../en/stats.ts'
import type { Translation } from '../messages.ts'

export const stats: Translation<typeof en> = {}

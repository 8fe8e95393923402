import type { map as en } from '../en/map.ts'
import type { Translation } from '../messages.ts'

export const map: Translation<typeof en> = {}

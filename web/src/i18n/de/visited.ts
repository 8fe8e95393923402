import type { visited as en } from '../en/visited.ts'
import type { Translation } from '../messages.ts'

export const visited: Translation<typeof en> = {}

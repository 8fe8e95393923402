import type { share as en } from '../en/share.ts'
import type { Translation } from '../messages.ts'

export const share: Translation<typeof en> = {}

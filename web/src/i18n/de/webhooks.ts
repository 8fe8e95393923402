import type { webhooks as en } from '../en/webhooks.ts'
import type { Translation } from '../messages.ts'

export const webhooks: Translation<typeof en> = {
  'webhooks.title': 'Webhooks',
}

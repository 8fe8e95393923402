/** Texts of the webhooks in the settings. */
export const webhooks = {
  'webhooks.title': 'Webhooks',
} as const
